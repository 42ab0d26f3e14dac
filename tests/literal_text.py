"""Random literal text for each source, and what a reader sees of the Markdown it becomes."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rove_core import quote
from rove_core.safety.text import clean

#: How many cases a property of the verbatim text is tried on; campaigns try more.
EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "100"))
#: What people type who talk about code, in any script.
_BITS = (
    *("if a<b and c>d", "List<A>", "<Button disabled>", "<b>", "</b>", "<br>", "<!-- x -->", "<"),
    *("&lt;", "&amp;", "&#60;", "&", "&copy;", "`", "``", "```", "~", "~~", "~~~", "|", "||"),
    *("*", "**", "_", "__", "__init__", "snake_case", "a*b*c", "[", "]", "](", "[1]", "[^1]"),
    *("[a](b)", "![a](b)", "[a]: b", "#", "# ", "- ", "+ ", "1. ", "2) ", "---", "===", "***"),
    *("> ", ">", "|-|", "$x$", "C:\\temp\\*.log", "$HOME", "\\", "a", "B", "7", " ", " ", " "),
    *("(", ")", "{", "}", "!", ":", ";", "'", '"', "=", "%", "/", "^", "é", "ß", "ñ"),
    *("漢字", "日本語。", "한국어", "שלום", "مرحبا", "🎉", "👩🚀"),
)
#: What Rove writes in another way on purpose: addresses, so that nothing follows them.
_ADDRESSES = re.compile(r"[@Ƣƣ]|(?<=/)/+|(?i:www(?=\.))")
_SPACE = re.compile(r"\s+")
_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def words(*, lines: bool = False) -> st.SearchStrategy[str]:
    """Draw literal text that begins and ends with what can be seen."""
    bits = st.sampled_from((*_BITS, "\n") if lines else _BITS) | st.characters(
        exclude_categories=("C", "Z", "M")
    )
    drawn = st.lists(bits, max_size=8).map("".join)
    return drawn.map(lambda text: unicodedata.normalize("NFC", _ADDRESSES.sub("", clean(text))))


def leaves(*, lines: bool = False) -> st.SearchStrategy[Sequence[str]]:
    """Draw several texts, each with a word of its own in it."""
    text = words(lines=lines)
    return st.lists(st.tuples(text, text), min_size=1, max_size=6).map(
        lambda drawn: [
            unicodedata.normalize("NFC", f"{start.lstrip()}{_own(at)}{end.rstrip()}")
            for at, (start, end) in enumerate(drawn)
        ]
    )


def _own(number: int) -> str:
    """Return the word that only one of the texts has."""
    return f"Ƣ{number}ƣ"


def assert_verbatim(markdown: str, said: Iterable[str]) -> None:
    """Check that Markdown, alone and as a document quotes it, shows each text once, in order."""
    _assert_shown(markdown, said)
    assert_quoted(markdown, said)


def assert_quoted(markdown: str, said: Iterable[str]) -> None:
    """Check that a document that quotes Markdown shows each text once, in order."""
    _assert_shown(quote(markdown), said)


def _assert_shown(markdown: str, said: Iterable[str]) -> None:
    shown, at = _flat(seen(markdown)), 0
    for number, text in enumerate(said):
        found = shown.find(_flat(text), at)
        assert found >= 0, f"{text!r} is not in {shown!r}, which is {markdown!r}"
        assert shown.count(_own(number)) == 1, f"{text!r} is there twice: {shown!r}"
        at = found + len(_flat(text))


def seen(markdown: str) -> str:
    """Return what a reader of Markdown sees: its words, bullets, numbers and code."""
    return "".join(_seen(_PARSER.parse(clean(markdown))))


def _seen(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "text" | "text_special" | "code_inline" | "fence" | "code_block":
                yield token.content
            case "list_item_open":
                yield f"\n{token.info}{token.markup} "
            case "softbreak" | "hardbreak" | "paragraph_close" | "td_close" | "th_close":
                yield "\n"
            case "hr":
                yield f"\n{token.markup}\n"
            case "inline":
                yield from _seen(token.children or ())
        if token.type.endswith("_close"):
            yield "" if token.level and token.type in _WITHIN else "\n"


_WITHIN = {"strong_close", "em_close", "s_close", "link_close"}


def _flat(text: str) -> str:
    """Return text without white space, which no page shows as it was typed."""
    return _SPACE.sub("", text)
