"""Decide whether a declaration is relevant enough to a ticket to show it."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_code.ranking.question_terms import STOP
from rove_code.ranking.words import TOKEN, terms

if TYPE_CHECKING:
    from rove_code.model import Declaration
    from rove_code.view import ChunkHit

#: So many words of the title must be there, and such a share of them.
_FEWEST: Final = 2
_SHARE: Final = 0.5
_CODE: Final = re.compile(r"\w*(?:_\w|[a-z\d][A-Z])\w*")


@frozen
class Wishes:
    """The topics of a ticket.

    Attributes:
        title: The words of its title.
        text: All of it.
    """

    title: frozenset[int]
    text: str

    @classmethod
    def of(cls, title: str, text: str) -> "Wishes":
        """Return the subjects of a ticket."""
        return cls(_words([title]), f"{title}\n{text}")

    def fit(self, hit: "ChunkHit", declaration: "Declaration") -> bool:
        """Return whether a declaration has enough to do with the ticket.

        It has if the ticket names it, or its file, as nobody would by chance; or if half of the
        title's words, and two of them, are in its text, its name or its path.
        """
        return self._names(hit.path, declaration.name) or self._has_words(hit, declaration)

    def _names(self, path: str, name: str) -> bool:
        if "/" in path and re.search(rf"(?<![\w.-]){re.escape(path)}(?![\w-])", self.text):
            return True
        if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.text):
            return False
        return bool(_CODE.fullmatch(name)) or f"`{name}`" in self.text or f"{name}(" in self.text

    def _has_words(self, hit: "ChunkHit", declaration: "Declaration") -> bool:
        place = declaration.place
        start, end = (max(0, at - hit.place.start) for at in (place.start, place.end))
        there = self.title & _words([hit.path, declaration.path, hit.text[start:end]])
        return len(there) >= max(_FEWEST, _SHARE * len(self.title))


def _words(texts: Iterable[str]) -> frozenset[int]:
    return frozenset(
        term
        for text in texts
        for token in TOKEN.findall(text)
        if token.lower() not in STOP and len(token) > 1
        for term in terms(token)
    )
