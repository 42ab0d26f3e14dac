"""Sources that list what changed: one for a single board of cards, one for several boards."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime

from attrs import frozen

from rove_core import (
    Account,
    CommonSettings,
    Container,
    ContextItem,
    Http,
    ItemRef,
    ListedChange,
    ListingStep,
    ListScope,
    Reply,
    SourceHooks,
    UpdateCursor,
    hookimpl,
    merge_listings,
)
from rove_core.clock import SYSTEM
from rove_core.http import cursor_pages


@frozen(kw_only=True)
class Card:
    """A card, as the vendor sends it; its board is part of its id (``A/1``)."""

    id: str
    text: str
    changed: datetime


@frozen(kw_only=True)
class Cards:
    """A page of cards; the last one has no ``next``."""

    cards: tuple[Card, ...]
    next: str = ""


class BoardSource(SourceHooks):
    """An account with one board."""

    def __init__(self, account: Account[CommonSettings], http: Http) -> None:
        self._account = account
        self._http = http

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the board."""
        return [Container(name="A")]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the cards that changed, newest first, then those that are gone."""
        place, left = UpdateCursor.of(scope, keep_ids=True), scope.limit
        async with aclosing(self._pages("A", place)) as pages:
            async for cards in pages:
                for card in cards:
                    if place.is_new(card.id, card.changed):
                        left -= 1
                        cursor = "" if left else place.text(done=False)
                        yield ListedChange(item=self._item(card), whole=True, cursor=cursor)
                        if not left:
                            return
                yield ListedChange(cursor=place.text(done=False))
        for name in place.forget_missing(await self._ids("A"), SYSTEM.now()):
            yield ListedChange(gone=self._ref(name))
        yield ListedChange(cursor=place.text(done=True))

    async def _pages(
        self, board: str, place: UpdateCursor
    ) -> AsyncGenerator[tuple[Card, ...], None]:
        """Yield the cards that changed from ``since`` to ``until``, a page at a time."""

        async def page(cursor: str | None) -> Reply:
            limits = {"since": place.since, "until": place.until}
            params = {name: at.isoformat() for name, at in limits.items() if at}
            params |= {"cursor": cursor} if cursor else {}
            return await self._http.get(f"api/boards/{board}/cards", params=params)

        async with aclosing(cursor_pages(page, lambda reply: reply.read(Cards).next)) as replies:
            async for reply in replies:
                yield reply.read(Cards).cards

    async def _ids(self, board: str) -> tuple[str, ...]:
        """Return the ids of all cards of a board."""
        return (await self._http.get(f"api/boards/{board}/ids")).read(tuple[str, ...])

    def _ref(self, name: str) -> ItemRef:
        url = f"{self._account.base_url}/cards/{name}"
        return ItemRef(account=self._account.name, kind="card", id=name, url=url)

    def _item(self, card: Card) -> ContextItem:
        return ContextItem(
            ref=self._ref(card.id),
            source="cards",
            role="ticket",
            title=card.text,
            content=card.text,
            timestamp=card.changed,
        )


class BoardsSource(BoardSource):
    """An account with several boards."""

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the boards."""
        names = (await self._http.get("api/boards")).read(tuple[str, ...])
        return [Container(name=name) for name in names]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield what changed on the boards as one listing; it keeps the limit and the cursors."""
        names = scope.containers or [each.name for each in await self.rove_containers()]
        async with aclosing(merge_listings(scope, names, self._list_one)) as changes:
            async for change in changes:
                yield change

    async def _list_one(self, scope: ListScope) -> AsyncGenerator[ListingStep, None]:
        """Yield what changed on one board: its name and its own cursor are in the scope."""
        (board,), place = scope.containers, UpdateCursor.of(scope, keep_ids=True)
        async with aclosing(self._pages(board, place)) as pages:
            async for cards in pages:
                for card in cards:
                    if place.is_new(card.id, card.changed):
                        change = ListedChange(item=self._item(card), whole=True)
                        yield ListingStep(change, place.mark(done=False))
        for name in place.forget_missing(await self._ids(board), SYSTEM.now()):
            yield ListingStep(ListedChange(gone=self._ref(name)), place.mark(done=False))
        yield ListingStep(ListedChange(), place.mark(done=True))
