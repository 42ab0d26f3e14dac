"""Find the document of a ticket."""

from typing import TYPE_CHECKING, Annotated

from rove_core.build.free_text import build_argument
from rove_core.documents import Document, document_of
from rove_core.errors import DocumentNotFound
from rove_core.project.document_lookup import build_command, document_meant
from rove_core.store.last_use import record_use

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


async def find(
    rove: "LocalProject",
    *,
    ticket: Annotated[str, "The ticket's id, the title of its document, or the words it is about."],
    account: Annotated[str | None, "The account, if several have this id."] = None,
) -> Document:
    """Find the document of a ticket."""
    with rove.reading() as db:
        record = document_meant(db, ticket, account)
    document = document_of(record, rove.places.context)
    if not document.path.is_file():
        raise DocumentNotFound(
            f"the document of {ticket} is no longer at {document.path}",
            hint=f"Build it again with: {build_command(build_argument(record))}",
        )
    record_use(str(rove.places.rove), document.filename)
    return document
