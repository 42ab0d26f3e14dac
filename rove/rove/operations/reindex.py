"""Rebuild the index of documents from the documents themselves."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from rove_core.build.free_text import is_of_words
from rove_core.errors import RoveError
from rove_core.operations import Operation
from rove_core.store.context_files import ContextFile, SkippedFile, context_files
from rove_core.store.document_bases import remembered_account
from rove_core.store.documents import (
    DocumentRecord,
    list_documents,
    remove_document,
    save_document,
)
from rove_core.store.items import forget_unused_items
from rove_core.terminal.tables import columns, counted, page

if TYPE_CHECKING:
    from rove_core.project.project import Project

_Records: TypeAlias = Mapping[tuple[str, str], DocumentRecord]


@frozen(kw_only=True)
class ReindexResult:
    """The result of rebuilding the list of documents.

    Attributes:
        kept: The files that are listed as they were.
        added: The files that were not listed, and are now.
        removed: The files that were listed, and are not there any more.
        skipped: The Markdown files that are no documents of Rove's.
    """

    kept: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    skipped: tuple[SkippedFile, ...]


async def reindex(rove: "Project") -> ReindexResult:
    """Rebuild the list of documents from the files in .context.

    The next refresh of each document fetches everything again.
    """
    listed = await rove.store.read(list_documents)
    files = [*context_files(rove.places.context)]
    skipped = [each for each in files if isinstance(each, SkippedFile)]
    found = [each for each in files if isinstance(each, ContextFile)]
    existing, rest = _match_records(listed, found)
    added, refused = _new_records(rove, rest, existing)
    gone = [each for each in listed if _key(each) not in {**existing, **added}]
    async with rove.store.transaction() as db:
        for record in gone:
            await remove_document(db, record.account, record.ticket_id)
        for record in added.values():
            await save_document(db, record, {})
        await forget_unused_items(db)
    there = {each.filename for each in (*existing.values(), *added.values())}
    return ReindexResult(
        kept=tuple(sorted(each.filename for each in existing.values())),
        added=tuple(sorted(each.filename for each in added.values())),
        removed=tuple(sorted({each.filename for each in listed} - there)),
        skipped=tuple(sorted((*skipped, *refused), key=lambda each: each.filename)),
    )


def _match_records(
    listed: Sequence[DocumentRecord], found: Sequence[ContextFile]
) -> tuple[_Records, list[ContextFile]]:
    """Return the records that match the files, and the files without a record."""
    records = {(each.filename, each.ticket_id): each for each in listed}
    right = [records.get((each.filename, each.ticket_id)) for each in found]
    existing = {_key(record): record for record in right if record}
    return existing, [each for each, record in zip(found, right, strict=True) if not record]


def _new_records(
    rove: "Project", files: Sequence[ContextFile], kept: _Records
) -> tuple[_Records, list[SkippedFile]]:
    """Return records for files; of two about the same ticket the one written last counts."""
    added: dict[tuple[str, str], DocumentRecord] = {}
    refused = []
    for file in sorted(files, key=lambda each: each.last_updated, reverse=True):
        record = _record(file, _account(rove, file))
        other = kept.get(_key(record)) or added.get(_key(record))
        if not record.account and not is_of_words(record.ticket_id):
            reason = f"no account in use here knows {file.ticket_id}"
            refused.append(SkippedFile(filename=file.filename, reason=reason))
        elif other:
            reason = f"{file.ticket_id} has a document already: {other.filename}"
            refused.append(SkippedFile(filename=file.filename, reason=reason))
        else:
            added[_key(record)] = record
    return added, refused


def _record(file: ContextFile, account: str) -> DocumentRecord:
    return DocumentRecord(
        account=account,
        ticket_id=file.ticket_id,
        filename=file.filename,
        last_updated=file.last_updated,
        created_at=file.created_at,
        title=file.title,
        keywords=file.keywords,
    )


def _account(rove: "Project", file: ContextFile) -> str:
    """Return the account of a file's ticket, if it can be determined; else empty."""
    if is_of_words(file.ticket_id):
        return ""
    if account := remembered_account(rove.places, file.filename):
        return account
    default = rove.settings.sources.default_ticket_source
    with suppress(RoveError):
        default = rove.account(default).name if default else ""
    refs = rove.accounts.recognise(file.ticket_id)
    knowing = [ref.account for ref in refs if ref.id == file.ticket_id]
    return default if default in knowing or not knowing else knowing[0]


def _key(record: DocumentRecord) -> tuple[str, str]:
    return record.account, record.ticket_id


def _show(done: ReindexResult) -> str:
    rows = [
        *(("added", name, "") for name in done.added),
        *(("removed", name, "") for name in done.removed),
        *(("skipped", each.filename, each.reason) for each in done.skipped),
    ]
    count = len(done.kept) + len(done.added)
    return page([*columns(rows), counted(count, "document")])


REINDEX = Operation(reindex, changes=True, show=_show)
