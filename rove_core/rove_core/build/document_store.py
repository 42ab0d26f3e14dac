"""The stored state of a document: file, base and index rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path

import attrs
from attrs import define, field, frozen

from rove_core.build.gather.candidates import Key, SearchRecords
from rove_core.build.write.base import DocumentBase, is_written_by, load_base, save_base
from rove_core.build.write.blocks import DocumentPiece, cut, front_of
from rove_core.build.write.merge import find_owners
from rove_core.clock import Clock
from rove_core.documents import new_filename
from rove_core.errors import DiskTrouble
from rove_core.items import ContextItem, ItemRef
from rove_core.project.index_claim import user_key
from rove_core.project.layout import ProjectPaths
from rove_core.project.tracked_files import is_tracked, tracked_documents
from rove_core.store.context_files import ContextFile, context_files
from rove_core.store.document_bases import base_path, next_base, remembered_account
from rove_core.store.document_items import (
    ItemUse,
    read_searches,
    read_ticket,
    read_uses,
    save_ticket,
    save_uses,
)
from rove_core.store.document_texts import read_document, save_text
from rove_core.store.documents import (
    DocumentRecord,
    list_documents,
    read_fetch_history,
    save_document,
)
from rove_core.store.files import private_folder, way_out, write_atomic
from rove_core.store.items import forget_unused_items, save_items
from rove_core.store.store import Store
from rove_core.store.task_changes import withdraw_task
from rove_core.store.task_keys import planned_key
from rove_core.time_windows import Window


@frozen(kw_only=True)
class PreviousBuild:
    """The stored state of a document before a build.

    Attributes:
        record: Its row in the index, if any.
        filename: The name of its file; empty if it has none yet.
        ticket: The ticket as that build read it.
        uses: The items the document is made of.
        searches: Past searches of each account.
        fetched: When each account was last queried successfully.
        text: The text of the file; None if there is no file.
        base: The saved base of the file; None if there is none.
    """

    record: DocumentRecord | None = None
    filename: str = ""
    ticket: ContextItem | None = None
    uses: tuple[ItemUse, ...] = ()
    searches: SearchRecords = field(factory=dict)
    fetched: Mapping[str, datetime] = field(factory=dict)
    text: str | None = None
    base: DocumentBase | None = None

    @property
    def window(self) -> Window:
        """The time window of the document."""
        if self.record is None:
            return Window()
        return Window(since=self.record.since, until=self.record.until)

    @property
    def gone(self) -> Mapping[Key, datetime]:
        """Items gone from their source, and when that was noticed."""
        return self.base.gone_items if self.base else {}

    def quotes(self, key: Key) -> bool:
        """Return whether the document quotes a statement."""
        return self.base is not None and f"quote:{':'.join(key)}" in self.base.blocks


@frozen(kw_only=True)
class BuildRecord:
    """The state that a build stores for the next one.

    Attributes:
        record: The document's row in the index.
        ticket: The ticket.
        uses: The items the document is made of.
        searches: Past searches of each account.
        fetched: When each account that answered was queried.
    """

    record: DocumentRecord
    ticket: ContextItem
    uses: Sequence[ItemUse]
    searches: SearchRecords
    fetched: Mapping[str, datetime]


@define(eq=False, kw_only=True)
class DocumentStore:
    """Reads and writes the stored state of a project's documents.

    Attributes:
        store: The index.
        places: The project's paths.
        clock: The clock.
    """

    store: Store
    places: ProjectPaths
    clock: Clock

    async def previous_build(self, ticket: ItemRef) -> PreviousBuild:
        """Return the previous build of a ticket's document."""
        mine = (ticket.account, ticket.id)
        records = await self.store.read(list_documents)
        record = next((each for each in records if (each.account, each.ticket_id) == mine), None)
        filename = record.filename if record else self._find_unlisted(ticket, records)
        text = self.text(filename) if filename else None
        return PreviousBuild(
            record=record,
            filename=filename,
            ticket=await self.store.read(read_ticket, *mine),
            uses=await self.store.read(read_uses, *mine),
            searches=_not_ahead(await self.store.read(read_searches, *mine), self.clock.now()),
            fetched=await self.store.read(read_fetch_history, *mine),
            text=text,
            base=self.base(ticket.account, filename, text),
        )

    async def new_filename(self, ticket: ItemRef, words: Sequence[str]) -> str:
        """Return an unused file name for a new document."""
        records = await self.store.read(list_documents)
        there = {each.filename for each in context_files(self.places.context)}
        return new_filename(ticket, words, {each.filename for each in records} | there)

    def text(self, filename: str) -> str | None:
        """Return the file's text, with invalid UTF-8 as surrogates; None if it is missing.

        Raises:
            UnsafePlace: It is a link or not a regular file.
            DiskTrouble: It cannot be read.
        """
        return read_document(self.places.context / filename)

    def base(self, account: str, filename: str, text: str | None) -> DocumentBase | None:
        """Return the saved base of a file; None if there is none or the file has no name yet."""
        return remembered(base_path(self.places, account, filename), text)[1] if filename else None

    def write(
        self, account: str, filename: str, text: str, base: DocumentBase, *, over: str | None
    ) -> bool:
        """Write a document and its base, so that they match even after a crash.

        The new base lies beside the old one until the file is written. If a crash leaves both,
        the one that fits the file is right.

        Args:
            account: The account of the ticket.
            filename: The name of the file.
            text: The new text.
            base: The new base.
            over: The text as it was read; if somebody has saved the file since, nothing is written.

        Returns:
            Whether it was written.
        """
        last = base_path(self.places, account, filename)
        private_folder(last.parent)
        if next_base(last).exists():
            self._settle(last, over)
        save_base(next_base(last), base, user_key(self.places))
        written = write_atomic(
            private_folder(self.places.context) / filename,
            text.encode("utf-8", "surrogateescape"),
            unless=lambda: self.text(filename) != over,
        )
        try:
            if written:
                next_base(last).replace(last)
            else:
                next_base(last).unlink()
        except OSError as error:
            message = f"{last} cannot be written: {error.strerror}"
            raise DiskTrouble(message, hint=way_out(error, last)) from error
        return written

    async def save(self, build: BuildRecord) -> None:
        """Save a document's rows in one transaction."""
        record = build.record
        async with self.store.transaction() as db:
            await save_document(db, record, build.fetched)
            await save_text(db, record, self.places.context)
            uses = [attrs.evolve(use, candidate=use.candidate.storable) for use in build.uses]
            items = [build.ticket, *(use.candidate.item for use in uses)]
            await save_items(db, items, self.clock.now())
            await save_ticket(db, build.ticket)
            await save_uses(db, (record.account, record.ticket_id), uses, build.searches)
            await forget_unused_items(db)
            # The document is fresh now, so its planned refresh is not needed.
            await withdraw_task(db, planned_key(record.account, record.ticket_id))

    def _find_unlisted(self, ticket: ItemRef, records: Sequence[DocumentRecord]) -> str:
        """Return a ticket's file that the index does not list; empty if there is none.

        Files known to be of the ticket's account come first, then those of an unknown account,
        preferably with the ticket's address in them. A file that git tracks and this user's Rove
        did not write came with a clone: it is not an edited document, and is left alone.
        """
        listed = {each.filename for each in records}
        names = [
            file.filename
            for file in context_files(self.places.context)
            if isinstance(file, ContextFile) and file.ticket_id == ticket.id
        ]
        of = {
            name: remembered_account(self.places, name)
            for name in names
            if name not in listed and self._is_own(name)
        }
        unknown = [name for name, account in of.items() if not account]
        return next(
            chain(
                (name for name, account in of.items() if account == ticket.account),
                (name for name in unknown if ticket.url and ticket.url in (self.text(name) or "")),
                unknown,
            ),
            "",
        )

    def _is_own(self, filename: str) -> bool:
        """Return whether a file is this user's, or at least did not come with a clone."""
        if not is_tracked(tracked_documents(self.places), filename):
            return True
        key = user_key(self.places)
        return not key or is_written_by(key, self.places.bases, filename)

    def _settle(self, last: Path, text: str | None) -> None:
        """Keep the base that fits the file: that of a killed build, or the one before it."""
        right, _ = remembered(last, text)
        try:
            right.replace(last)
            next_base(last).unlink(missing_ok=True)
        except OSError as error:
            message = f"{last} cannot be written: {error.strerror}"
            raise DiskTrouble(message, hint=way_out(error, last)) from error


def _not_ahead(asked: SearchRecords, now: datetime) -> SearchRecords:
    """Return search records without future times, which come from a wrong clock.

    A search without a time is repeated from the beginning.
    """
    return {
        account: {
            text: attrs.evolve(record, at=None) if record.at and record.at > now else record
            for text, record in texts.items()
        }
        for account, texts in asked.items()
    }


def remembered(last: Path, text: str | None) -> tuple[Path, DocumentBase | None]:
    """Return the saved base with its path; of two, the one that fits the text better.

    Args:
        last: The path of the base if no build was killed.
        text: The text of the file; None if there is no file.
    """
    bases = ((path, load_base(path)) for path in (next_base(last), last))
    there = [(path, base) for path, base in bases if base is not None]
    if len(there) <= 1:
        return there[0] if there else (last, None)
    text = text or ""
    pieces = cut(text[len(front_of(text)) :])
    return max(there, key=lambda each: _fit(each[1], pieces))


def _fit(base: DocumentBase, pieces: Sequence[DocumentPiece]) -> tuple[int, int]:
    """Return how well a base fits a file: matching pieces, and missing ones.

    Missing pieces only decide between bases that match equally many.
    """
    found = {placed.key for placed in find_owners(base.blocks, pieces)} - {None}
    expected = {key for key, block in base.blocks.items() if not block.held}
    return len(found), -len(expected - found)
