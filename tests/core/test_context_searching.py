"""How many questions an account can bear, by what the first ones took."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from attrs import define

from rove_core import ContextItem, ItemRef, Query, SourceHooks, hookimpl
from rove_core.build.gather.candidate_pool import Candidates
from rove_core.build.gather.candidates import SearchRecord
from rove_core.build.gather.fetches import FIRST_PASS, Fetches
from rove_core.build.gather.searches import AT_ONCE, SEARCH_REQUESTS, AccountSearches
from rove_core.http import Counts, MemoryLimits
from rove_core.http.rate_limits import PlannedLimit
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.testing import VirtualClock

COUNTS = Counts()


def page(number: int) -> ContextItem:
    """Return a page of the wiki."""
    return ContextItem(
        ref=ItemRef(account="wiki", kind="page", id=f"P{number}"),
        source="wiki",
        role="page",
        title="Signing keys",
        content="",
        timestamp=datetime(2025, 1, 1, tzinfo=UTC),
    )


@define(eq=False)
class Wiki(SourceHooks):
    """A source whose every search takes some requests, and finds so many pages."""

    requests: int
    limit: PlannedLimit | None = None
    pages: int = 0

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:  # noqa: ARG002  # the hook's
        """Find the same pages for all words."""
        for _ in range(self.requests):
            if self.limit:
                limits, bucket = self.limit.limits, self.limit.bucket
                await limits.take(bucket, per_minute=self.limit.per_minute, at_most=0)
            COUNTS.sent(self.limit)
        for number in range(self.pages):
            yield page(number)


async def tell(*_: object, **__: object) -> None:
    """Tell nobody."""


def searching(requests: int, *, per_minute: int = 0, pages: int = 0) -> AccountSearches:
    """Return what searches a wiki."""
    accounts, clock = Accounts(use_plugins([]).manager), VirtualClock()
    limit = PlannedLimit("wiki search", per_minute, MemoryLimits(clock=clock))
    accounts.connect("wiki", Wiki(requests, limit if per_minute else None, pages))
    return AccountSearches(
        fetches=Fetches(accounts=accounts, clock=clock, rules=FIRST_PASS),
        found=Candidates(accounts, ItemRef(account="wiki", kind="page", id="A")),
        report=tell,
    )


def queries(*texts: str, one_page: bool = False) -> dict[str, list[Query]]:
    """Return questions to the wiki."""
    return {"wiki": [Query(account="wiki", text=text, one_page=one_page) for text in texts]}


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
    search.searches["wiki"] = {"keys": SearchRecord()}
    search.take(await search.ask(queries("tokens")))

    assert search.new("wiki", ["keys", "tokens", "login"]) == ["login"]


@pytest.mark.anyio
@pytest.mark.parametrize(("pages", "asked"), [(3, []), (10, ["signing keys"])])
async def test_two_words_are_asked_for_where_one_finds_too_much(
    pages: int, asked: list[str]
) -> None:
    """All that has both is among what has one of them, if that is few."""
    search = searching(1, pages=pages)
    search.take(await search.ask(queries("signing", "keys")))

    assert search.new("wiki", ["signing keys"]) == asked


@pytest.mark.anyio
@pytest.mark.parametrize("is_known", [True, False])
async def test_a_limit_leaves_out_the_last_questions(*, is_known: bool) -> None:
    """Each takes 3 requests: of half of 20 a minute there are 3 questions, the first ones."""
    search = searching(3, per_minute=20)
    if is_known:
        await search.ask(queries("T-1"))
    answers = await search.ask(queries("keys", "tokens", "login", "page", one_page=True))
    asked = [query.text for query, _, _ in answers]

    assert asked == ["keys", "tokens", "login"][: 2 if is_known else 3]
    assert search.fetches.partial == {"wiki"}
    assert search.fetches.is_delayed("wiki")
