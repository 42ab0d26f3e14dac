"""One account of Acme."""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from attrs import frozen
from tests.typing.acme import KEY, AcmeSettings

from rove_core import (
    Account,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemRef,
    Login,
    Query,
    Secret,
    SourceHooks,
    hookimpl,
)


@frozen(kw_only=True)
class Card:
    """What Acme sends."""

    id: str
    text: str
    changed: datetime


class AcmeSource(SourceHooks):
    """Reads one board."""

    def __init__(self, account: Account[AcmeSettings], http: Http) -> None:
        self._account = account
        self._http = http

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for the key."""
        key = await login.ask_secret(KEY)
        return Credential(headers={"X-Key": Secret(key.reveal())}, hosts=("acme.invalid",))

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose board it is."""
        return Identity(name=self._account.settings.board)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the cards in which the words occur."""
        reply = await self._http.get("cards", params={"q": query.text})
        for card in reply.read(tuple[Card, ...])[: query.limit]:
            yield self._item(card)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return one card."""
        return self._item((await self._http.get(f"cards/{ref.id}")).read(Card))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the cards that a text names."""
        account = origin.account if origin else self._account.name
        return [
            ItemRef(account=account, kind="card", id=name)
            for name in re.findall(r"\bACME-[0-9]+\b", text)
        ]

    def _item(self, card: Card) -> ContextItem:
        ref = ItemRef(account=self._account.name, kind="card", id=card.id)
        return ContextItem(
            ref=ref,
            source="acme",
            role="ticket",
            title=card.id,
            content=card.text,
            timestamp=card.changed,
        )
