"""A document on the terminal."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove.markdown import (
    BlockQuote,
    CodeBlock,
    Heading,
    ListBlock,
    MarkdownTable,
    Paragraph,
    parse,
    plain,
)
from rove.terminal_document import rendered
from rove_core.terminal.screen import ESCAPES, columns_of

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Spawn, Terminal


def test_a_pipe_gets_the_document_as_it_is(rove: "Rove", project: Path) -> None:
    """So that what reads it gets Markdown."""
    text = next((project / ".context").glob("TB-123*")).read_text("utf-8")

    assert rove("show", "tb-123").out == text
    assert "\x1b[1;4mContext: TB-123" in rove("show", "tb-123", "--color=always").out


@pytest.mark.usefixtures("project")
def test_a_terminal_gets_it_rendered(spawn: "Spawn", terminal: "Terminal") -> None:
    """Without signs of Markdown, in colour, its citations linked."""
    spawn("show", "TB-123", stdout=terminal.end, line='PAGER=cat exec "$@"')
    terminal.wait_for("[1]")

    seen = terminal.look()
    assert "\x1b[1;4mContext: TB-123" in seen
    assert "\x1b]8;;https://northwind.atlassian.net/browse/TB-123\x1b\\" in seen
    assert "**Status:**" not in seen


@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_terminal(project: Path, width: int) -> None:
    """Words are never cut but where one alone is too long."""
    text = next((project / ".context").glob("TB-123*")).read_text("utf-8")

    for line in rendered(text, width).split("\n"):
        longest = max((columns_of(word) for word in line.split()), default=0)
        assert columns_of(line) <= max(width, longest + 8) or "    " in line


def test_no_line_ends_before_a_mark() -> None:
    """What follows a quote without a blank stays with it, though it looks different."""
    text = "- Sarah said it on *Jan 21*; and `code`, [a link](https://a.example)."

    assert ESCAPES.sub("", rendered(text, 24)).splitlines() == [
        "• Sarah said it on Jan",
        "  21; and code, a link.",
    ]


@given(st.text(max_size=300))
def test_a_document_moves_no_cursor(text: str) -> None:
    """Of escapes there are only ours: styles and links."""
    plain_text = ESCAPES.sub("", rendered(text, 60))

    assert all(c.isprintable() or c == "\n" for c in plain_text)


def test_the_blocks_of_a_document() -> None:
    """Each is what any reader of Markdown sees in it."""
    text = (
        "# Title\n\nTwo\nlines.\n\n> Quoted.\n>\n> - [x] done\n> - [ ] open\n\n"
        "| a | b |\n|---|---|\n| c \\| d | e |\n\n```py\nx = 1\n```\n\n3. three\n4. four\n"
    )
    heading, paragraph, quote, table, code, ordered = parse(text).blocks

    assert heading == Heading(1, "Title")
    assert paragraph == Paragraph("Two\nlines.")
    assert isinstance(quote, BlockQuote)
    assert isinstance(quote.blocks[1], ListBlock)
    assert [done for done, _ in quote.blocks[1].items] == [True, False]
    assert table == MarkdownTable(("a", "b"), (("c \\| d", "e"),))
    assert code == CodeBlock("x = 1", "py")
    assert isinstance(ordered, ListBlock)
    assert ordered.start == 3


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("**bold** and *slanted*", "bold and slanted"),
        ("`a * b` is a product, 2 * 3 too", "a * b is a product, 2 * 3 too"),
        ("snake_case_name", "snake_case_name"),
        ("\\*not slanted\\* &lt;b>", "*not slanted* <b>"),
        ("[words](https://a.example)", "words"),
        ("[12]", "[12]"),
    ],
)
def test_the_words_of_a_paragraph(markdown: str, words: str) -> None:
    """Signs that change nothing stay."""
    assert plain(markdown) == words


@given(st.text(max_size=300))
def test_any_text_has_blocks(text: str) -> None:
    """Whatever a person makes of the file, it can be shown."""
    letters = re.sub(r"[^a-z]", "", text)
    found = re.sub(r"[^a-z]", "", rendered(text, 10_000))

    assert len(found) <= len(letters) + 2
