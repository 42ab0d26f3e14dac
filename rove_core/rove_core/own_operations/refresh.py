"""Refreshing documents that are there."""

from typing import TYPE_CHECKING, Annotated

from rove_core.context.fetches import Fetched
from rove_core.errors import WrongCall
from rove_core.operations import Operation
from rove_core.own_operations.build import BuildResults, of_each, show_built
from rove_core.own_operations.which import document_meant
from rove_core.requests import Built
from rove_core.store.documents import DocumentRecord, list_documents
from rove_core.wordings import asked_for

if TYPE_CHECKING:
    from rove_core.project import Project


async def refresh(
    rove: "Project",
    *,
    tickets: Annotated[tuple[str, ...], "The tickets' ids, or the words of documents."] = (),
    all: Annotated[bool, "All documents, the oldest first."] = False,  # noqa: A002  # so it is called on every wire
    account: Annotated[str | None, "The account that has them, when several know an id."] = None,
) -> BuildResults:
    """Refresh documents that are there.

    Each account is asked for what is new. The window of time stays, and what people wrote.
    """
    if bool(tickets) == all:
        raise WrongCall(
            "name documents, or ask for all of them",
            hint="Say: rove refresh TB-123, or: rove refresh --all",
        )

    fetched = Fetched()

    async def refreshed(document: DocumentRecord) -> Built:
        return await rove.build(asked_for(document), source=document.account, fetched=fetched)

    async def named(ticket: str) -> Built:
        return await refreshed(await rove.store.read(document_meant, ticket, account))

    if tickets:
        built, failed = await of_each(dict.fromkeys(tickets), named)
    else:
        everything = reversed(await rove.store.read(list_documents))
        built, failed = await of_each(everything, refreshed, name=asked_for)
    return BuildResults(built=built, failed=failed)


REFRESH = Operation(refresh, changes=True, show=show_built)
