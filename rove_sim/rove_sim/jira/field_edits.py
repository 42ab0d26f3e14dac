"""Validate and set the fields of a ticket."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from attrs import evolve, frozen

from rove_core import JSON
from rove_core.json_reader import elements, string, text, value_at
from rove_sim.company_jira import Ticket
from rove_sim.jira.fields import SPRINT, custom
from rove_sim.jira.vocabulary import PRIORITIES, number
from rove_sim.routes import RefusedError
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.jira.site import Jira

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_LONGEST: Final = 255
_NO_DOCUMENT: Final = (
    "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
)


def refuse_fields(errors: Mapping[str, str]) -> NoReturn:
    """Raise the reply for invalid fields, with a message for each."""
    raise RefusedError(Response({"errorMessages": [], "errors": {**errors}}, 400))


def is_document(value: JSON) -> bool:
    """Return whether a value is a document tree."""
    return value_at(value, "type") == "doc" and isinstance(value_at(value, "content"), list)


@frozen
class FieldEdits:
    """Reads the fields of a change into a ticket."""

    jira: "Jira"

    def applied(self, ticket: Ticket, fields: Mapping[str, JSON]) -> Ticket:
        """Return a ticket with its fields changed, or refuse all of them."""
        errors: dict[str, str] = {}
        for name, value in fields.items():
            try:
                ticket = evolve(ticket, **self._read(ticket, name, value))
            except ValueError as error:
                errors[name] = str(error)
        if errors:
            refuse_fields(errors)
        return ticket

    def _read(self, ticket: Ticket, name: str, value: JSON) -> dict[str, Any]:
        readers: Mapping[str, Callable[[JSON], dict[str, Any]]] = {
            "summary": _summary,
            "description": self._description,
            "priority": _priority,
            "assignee": self._assignee,
            "labels": _labels,
            "duedate": _due,
            "parent": self._parent,
            SPRINT: self._sprint,
        }
        if name in readers:
            return readers[name](value)
        by_id = {custom(each): each for each in ticket.fields}
        if name not in by_id:
            raise ValueError(
                f"Field '{name}' cannot be set. It is not on the appropriate screen, or unknown."
            )
        return {"fields": {**ticket.fields, by_id[name]: value}}

    def _description(self, value: JSON) -> dict[str, Any]:
        if value is not None and not self.jira.is_text(value):
            raise ValueError(_NO_DOCUMENT)
        return {"description": "", "adf": value}

    def _assignee(self, value: JSON) -> dict[str, Any]:
        if value is None:
            return {"assignee": ""}
        for person in self.jira.company.people:
            if person.jira == text(value, self.jira.person_key):
                return {"assignee": person.key or person.name}
        raise ValueError("Specify a valid value for assignee")

    def _parent(self, value: JSON) -> dict[str, Any]:
        if value is None:
            return {"parent": ""}
        found = self.jira.tickets.find(text(value, "key") or text(value, "id"))
        if found is None:
            raise ValueError("Could not find valid 'id' or 'key' value for the parent issue.")
        return {"parent": found.key}

    def _sprint(self, value: JSON) -> dict[str, Any]:
        if value is None:
            return {"sprint": ""}
        for name in self.jira.tickets.sprint_names():
            if number("sprint", name) == text(value):
                return {"sprint": name}
        raise ValueError(f"Sprint with id {text(value)} does not exist.")


def _summary(value: JSON) -> dict[str, Any]:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("You must specify a summary of the issue.")
    if len(value) > _LONGEST or "\n" in value:
        raise ValueError(f"Summary must be one line of less than {_LONGEST} characters.")
    return {"title": value}


def _priority(value: JSON) -> dict[str, Any]:
    found = [
        name
        for name in PRIORITIES
        if name == string(value, "name") or number("priority", name) == text(value, "id")
    ]
    if not found:
        raise ValueError("The priority selected is invalid.")
    return {"priority": found[0]}


def _labels(value: JSON) -> dict[str, Any]:
    labels: Sequence[JSON] = elements(value)
    if not isinstance(value, list) or [each for each in labels if not isinstance(each, str)]:
        raise ValueError("data was not an array")
    for each in map(str, labels):
        if re.search(r"\s", each):
            raise ValueError(f"The label '{each}' contains spaces which is invalid.")
    return {"labels": tuple(map(str, labels))}


def _due(value: JSON) -> dict[str, Any]:
    if value is not None and not (isinstance(value, str) and _DAY.fullmatch(value)):
        raise ValueError("Error parsing date string: expected format 'yyyy-MM-dd'")
    return {"due": value or ""}
