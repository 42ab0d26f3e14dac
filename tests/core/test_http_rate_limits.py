import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.errors import RateLimited, StoreUnusable
from rove_core.http import Caps, Http, Limits, MemoryLimits, SharedLimits
from rove_core.http.call_time import waiting_without_patience
from rove_core.plugins.calls import stream
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import FaultProxy

pytestmark = pytest.mark.anyio

_TAKER = """
import asyncio, sys
from pathlib import Path
from rove_core.http import SharedLimits
from rove_core.testing.clock import VirtualClock

async def take():
    limits = SharedLimits(Path(sys.argv[1]), clock=VirtualClock())
    waits = [await limits.take("acme search", per_minute=20, at_most=0) for _ in range(30)]
    limits.shut()
    print(waits.count(0))

asyncio.run(take())
"""


@pytest.fixture(params=["memory", "shared"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[VirtualClock], Limits]:
    """Give what makes buckets, of each sort."""

    def make(clock: VirtualClock) -> Limits:
        if request.param == "memory":
            return MemoryLimits(clock=clock)
        shared = SharedLimits(tmp_path / "new" / "limits.db", clock=clock)
        request.addfinalizer(shared.shut)
        return shared

    return make


#: What happens between two requests: seconds pass, the clock is put back, the vendor closes.
_EVENTS = st.tuples(
    st.integers(0, 20_000_000), st.sampled_from([0, 0, 1, 3600]), st.sampled_from([0, 0, 0, 7])
)


@given(per_minute=st.integers(1, 80), events=st.lists(_EVENTS, max_size=200))
def test_no_minute_has_more_requests_than_it_may(
    per_minute: int, events: list[tuple[int, int, int]]
) -> None:
    """Wherever the minute begins, and even if the clock is put back in it."""
    sent = asyncio.run(_send(per_minute, events))

    sixty = timedelta(minutes=1)
    assert all(
        later - first >= sixty for first, later in zip(sent, sent[per_minute:], strict=False)
    )


async def _send(per_minute: int, events: list[tuple[int, int, int]]) -> list[timedelta]:
    """Return when requests leave, by a clock that nobody puts back."""
    clock = VirtualClock()
    limits = MemoryLimits(clock=clock)
    sent = []
    for microseconds, back, closed in events:
        clock.advance(microseconds / per_minute / 1_000_000)
        clock.put(clock.now() - timedelta(seconds=back))
        if closed:
            await limits.close("acme", closed)
        wait = await limits.take("acme", per_minute=per_minute, at_most=30)
        if wait <= 30:
            sent.append(timedelta(seconds=clock.monotonic()) + timedelta(seconds=wait))
    return sorted(sent)


async def test_a_minute_goes_at_once(kept: Callable[[VirtualClock], Limits]) -> None:
    """What is more waits for the next one, and a second for requests that were slow to arrive."""
    limits = kept(VirtualClock())
    waits = [await limits.take("acme", per_minute=3, at_most=200) for _ in range(7)]

    assert waits == [0, 0, 0, 61, 61, 61, 122]


async def test_what_is_less_urgent_leaves_a_share(kept: Callable[[VirtualClock], Limits]) -> None:
    """What others need at once then need not wait."""
    limits = kept(VirtualClock())
    waits = [
        await limits.take("acme", per_minute=4, at_most=0, share=share)
        for share in (0.5, 0.5, 0.5, 1, 1, 1)
    ]

    assert waits == [0, 0, 61, 0, 0, 61]


async def _takes(limits: Limits, *begun: datetime) -> list[float]:
    return [
        await limits.take("acme", per_minute=4, at_most=0, share=0.5, begun=each) for each in begun
    ]


async def test_work_that_began_earlier_goes_first(kept: Callable[[VirtualClock], Limits]) -> None:
    """When a limit opens, later work leaves it to that which has waited longer."""
    clock = VirtualClock()
    limits, early, late = kept(clock), clock.now(), clock.now() + timedelta(seconds=1)
    await _takes(limits, early, early, late, early)
    clock.advance(61)
    told = await limits.opens_in("acme", requests=1, per_minute=4, share=0.5, begun=late)
    waits = await _takes(limits, late, early)

    assert (told, *waits) == (3, 3, 0)


async def test_a_turn_passes_from_later_work_to_earlier(
    kept: Callable[[VirtualClock], Limits],
) -> None:
    """Whoever comes later may have begun first."""
    clock = VirtualClock()
    limits, early, late = kept(clock), clock.now(), clock.now() + timedelta(seconds=1)
    waits = await _takes(limits, late, early, late, early)

    assert waits == [0, 0, 61, 61]


async def test_a_turn_that_nobody_uses_ends(kept: Callable[[VirtualClock], Limits]) -> None:
    """Earlier work that is done, or was killed, holds nobody up for longer than seconds."""
    clock = VirtualClock()
    limits, early, late = kept(clock), clock.now(), clock.now() + timedelta(seconds=1)
    before = await _takes(limits, early, late)
    clock.advance(3)

    assert (before, await _takes(limits, late)) == ([0, 3], [0])


async def test_what_would_wait_too_long_takes_nothing(
    kept: Callable[[VirtualClock], Limits],
) -> None:
    """It is told how long it would be, and nobody waits the longer for it."""
    limits = kept(VirtualClock())
    waits = [await limits.take("acme", per_minute=1, at_most=0) for _ in range(3)]

    assert waits == [0, 61, 61]


@pytest.mark.parametrize("wanted", [1, 3, 4, 5])
async def test_a_look_ahead_tells_when_so_many_may_leave(
    kept: Callable[[VirtualClock], Limits], wanted: int
) -> None:
    """As long as the last of them would wait, and it reserves nothing."""
    clock = VirtualClock()
    limits = kept(clock)
    for _ in range(2):
        await limits.take("acme", per_minute=10, at_most=0, share=0.5)
        clock.advance(7)
    told = await limits.opens_in("acme", requests=wanted, per_minute=10, share=0.5)
    waits = [
        await limits.take("acme", per_minute=10, at_most=100, share=0.5) for _ in range(wanted)
    ]

    assert told == waits[-1]


async def test_time_fills_a_bucket_again(kept: Callable[[VirtualClock], Limits]) -> None:
    """It is full after a minute at the latest."""
    clock = VirtualClock()
    limits = kept(clock)
    for _ in range(10):
        await limits.take("acme", per_minute=10, at_most=60)
    clock.advance(61)

    assert await limits.take("acme", per_minute=10, at_most=0) == 0


async def test_buckets_do_not_share(kept: Callable[[VirtualClock], Limits]) -> None:
    """Each class of endpoint has its own."""
    limits = kept(VirtualClock())
    await limits.take("acme search", per_minute=1, at_most=0)

    assert await limits.take("acme items", per_minute=1, at_most=0) == 0


async def test_a_closed_bucket_lets_nothing_out(kept: Callable[[VirtualClock], Limits]) -> None:
    """Not even for an account without a limit of its own; and it opens again."""
    clock = VirtualClock()
    limits = kept(clock)
    await limits.close("acme", 5)
    await limits.close("acme", 3)
    clock.advance(1)

    assert await limits.take("acme", per_minute=None, at_most=0) == 4
    assert await limits.closed_for("acme") == 4
    clock.advance(4)
    assert await limits.take("acme", per_minute=None, at_most=0) == 0
    assert await limits.closed_for("acme") == 0


async def test_nothing_gathers_behind_a_closed_door(
    kept: Callable[[VirtualClock], Limits],
) -> None:
    """When it opens, no more go at once than ever."""
    limits = kept(VirtualClock())
    await limits.close("acme", 30)
    waits = [await limits.take("acme", per_minute=2, at_most=100) for _ in range(3)]

    assert waits == [30, 30, 91]


async def test_a_clock_that_is_put_back_costs_nothing(
    kept: Callable[[VirtualClock], Limits],
) -> None:
    """The wait is as long as it was before."""
    clock = VirtualClock()
    limits = kept(clock)
    await limits.take("acme", per_minute=1, at_most=0)
    await limits.close("other", 5)
    clock.put(clock.now() - timedelta(days=1))

    assert await limits.take("acme", per_minute=1, at_most=0) == 61
    assert await limits.closed_for("other") == 5


def test_processes_share_a_bucket(tmp_path: Path) -> None:
    """Together they get what one would get alone."""
    command = [sys.executable, "-c", _TAKER, str(tmp_path / "limits.db")]
    takers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]  # noqa: S603  # our own
    taken = [int(taker.communicate()[0]) for taker in takers]

    assert sum(taken) == 20


async def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    """The hint is to move it away."""
    path = tmp_path / "limits.db"
    path.write_bytes(b"no database " * 1000)
    limits = SharedLimits(path)

    with pytest.raises(StoreUnusable) as caught:
        await limits.take("acme", per_minute=1, at_most=0)
    limits.shut()
    assert str(path) in caught.value.hint


async def test_the_file_is_private(tmp_path: Path) -> None:
    """Nobody else reads how often which vendor is asked."""
    limits = SharedLimits(tmp_path / "limits.db", clock=VirtualClock())
    await limits.take("acme search", per_minute=20, at_most=0)
    limits.shut()

    assert (tmp_path / "limits.db").stat().st_mode & 0o777 == 0o600


async def test_a_file_that_was_shut_opens_again(tmp_path: Path) -> None:
    """What was taken stays taken."""
    limits = SharedLimits(tmp_path / "limits.db", clock=VirtualClock())
    await limits.take("acme", per_minute=1, at_most=0)
    limits.shut()
    wait = await limits.take("acme", per_minute=1, at_most=0)
    limits.shut()

    assert wait == 61


async def test_a_client_keeps_to_its_limit(proxy: FaultProxy, client: Callable[..., Http]) -> None:
    """It waits on its clock for each request beyond those of a minute."""
    clock = VirtualClock()
    http = client(proxy.url, clock=clock, caps=Caps(rate_limit=2))
    for _ in range(3):
        await http.get("thing")

    assert (http.counts.waited, clock.monotonic()) == (61, 61)


async def test_a_client_says_when_its_limit_is_used_up(
    proxy: FaultProxy, client: Callable[..., Http]
) -> None:
    """Rather than wait for several minutes, it names the setting and the time."""
    clock = VirtualClock()
    http = client(proxy.url, clock=clock, caps=Caps(rate_limit=1))
    await http.get("thing", kind="search")
    waiting = asyncio.create_task(http.get("thing", kind="search"))
    await asyncio.sleep(0)  # noqa: TID251  # lets the other one take its turn

    with pytest.raises(RateLimited, match=r"^search: your rate_limit = 1 is used up until 00:02"):
        await http.get("thing", kind="search")
    await waiting


async def test_accounts_do_not_share_a_bucket(proxy: FaultProxy) -> None:
    """Two accounts with one file have a limit each."""
    clock = VirtualClock()
    limits = MemoryLimits(clock=clock)
    for name in ("slack", "slack:work"):
        http = Http(
            account=name, base_url=proxy.url, clock=clock, limits=limits, caps=Caps(rate_limit=1)
        )
        await http.get("thing")
        await http.aclose()

    assert clock.monotonic() == 0


async def test_who_waits_when_the_vendor_closes_waits_on(
    proxy: FaultProxy, client: Callable[..., Http]
) -> None:
    """A reserved turn is no right to ask a vendor that has asked to wait meanwhile."""
    clock = VirtualClock()
    limits = MemoryLimits(clock=clock)
    http = client(proxy.url, clock=clock, limits=limits, caps=Caps(rate_limit=1))
    await http.get("thing", kind="search")
    waiting = asyncio.create_task(http.get("thing", kind="search", deadline=200))
    closing = asyncio.create_task(limits.close("acme search", 90))
    await asyncio.gather(waiting, closing)

    assert clock.monotonic() >= 90


async def test_a_search_that_waits_for_its_turn_is_not_late() -> None:
    """When its deadline comes while it waits for a limit, it is given that time in addition."""
    clock = VirtualClock()

    async def search() -> AsyncIterator[str]:
        with waiting_without_patience(clock):
            clock.advance(61)
            await asyncio.sleep(0)  # noqa: TID251  # lets the deadline come
        yield "found"

    assert [found async for found in stream("acme", search, deadline=0)] == ["found"]
