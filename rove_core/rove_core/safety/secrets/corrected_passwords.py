"""Passwords in corrections, with no word for them: "not Harbor_835 but Zx8!kk2m"."""

# ruff: noqa: RUF001  # the words are those of many languages

from collections.abc import Iterator, Mapping
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.checks import is_spoken_password
from rove_core.safety.secrets.telling_passwords import is_likely

#: What stands before the wrong password.
NOT: Final[Mapping[str, str]] = {
    "not ": "",
    "nicht ": "",
    "pas ": "",
    "no ": "(?:es )?",
    "non ": "(?:è )?",
    "niet ": "",
    "nie ": "",
    "não ": "(?:é )?",
    "не ": "",
    "不是": "",
}
#: What stands between the wrong and the right password where the verb comes last.
NOT_BEHIND: Final[Mapping[str, str]] = {
    "아니고": "",
    "아니라": "",
    "değil": "",
    "じゃなくて": "",
    "ではなく": "て?",
}
_MAYBE_QUOTED: Final = "[\"'`]?{}[\"'`]?"
_RIGHT: Final = _MAYBE_QUOTED.format(r"(?P<right>[!-~]{6,40}?)")
_WRONG: Final = _MAYBE_QUOTED.format(r"(?P<wrong>[!-~]{6,40}?)")
_NOT_BUT: Final = lazy_pattern(
    rf"{_WRONG},?[ \t,，]?"
    r"(?:but|sondern|c['’]est|mais|sino|es|ma|bensì"
    r"|maar|lecz|tylko|ale|mas|é|а|it['’]s"
    rf"|而是|是)[ \t]?{_RIGHT}(?=[ \t,;，。!]|\.?(?:\s|$))"
)
_BEFORE: Final = lazy_pattern(rf"(?<![!-~]){_WRONG}[ \t]?$")
_BEHIND: Final = lazy_pattern(rf"[ \t、,]{{0,2}}{_RIGHT}(?=[ \t,;、]|[\u2e80-\uffef]|\.?(?:\s|$))")
_INNER_DIGIT: Final = lazy_pattern("[A-Za-z][0-9]+[A-Za-z]")
_LONGEST: Final = 44


def corrected(text: str, _place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield both passwords of a correction behind a word that denies the first."""
    found = _NOT_BUT.match(text, end)
    if found and _is_likely(found["wrong"]) and _is_likely(found["right"]):
        yield found.span("wrong")
        yield found.span("right")


def corrected_around(text: str, place: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield both passwords of a correction around the word that denies the first."""
    wrong = _BEFORE.search(text, max(0, place - _LONGEST), place)
    right = wrong and _BEHIND.match(text, end)
    if wrong and right and _is_likely(wrong["wrong"]) and _is_likely(right["right"]):
        yield wrong.span("wrong")
        yield right.span("right")


def _is_likely(value: str) -> bool:
    """Return whether a value is a password rather than a version or a name."""
    return is_likely(value.rstrip("?.")) or bool(
        len(value) > 8
        and _INNER_DIGIT.search(value)
        and value.lower() != value != value.upper()
        and is_spoken_password(value, is_sure=False)
    )
