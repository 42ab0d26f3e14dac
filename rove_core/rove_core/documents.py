"""The documents of a project: names and metadata."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.store.documents import DocumentRecord

if TYPE_CHECKING:
    from rove_core.items import ContextItem, ItemRef

#: How many words a name has, and how long each may be.
_FEWEST: Final = 3
_MOST_WORDS: Final = 5
_SHORTEST: Final = 3
_LONGEST_WORD: Final = 24
_OTHER: Final = lazy_pattern(r"[^a-z0-9]+")


@frozen(kw_only=True)
class Document:
    """An existing document.

    Attributes:
        ticket_id: The ticket it is about.
        account: The account that has the ticket.
        title: The ticket's title.
        path: Where it is, absolute.
        filename: Its name below ``.context``; it never changes.
        keywords: What it is about.
        last_updated: When it was last written.
    """

    ticket_id: str
    account: str
    title: str
    path: Path
    filename: str
    keywords: tuple[str, ...]
    last_updated: datetime

    def _repr_markdown_(self) -> str:
        """Return its text: notebooks show it."""
        from rove_core.store.document_texts import read_document  # noqa: PLC0415  # few need it

        return read_document(self.path) or f"{self.path} is gone"


def document_of(record: DocumentRecord, folder: Path) -> Document:
    """Return a document from its index record."""
    return Document(
        ticket_id=record.ticket_id,
        account=record.account,
        title=record.title,
        path=folder / record.filename,
        filename=record.filename,
        keywords=record.keywords,
        last_updated=record.last_updated,
    )


def new_filename(ticket: "ItemRef", words: Sequence[str], taken: Collection[str]) -> str:
    """Return a name for a new document: the ticket's id and a few keywords.

    An id that looks the same as another's, but for what file names cannot hold, is numbered.
    """
    stems = {name.partition("_")[0].lower() for name in taken}
    stem = next(stem for stem in _stems(ticket.id) if stem.lower() not in stems)
    return f"{'_'.join((stem, *words))}.md"


def name_words(titled: Iterable[str], words: Iterable[str]) -> tuple[str, ...]:
    """Return up to five words for the name of a document.

    Args:
        titled: The telling words of the ticket's title, in its order: people know it by them.
        words: What else the ticket says, the most telling first; for titles of fewer than three.
    """
    title, more = _plain_words(titled), _plain_words(words)
    return tuple(dict.fromkeys((*title, *more)))[: min(max(len(title), _FEWEST), _MOST_WORDS)]


def main_words(ticket: "ContextItem", words: Iterable[str]) -> tuple[str, ...]:
    """Return up to five words about a document's subject.

    Args:
        ticket: The ticket; its title's words come in when there are too few others.
        words: What it is about, the most telling first.
    """
    telling, title = _plain_words(words), _plain_words(ticket.title.split())
    return tuple(dict.fromkeys((*telling, *title)))[
        : max(_FEWEST, min(len({*telling}), _MOST_WORDS))
    ]


def _plain_words(words: Iterable[str]) -> tuple[str, ...]:
    """Return distinct words in plain lower case, without very short or long ones."""
    from unicodedata import normalize  # noqa: PLC0415  # to read what is there needs none

    parts = (part for word in words for part in normalize("NFKD", word.lower()).split("_"))
    plain = (_OTHER.sub("", part) for part in parts)
    return tuple(dict.fromkeys(word for word in plain if _SHORTEST <= len(word) <= _LONGEST_WORD))


def _stems(ticket_id: str) -> Iterator[str]:
    from rove_core.safety.text import file_stem  # noqa: PLC0415  # to read what is there needs none

    stem = file_stem(ticket_id)
    yield stem
    yield from (f"{stem}-{number}" for number in count(2))
