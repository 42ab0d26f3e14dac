"""Whatever goes wrong on the wire, at whichever stage: a word that helps, and nothing is lost."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final
from urllib.parse import urlsplit

import pytest
from tests.fault_matrix import HASTY

from rove_core import ContextItem, Identity, ItemRef, Query, RoveError
from rove_core.http import Caps
from rove_core.testing import FAULTS, FaultProxy, Vendor, VirtualClock
from rove_core.testing.faults import SeenRequest
from rove_slack.source import SlackSource

pytestmark = pytest.mark.anyio

HOUR: Final = 3600
Connect = Callable[..., SlackSource]
Result = Identity | list[ContextItem]
Stage = Callable[[SlackSource], Awaitable[Result]]


async def _identity(source: SlackSource) -> Result:
    return await source.rove_identity()


async def _search(source: SlackSource) -> Result:
    query = Query(account="slack", text="TB-123")
    return [item async for item in source.rove_search(query)]


async def _thread(source: SlackSource) -> list[ContextItem]:
    ref = ItemRef(account="slack", kind="thread", id="C0BACKEND/1734264000.000100")
    return [await source.rove_item_detail(ref)]


def _method(name: str, *, again: bool = False) -> Callable[[SeenRequest], bool]:
    """Return what tells the calls of a method, or only those for a further page."""
    return lambda seen: seen.path.endswith(name) and (not again or b"cursor=" in seen.body)


STAGES: Final = {
    "identity": (_identity, _method("auth.test")),
    "search": (_search, _method("search.context")),
    "a search's next page": (_search, _method("search.context", again=True)),
    "thread": (_thread, _method("conversations.replies")),
    "a thread's next page": (_thread, _method("conversations.replies", again=True)),
}


@pytest.fixture
async def proxy(northwind: AbstractAsyncContextManager[Vendor]) -> AsyncIterator[FaultProxy]:
    """Give what stands between the source and the workspace."""
    async with northwind as vendor:
        parts = urlsplit(vendor.base_url)
        assert parts.hostname is not None
        assert parts.port is not None
        async with FaultProxy((parts.hostname, parts.port)) as proxy:
            yield proxy


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", sorted(FAULTS))
async def test_a_fault_ends_in_time_and_heals_without_loss(
    proxy: FaultProxy, connect: Connect, name: str, stage: str
) -> None:
    """While it lasts there is a typed error or the right answer; afterwards all is there, once."""
    ask, when = STAGES[stage]
    clock = VirtualClock()
    hasty = connect(proxy.url, clock=clock, caps=HASTY)
    patient = connect(proxy.url, clock=clock)
    expected = await ask(patient)
    assert any(map(when, proxy.requests)), "no request is among those that go wrong"
    proxy.play(FAULTS[name], times=3, when=when)

    outcomes = []
    async with asyncio.timeout(60):
        for _ in range(4):
            clock.advance(HOUR)
            outcomes.append(await _outcome(ask, hasty))

    # On a busy machine the right answer, or somebody's name, may take longer than the deadline.
    wrong = [each for each in outcomes if not _helps(each) and _where(each) != _where(expected)]
    assert wrong == []
    # On a busy machine some faults may not have been played yet.
    proxy.stop()
    clock.advance(HOUR)
    assert await ask(patient) == expected


@pytest.mark.parametrize("name", sorted(FAULTS))
async def test_a_name_that_cannot_be_had_costs_no_words(
    proxy: FaultProxy, connect: Connect, name: str
) -> None:
    """While names fail, ids stand for them; afterwards the names are there."""
    clock = VirtualClock()
    proxy.play(FAULTS[name], times=12, when=_method("users.info"))
    source = connect(proxy.url, clock=clock, caps=Caps(deadline=1.0))
    patient = connect(proxy.url, clock=clock)
    for _ in range(4):
        outcome = await _outcome(_thread, source)
        # On a busy machine the words may take longer than the deadline.
        assert _helps(outcome) or (isinstance(outcome, list) and "tokens" in outcome[0].content)
        clock.advance(HOUR)
    # There some faults may not have been played yet, too.
    proxy.stop()
    (last,) = await _thread(patient)

    assert [part.author for part in last.thread] == ["Robin Doe", "Omar Haddad", "Robin Doe"]


async def _outcome(ask: Stage, source: SlackSource) -> Result | RoveError:
    try:
        return await ask(source)
    except RoveError as error:
        return error


def _where(outcome: Result | RoveError) -> object:
    """Return which items there are, whatever their authors are called."""
    return [item.ref for item in outcome] if isinstance(outcome, list) else outcome


def _helps(outcome: Result | RoveError) -> bool:
    """Tell whether it is an error that names its account and what to do."""
    return isinstance(outcome, RoveError) and outcome.account == "slack" and bool(outcome.hint)
