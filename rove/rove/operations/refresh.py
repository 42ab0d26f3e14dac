"""Refresh existing documents."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, cast

from rove.operations.build import BuildResults, build_in_passes, join_results
from rove_core.auth.account_names import add_command
from rove_core.build.free_text import build_argument
from rove_core.build.gather.fetches import FetchCache
from rove_core.build.requests import BuildResult
from rove_core.errors import UnknownAccount, WrongCall
from rove_core.operations import Operation
from rove_core.project.document_lookup import document_meant, documents_meant
from rove_core.store.documents import DocumentRecord, list_documents
from rove_core.tasks.task_groups import TaskGroup
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    import sqlite3

    from rove_core.project.project import Project


async def refresh(
    rove: "Project",
    *,
    tickets: Annotated[tuple[str, ...], "The tickets' ids, or the words of documents."] = (),
    all: Annotated[bool, "All documents, the oldest first."] = False,  # noqa: A002  # so it is called on every wire
    account: Annotated[str | None, "The account, if several have an id."] = None,
) -> BuildResults:
    """Refresh documents.

    Rove asks each account only for what is new. The time window and what people wrote stay.
    """
    _check(is_named=bool(tickets), is_all=all)
    fetched = FetchCache()

    async def refreshed(
        document: DocumentRecord, *, wait: bool, resumed: datetime | None = None
    ) -> BuildResult:
        _check_account(rove, document)
        return await rove.build(
            build_argument(document),
            source=document.account,
            fetched=fetched,
            wait=wait,
            retries=True,
            resumed=resumed,
        )

    async def named(ticket: str, *, wait: bool, resumed: datetime | None = None) -> BuildResult:
        document = await rove.store.read(document_meant, ticket, account)
        return await refreshed(document, wait=wait, resumed=resumed)

    if tickets:
        return await build_in_passes(rove, dict.fromkeys(tickets), named)
    everything = reversed(await rove.store.read(list_documents))
    return await build_in_passes(rove, everything, refreshed, name=build_argument)


def _check_account(rove: "Project", document: DocumentRecord) -> None:
    """Raise UnknownAccount if no account here can read the document's ticket."""
    name = document.account
    if not name or name in (*rove.accounts.names, *rove.settings.sources.use):
        return
    is_in_book = any(record.name == name for record in rove.book.accounts())
    again = f"rove sources use {name}" if is_in_book else add_command(name, name.partition(":")[0])
    raise UnknownAccount(
        f"{document.ticket_id} is unchanged: this project no longer uses the account {name}",
        hint=f"Use it again: {again}; or remove the document: rove remove {document.ticket_id}",
    )


def call_of(document: DocumentRecord) -> dict[str, JSON]:
    """Return the arguments that refresh one document."""
    return {"tickets": [document.ticket_id], "account": document.account}


def _calls_per_document(
    db: "sqlite3.Connection", arguments: Mapping[str, JSON], _: "datetime"
) -> Sequence[Mapping[str, JSON]]:
    """Return one call for each document, the oldest first."""
    tickets = cast("list[str]", arguments.get("tickets", []))
    _check(is_named=bool(tickets), is_all=bool(arguments.get("all")))
    if not tickets:
        return [call_of(document) for document in reversed(list_documents(db))]
    return [_one(db, ticket, arguments.get("account")) for ticket in dict.fromkeys(tickets)]


def _one(db: "sqlite3.Connection", ticket: str, account: JSON) -> Mapping[str, JSON]:
    """Return the call for one document; its task reports a wrong name."""
    found = [each for each in documents_meant(db, ticket) if account in {None, each.account}]
    return call_of(found[0]) if len(found) == 1 else {"tickets": [ticket], "account": account}


def _check(*, is_named: bool, is_all: bool) -> None:
    if is_named == is_all:
        raise WrongCall(
            "give documents, or --all",
            hint="For example: rove refresh TB-123, or: rove refresh --all",
        )


REFRESH = Operation(
    refresh, changes=True, parts=TaskGroup(split=_calls_per_document, join=join_results)
)
