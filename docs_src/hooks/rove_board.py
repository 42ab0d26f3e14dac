"""A source that lists what changed: its vendor sorts cards by the time of their last change."""

from collections.abc import AsyncIterator, Sequence
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
    ListScope,
    Reply,
    SourceHooks,
    UpdateCursor,
    hookimpl,
)
from rove_core.http import cursor_pages


@frozen(kw_only=True)
class Card:
    """A card, as the vendor sends it."""

    id: str
    board: str
    text: str
    changed: datetime


@frozen(kw_only=True)
class Cards:
    """A page of cards; the last one has no ``next``."""

    cards: tuple[Card, ...]
    next: str = ""


@frozen(kw_only=True)
class Board:
    """A board, as the vendor sends it."""

    id: str
    name: str


@frozen(kw_only=True)
class Boards:
    """All boards."""

    boards: tuple[Board, ...]


class BoardSource(SourceHooks):
    """An account at a vendor of boards."""

    def __init__(self, account: Account[CommonSettings], http: Http) -> None:
        self._account = account
        self._http = http

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the boards."""
        found = (await self._http.get("api/boards")).read(Boards)
        return [Container(name=board.id, title=board.name) for board in found.boards]

    @hookimpl
    async def rove_readable(self, names: Sequence[str]) -> Sequence[Container]:
        """Return some boards, as far as they can be read; no other is requested."""
        found = (await self._http.get("api/boards", params={"ids": ",".join(names)})).read(Boards)
        return [Container(name=board.id, title=board.name) for board in found.boards]

    @hookimpl
    async def rove_list_recent(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the cards of several boards that changed since a time."""
        params = {"boards": ",".join(scope.containers), "sort": "-changed"}
        params |= {"since": scope.since.isoformat()} if scope.since else {}
        found = (await self._http.get("api/cards", params=params)).read(Cards)
        for card in found.cards:
            yield ListedChange(item=self._item(card), whole=True, container=card.board)

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the cards that changed, newest first."""
        place, left = UpdateCursor.of(scope), scope.limit

        async def page(cursor: str | None) -> Reply:
            params = {"boards": ",".join(scope.containers), "sort": "-changed"}
            params |= {"since": place.since.isoformat()} if place.since else {}
            params |= {"until": place.until.isoformat()} if place.until else {}
            params |= {"cursor": cursor} if cursor else {}
            return await self._http.get("api/cards", params=params)

        async with aclosing(cursor_pages(page, _next)) as replies:
            async for reply in replies:
                for card in reply.read(Cards).cards:
                    if left and place.is_new(card.id, card.changed):
                        left -= 1
                        cursor = "" if left else place.text(done=False)
                        yield ListedChange(item=self._item(card), whole=True, cursor=cursor)
                if not left:
                    return
                yield ListedChange(cursor=place.text(done=False))
        yield ListedChange(cursor=place.text(done=True))

    def _item(self, card: Card) -> ContextItem:
        url = f"{self._account.base_url}/cards/{card.id}"
        return ContextItem(
            ref=ItemRef(account=self._account.name, kind="card", id=card.id, url=url),
            source="board",
            role="ticket",
            title=card.text.partition("\n")[0],
            content=card.text,
            timestamp=card.changed,
        )


def _next(reply: Reply) -> str:
    return reply.read(Cards).next
