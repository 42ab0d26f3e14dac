"""Random literal text for each source, and what a reader sees of the Markdown it becomes."""

import functools
import inspect
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rove_core import quote
from rove_core.safety.active import BARS
from rove_core.safety.text import clean

_Choice = TypeVar("_Choice")
#: How many cases a property of the verbatim text is tried on; campaigns try more.
EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "500"))
#: The number of the first case; the parts of a campaign begin at different ones.
_FIRST = int(os.environ.get("ROVE_FIRST_EXAMPLE", "0"))
#: Seconds that a test may take for each of its cases: a campaign has more time than CI.
_SECONDS_PER_CASE = 0.6
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
#: What Rove escapes even in code, since it could be a tag of a chat template, whole or cut.
_TAGS = re.compile(rf"<(?=[{BARS}][\w\u2581]+(?:[{BARS}]>|…|$))", re.MULTILINE)
_SPACE = re.compile(r"\s+")
_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def tried(
    also: Sequence[Mapping[str, object]] = (), **drawn: Callable[[Random], object]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that runs a test on many cases, the same ones each time.

    Each case is drawn from a number: that takes a tenth of the time of a search for the smallest
    one, and the texts are short.

    Args:
        also: Cases that were wrong once.
        drawn: How each argument is drawn.
    """

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**fixtures: object) -> None:
            numbers = range(_FIRST, _FIRST + EXAMPLES)
            for case in (*also, *(_case(drawn, number) for number in numbers)):
                try:
                    test(**fixtures, **case)
                except Exception as error:
                    error.add_note(f"of {case!r}")
                    raise

        own = inspect.signature(test)
        left = [each for name, each in own.parameters.items() if name not in drawn]
        run.__signature__ = own.replace(parameters=left)  # type: ignore[attr-defined]  # pytest reads it
        patient: Callable[..., None] = pytest.mark.timeout(max(300, EXAMPLES * _SECONDS_PER_CASE))(
            run
        )
        return patient

    return decorated


def _case(drawn: Mapping[str, Callable[[Random], object]], number: int) -> Mapping[str, object]:
    lot = Random(number)  # noqa: S311  # nobody has to be kept from guessing it
    return {name: draw(lot) for name, draw in drawn.items()}


def leaves(
    *, lines: bool = False, least: int = 1, most: int = 6, bits: int = 8
) -> Callable[[Random], Sequence[str]]:
    """Return what draws several texts, each with a word of its own in it.

    Args:
        lines: Whether a text may have several lines.
        least: How many texts there are at least.
        most: How many texts there are at most.
        bits: How many bits of text stand at most before, and behind, a text's own word.
    """

    def draw(lot: Random) -> Sequence[str]:
        texts = []
        for at in range(lot.randint(least, most)):
            before, behind = (_words(lot, lines=lines, bits=bits) for _ in range(2))
            text = f"{before.lstrip()}{_own(at)}{behind.rstrip()}"
            texts.append(unicodedata.normalize("NFC", _TAGS.sub("", text)))
        return texts

    return draw


def text_of(characters: str, most: int) -> Callable[[Random], str]:
    """Return what draws a text of some characters."""
    return lambda lot: "".join(lot.choices(characters, k=lot.randint(0, most)))


def six_of(choices: Sequence[_Choice]) -> Callable[[Random], Sequence[_Choice]]:
    """Return what draws one of some things for each text that there may be."""
    return lambda lot: lot.choices(choices, k=6)


def some_of(choices: Sequence[str], most: int) -> Callable[[Random], Sequence[Sequence[str]]]:
    """Return what draws, for each text, some marks that go together, or that it is code."""

    def draw(lot: Random) -> Sequence[str]:
        return ["code"] if lot.random() < 0.2 else lot.sample(choices, lot.randint(0, most))

    return lambda lot: [draw(lot) for _ in range(6)]


def one_of(choices: Sequence[_Choice]) -> Callable[[Random], _Choice]:
    """Return what draws one of some things."""
    return lambda lot: lot.choice(choices)


def _words(lot: Random, *, lines: bool, bits: int) -> str:
    """Return literal text that begins and ends with what can be seen."""
    known = (*_BITS, "\n") if lines else _BITS
    drawn = [
        lot.choice(known) if lot.random() < 0.7 else _character(lot)
        for _ in range(lot.randint(0, bits))
    ]
    return unicodedata.normalize("NFC", _ADDRESSES.sub("", clean("".join(drawn))))


def _character(lot: Random) -> str:
    """Return any character that can be seen, half of them of a keyboard."""
    while True:
        found = chr(lot.randint(0x21, lot.choice((0x7E, 0x7E, 0xFFFF, 0x1FFFF))))
        if unicodedata.category(found)[0] not in "CZM":
            return found


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
    shown, at = flat(seen(markdown)), 0
    for number, text in enumerate(said):
        found = shown.find(flat(text), at)
        assert found >= 0, f"{text!r} is not in {shown!r}, which is {markdown!r}"
        assert shown.count(_own(number)) == 1, f"{text!r} is there twice: {shown!r}"
        at = found + len(flat(text))


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


def flat(text: str) -> str:
    """Return text without white space, which no page shows as it was typed."""
    return _SPACE.sub("", text)
