"""Asking accounts on behalf of a build: once each, so long, and not in vain."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest
from attrs import define, evolve, field

from rove_core import (
    ContextItem,
    ItemNotFound,
    ItemRef,
    LoginRefused,
    MalformedReply,
    Query,
    RateLimited,
    RoveError,
    SourceHooks,
    Unavailable,
    hookimpl,
)
from rove_core.build.gather.fetches import (
    FIRST_PASS,
    NEXT_PASS,
    PATIENCE,
    SHORT_PASS,
    FetchCache,
    Fetches,
    LimitRules,
)
from rove_core.http import Caps, MemoryLimits
from rove_core.http.deadline import Deadline
from rove_core.http.gate import Gate
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.testing import VirtualClock

PAGE = ItemRef(account="wiki", kind="page", id="A")


@define(eq=False)
class Wiki(SourceHooks):
    """A source that takes its time, and gives what it has before it fails."""

    clock: VirtualClock
    error: RoveError | None = None
    seconds: float = 0.0
    asked: list[str] = field(factory=list)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield one page, then fail if it shall."""
        self.asked.append(query.text)
        yield self._page(PAGE)
        if self.error:
            raise self.error

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a page, or fail."""
        self.asked.append(ref.id)
        self.clock.advance(self.seconds)
        if self.error:
            raise self.error
        return self._page(ref)

    def _page(self, ref: ItemRef) -> ContextItem:
        return ContextItem(
            ref=ref,
            source="Wiki",
            role="page",
            title="Page",
            content="words",
            timestamp=self.clock.now(),
        )


def asking(wiki: Wiki, fetched: FetchCache | None = None) -> Fetches:
    """Return what asks a wiki."""
    accounts = Accounts(use_plugins([]).manager)
    accounts.connect("wiki", wiki)
    return Fetches(accounts=accounts, clock=wiki.clock, fetched=fetched or FetchCache())


QUERY = Query(account="wiki", text="words")


@pytest.mark.anyio
async def test_several_builds_ask_once() -> None:
    """What one has fetched the next one of the same call has, too."""
    wiki, fetched = Wiki(VirtualClock()), FetchCache()
    for _ in range(2):
        fetches = asking(wiki, fetched)
        await fetches.search(QUERY)
        await fetches.item(PAGE)

    assert wiki.asked == ["words", "A"]


@pytest.mark.anyio
async def test_what_came_before_an_error_is_kept() -> None:
    """The error is told beside it."""
    fetches = asking(Wiki(VirtualClock(), Unavailable("the wiki is down")))

    found = await fetches.search(QUERY)

    assert [item.ref for item in found] == [PAGE]
    assert fetches.failures["wiki"].message == "the wiki is down"


@pytest.mark.anyio
@pytest.mark.parametrize("error", [LoginRefused("no"), Unavailable("down"), RateLimited("wait")])
async def test_an_account_that_cannot_answer_is_left_alone(error: RoveError) -> None:
    """Asking again would only take time."""
    wiki = Wiki(VirtualClock(), error)
    fetches = asking(wiki)
    await fetches.search(QUERY)
    await fetches.item(PAGE)

    assert wiki.asked == ["words"]
    assert not fetches.answers("wiki")


@pytest.mark.anyio
async def test_one_odd_answer_does_not_end_all() -> None:
    """The next question may be answered well."""
    fetches = asking(Wiki(VirtualClock(), MalformedReply("what is this?")))
    await fetches.search(QUERY)

    assert fetches.answers("wiki")


@pytest.mark.anyio
async def test_a_search_that_is_not_there_is_a_failure() -> None:
    """A server without that endpoint costs what it would have found, and no more."""
    fetches = asking(Wiki(VirtualClock(), ItemNotFound("404")))
    await fetches.search(QUERY)

    assert fetches.failures["wiki"].message == "404"
    assert fetches.answers("wiki")


@pytest.mark.anyio
async def test_what_is_gone_is_no_failure() -> None:
    """It is not there; the account answers."""
    fetches = asking(Wiki(VirtualClock(), ItemNotFound("no page A")))

    assert await fetches.item(PAGE) is None
    assert fetches.gone == {PAGE}
    assert not fetches.failures


@pytest.mark.anyio
async def test_patience_ends() -> None:
    """An account that takes too long for all of it is asked no more."""
    wiki = Wiki(VirtualClock(), seconds=PATIENCE / 2)
    fetches = asking(wiki)
    for name in "ABC":
        await fetches.item(ItemRef(account="wiki", kind="page", id=name))

    assert wiki.asked == ["A", "B"]
    assert "not done within 60 s" in fetches.failures["wiki"].message


@define(eq=False)
class Limited(SourceHooks):
    """A source whose requests go through a gate that lets few out."""

    gate: Gate
    sent: list[str] = field(factory=list)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Ask once, and find nothing."""
        await self._ask(query.text)
        return
        yield

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Ask once."""
        await self._ask(ref.id)
        return ContextItem(
            ref=ref,
            source="Wiki",
            role="page",
            title="Page",
            content="words",
            timestamp=self.gate.clock.now(),
        )

    async def _ask(self, what: str) -> None:
        clock = self.gate.clock
        async with self.gate.open("search", Deadline(clock, clock.monotonic() + 30), 2):
            self.sent.append(what)


def limited(rules: LimitRules) -> tuple[Fetches, Limited]:
    """Return what asks a wiki that allows two requests a minute."""
    clock = VirtualClock()
    gate = Gate(account="wiki", caps=Caps(), limits=MemoryLimits(clock=clock), clock=clock)
    accounts, wiki = Accounts(use_plugins([]).manager), Limited(gate)
    accounts.connect("wiki", wiki)
    return Fetches(accounts=accounts, clock=clock, rules=rules), wiki


@pytest.mark.anyio
async def test_waiting_for_a_limit_takes_none_of_an_accounts_time() -> None:
    """Twelve requests at two a minute take five minutes, and none of them fails."""
    fetches, wiki = limited(NEXT_PASS)
    for name in "ABCDEFGHIJKL":
        await fetches.item(ItemRef(account="wiki", kind="page", id=name))

    assert "".join(wiki.sent) == "ABCDEFGHIJKL"
    assert fetches.clock.monotonic() == 5 * 61
    assert not fetches.failures


@pytest.mark.anyio
async def test_the_first_pass_leaves_what_would_wait_for_later() -> None:
    """It says from when on that may be asked, and closes the account to nothing else."""
    fetches, wiki = limited(FIRST_PASS)
    for name in "ABC":
        await fetches.item(ItemRef(account="wiki", kind="page", id=name))

    assert wiki.sent == ["A", "B"]
    assert fetches.rest == {"wiki": fetches.clock.now() + timedelta(seconds=61)}
    assert fetches.answers("wiki")


@pytest.mark.anyio
async def test_further_words_leave_half_of_a_limit_to_others() -> None:
    """The ticket's own name is searched for all the same."""
    fetches, wiki = limited(FIRST_PASS)
    for text in ("keys", "tokens"):
        await fetches.search(Query(account="wiki", text=text, one_page=True))
    await fetches.search(Query(account="wiki", text="A"))

    assert wiki.sent == ["keys", "A"]
    assert fetches.partial == {"wiki"}
    assert not fetches.failures


@pytest.mark.anyio
@pytest.mark.parametrize(("is_last", "sent"), [(False, ["keys"]), (True, ["keys", "tokens"])])
async def test_the_last_words_use_what_is_left_to_others(
    sent: Sequence[str], *, is_last: bool
) -> None:
    """So a build that is almost done does not wait another minute; one that goes on leaves it."""
    fetches, wiki = limited(SHORT_PASS)
    for text in ("keys", "tokens"):
        query = Query(account="wiki", text=text, one_page=True)
        await fetches.search(query, is_last=is_last)

    assert wiki.sent == sent


@pytest.mark.anyio
async def test_last_words_hold_no_place_in_the_queue() -> None:
    """What another build needs leaves before them, although they were ready earlier."""
    rules = evolve(NEXT_PASS, begun=VirtualClock().now())
    fetches, wiki = limited(rules)
    for name in "AB":
        await fetches.item(ItemRef(account="wiki", kind="page", id=name))
    last = Query(account="wiki", text="tokens", one_page=True)
    await asyncio.gather(
        fetches.search(last, is_last=True),
        *(fetches.search(Query(account="wiki", text=name)) for name in "CD"),
    )

    assert wiki.sent == [*"ABCD", "tokens"]


@pytest.mark.anyio
async def test_a_long_limit_is_told() -> None:
    """An account that asks for an hour is not waited for, and not asked again."""
    clock = VirtualClock()
    later = clock.now() + timedelta(hours=1)
    fetches = asking(Wiki(clock, RateLimited("wait", retry_at=later)))
    await fetches.search(QUERY)

    assert fetches.rest == {"wiki": later}
    assert not fetches.answers("wiki")
