"""Whatever goes wrong on the wire, at whichever stage: a word that helps, and nothing is lost."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final
from urllib.parse import urlsplit

import pytest
from tests.fault_matrix import HASTY

from rove_core import ContextItem, Identity, ItemRef, Query, RoveError
from rove_core.testing import FAULTS, FaultProxy, Vendor, VirtualClock
from rove_core.testing.faults import SeenRequest
from rove_linear.source import LinearSource

pytestmark = pytest.mark.anyio

HOUR: Final = 3600
Result = Identity | list[ContextItem]
Stage = Callable[[LinearSource], Awaitable[Result]]


async def _identity(source: LinearSource) -> Result:
    return await source.rove_identity()


async def _search(source: LinearSource) -> Result:
    query = Query(account="linear", text="vault")
    return [item async for item in source.rove_search(query)]


async def _detail(source: LinearSource) -> Result:
    return [await source.rove_item_detail(ItemRef(account="linear", kind="ticket", id="TB-2"))]


def _any(_: SeenRequest) -> bool:
    return True


def _search_goes_on(seen: SeenRequest) -> bool:
    return b'"after": "' in seen.body


def _detail_goes_on(seen: SeenRequest) -> bool:
    return b'"comments": "' in seen.body


STAGES: Final = {
    "identity": (_identity, _any),
    "search": (_search, _any),
    "a search's next page": (_search, _search_goes_on),
    "detail": (_detail, _any),
    "a detail's next page": (_detail, _detail_goes_on),
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
    proxy: FaultProxy, connect: Callable[..., LinearSource], name: str, stage: str
) -> None:
    """While it lasts there is a typed error or the right answer; afterwards all is there, once."""
    ask, when = STAGES[stage]
    clock = VirtualClock()
    expected = await ask(connect(proxy.url))
    assert any(map(when, proxy.requests)), "no request is among those that go wrong"
    source = connect(proxy.url, clock=clock, caps=HASTY)
    proxy.play(FAULTS[name], times=3, when=when)

    meanwhile = []
    async with asyncio.timeout(60):
        for _ in range(3):
            meanwhile.append(await _outcome(ask, source))
            clock.advance(HOUR)
        # On a busy machine even the right answer may take longer than the deadline, and some
        # faults may not have been played yet.
        proxy.stop()
        healed = await _outcome(ask, connect(proxy.url))

    assert healed == expected
    assert all(each == expected or _helps(each) for each in meanwhile), meanwhile


async def _outcome(ask: Stage, source: LinearSource) -> Result | RoveError:
    try:
        return await ask(source)
    except RoveError as error:
        return error


def _helps(outcome: Result | RoveError) -> bool:
    """Tell whether it is an error that names its account and what to do."""
    return isinstance(outcome, RoveError) and outcome.account == "linear" and bool(outcome.hint)
