"""One Acme tracker: the tickets in its export."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from attrs import field, frozen
from rove_core import (
    Account,
    ContextItem,
    Identity,
    ItemNotFound,
    ItemRef,
    Query,
    SourceHooks,
    WrongSetting,
    hookimpl,
)

from rove_acme.settings import AcmeSettings

_ID = re.compile(r"\bACME-[0-9]+\b")


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


@frozen(kw_only=True)
class ExportedTicket:
    """A ticket, as the export has it; its time has a zone."""

    id: str
    title: str
    text: str
    author: str
    changed: datetime = field(converter=_time)


class AcmeSource(SourceHooks):
    """Reads one export."""

    def __init__(self, account: Account[AcmeSettings]) -> None:
        self._account = account
        self._file = _place(account)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return which export it is; this is the test of the connection."""
        count = len(await asyncio.to_thread(self._tickets))
        return Identity(name="Acme", reads=(f"{count} tickets in {self._file}",))

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield tickets in which all the words occur, newest first."""
        tickets = await asyncio.to_thread(self._tickets)
        found = [ticket for ticket in tickets if _answers(ticket, query)]
        for ticket in found[: query.limit]:
            yield self._item(ticket)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a ticket."""
        for ticket in await asyncio.to_thread(self._tickets):
            if ticket.id == ref.id:
                return self._item(ticket)
        raise ItemNotFound(f"Acme has no ticket {ref.id!r}")

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the tickets whose ids appear in a text."""
        return [self._ref(name) for name in dict.fromkeys(_ID.findall(text))]

    def _tickets(self) -> list[ExportedTicket]:
        """Return all tickets, newest first; it reads a file, so it runs in a thread."""
        try:
            records = json.loads(self._file.read_text("utf-8"))
        except OSError as error:
            raise WrongSetting(
                f"{self._file} cannot be read: {error.strerror}",
                hint="Export the tracker there, or change the account's setting: file. "
                "A relative path starts at the project's folder.",
            ) from error
        tickets = [ExportedTicket(**record) for record in records]
        return sorted(tickets, key=lambda ticket: ticket.changed, reverse=True)

    def _ref(self, name: str) -> ItemRef:
        return ItemRef(
            account=self._account.name,
            kind="ticket",
            id=name,
            url=f"{self._file.absolute().as_uri()}#{name}",
        )

    def _item(self, ticket: ExportedTicket) -> ContextItem:
        return ContextItem(
            ref=self._ref(ticket.id),
            source="acme",
            role="ticket",
            title=ticket.title,
            content=ticket.text,
            timestamp=ticket.changed,
            author=ticket.author,
        )


def _place(account: Account[AcmeSettings]) -> Path:
    """Return where the export is: below the project, unless the setting is a whole path."""
    project = unquote(urlsplit(account.base_url).path)
    return Path(project) / Path(account.settings.file).expanduser()


def _answers(ticket: ExportedTicket, query: Query) -> bool:
    text = f"{ticket.id}\n{ticket.title}\n{ticket.text}".lower()
    return query.covers(ticket.changed) and all(word in text for word in query.text.lower().split())
