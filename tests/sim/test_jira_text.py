"""Markdown becomes the document trees that Atlassian's editor makes."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from rove_core.wire.json_types import JSON
from rove_sim.jira.adf import document
from rove_sim.jira.words import html, plain
from rove_sim.specification_checks import Specifications

PEOPLE = {"sarah": ("5b10", "Sarah Chen")}
PIECES = st.sampled_from(
    [
        *("# A", "- one", "  - two", "1. x", "- [ ] y", "> q", "```py", "```", "---", "", "text"),
        *("| a | b |", "|---|---|", "[l](https://a.example)", "https://b.example", "![f](f.png)"),
        *("**b**", "*i*", "`c`", "~~s~~", "@sarah", "\\*", "***", "**", "a_b_c", "x*y", "end  "),
    ]
)


@pytest.fixture
def blocks() -> Callable[[str], list[Mapping[str, JSON]]]:
    """Give what makes blocks of a text."""
    return lambda text: list(_content(document(text, PEOPLE.get)))


def _content(node: JSON) -> list[Mapping[str, JSON]]:
    content = node.get("content", ()) if isinstance(node, Mapping) else ()
    assert isinstance(content, list | tuple)
    return [each for each in content if isinstance(each, Mapping)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("One\n\nTwo", ["paragraph", "paragraph"]),
        ("## Title", ["heading"]),
        ("- a\n- b", ["bulletList"]),
        ("1. a\n2. b", ["orderedList"]),
        ("- [ ] a\n- [x] b", ["taskList"]),
        ("> said\n> twice", ["blockquote"]),
        ("```python\nx = 1\n```", ["codeBlock"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["table"]),
        ("a\n\n---\n\nb", ["paragraph", "rule", "paragraph"]),
        ("![plan](plan.png)", ["mediaSingle"]),
    ],
)
def test_blocks(
    blocks: Callable[[str], list[Mapping[str, JSON]]], text: str, kinds: list[str]
) -> None:
    """Each kind of block has a node of its own."""
    assert kinds == [block["type"] for block in blocks(text)]


@pytest.mark.parametrize(
    ("text", "mark"),
    [("**a**", "strong"), ("*a*", "em"), ("_a_", "em"), ("~~a~~", "strike"), ("`a`", "code")],
)
def test_marks(blocks: Callable[[str], list[Mapping[str, JSON]]], text: str, mark: str) -> None:
    """Emphasis is a mark on a text."""
    (node,) = _content(blocks(text)[0])

    assert node == {"type": "text", "text": "a", "marks": [{"type": mark}]}


def test_references(blocks: Callable[[str], list[Mapping[str, JSON]]]) -> None:
    """A person is mentioned, a bare address becomes a card, a named one a link."""
    (paragraph,) = blocks("@sarah see https://a.example/x. or [it](https://b.example) @nobody")
    mention, _, card, _, link, rest = _content(paragraph)

    assert mention["attrs"] == {"id": "5b10", "text": "@Sarah Chen", "accessLevel": ""}
    assert card == {"type": "inlineCard", "attrs": {"url": "https://a.example/x"}}
    assert link["marks"] == [{"type": "link", "attrs": {"href": "https://b.example"}}]
    assert rest["text"] == " @nobody"


def test_lists_within_lists(blocks: Callable[[str], list[Mapping[str, JSON]]]) -> None:
    """What is indented belongs to the item above."""
    (outer,) = blocks("- a\n  - b\n- c")
    first, _ = _content(outer)

    assert [node["type"] for node in _content(first)] == ["paragraph", "bulletList"]


def test_words_of_a_document() -> None:
    """For people they are HTML, for the search plain lines."""
    tree = document("# Plan\n\nAsk **@sarah** & see https://a.example", PEOPLE.get)

    assert plain(tree).split("\n") == ["Plan", "Ask @Sarah Chen & see https://a.example"]
    assert html(tree) == "<h1>Plan</h1><p>Ask @Sarah Chen &amp; see https://a.example</p>"


@given(lines=st.lists(PIECES, max_size=8))
def test_every_document_is_valid(lines: list[str]) -> None:
    """Whatever is written, the tree can be read again as JSON and holds no empty text."""
    tree = json.loads(json.dumps(document("\n".join(lines), PEOPLE.get)))

    assert tree["type"] == "doc"
    assert not [node for node in _all(tree) if node.get("type") == "text" and not node["text"]]


def test_documents_are_as_specified(specifications: Path) -> None:
    """Atlassian's own schema takes each kind of node that is made."""
    schema = Specifications(specifications).document_schema()
    texts = ["\n\n".join(f"{a}\n{b}" for a in ("# A", "- one", "> q") for b in ("text", "**b**"))]
    texts += ["- [ ] a\n- [x] b", "1. x\n   - y", "![f](f.png)", "a ![f](f.png) b", "`c` **`d`**"]
    texts += [
        "| a | b |\n|---|---|\n| 1 | |",
        "```py\nx\n```\n\n---\n\nend  \nline",
        ">",
        "```\n```",
    ]

    for text in texts:
        errors = Draft4Validator(schema).iter_errors(document(text, PEOPLE.get))
        assert [f"{text!r}: {error.message[:300]}" for error in errors] == []


def _all(node: Mapping[str, JSON]) -> list[Mapping[str, JSON]]:
    return [node, *(inner for child in _content(node) for inner in _all(child))]
