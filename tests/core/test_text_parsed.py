"""What a parser of Markdown sees of others' text, whatever they wrote."""

import json
import unicodedata
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rove_core.safety.text import one_line, prose, quote

_FILE: Final = Path(__file__).parent / "attacks" / "markdown.jsonl"
ATTACKS: Final[list[str]] = [json.loads(line) for line in _FILE.read_text("ascii").splitlines()]
#: CommonMark alone, and with what most places add to it.
PARSERS: Final = (
    MarkdownIt("commonmark"),
    MarkdownIt("commonmark").enable(["table", "strikethrough"]),
)
#: The document that a quote stands in defines what its own citations lead to.
DEFINED: Final = {str(number): {"href": "https://own.example", "title": ""} for number in range(10)}
FORBIDDEN: Final = {
    "link_open",
    "image",
    "html_block",
    "html_inline",
    "heading_open",
    "hr",
}
BITS: Final = [
    *("a", " ", "\n", "\n\n", "    ", "\t", "#", "---", "- ", "* ", "1. ", "=", "|", "|-|", ">"),
    *("`", "``", "```", "~~~", "```py\n", "\n```\n", "\\", "&", "&lt;", "&#8238;", "\u0338", "!"),
    *("[", "]", "(", ")", "](", "[1]", "[a](b)", "![a](b)", "[a]: b", "<", "<b>", "</b>", "<br>"),
    *("<!--", "-->", "<a href=b>", "</a>", "<img alt=a>", "https://evil.example", "www.a.b", "_"),
]

markdown = st.lists(st.sampled_from(BITS) | st.text(max_size=3), max_size=14).map("".join)
attacks = st.lists(st.sampled_from(ATTACKS), min_size=1, max_size=4)


def seen(text: str) -> Iterator[str]:
    """Yield what parsers make of a text, that a quote must not be."""
    for parser in PARSERS:
        defined = {"references": dict(DEFINED)}
        tokens = parser.parse(text, defined)
        kinds = [token.type for token in tokens]
        outside = [token.type for token in tokens if not token.level]
        if (kinds[0], kinds[-1]) != ("blockquote_open", "blockquote_close"):
            yield "more than a quote"
        if outside.count("blockquote_open") != 1:
            yield "several quotes"
        yield from FORBIDDEN.intersection(kinds, *(_inner(token) for token in tokens))
        yield from FORBIDDEN & set(chain(kinds, *map(_inner, tokens)))
        if defined["references"].keys() != DEFINED.keys():
            yield "a definition"


def _inner(token: Token) -> list[str]:
    return [child.type for child in token.children or ()]


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_a_quote(attack: str) -> None:
    """Alone, behind words, in a list or before more, it opens nothing and links nothing."""
    for text in (attack, f"words\n{attack}", f"- {attack}", f"{attack}\n\n[a][ref]\n\n[ref]: b"):
        assert list(seen(quote(text))) == []


@given(attacks, st.sampled_from(["", " ", "\n", "\n\n", "`", "<b>"]))
def test_attacks_together(parts: list[str], between: str) -> None:
    """Nor do several of them make one that works."""
    assert list(seen(quote(between.join(parts)))) == []


@given(markdown)
def test_any_text_is_a_quote(text: str) -> None:
    """Whatever is written, parsers see one quote without links, images, HTML and headings."""
    assert list(seen(quote(text))) == []


@given(markdown)
def test_once_is_enough(text: str) -> None:
    """What has been made harmless stays as it is."""
    told = prose(text)

    assert prose(told) == told


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t")))
def test_nothing_visible_is_lost(text: str) -> None:
    """Every letter and digit is still there, in its order, but for how an address begins."""
    text = unicodedata.normalize("NFC", text).replace("://", "")
    words = [c for c in text if c.isalnum() and unicodedata.category(c) in {"Ll", "Lu", "Nd"}]
    told = iter(quote(text))

    assert all(letter in told for letter in words)


@pytest.mark.parametrize(
    "text",
    [
        "- [WORD1 `WORD2`](WORD3) WORD4",
        "# WORD1\n\n    WORD2\n\nWORD3 ![WORD4](x)",
        "<b>WORD1</b> <WORD2> & WORD3 &lt; WORD4",
        "```WORD1\nWORD2\n```\n> WORD3\n\n[WORD4]: x",
        "<details><summary>WORD1</summary>\nWORD2</details> | WORD3 |\n|--|\n|WORD4|",
    ],
)
def test_words_in_structure_are_not_lost(text: str) -> None:
    """Nor is a word that stands in a link, code, a list, HTML or a table."""
    shown = quote(text)

    assert [f"WORD{number}" in shown for number in range(1, 5)] == [True] * 4


@given(markdown)
def test_one_line_is_words(text: str) -> None:
    """A line is a single line, and a parser sees nothing but words in it."""
    line = one_line(text)
    (inline,) = MarkdownIt("commonmark").parseInline(line, {"references": dict(DEFINED)})

    assert len(line.splitlines()) <= 1
    assert set(_inner(inline)) <= {"text", "text_special"}
