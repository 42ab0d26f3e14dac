"""How many questions an account can bear, by what the first ones took."""

from collections.abc import AsyncIterator

import pytest
from attrs import define

from rove_core import ContextItem, ItemRef, Query, SourceHooks, hookimpl
from rove_core.build.gather.candidate_pool import Candidates
from rove_core.build.gather.candidates import SearchRecord
from rove_core.build.gather.fetches import Fetches
from rove_core.build.gather.searches import AT_ONCE, SEARCH_REQUESTS, AccountSearches
from rove_core.http import Counts
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.testing import VirtualClock

COUNTS = Counts()


@define(eq=False)
class Wiki(SourceHooks):
    """A source whose every search takes some requests."""

    requests: int

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:  # noqa: ARG002  # the hook's
        """Find nothing."""
        for _ in range(self.requests):
            COUNTS.sent()
        return
        yield


async def tell(*_: object, **__: object) -> None:
    """Tell nobody."""


def searching(requests: int) -> AccountSearches:
    """Return what searches a wiki."""
    accounts = Accounts(use_plugins([]).manager)
    accounts.connect("wiki", Wiki(requests))
    return AccountSearches(
        fetches=Fetches(accounts=accounts, clock=VirtualClock()),
        found=Candidates(accounts, ItemRef(account="wiki", kind="page", id="A")),
        tell=tell,
    )


def queries(*texts: str) -> dict[str, list[Query]]:
    """Return questions to the wiki."""
    return {"wiki": [Query(account="wiki", text=text) for text in texts]}


@pytest.mark.anyio
@pytest.mark.parametrize(("requests", "room"), [(1, AT_ONCE), (8, 2), (SEARCH_REQUESTS, 0)])
async def test_an_expensive_search_leaves_room_for_few(requests: int, room: int) -> None:
    """A search that takes many requests is not made often."""
    search = searching(requests)
    await search.ask(queries("T-1"))

    assert search.room("wiki") == room


@pytest.mark.anyio
async def test_nothing_is_asked_twice() -> None:
    """Neither in this build nor in an earlier one."""
    search = searching(1)
    search.asked["wiki"] = {"keys": SearchRecord()}
    search.take(await search.ask(queries("tokens")))

    assert search.new("wiki", ["keys", "tokens", "login"]) == ["login"]
