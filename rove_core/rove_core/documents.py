"""The documents of a project: what they are called, and what one gets to know of them."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path

from attrs import frozen

from rove_core.items import ItemRef
from rove_core.store.documents import DocumentRecord
from rove_core.text import file_stem


@frozen(kw_only=True)
class Document:
    """A document that is there.

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


def document_of(record: DocumentRecord, folder: Path) -> Document:
    """Return a document as its record in the index knows it."""
    return Document(
        ticket_id=record.ticket_id,
        account=record.account,
        title=record.title,
        path=folder / record.filename,
        filename=record.filename,
        keywords=record.keywords,
        last_updated=record.last_updated,
    )


def new_filename(ticket: ItemRef, words: Sequence[str], taken: Collection[str]) -> str:
    """Return the name of a new document: the ticket's id and what it is about.

    An id that looks the same as another's, but for what file names cannot hold, is numbered.
    """
    stems = {name.partition("_")[0].lower() for name in taken}
    stem = next(stem for stem in _stems(ticket.id) if stem.lower() not in stems)
    return f"{'_'.join((stem, *words))}.md"


def _stems(ticket_id: str) -> Iterator[str]:
    stem = file_stem(ticket_id)
    yield stem
    yield from (f"{stem}-{number}" for number in count(2))
