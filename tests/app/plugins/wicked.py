"""A plugin for tests of the server: what its accounts do depends on the id that they are asked."""

import asyncio
import json
import os
import re
import time  # noqa: TID251  # to block a thread is what it is for
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from attrs import frozen

from rove_core import (
    Account,
    ContextItem,
    Http,
    HttpRequest,
    HttpResponse,
    ItemRef,
    Query,
    Route,
    SourceHooks,
    SourceKind,
    hookimpl,
)
from rove_core.project.project import Project


@frozen(kw_only=True)
class WickedSettings:
    """No settings."""


class WickedSource(SourceHooks):
    """Reads tickets, and does what they say."""

    def __init__(self, account: Account[WickedSettings]) -> None:
        self._name = account.name

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:  # noqa: ARG002  # it finds nothing
        """Find nothing."""
        nothing: tuple[ContextItem, ...] = ()
        for item in nothing:
            yield item

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a ticket, if there is still something that can."""
        do(ref.id)
        while ref.id.startswith("WAIT") and not os.path.exists(os.environ["WICKED_GATE"]):  # noqa: ASYNC110, ASYNC240, PTH110  # it waits for a test
            await asyncio.sleep(0.02)  # noqa: TID251  # as above
        return ContextItem(
            ref=ref,
            source="wicked",
            role="page",
            title=f"The ticket {ref.id}",
            content="We decided that the cookie lives 60 seconds.",
            timestamp=datetime(2026, 1, 1, tzinfo=UTC),
            author="Ann",
        )

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an id means the same everywhere
        """Return the tickets in a text; the tame account has the tame ones."""
        names = "TAME" if self._name.endswith(":tame") else "BLOCK|EXIT|EAT|CRASH|PRINT|WAIT"
        found = re.findall(rf"\b(?:{names})-[0-9]+\b", text)
        return [
            ItemRef(account=self._name, kind="ticket", id=name) for name in dict.fromkeys(found)
        ]


def do(what: str) -> None:
    """Do what no plugin should."""
    match what.partition("-")[0]:
        case "BLOCK":
            Path(os.environ.get("WICKED_GATE", os.devnull)).touch()  # it says that it begins
            time.sleep(60)  # this is what it is for
        case "EXIT":
            os._exit(3)
        case "CRASH":
            os.abort()
        case "EAT":
            _eaten = b"x" * (2 << 30)
        case "PRINT":
            print("what a plugin prints")  # noqa: T201  # the same


@hookimpl
def rove_sources() -> Sequence[SourceKind[WickedSettings]]:
    """Bring the tickets."""
    return [SourceKind(name="wicked", title="Wicked", settings=WickedSettings, connect=_connect)]


@hookimpl
def rove_routes() -> Sequence[Route]:
    """Answer what does the same to the worker that answers."""
    return [Route("POST", "/wicked", _answer, "Do what no plugin should.")]


def _connect(account: Account[WickedSettings], _: Http) -> SourceHooks:
    return WickedSource(account)


async def _answer(request: HttpRequest, _: Project) -> HttpResponse:
    do(json.loads(request.body))
    return HttpResponse(200, {"content-type": "application/json"}, b"{}")
