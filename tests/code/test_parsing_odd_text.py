"""Text that no one expects: parsing it never fails, and covers every line once."""

import re
from collections.abc import Iterator

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rove_code.model import ParsedFile, Place
from rove_code.parsing import pack, parse, unpack
from rove_core.clock import SystemClock

_LANGUAGES = re.findall(
    r"\w+",
    "python javascript typescript tsx go rust java c cpp csharp ruby php kotlin swift scala bash "
    "html css json yaml toml markdown sql",
)
_WORDS = re.findall(
    r"\S+",
    "class def function fn A b c ( ) { } [ ] < > : ; , . = => -> # // /* */ \" ' ` <!-- --> @ & | "
    "- + 1 import from use struct impl interface enum return if else ## --- é 😀",
)
_BLANKS = [" ", "    ", "\t", "\n", "\n\n", "\r\n", "\r", "\f", "\0", "\u2028", "\ufeff"]
_TOKENS = st.sampled_from([*_WORDS, *_BLANKS])
_TEXTS = st.one_of(st.lists(_TOKENS, max_size=80).map("".join), st.text(max_size=60))


class _Late(SystemClock):
    """A clock on which much time passes between two looks at it."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def monotonic(self) -> float:
        self._seconds += 1_000
        return self._seconds


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _places(parsed: ParsedFile) -> Iterator[Place]:
    for declaration in parsed.declarations:
        yield declaration.place
        yield declaration.signature
        if declaration.doc:
            yield declaration.doc


@given(text=_TEXTS, language=st.sampled_from(_LANGUAGES))
def test_chunks_cover_every_line_once(text: str, language: str) -> None:
    """They are whole lines in the order of the text, and lose none of it."""
    chunks = parse(text, language).chunks

    assert "".join(text[each.place.start : each.place.end] for each in chunks) == text
    assert [n for each in chunks for n in range(each.place.first, each.place.last + 1)] == list(
        range(1, _lines(text) + 1)
    )
    assert all(text[: each.place.start].endswith("\n") for each in chunks[1:])


@given(text=_TEXTS, language=st.sampled_from(_LANGUAGES))
def test_places_tell_their_lines(text: str, language: str) -> None:
    """Each place begins and ends in the lines that it says, whatever characters there are."""
    for place in _places(parse(text, language)):
        assert place.first == text.count("\n", 0, place.start) + 1
        assert place.last == text.count("\n", 0, max(place.start, place.end - 1)) + 1


@given(text=_TEXTS, language=st.sampled_from(_LANGUAGES))
def test_every_declaration_is_shown_by_a_chunk(text: str, language: str) -> None:
    """No declaration is lost, and each reference stands in its chunk."""
    parsed = parse(text, language)

    shown = {number for chunk in parsed.chunks for number in chunk.declarations}
    assert shown == set(range(len(parsed.declarations)))
    for reference in parsed.references:
        place = parsed.chunks[reference.chunk].place
        assert place.first <= reference.line <= place.last


@given(text=_TEXTS, language=st.sampled_from(_LANGUAGES))
def test_what_is_packed_comes_back(text: str, language: str) -> None:
    """But for references nothing is lost or changed on the way."""
    parsed = parse(text, language)

    assert unpack(pack(parsed)) == evolve(parsed, references=())


def test_names_are_exact_in_any_script() -> None:
    """Characters of several bytes shift nothing."""
    text = '# ¿Qué? 😀\u2028still\nclass Größe:\n    """Ω"""\n    def 走る(self): return "é"\n'

    parsed = parse(text, "python")

    size, run = parsed.declarations
    assert (size.name, run.name) == ("Größe", "走る")
    assert text[run.place.start : run.place.end] == 'def 走る(self): return "é"'
    assert size.doc
    assert text[size.doc.start : size.doc.end] == '"""Ω"""'


def test_carriage_returns_stay_with_their_lines() -> None:
    """Lines that end as on Windows are lines."""
    parsed = parse("def a():\r\n    pass\r\n", "python")

    assert parsed.chunks[0].place == Place(0, 20, 1, 2)
    assert parsed.declarations[0].signature == Place(0, 8, 1, 1)


@pytest.mark.parametrize("language", ["python", "javascript", "json", "markdown", "yaml"])
@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "[" * 50_000 + "]" * 50_000, "a" * 1_000_000, "> " * 50_000, "\0" * 10_000],
    ids=["open", "deep", "long", "quotes", "nul"],
)
def test_monsters_are_cut_all_the_same(text: str, language: str) -> None:
    """Depth and length do not matter."""
    parsed = parse(text, language)

    assert [chunk.place for chunk in parsed.chunks] == [Place(0, len(text), 1, 1)]


def test_what_takes_too_long_is_cut_without_structure() -> None:
    """A parser that gets lost is stopped."""
    parsed = parse("def a():\n    pass\n" * 200, "python", clock=_Late())

    assert parsed.declarations == ()
    assert parsed.chunks[-1].place.last == 400


def test_an_empty_file_has_no_chunks() -> None:
    """There is no line that one could show."""
    assert parse("", "python") == ParsedFile("python", (), ())
