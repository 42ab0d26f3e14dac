"""The change history of a ticket's text: who changed it, and when."""

from collections.abc import Iterator
from typing import Final

from rove_core import JSON, escape_markdown
from rove_core.json_reader import elements, text

#: What changes without changing what a ticket is about: order, time spent, what it shows anyway.
_UNIMPORTANT: Final = frozenset(
    {
        "attachment",
        "comment",
        "link",
        "rank",
        "remoteissuelink",
        "remoteworkitemlink",
        "timeestimate",
        "timespent",
        "workflow",
        "worklogid",
        "worklogtimespent",
    }
)
_LONGEST: Final = 200


def change_lines(entry: JSON) -> str:
    """Return the changes in a history entry, a line per field; empty if minor."""
    return "\n".join(_lines(entry))


def _lines(entry: JSON) -> Iterator[str]:
    for item in elements(entry, "items"):
        field = text(item, "field") or text(item, "fieldId")
        if not field or field.lower() in _UNIMPORTANT:
            continue
        name = escape_markdown(field[:1].upper() + field[1:], after=":")
        before, after = text(item, "fromString"), text(item, "toString")
        if "\n" in before + after or max(len(before), len(after)) > _LONGEST:
            yield f"- {name}: rewritten"
        else:
            yield f"- {name}: {_value(before)} → {_value(after)}"


def _value(words: str) -> str:
    return escape_markdown(words, before=" ", after=" ") or "(none)"
