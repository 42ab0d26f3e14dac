"""The sprints of a project, over all its boards."""

import re
from typing import Final

from rove_core import JSON, ItemNotFound, Iteration, WrongCall
from rove_core.json_reader import moment, text
from rove_jira.api import JiraApi

_BOARDS: Final = "rest/agile/1.0/board"
#: Jira's states of a sprint, in the order in which they are told.
_STATES: Final = ("active", "future", "closed")
#: A sprint as Data Center has it in a ticket: a line of names and values.
_LINE: Final = re.compile(r"[\w.]+Sprint@\w+\[(?P<values>.*)\]", re.DOTALL)
_VALUE: Final = re.compile(r"(?:^|,)(\w+)=(.*?)(?=,\w+=|$)", re.DOTALL)


async def sprints(site: JiraApi, project: str) -> list[Iteration]:
    """Return the sprints of a project: those under way, then those to come, the last at the end."""
    try:
        boards = await site.listed(
            _BOARDS, "values", kind="agile/board", projectKeyOrId=project, type="scrum"
        )
    except (ItemNotFound, WrongCall) as error:
        message = f"project {project}: not found, or not visible to this account"
        raise ItemNotFound(message) from error
    found: dict[str, JSON] = {}
    for board in boards.things:
        path = f"{_BOARDS}/{text(board, 'id')}/sprint"
        listed = await site.listed(path, "values", kind="agile/board/{id}/sprint")
        found |= {text(each, "id"): each for each in listed.things}
    open_sprints = [each for each in found.values() if text(each, "state") in _STATES]
    open_sprints.sort(key=lambda each: _STATES.index(text(each, "state")))
    return [_iteration(each) for each in open_sprints]


def sprint_of(value: JSON) -> JSON:
    """Return a sprint as an object, which Data Center writes as a line of its program."""
    found = _LINE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return value
    values: dict[str, JSON] = dict(_VALUE.findall(found["values"]))
    return {**values, "state": text(values, "state").lower()}


def _iteration(sprint: JSON) -> Iteration:
    state = text(sprint, "state")
    return Iteration(
        id=text(sprint, "id"),
        name=text(sprint, "name"),
        state="active" if state == "active" else "planned" if state == "future" else "completed",
        starts=moment(sprint, "startDate"),
        ends=moment(sprint, "endDate"),
        goal=text(sprint, "goal"),
    )
