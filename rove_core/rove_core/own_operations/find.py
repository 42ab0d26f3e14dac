"""Finding the document of a ticket."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from rove_core.documents import Document, document_of
from rove_core.errors import DocumentNotFound, WrongCall
from rove_core.operations import Operation
from rove_core.store.documents import DocumentRecord, find_documents, find_titled

if TYPE_CHECKING:
    from rove_core.local_project import LocalProject


async def find(
    rove: "LocalProject",
    *,
    ticket: Annotated[str, "The ticket's id, or the title of its document."],
    account: Annotated[str | None, "The account that has it, when several know the id."] = None,
) -> Document:
    """Find the document of a ticket."""
    with rove.reading() as db:
        found = find_documents(db, ticket) or find_titled(db, ticket)[:1]
    record = _only(ticket, found, account)
    document = document_of(record, rove.places.context)
    if not document.path.is_file():
        raise DocumentNotFound(
            f"the document of {ticket} is no longer at {document.path}",
            hint=f"Build it again with: rove --ticket {record.ticket_id}",
        )
    return document


def _only(ticket: str, found: Sequence[DocumentRecord], account: str | None) -> DocumentRecord:
    if not found:
        raise DocumentNotFound(
            f"there is no document for {ticket!r}", hint=f"Build it with: rove --ticket {ticket}"
        )
    fitting = [each for each in found if account in {None, each.account}]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(each.account for each in found)
    if account:
        raise DocumentNotFound(
            f"the document of {ticket} is of {names}, not of {account}",
            hint=f"Build it with: rove build {ticket} --source {account}",
        )
    raise WrongCall(
        f"several accounts know {ticket}: {names}", hint="Say which one with: --account NAME"
    )


FIND = Operation(find, offline=True, show=lambda document: str(document.path))
