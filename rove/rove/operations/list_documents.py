"""List the documents of a project."""

from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove_core.documents import Document, document_of
from rove_core.operations import Operation
from rove_core.store.documents import list_documents
from rove_core.terminal.tables import columns, counted

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class DocumentList:
    """The documents of a project.

    Attributes:
        documents: Those that were built, the newest first.
        hidden: How many documents of other accounts there are.
    """

    documents: tuple[Document, ...]
    hidden: int = 0

    @property
    def nothing(self) -> str:
        """The message if there is no document."""
        if self.hidden:
            others = counted(self.hidden, "document")
            return f"no document of this account; {others} of others: rove list"
        return "no document yet; build one with: rove --ticket TICKET"


async def documents_list(
    rove: "LocalProject",
    *,
    source: Annotated[str | None, "Only documents of this account or kind."] = None,
) -> DocumentList:
    """List the documents of this project, newest first."""
    with rove.reading() as db:
        records = list_documents(db)
    account = (source or "").lower()
    shown = [
        document_of(record, rove.places.context)
        for record in records
        if account in {"", record.account, record.account.partition(":")[0]}
    ]
    return DocumentList(documents=tuple(shown), hidden=len(records) - len(shown))


def _show(found: DocumentList) -> str:
    return "\n".join(
        columns(
            [
                (
                    each.ticket_id,
                    each.title,
                    f"{each.last_updated:%Y-%m-%d %H:%M} UTC",
                    f".context/{each.filename}",
                )
                for each in found.documents
            ],
            shrink=(1,),
            drop=(3, 2),
            styles={0: "bold cyan", 2: "dim", 3: "dim"},
        )
    )


LIST = Operation(documents_list, command="list", offline=True, show=_show)
