"""A vendor of boards on this machine, and ways to change what it has."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from itertools import count
from random import Random
from urllib.parse import parse_qs, urlsplit

from rove_core.testing import FaultProxy, SeenRequest, ServerReply, Vendor, VirtualClock


class Boards:
    """Keeps the cards of some boards, and answers as the vendor does: two cards a page."""

    def __init__(self, names: str) -> None:
        self.names = names
        self.clock = VirtualClock()
        self.cards = {f"A/{number}": (self.clock.now(), f"card {number}") for number in (1, 2)}
        self._numbers = count(3)

    def add(self, chance: Random) -> None:
        """Add a card to a board."""
        self._write(f"{chance.choice(self.names)}/{next(self._numbers)}", chance)

    def edit(self, chance: Random) -> None:
        """Give a card other words."""
        if self.cards:
            self._write(chance.choice(sorted(self.cards)), chance)

    def delete(self, chance: Random) -> None:
        """Remove a card without a trace."""
        if self.cards:
            del self.cards[chance.choice(sorted(self.cards))]

    def move(self, chance: Random) -> None:
        """Move a card to any board, where it has a new id."""
        self.delete(chance)
        self.add(chance)

    def there(self) -> Mapping[str, str]:
        """Return the words of each card, by its id."""
        return {name: text for name, (_, text) in self.cards.items()}

    def __call__(self, seen: SeenRequest) -> ServerReply:
        """Return the reply to one request."""
        url = urlsplit(seen.path)
        if url.path == "/api/boards":
            return _json([*self.names])
        board, what = url.path.removeprefix("/api/boards/").split("/")
        cards = {name: card for name, card in self.cards.items() if name.startswith(f"{board}/")}
        return _json([*cards]) if what == "ids" else _page(cards, parse_qs(url.query))

    def _write(self, name: str, chance: Random) -> None:
        self.clock.advance(chance.randint(1, 4000))
        self.cards[name] = self.clock.now(), f"words number {next(self._numbers)}"


@asynccontextmanager
async def cards_vendor(names: str = "AB") -> AsyncIterator[Vendor]:
    """Give a vendor with some cards, for the fixture ``vendor`` of the compliance suite."""
    boards = Boards(names)
    steps = {"add": boards.add, "edit": boards.edit, "delete": boards.delete, "move": boards.move}
    async with FaultProxy(boards) as server:
        yield Vendor(base_url=server.url, steps=steps, there=boards.there)


def _page(cards: Mapping[str, tuple[datetime, str]], query: Mapping[str, list[str]]) -> ServerReply:
    """Return two of the cards that changed in a window, newest first."""
    since, until = (query.get(name, [""])[0] for name in ("since", "until"))
    found = [
        {"id": name, "text": text, "changed": at.isoformat()}
        for name, (at, text) in sorted(cards.items(), key=lambda card: card[1], reverse=True)
        if (not since or at >= datetime.fromisoformat(since))
        and (not until or at <= datetime.fromisoformat(until))
    ]
    first = int(query.get("cursor", ["0"])[0])
    following = str(first + 2) if found[first + 2 :] else ""
    return _json({"cards": found[first : first + 2], "next": following})


def _json(body: object) -> ServerReply:
    return ServerReply(body=json.dumps(body).encode())
