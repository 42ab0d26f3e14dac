import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from rove_core.testing import VirtualClock

pytestmark = pytest.mark.anyio

_NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def test_time_stands_until_it_is_moved() -> None:
    """Both of its times move together."""
    clock = VirtualClock(_NEW_YEAR)
    clock.advance(90)

    assert (clock.now(), clock.monotonic()) == (_NEW_YEAR + timedelta(seconds=90), 90)


def test_putting_the_clock_lets_no_time_pass() -> None:
    """A person who sets a clock waits for nothing."""
    clock = VirtualClock()
    clock.put(_NEW_YEAR)

    assert (clock.now(), clock.monotonic()) == (_NEW_YEAR, 0)


async def test_sleeping_is_moving_the_time() -> None:
    """Nobody waits for it."""
    clock = VirtualClock()
    await clock.sleep(3600)
    await clock.sleep(0)
    await clock.sleep(-1)

    assert clock.monotonic() == 3600


@pytest.fixture
def nap() -> Callable[[VirtualClock, list[float], float], asyncio.Task[None]]:
    """Give what sleeps on a clock and notes when it woke."""

    def start(clock: VirtualClock, woken: list[float], seconds: float) -> asyncio.Task[None]:
        async def sleep() -> None:
            await clock.sleep(seconds)
            woken.append(clock.monotonic())

        return asyncio.create_task(sleep())

    return start


async def test_sleepers_wake_in_the_order_of_their_times(
    nap: Callable[[VirtualClock, list[float], float], asyncio.Task[None]],
) -> None:
    """Each at its own time, whoever went to sleep first."""
    clock, woken = VirtualClock(), list[float]()
    await asyncio.gather(*[nap(clock, woken, seconds) for seconds in (5, 1, 3, 1)])

    assert woken == [1, 1, 3, 5]


async def test_a_cancelled_sleeper_holds_nobody_up(
    nap: Callable[[VirtualClock, list[float], float], asyncio.Task[None]],
) -> None:
    """Its time does not come."""
    clock, woken = VirtualClock(), list[float]()
    first, second = nap(clock, woken, 1), nap(clock, woken, 2)
    first.cancel()
    await asyncio.wait([first, second])

    assert woken == [2]
