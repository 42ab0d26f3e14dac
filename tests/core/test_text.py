"""Text from outside, made harmless."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.text import clean, one_line, prose, quote

STRUCTURE = [
    "# a heading",
    "## another",
    "---",
    "===",
    "```",
    "~~~~",
    "> a quote",
    "| a | table |",
    "[1]: https://evil.example",
    "<!-- a comment -->",
    "<script>",
]


@pytest.mark.parametrize("line", STRUCTURE)
def test_structure_is_escaped(line: str) -> None:
    """What would open a block of Markdown does not."""
    assert not prose(line).startswith(line[:3])


def test_images_are_named() -> None:
    """An image is said to be there, and not loaded."""
    assert prose("see ![the plan](https://evil.example/p.png)") == "see [image: the plan]"


def test_links_are_shown() -> None:
    """A link shows where it leads, and is no link."""
    assert prose("[click](https://evil.example)") == "click (https://evil.example)"


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\x1b", "\ufeff", "\U000e0041", "\u2066"])
def test_what_cannot_be_seen_goes(hidden: str) -> None:
    """Controls, overrides and tag characters say nothing to a reader, so they go."""
    assert clean(f"ab{hidden}cd") == "abcd"


@given(st.text())
def test_a_quote_stays_a_quote(text: str) -> None:
    """Whatever the text, each line of a quote begins as one."""
    assert all(line.startswith(">") for line in quote(text).split("\n"))


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    """Whatever the text, a line stays a line and opens no link, table or tag."""
    line = one_line(text)

    assert len(line.splitlines()) <= 1
    assert not re.search(r"<[a-zA-Z/!?]|(?<!\\)[\[\]|`]", line)
