"""Remove a document: its file, and its records in the index."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove_core.build.document_store import DocumentStore
from rove_core.build.write.base import DocumentBase
from rove_core.build.write.reader import words_of_people
from rove_core.errors import DiskTrouble, DocumentNotFound, WrongCall
from rove_core.items import ItemRef
from rove_core.operations import Operation
from rove_core.project.document_lookup import document_meant
from rove_core.store.document_bases import base_path, next_base
from rove_core.store.documents import DocumentRecord, remove_document
from rove_core.store.items import forget_unused_items

if TYPE_CHECKING:
    from rove_core.project.project import Project


@frozen(kw_only=True)
class RemovedDocument:
    """A document that was removed.

    Attributes:
        ticket: The ticket it was about.
        account: The account that has the ticket.
        path: Where it was.
    """

    ticket: str
    account: str
    path: Path


async def remove(
    rove: "Project",
    *,
    ticket: Annotated[str, "The ticket's id, the title of its document, or the words it is about."],
    account: Annotated[str | None, "The account, if several have this id."] = None,
    yes: Annotated[bool, "Remove what people wrote into it, too."] = False,
) -> RemovedDocument:
    """Remove a document, and what Rove has stored about it.

    If people have edited it, Rove asks for --yes.
    """
    try:
        record = await rove.store.read(document_meant, ticket, account)
    except DocumentNotFound as error:  # Who removes a document does not want to build it.
        raise DocumentNotFound(error.message, hint="See the documents: rove list") from error
    path = rove.places.context / record.filename
    if not yes and await _holds_words_of_people(rove, record):
        raise WrongCall(
            f"somebody has written into {path}",
            hint="Remove it all the same with: rove remove --yes " + record.ticket_id,
        )
    # The base goes last: without it nobody could tell whose words are left.
    _unlink(path)
    async with rove.store.transaction() as db:
        await remove_document(db, record.account, record.ticket_id)
        await forget_unused_items(db)
    base = base_path(rove.places, record.account, record.filename)
    _unlink(next_base(base))
    _unlink(base)
    return RemovedDocument(ticket=record.ticket_id, account=record.account, path=path)


async def _holds_words_of_people(rove: "Project", record: DocumentRecord) -> bool:
    """Return whether anything in a file is not in Rove's format; without a base, everything is."""
    documents = DocumentStore(store=rove.store, places=rove.places, clock=rove.clock)
    previous = await documents.previous_build(
        ItemRef(account=record.account, kind="", id=record.ticket_id)
    )
    return bool(previous.text and words_of_people(previous.text, previous.base or DocumentBase()))


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be removed: {error.strerror}") from error


REMOVE = Operation(
    remove, changes=True, destroys=True, show=lambda removed: f"{removed.path} is removed"
)
