"""The change history of a ticket's text: who changed it, and when."""

from collections.abc import Iterator
from typing import Final

from rove_core import JSON, escape_markdown
from rove_core.json_reader import elements, text

#: What the history calls a link to a page elsewhere, by Jira's older and newer name.
_PAGES: Final = frozenset({"remoteissuelink", "remoteworkitemlink"})
#: What changes without changing what a ticket is about: order, time spent, what it shows anyway.
_UNIMPORTANT: Final = frozenset(
    {
        "attachment",
        "comment",
        "link",
        "rank",
        *_PAGES,
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


def links_page(entry: JSON) -> bool:
    """Return whether a history entry says that a page elsewhere was linked, or no longer is."""
    return any(text(item, "field").lower() in _PAGES for item in elements(entry, "items"))


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
