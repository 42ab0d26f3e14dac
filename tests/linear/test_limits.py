"""However much is asked, Linear's limits are kept; on a clock that obeys, so nobody waits."""

from collections.abc import AsyncIterator, Callable

import attrs
import pytest

from rove_core import Query, RateLimited
from rove_core.http import Caps
from rove_core.testing import FaultProxy, VirtualClock
from rove_core.testing.faults import ServerReply
from rove_linear.source import LinearSource
from rove_sim import Conduct
from rove_sim.linear import Linear
from rove_sim.server import serve

pytestmark = pytest.mark.anyio

Connect = Callable[..., LinearSource]
NAMES = [f"NEW-{number}" for number in range(1, 41)]


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock that the workspace and the source share."""
    return VirtualClock()


@pytest.fixture
def limited(workspace: Linear, clock: VirtualClock) -> Linear:
    """Give a workspace of forty issues that keeps Linear's limits."""
    linear = Linear(workspace.company, clock=clock, conduct=Conduct(page_size=2, limits=True))
    for name in NAMES:
        linear.put(attrs.evolve(workspace.company.issues[0], identifier=name, title="Limited"))
    return linear


@pytest.fixture
async def place(limited: Linear, clock: VirtualClock) -> AsyncIterator[str]:
    """Serve that workspace."""
    async with serve(limited, clock=clock) as base_url:
        yield base_url


async def _all(source: LinearSource) -> list[str]:
    """Search for forty issues, and read each of them."""
    query = Query(account="linear", text="limited", limit=1000)
    refs = [item.ref async for item in source.rove_search(query)]
    return [(await source.rove_item_detail(ref)).ref.id for ref in refs]


def _refusals(linear: Linear) -> int:
    return [each.response.status for each in linear.exchanges].count(429)


async def test_forty_issues_stay_below_every_limit(
    connect: Connect, place: str, limited: Linear, clock: VirtualClock
) -> None:
    """As it comes, a source never asks once too often."""
    assert await _all(connect(place, clock=clock)) == NAMES
    assert _refusals(limited) == 0
    assert limited.refused == []


async def test_forty_searches_stay_below_the_limit_of_searches(
    connect: Connect, place: str, limited: Linear, clock: VirtualClock
) -> None:
    """Thirty a minute are allowed, whatever the user allows himself."""
    source = connect(place, clock=clock, caps=Caps(rate_limit=1000, deadline=90))
    for name in NAMES:
        query = Query(account="linear", text=name, limit=1)
        assert [item.ref.id async for item in source.rove_search(query)] == [name]

    assert _refusals(limited) == 0
    assert clock.monotonic() >= 60


@pytest.mark.parametrize("seed", range(3))
async def test_all_arrives_though_each_tenth_is_refused(
    connect: Connect, place: str, limited: Linear, clock: VirtualClock, seed: int
) -> None:
    """A refusal costs time and no issue."""
    limited.conduct = attrs.evolve(limited.conduct, failing=0.1, seed=seed)

    assert await _all(connect(place, clock=clock)) == NAMES
    assert _refusals(limited) > 0


async def test_a_limit_says_when_it_ends(connect: Connect, clock: VirtualClock) -> None:
    """Linear counts in milliseconds, and only a limit that is used up has to be waited for."""
    now = clock.now().timestamp()
    headers = {
        "content-type": "application/json",
        "x-ratelimit-requests-remaining": "0",
        "x-ratelimit-requests-reset": f"{(now + 600) * 1000:.0f}",
        "x-ratelimit-complexity-remaining": "12",
        "x-ratelimit-complexity-reset": f"{(now + 900) * 1000:.0f}",
    }
    body = b'{"errors": [{"message": "No.", "extensions": {"code": "RATELIMITED"}}]}'
    async with FaultProxy(ServerReply(status=400, headers=headers, body=body)) as proxy:
        with pytest.raises(RateLimited) as caught:
            await connect(proxy.url, clock=clock).rove_identity()

    assert caught.value.retry_at is not None
    assert caught.value.retry_at.timestamp() == now + 600
