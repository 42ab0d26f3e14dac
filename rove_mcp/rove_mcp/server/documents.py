"""Documents as resources: ``rove://context/{ticket}``, and the skill."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from attrs import frozen

from rove_core import JSON, DocumentNotFound, MalformedReply

if TYPE_CHECKING:
    from rove_core import OperationClient

CONTEXT: Final = "rove://context/"
TEMPLATE: Final = "rove://context/{ticket}"
SKILL: Final = "skill://rove-context/SKILL.md"


@frozen(kw_only=True)
class ListedDocument:
    """A document in the list.

    Attributes:
        ticket: The ticket's id.
        title: The ticket's title.
        filename: The file's name below ``.context``.
        updated: When it was last written, as text.
    """

    ticket: str
    title: str
    filename: str
    updated: str

    @property
    def uri(self) -> str:
        """The resource's address."""
        return uri_of(self.ticket)


@frozen
class Documents:
    """Reads the documents of a project.

    Attributes:
        client: Calls operations.
    """

    client: "OperationClient"

    async def listed(self) -> Sequence[ListedDocument]:
        """Return all documents, newest first."""
        reply = _object(await self.client.call("documents_list", {}))
        documents = reply.get("documents")
        rows = documents if isinstance(documents, list) else []
        return [_listed_document(_object(row)) for row in rows]

    async def text(self, uri: str) -> str:
        """Return the text of a resource.

        Raises:
            DocumentNotFound: There is no such resource.
        """
        if uri == SKILL:
            return str(_object(await self.client.call("skill", {})).get("text", ""))
        ticket = unquote(uri.removeprefix(CONTEXT))
        if not uri.startswith(CONTEXT) or not ticket:
            raise DocumentNotFound(f"there is no resource {uri}", hint=f"Read {TEMPLATE}")
        return str(_object(await self.client.call("show", {"ticket": ticket})).get("text", ""))

    async def tickets(self, begin: str) -> list[str]:
        """Return the ids of tickets with a document that begin with some characters."""
        ticket_ids = dict.fromkeys(each.ticket for each in await self.listed())
        return [each for each in ticket_ids if each.lower().startswith(begin.lower())]


def uri_of(ticket: str) -> str:
    """Return the address of a ticket's document."""
    return f"{CONTEXT}{quote(ticket, safe='')}"


def _listed_document(row: Mapping[str, JSON]) -> ListedDocument:
    ticket, title, filename, updated = (
        str(row.get(name, "")) for name in ("ticket_id", "title", "filename", "last_updated")
    )
    return ListedDocument(ticket=ticket, title=title, filename=filename, updated=updated)


def _object(value: JSON) -> Mapping[str, JSON]:
    if not isinstance(value, Mapping):
        raise MalformedReply(f"the project's server answers {str(value)[:40]!r}")
    return value
