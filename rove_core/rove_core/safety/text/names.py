"""Names of people, with a note about hidden characters."""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.text.characters import clean

#: So that the notes behind it are not cut off.
_LONGEST: Final = 40
_WORD: Final = lazy_pattern(r"[^\W\d_]+")
#: Alphabets whose letters are taken for one another.
_ALIKE: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "CHEROKEE", "ARMENIAN"})
#: Abbreviations that people do have in their names.
_SMALL: Final = frozenset("ªº")


def display_name(author: str, *, is_guest: bool = False) -> str:
    """Return a name without invisible characters, with notes that a reader needs.

    A name that looks like a colleague's and is another one is told apart.

    Args:
        author: The name as its source gives it.
        is_guest: Whether the source knows that they are from elsewhere.
    """
    notes = [*_disguises(author), *(["guest"] if is_guest and author else [])]
    plain = clean(author)
    return f"{plain[:_LONGEST].strip()} ({'; '.join(notes)})" if notes else plain


def _disguises(author: str) -> Iterator[str]:
    if author.isascii():
        return
    if _has_hidden(unicodedata.normalize("NFC", author)):
        yield "name has hidden characters"
    if any(map(_is_mixed, _WORD.findall(clean(author)))):
        yield "name has look-alike characters"


def _has_hidden(author: str) -> bool:
    """Return whether invisible characters are next to Latin letters; other scripts need some."""
    return any(
        (_alphabet(one) in _ALIKE and _is_hidden(other))
        or (_alphabet(other) in _ALIKE and _is_hidden(one))
        for one, other in pairwise(author)
    )


def _is_hidden(letter: str) -> bool:
    return not letter.isascii() and clean(f"-{letter}-") == "--"


def _is_mixed(word: str) -> bool:
    """Return whether a word mixes alphabets or uses look-alike letters."""
    if len({_alphabet(letter) for letter in word} & _ALIKE) > 1:
        return True
    return any(
        not letter.isascii() and unicodedata.normalize("NFKC", letter).isascii()
        for letter in word
        if letter not in _SMALL
    )


def _alphabet(letter: str) -> str:
    if not letter.isalpha():
        return ""
    return unicodedata.name(letter, "").partition(" ")[0]
