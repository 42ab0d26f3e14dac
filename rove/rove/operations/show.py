"""Show a document on the terminal."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove_core.build.free_text import build_argument
from rove_core.errors import DocumentNotFound
from rove_core.operations import Operation
from rove_core.project.document_lookup import build_command, document_meant
from rove_core.store.document_texts import read_document
from rove_core.store.last_use import record_use
from rove_core.terminal.screen import PREFERENCES, is_terminal, width

if TYPE_CHECKING:
    from rove_core.project.layout import ProjectPaths
    from rove_core.project.local import LocalProject
    from rove_core.store.documents import DocumentRecord

_USUAL_WIDTH: Final = 80


@frozen(kw_only=True)
class ShownDocument:
    """A document with its text.

    Attributes:
        ticket_id: The ticket it is about.
        account: The account that has the ticket.
        title: The ticket's title.
        filename: Its name below ``.context``.
        last_updated: When it was last written.
        text: The document, as Markdown.
    """

    ticket_id: str
    account: str
    title: str
    filename: str
    last_updated: datetime
    text: str


async def show(
    rove: "LocalProject",
    *,
    ticket: Annotated[str, "The ticket's id, the title of its document, or the words it is about."],
    account: Annotated[str | None, "The account, if several have this id."] = None,
) -> ShownDocument:
    """Show the document of a ticket in the terminal."""
    with rove.reading() as db:
        record = document_meant(db, ticket, account)
    text = document_text(rove.places, record)
    record_use(str(rove.places.rove), record.filename)
    return ShownDocument(
        ticket_id=record.ticket_id,
        account=record.account,
        title=record.title,
        filename=record.filename,
        last_updated=record.last_updated,
        text=text,
    )


def document_text(places: "ProjectPaths", record: "DocumentRecord") -> str:
    """Return the text of a document's file.

    Raises:
        DocumentNotFound: The file is gone.
    """
    path = places.context / record.filename
    text = read_document(path)
    if text is None:
        raise DocumentNotFound(
            f"the document of {record.ticket_id} is no longer at {path}",
            hint=f"Build it again with: {build_command(build_argument(record))}",
        )
    return text


def _show(document: ShownDocument) -> str:
    # Who asks for colour sends it to what shows colour, like less -R.
    if not is_terminal() and PREFERENCES.color != "always":
        return document.text.rstrip("\n")
    from rove.terminal_document import rendered  # noqa: PLC0415  # a pipe needs none

    return rendered(document.text, width() or _USUAL_WIDTH)


SHOW = Operation(show, toolset="context", offline=True, show=_show, verbatim=True)
