"""A document is cut into the smallest things a person would edit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.build.write.blocks import cut, front_of

LINES = [
    *("# Title", "## Topic", "- item", "* item", "1. one", "> quote", "> more", "", "   ", "\t"),
    *("| a | b |", "|---|---|", "[1]: https://a.example", "---", "***", "===", "```", "```py"),
    *("~~~~", "text", "  indented", "\tcode", "<!-- x", "-->", "<pre>", "</pre>", "\ufeff", "\x0c"),
]


@given(
    st.lists(st.sampled_from(LINES) | st.text("ab>#-| `[]:\udc80", max_size=6), max_size=25),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_joined_it_is_the_document(lines: list[str], end: str) -> None:
    """No byte is lost, whatever the line ends, with or without one at the end."""
    text = end.join(lines)

    assert "".join(map(str, cut(text))) == text


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("# a\nb", ["# a", "b"]),
        ("a\nb\n\n\nc", ["a\nb", "c"]),
        ("Title\n===\n\nmore", ["Title\n===", "more"]),
        ("- a\n  more\n- b\n\n  more\n1) c", ["- a\n  more", "- b\n\n  more", "1) c"]),
        ("- a\nlazy\n\nb", ["- a\nlazy", "b"]),
        ("> a\n> b\n\n> c\nd", ["> a\n> b", "> c", "d"]),
        ("> > a\n>\n> b", ["> > a\n>\n> b"]),
        ("```\n# a\n\n```\nb", ["```\n# a\n\n```", "b"]),
        ("~~~~\n~~~\n~~~~ \nb", ["~~~~\n~~~\n~~~~", "b"]),
        ("<!-- a\n\n# b -->\nc", ["<!-- a\n\n# b -->", "c"]),
        ("| a |\n|---|\n| b |\n| c |", ["| a |\n|---|", "| b |", "| c |"]),
        ("[1]: x 'y'\n[2]: <z>\nb", ["[1]: x 'y'", "[2]: <z>", "b"]),
        ("[1]: x\n  'a title'\n\nb", ["[1]: x\n  'a title'", "b"]),
        ("a\n[1]: x\n[2]: y", ["a\n[1]: x\n[2]: y"]),
        ("[1]: x y\n[2]: z", ["[1]: x y\n[2]: z"]),
        ("---\n* * *\na", ["---", "* * *", "a"]),
    ],
)
def test_what_a_piece_is(text: str, pieces: list[str]) -> None:
    """Headings, items, rows and definitions stand alone; quotes, code and paragraphs run on."""
    assert [piece.words for piece in cut(text)] == pieces


def test_code_that_is_never_closed() -> None:
    """It runs on to the end, and is known to."""
    *_, last = cut("a\n\n```\nb\n\n# c\n")

    assert (last.words, last.is_open) == ("```\nb\n\n# c", True)


@pytest.mark.parametrize(
    ("text", "front"),
    [
        ("---\ntags: [a]\n---\n# a", "---\ntags: [a]\n---\n"),
        ("\ufeff# a", "\ufeff"),
        ("\ufeff---\r\na: b\r\n---\r\n\r\nc", "\ufeff---\r\na: b\r\n---\r\n"),
        ("---\n\n## Sources Consulted\n\n---\n", ""),
        ("---\na: b\n", ""),
        ("# a", ""),
    ],
)
def test_what_stays_the_beginning(text: str, front: str) -> None:
    """A byte order mark and front matter stay first; a rule is neither."""
    assert front_of(text) == front
