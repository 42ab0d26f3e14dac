"""Citation numbers: one per address, never reused or moved."""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from itertools import count
from typing import Final

from attrs import define, field, frozen

from rove_core.build.write.blocks import DocumentPiece
from rove_core.build.write.lines import line
from rove_core.build.write.merge import LINK, KeyedBlock
from rove_core.items import ContextItem

_MARK: Final = re.compile(r"(?<!\\)(?:\\\\)*\[[ \t]*([0-9]{1,9})[ \t]*\]")
_DEFINITION: Final = re.compile(r"\[[ \t]*([0-9]{1,9})[ \t]*\]:\s*(?:<([^<>\n]*)>|(\S+))")
#: URLs that cannot end a definition; their hosts have been checked before.
_ADDRESS: Final = re.compile(r"(?:https?|file)://[!#-'*-;=?-Z^_a-z|~]{1,2000}")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:#\w{1,8}|[A-Za-z]\w{1,31});")


@frozen
class Citation:
    """A numbered citation.

    Attributes:
        number: The number.
        address: The cited URL.
        title: The title of the cited place, for people.
    """

    number: int
    address: str
    title: str = ""


@define
class Citations:
    """Numbers the citations of one document.

    Attributes:
        references: All citations that ever got a number, by number.
        titles: Display titles of the accounts.
    """

    references: dict[int, Citation]
    titles: Mapping[str, str]
    _taken: frozenset[int] = frozenset()
    _numbers: dict[str, int] = field(factory=dict)
    _named: set[int] = field(factory=set)

    @classmethod
    def after(
        cls,
        citations: Iterable[Citation],
        theirs: Iterable[DocumentPiece],
        titles: Mapping[str, str],
    ) -> "Citations":
        """Return citations that continue the numbers of a document.

        Args:
            citations: The citations of the document so far.
            theirs: What people wrote into it, with numbers that remain theirs.
            titles: Display titles of the accounts.
        """
        theirs = tuple(theirs)
        defined = definitions(theirs)
        references = {each.number: each for each in citations}
        # A number that people point elsewhere is theirs from then on.
        own = [
            references[number]
            for number in sorted(references)
            if defined.get(number, references[number].address) == references[number].address
        ]
        numbers = {each.address: each.number for each in own}
        return cls(references, titles, marks(map(str, theirs)), numbers)

    @classmethod
    def adopting(cls, file: Iterable[DocumentPiece], titles: Mapping[str, str]) -> "Citations":
        """Return citations that use the numbers a file defines for its URLs."""
        file = tuple(file)
        numbers: dict[str, int] = {}
        for number, address in definitions(file).items():
            numbers.setdefault(address, number)
        return cls({}, titles, marks(map(str, file)), numbers)

    def cite(self, item: ContextItem) -> str:
        """Return the citation mark of an item; empty if it has no URL."""
        address = item.url
        if not _ADDRESS.fullmatch(address):
            return ""
        number = self._numbers.get(address) or self._next()
        self._numbers[address] = number
        if number not in self._named:
            self._named.add(number)
            self.references[number] = Citation(number, address, self._title(item))
        return f"[{number}]"

    def has(self, item: ContextItem) -> bool:
        """Return whether an item, or one of its parts, has been cited already."""
        own = {each.url for each in (item, *item.thread)}
        return any(self.references[number].address in own for number in self._named)

    def definitions(self, cited: Iterable[int]) -> Iterator[KeyedBlock]:
        """Yield the definitions of the cited numbers that are Rove's, lowest first."""
        for number in sorted(set(cited) & self.references.keys()):
            each = self.references[number]
            title = each.title.replace('"', '\\"')
            yield KeyedBlock(f"{LINK}{number}", f'[{number}]: {each.address} "{title}"')

    def _next(self) -> int:
        last = max((*self.references, *self._numbers.values()), default=0)
        return next(number for number in count(last + 1) if number not in self._taken)

    def _title(self, item: ContextItem) -> str:
        what = item.facts.short_name
        if not what and item.facts.channel:
            what = f"#{item.facts.channel.removeprefix('#')}"
        elif not what:
            what = item.ref.id if item.role == "ticket" else item.title
        return line(f"{self.titles.get(item.account, item.source)}: {what}")


def marks(texts: Iterable[str]) -> frozenset[int]:
    """Return the numbers that are cited in texts, or defined there."""
    return frozenset(int(number) for text in texts for number in _MARK.findall(text))


def definitions(pieces: Iterable[DocumentPiece]) -> dict[int, str]:
    """Return the URL of each defined number; its first definition counts."""
    found: dict[int, str] = {}
    for piece in pieces:
        if piece.kind == "definition" and (match := _DEFINITION.match(piece.words)):
            address = match[2] if match[2] is not None else match[3]
            found.setdefault(int(match[1]), _ESCAPED.sub(_plain_title, address))
    return found


def _plain_title(found: re.Match[str]) -> str:
    return found[1] or unescape(found[0])
