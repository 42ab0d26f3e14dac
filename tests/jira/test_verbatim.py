"""Whatever people type into Jira is read in the item and in the document as they typed it."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.literal_text import (
    assert_quoted,
    assert_verbatim,
    leaves,
    one_of,
    six_of,
    some_of,
    tried,
)

from rove_core import adf_to_markdown
from rove_jira.changes import change_lines
from rove_jira.contents import content, page_line
from rove_jira.development import development_line

Tree = dict[str, Any]


def _text(words: str, marks: Sequence[str] = ()) -> Tree:
    return {
        "type": "text",
        "text": words,
        "marks": [
            {"type": mark, "attrs": {"href": "https://a.example/b"} if mark == "link" else {}}
            for mark in marks
        ],
    }


def _paragraph(*content: Tree) -> Tree:
    return {"type": "paragraph", "content": [*content]}


def _table(words: Tree) -> Tree:
    head = {"type": "tableHeader", "content": [_paragraph(_text("head"))]}
    cell = {"type": "tableCell", "content": [_paragraph(words)]}
    empty = cell | {"content": []}
    rows = [{"type": "tableRow", "content": row} for row in ([head, head], [cell, empty])]
    return {"type": "table", "content": rows}


def _in(*kinds: str, **attrs: str) -> Callable[[Tree], Tree]:
    def around(words: Tree) -> Tree:
        for kind in reversed(kinds):
            words = {"type": kind, "content": [words], "attrs": attrs}
        return words

    return around


#: Each place of a document that people type into.
PLACES: Sequence[Callable[[Tree], Tree]] = (
    _paragraph,
    _table,
    _in("heading", level="2"),
    _in("bulletList", "listItem", "paragraph"),
    _in("orderedList", "listItem", "paragraph"),
    _in("blockquote", "paragraph"),
    _in("panel", "paragraph", panelType="info"),
    _in("taskList", "taskItem"),
    _in("decisionList", "decisionItem"),
    _in("expand", "paragraph", title="More"),
    _in("layoutSection", "layoutColumn", "paragraph"),
    _in("table", "tableRow", "tableHeader", "bulletList", "listItem", "paragraph"),
    lambda words: {"type": "mediaSingle", "content": [{"type": "caption", "content": [words]}]},
    lambda words: {"type": "expand", "attrs": {"title": words["text"]}},
    lambda words: {
        "type": "panel",
        "attrs": {"panelType": "custom", "panelIconText": words["text"]},
    },
    lambda words: _paragraph({"type": "status", "attrs": {"text": words["text"]}}),
    lambda words: _paragraph({"type": "mention", "attrs": {"text": words["text"]}}),
    lambda words: _paragraph({"type": "mediaInline", "attrs": {"alt": words["text"]}}),
    lambda words: _paragraph({"type": "placeholder", "attrs": {"text": words["text"]}}),
    lambda words: _paragraph({"type": "inlineCard", "attrs": {"data": {"name": words["text"]}}}),
)
MARKS = ("strong", "em", "strike", "underline", "link")


@tried(said=leaves(), places=six_of(PLACES))
def test_text_in_each_place_of_a_document(
    said: Sequence[str], places: Sequence[Callable[[Tree], Tree]]
) -> None:
    """Angle brackets, entities, ticks, bars and marks, in any script, in each place."""
    content = [place(_text(words)) for place, words in zip(places, said, strict=False)]

    assert_verbatim(adf_to_markdown({"type": "doc", "content": content}), said)


@tried(said=leaves(), marks=some_of(MARKS, 3), place=one_of(PLACES[:5]))
def test_texts_with_marks_in_one_line(
    said: Sequence[str], marks: Sequence[Sequence[str]], place: Callable[[Tree], Tree]
) -> None:
    """However a line is cut into texts, and however each of them is marked."""
    line = [_text(words, each) for words, each in zip(said, marks, strict=False)]

    whole = place({"type": "neverHeardOf", "content": line})
    assert_verbatim(adf_to_markdown({"type": "doc", "content": [whole]}), said)


@tried(said=leaves(lines=True))
def test_code_is_as_it_was_typed(said: Sequence[str]) -> None:
    """Each block of code between fences that nothing in it closes."""
    content: list[Any] = [{"type": "codeBlock", "content": [_text(words)]} for words in said]

    assert_verbatim(adf_to_markdown({"type": "doc", "content": content}), said)


@tried(said=leaves(lines=True))
def test_lines_of_a_paragraph(said: Sequence[str]) -> None:
    """What stands at the start of a line opens nothing."""
    content: list[Any] = [_paragraph(_text(words), {"type": "hardBreak"}) for words in said]

    assert_verbatim(adf_to_markdown({"type": "doc", "content": content}), said)


@tried(said=leaves(least=5))
def test_names_in_lines_of_ours(said: Sequence[str]) -> None:
    """Titles of linked pages, names of fields, and what changed: none of it is Markdown."""
    field, page, code, before, after = said[:5]
    url = "https://wiki.example/7"
    issue: Tree = {
        "fields": {"customfield_1": "two words"},
        "names": {"customfield_1": field},
    }
    pull = {"name": code, "url": url, "status": "OPEN", "repositoryName": "web"}
    lists = {
        "Linked pages": [page_line({"object": {"title": page, "url": url}})],
        "Development": [development_line(pull)],
    }
    markdown = content(issue, lists, lambda value, **_: str(value))
    fields = {"items": [{"field": "summary", "fromString": before, "toString": after}]}
    history = change_lines(fields)

    assert_quoted(markdown, said[:3])
    assert_quoted(f"{markdown}\n\n{history}", said[:5])
