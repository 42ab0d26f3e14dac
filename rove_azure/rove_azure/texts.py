"""Convert Azure DevOps' texts, HTML or Markdown, to Markdown."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rove_azure.fields import OWN, TEXTS
from rove_azure.replies import ItemCommentReply, WorkItemReply
from rove_core import html_to_markdown, without_hidden_marks
from rove_core.json_reader import string

_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|<!--|&(?:[A-Za-z]+|#\d+);")
#: Somebody who is mentioned in Markdown: by the id.
_MENTION: Final = re.compile(r"@<([0-9A-Fa-f-]{36})>")
_MARKDOWN: Final = "markdown"
#: A field of this many characters is no line any more.
_LONG: Final = 200


def texts_of(reply: WorkItemReply) -> Iterator[tuple[str, str]]:
    """Yield the long texts of a work item as Markdown, each by what people call it."""
    for ref, name in TEXTS.items():
        if words := text_of(reply, ref):
            yield name, words
    for ref in reply.fields:
        if ref.startswith(OWN) and is_long(reply, ref) and (words := text_of(reply, ref)):
            yield name_of(ref), words


def text_of(reply: WorkItemReply, ref: str) -> str:
    """Return one field as Markdown; empty if it has no text."""
    value = without_hidden_marks(string(reply.fields, ref))
    return as_markdown(value, reply.multilineFieldsFormat.get(ref, ""))


def is_long(reply: WorkItemReply, ref: str) -> bool:
    """Return whether people write paragraphs in a field."""
    value = string(reply.fields, ref)
    is_prose = "\n" in value or len(value) > _LONG or bool(_TAG.search(value))
    return ref in reply.multilineFieldsFormat or is_prose


def is_markdown(reply: WorkItemReply, ref: str) -> bool:
    """Return whether a field is stored as Markdown."""
    return reply.multilineFieldsFormat.get(ref, "").lower() == _MARKDOWN


def comment_of(comment: ItemCommentReply, people: Mapping[str, str]) -> str:
    """Return a comment as Markdown.

    Args:
        comment: The comment.
        people: Names by ids: Markdown mentions people by their ids.
    """

    def named(found: re.Match[str]) -> str:
        name = people.get(found[1].lower(), "")
        return f"@{name}" if name else found[0]

    words = as_markdown(comment.text, comment.format)
    return _MENTION.sub(named, words) if comment.format.lower() == _MARKDOWN else words


def as_markdown(value: str, format_: str) -> str:
    """Return a text as Markdown.

    Args:
        value: The text.
        format_: ``html`` or ``markdown``; where Azure does not tell, lines without any tag are
            Markdown, as its editor ends no line of HTML in another way.
    """
    is_lines = not format_ and "\n" in value.strip() and not _TAG.search(value)
    if format_.lower() == _MARKDOWN or is_lines:
        return value
    return html_to_markdown(value)


def name_of(ref: str) -> str:
    """Return what people call a field of their own: ``Custom.RolloutPlan`` is Rollout Plan."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z\s_]+", ref.removeprefix(OWN)))
