"""The texts of a ticket, joined."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from rove_core import JSON, escape_markdown
from rove_core.json_reader import elements, text, value_at
from rove_jira.custom import custom_fields


class Show(Protocol):
    """Writes a field's value as Markdown."""

    def __call__(self, value: JSON, *, files: Mapping[str, str]) -> str:
        """Return a value as Markdown."""


def content(issue: JSON, lists: Mapping[str, Sequence[str]], show: Show) -> str:
    """Return the description, then all other prose fields, then the linked pages.

    Args:
        issue: The ticket.
        lists: The lines of what it points at, by what they are called.
        show: Returns what somebody wrote as Markdown, given the names of attached files.
    """
    attached = elements(issue, "fields", "attachment")
    files = {text(file, "id"): text(file, "filename") for file in attached}
    parts = []
    for name, value in _prose_fields(issue):
        if words := show(value, files=files):
            parts += [_caption(name), words] if name else [words]
    for name, lines in lists.items():
        parts += [f"**{name}:**", "\n".join(lines)] if lines else []
    return "\n\n".join(parts)


def _prose_fields(issue: JSON) -> Iterator[tuple[str, JSON]]:
    """Yield the prose fields with their names, except the description."""
    yield "", value_at(issue, "fields", "description")
    yield "Environment", value_at(issue, "fields", "environment")
    yield from ((field.name, field.value) for field in custom_fields(issue) if field.is_prose)


def page_line(link: JSON) -> str:
    """Return a page elsewhere in a line: other sources know it by its address."""
    page = value_at(link, "object")
    url = text(page, "url").strip()
    names = (" ".join(text(page, name).split()) for name in ("title", "summary"))
    words = ": ".join(dict.fromkeys(each for each in names if each and each != url))
    label = escape_markdown(words, after=":" if url else "\n")
    return f"- {': '.join(filter(None, (label, url)))}" if label or url else ""


def _caption(name: str) -> str:
    """Return a field's name as a caption."""
    return f"**{escape_markdown(' '.join(name.split()), before='*', after=':')}:**"
