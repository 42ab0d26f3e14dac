"""Open a document in the browser as a single page."""

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove import __version__
from rove_core.operations import Operation
from rove_core.project.document_lookup import document_meant
from rove_core.store.files import private_folder, write_atomic
from rove_core.store.last_use import record_use

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject
    from rove_core.store.documents import DocumentRecord

#: Where a page names the Rove that made it: within its first bytes.
_HEAD: Final = 2_000
_NO_BROWSER: Final = "no browser available here; open this file in one"


@frozen(kw_only=True)
class DocumentPage:
    """The page of a document.

    Attributes:
        ticket_id: The ticket it is about.
        path: The page, absolute.
        opened: Whether a browser was started.
        note: Why none was started though it was wanted; empty otherwise.
    """

    ticket_id: str
    path: Path
    opened: bool
    note: str = ""


async def open_document(
    rove: "LocalProject",
    *,
    ticket: Annotated[str, "The ticket's id, the title of its document, or the words it is about."],
    account: Annotated[str | None, "The account, if several have this id."] = None,
    browser: Annotated[bool, "Open the page in a browser, not only write it."] = True,
    output: Annotated[Path | None, "Where to write the page; .rove/pages/ unless given."] = None,
) -> DocumentPage:
    """Show a document in the browser, with a timeline and its sources.

    The page is a single file without external content, so you can keep it or send it.
    """
    with rove.reading() as db:
        record = document_meant(db, ticket, account)
    path = (
        output.absolute() if output else rove.places.rove / "pages" / f"{record.filename[:-3]}.html"
    )
    newest = _newest(rove, record)
    if output or not _is_current(path, newest):
        page = _render(rove, record)
        if output is None:
            private_folder(path.parent)
        write_atomic(path, page.encode("utf-8", "replace"))
        # It is as new as what it was made from, so that it can be seen whether that has changed.
        os.utime(path, ns=(newest, newest))
    record_use(str(rove.places.rove), record.filename)
    opened = browser and _open(path)
    return DocumentPage(
        ticket_id=record.ticket_id,
        path=path,
        opened=opened,
        note=_NO_BROWSER if browser and not opened else "",
    )


def _render(rove: "LocalProject", record: "DocumentRecord") -> str:
    from rove.operations.show import document_text  # noqa: PLC0415  # most pages are there already
    from rove.page import PageContent, render  # noqa: PLC0415  # the same
    from rove_core.store.use_summaries import read_searches, read_summaries  # noqa: PLC0415  # the same

    with rove.reading() as db:
        uses = read_summaries(db, record.account, record.ticket_id)
        searches = read_searches(db, record.account, record.ticket_id)
    return render(
        PageContent(
            ticket_id=record.ticket_id,
            title=record.title,
            url=record.url,
            account=record.account,
            last_updated=record.last_updated,
            text=document_text(rove.places, record),
            uses=uses,
            searches=searches,
        )
    )


def _newest(rove: "LocalProject", record: "DocumentRecord") -> int:
    """Return when the newest thing was written that a page is made from, in nanoseconds.

    The index itself does not count: whatever is written there, nearly all is of something else.
    """
    files = (
        rove.places.context / record.filename,
        Path(__file__).parent.with_name("page") / "style.css",
    )
    updated = int(record.last_updated.timestamp()) * 1_000_000_000
    return max([updated, *(path.stat().st_mtime_ns for path in files if path.exists())])


def _is_current(path: Path, newest: int) -> bool:
    """Return whether a page is what this Rove would write now."""
    try:
        status = path.lstat()
        if status.st_mtime_ns != newest or not stat.S_ISREG(status.st_mode):
            return False
        with path.open("rb") as page:
            return f'content="Rove {__version__}"'.encode() in page.read(_HEAD)
    except OSError:
        return False


def _open(path: Path) -> bool:
    """Start the browser, and return whether one could be started."""
    from rove.browser import start_browser  # noqa: PLC0415  # most pages are only written

    return start_browser(path.as_uri())


OPEN = Operation(
    open_document,
    command="open",
    changes=True,
    offline=True,
    terminal_only=True,
    show=lambda page: str(page.path),
)
