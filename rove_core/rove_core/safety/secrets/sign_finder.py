"""Which signs a text has, found in its new words alone: most words have been seen before."""

import re
from collections.abc import Collection
from functools import cached_property
from typing import Final

#: How many words are remembered, and how long they may be.
_MOST_WORDS: Final = 16_384
_LONGEST_WORD: Final = 40
#: So many are compared with each sign before the pattern of all is compiled.
_FEW_WORDS: Final = 400


class SignFinder:
    """Finds which of many signs a text has, much faster than a search of the text for each.

    Args:
        signs: Texts without spaces, in lower case.
    """

    def __init__(self, signs: Collection[str]) -> None:
        self._signs = frozenset(signs)
        self._without: set[str] = set()
        self._with: dict[str, Collection[str]] = {}

    def signs_in(self, lower: str) -> Collection[str]:
        """Return the signs that a text in lower case has."""
        words = set(lower.split()) - self._without
        seen_words = words & self._with.keys()
        found = {sign for word in seen_words for sign in self._with[word]}
        if new := words - seen_words:
            joined = "\n".join(new)
            signs = [sign for sign in self._signs if sign in joined]
            self._remember(new, signs)
            found.update(signs)
        return found

    @cached_property
    def _in_word(self) -> re.Pattern[str]:
        """The pattern of all signs: it takes longer to compile than a few words to compare."""
        return re.compile("|".join(map(re.escape, self._signs)))

    def _remember(self, words: Collection[str], signs: Collection[str]) -> None:
        """Remember the short words among some, and which of the signs found in all each has."""
        has_sign = self._in_word.search if len(words) > _FEW_WORDS else bool
        for word in words:
            if len(word) > _LONGEST_WORD:
                continue
            if len(self._without) + len(self._with) >= _MOST_WORDS:
                self._without.clear()
                self._with.clear()
            if has_sign(word) and (own := [sign for sign in signs if sign in word]):
                self._with[word] = own
            else:
                self._without.add(word)
