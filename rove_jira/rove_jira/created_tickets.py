"""Find the ticket created under an idempotency key, after a lost reply."""

from collections.abc import Mapping, Sequence
from typing import Final

from rove_core import JSON, ItemNotFound, NewWorkItem, find_hidden_mark, hidden_mark
from rove_core.json_reader import text
from rove_jira.api import JiraApi, items, thing, ticket_path
from rove_jira.issue_reader import BULK, OLD_SEARCH, SEARCH
from rove_jira.items import name_of

#: The property in which a ticket of Cloud keeps the key that it was created with.
PROPERTY: Final = "rove"
#: Of a project, the latest tickets and as many numbers after the last one.
_LATEST: Final = 50
#: How many numbers in a row may have no ticket that this login sees.
_GAP: Final = 5


async def created_ticket(site: JiraApi, new: NewWorkItem) -> str:
    """Return the name of the ticket that was created with a key; empty if there is none.

    The search learns late of what was created. So the numbers after the last one that it
    knows are asked for, too.
    """
    where = f'project = "{new.container}" ORDER BY key DESC'
    if site.is_data_center:
        return await _find_marked(site, new, where)
    own: dict[str, JSON] = {"fields": ["key"], "properties": [PROPERTY], "maxResults": _LATEST}
    latest = items(await site.post(SEARCH, {"jql": where, **own}), "issues")
    first = _last_number(latest) + 1
    names = [f"{new.container}-{number}" for number in range(first, first + _LATEST)]
    body: Mapping[str, JSON] = {
        "issueIdsOrKeys": [*names],
        "fields": ["key"],
        "properties": [PROPERTY],
    }
    later = items(await site.post(BULK, body), "issues")
    for each in [*later, *latest]:
        if text(each, "properties", PROPERTY, "key") == new.key:
            return name_of(each)
    return ""


async def _find_marked(site: JiraApi, new: NewWorkItem, where: str) -> str:
    """Return the key of the ticket whose description carries a hidden key.

    Data Center reads no tickets by a list of keys but by its search, so each number is asked for.
    """
    mark, fields = hidden_mark(new.key), "description"
    body: Mapping[str, JSON] = {"jql": where, "fields": [fields], "maxResults": _LATEST}
    latest = items(await site.post(OLD_SEARCH, body), "issues")
    for each in latest:
        if find_hidden_mark(text(each, "fields", fields)) == mark:
            return name_of(each)
    number, missing = _last_number(latest), 0
    while missing < _GAP:
        number += 1
        path = ticket_path(f"{new.container}-{number}")
        try:
            reply = await site.get(path, kind="issue/{key}", fields=fields)
        except ItemNotFound:
            missing += 1
            continue
        missing, found = 0, thing(reply, "key")
        if find_hidden_mark(text(found, "fields", fields)) == mark:
            return name_of(found)
    return ""


def _last_number(issues: Sequence[JSON]) -> int:
    return max((int(name_of(each).rpartition("-")[2] or 0) for each in issues), default=0)
