"""Custom fields of a site, by name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from rove_core import JSON
from rove_core.json_reader import text, value_at
from rove_jira.sprints import sprint_of

#: The field that counts pull requests, branches and commits.
_DEVELOPMENT: Final = ":devsummarycf"
#: Fields of programs: numbers of pull requests, a place in a list.
_OF_PROGRAMS: Final = (_DEVELOPMENT, ":gh-lexo-rank")
#: Where a value that is not a text has its name.
_NAMES: Final = ("value", "name", "displayName", "title", "key")


@frozen
class Custom:
    """A field.

    Attributes:
        name: How people call it.
        value: What it holds.
        is_prose: Whether that is what somebody wrote, not what somebody chose.
    """

    name: str
    value: JSON
    is_prose: bool

    @property
    def chosen(self) -> str:
        """The chosen options, in one line."""
        return _line(self.value)


def custom_fields(issue: JSON) -> Iterator[Custom]:
    """Yield the fields of a ticket that its site has added and that are not empty."""
    for name, value in _custom_fields(issue):
        if not _type_of(issue, name).endswith(_OF_PROGRAMS):
            called = text(issue, "names", name) or name
            yield Custom(called, value, is_prose=_is_prose(value))


def has_development(issue: JSON) -> bool:
    """Return whether a ticket's development field has pull requests, branches or commits."""
    return any(
        isinstance(value, str) and value.strip() not in {"", "{}"}
        for name, value in _custom_fields(issue)
        if _type_of(issue, name).endswith(_DEVELOPMENT)
    )


def _custom_fields(issue: JSON) -> Iterator[tuple[str, JSON]]:
    fields = value_at(issue, "fields")
    for name, value in fields.items() if isinstance(fields, Mapping) else ():
        if name.startswith("customfield_") and value:
            yield name, value


def _type_of(issue: JSON, name: str) -> str:
    return text(issue, "schema", name, "custom")


def _is_prose(value: JSON) -> bool:
    if isinstance(value, Mapping):
        return isinstance(value.get("content"), Sequence)
    return isinstance(value, str) and len(value.split()) > 1


def _line(value: JSON) -> str:
    match value:
        case bool() | None:
            return ""
        case str() | int() | float():
            return text(sprint_of(value), "name") or str(value)
        case Mapping():
            name = next(filter(None, (_line(value.get(name)) for name in _NAMES)), "")
            return " / ".join(filter(None, (name, _line(value.get("child")))))
    return ", ".join(filter(None, map(_line, value)))
