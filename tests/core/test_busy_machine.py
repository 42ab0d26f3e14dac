"""Deadlines on a machine that is too busy: time without a processor is nobody's fault."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.core.busy_machine import BusyMachine

from rove_core.clock import SYSTEM
from rove_core.errors import TimedOut
from rove_core.http import processor_waits
from rove_core.http.deadline import Deadline
from rove_core.plugins.calls import answer, stream
from rove_core.testing.clock import VirtualClock


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BusyMachine:
    """Return a machine that is not busy yet."""
    file = tmp_path / "schedstat"
    monkeypatch.setattr(processor_waits, "OF_THIS_THREAD", file)
    return BusyMachine(file)


async def _answer(machine: BusyMachine, *, works: float, starves: float) -> str:
    """Return the answer of an account that works, has no processor, and works again."""

    async def call() -> str:
        await SYSTEM.sleep(works)
        machine.starve(starves)
        await SYSTEM.sleep(works)
        return "answer"

    return await answer("jira", call, deadline=30)


def test_an_answer_that_came_late_without_a_processor(machine: BusyMachine) -> None:
    """The account took 20 s of 80; the rest was the machine's."""
    assert machine.run(_answer(machine, works=10, starves=60)) == "answer"
    assert machine.seconds == 80


def test_an_answer_that_is_late_by_itself(machine: BusyMachine) -> None:
    """The 60 s without a processor are no excuse for 40 s of work: it ends after 30 of them."""
    with pytest.raises(TimedOut, match="jira: no answer within 30 s"):
        machine.run(_answer(machine, works=20, starves=60))
    assert machine.seconds == 90


def test_no_answer_from_a_machine_that_is_always_late(machine: BusyMachine) -> None:
    """What each wake-up waits prolongs the time once, not for ever."""
    machine.late = 0.5

    with pytest.raises(TimedOut):
        machine.run(_answer(machine, works=1000, starves=0))
    assert machine.seconds == pytest.approx(30.5)


def test_a_machine_that_shows_no_waits(
    machine: BusyMachine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Then all time counts."""
    monkeypatch.setattr(processor_waits, "OF_THIS_THREAD", tmp_path / "none")

    with pytest.raises(TimedOut):
        machine.run(_answer(machine, works=10, starves=60))
    assert machine.seconds == 70


async def _stream(
    machine: BusyMachine, *, works: float, starves: float, reads: float = 0, later: float = 0
) -> int:
    """Return how many of two items an account gave before its time was over.

    Args:
        machine: The machine.
        works: How long it works before an item, and once more after it had no processor.
        starves: How long it has no processor.
        reads: How long the reader has no processor after each item.
        later: How long it works besides before the second item.
    """

    async def call() -> AsyncIterator[int]:
        for number in range(2):
            await SYSTEM.sleep(works + number * later)
            machine.starve(starves)
            await SYSTEM.sleep(works)
            yield number

    count = 0
    async for _ in stream("jira", call, deadline=30):
        count += 1
        machine.starve(reads)
    return count


def test_items_that_came_late_without_a_processor(machine: BusyMachine) -> None:
    """The account took 24 s of 144."""
    assert machine.run(_stream(machine, works=6, starves=60)) == 2
    assert machine.seconds == 144


def test_items_that_are_late_by_themselves(machine: BusyMachine) -> None:
    """The first takes 20 s, the second has the remaining 10."""
    with pytest.raises(TimedOut, match="jira: first 1, then no answer within 30 s"):
        machine.run(_stream(machine, works=10, starves=60))
    assert machine.seconds == 150


def test_waits_of_the_reader_give_the_account_little_time(machine: BusyMachine) -> None:
    """The reader waited 500 s for a processor; the account gets its own 30 once more at most."""
    with pytest.raises(TimedOut, match="first 1, "):
        machine.run(_stream(machine, works=10, starves=0, reads=500, later=1000))
    assert machine.seconds == 560


async def _request(machine: BusyMachine, *, works: float, starves: float) -> Deadline:
    """Return the deadline of a request, once it is answered."""
    deadline = Deadline(VirtualClock(), at=30)
    async with deadline.enforced():
        await SYSTEM.sleep(works)
        machine.starve(starves)
        await SYSTEM.sleep(works)
    return deadline


def test_a_reply_that_came_late_without_a_processor(machine: BusyMachine) -> None:
    """The vendor took 20 s of 80, and another attempt would have as much time again."""
    deadline = machine.run(_request(machine, works=10, starves=60))

    assert machine.seconds == 80
    assert deadline.remaining == 90


def test_a_reply_that_is_late_by_itself(machine: BusyMachine) -> None:
    """The 60 s without a processor are no excuse for 40 s of waiting."""
    with pytest.raises(TimeoutError):
        machine.run(_request(machine, works=20, starves=60))
    assert machine.seconds == 90


def test_a_reply_that_was_there_before_the_processor(machine: BusyMachine) -> None:
    """It came after 20 s, when the machine had no time for it until long after the deadline."""
    machine.late = 60

    machine.run(_request(machine, works=10, starves=0))
    assert machine.seconds == 140


def test_no_reply_on_a_machine_that_is_always_late(machine: BusyMachine) -> None:
    """What each wake-up waits prolongs the time once, not for ever."""
    machine.late = 0.5

    with pytest.raises(TimeoutError):
        machine.run(_request(machine, works=1000, starves=0))
    assert machine.seconds == pytest.approx(30.5)


def test_a_wait_for_a_limit_moves_the_end_of_a_request(machine: BusyMachine) -> None:
    """The vendor asked to wait for 60 s, and then took 25."""

    async def request() -> None:
        deadline = Deadline(VirtualClock(), at=30)
        async with deadline.enforced():
            deadline.extend(60)
            await SYSTEM.sleep(85)

    machine.run(request())
    assert machine.seconds == 85
