"""How long a process has stood still although it could run."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from rove_core.plugins.stall import Stall, ThreadTimes, next_look, thread_times


def stalled(*looks: Mapping[int, ThreadTimes]) -> float:
    """Return how long a process stands still that shows no sign of life: a look each 10 s."""
    stall = Stall()
    for threads in looks:
        stall.look("jira", passed=10, threads=threads)
    return stall.seconds


def thread(ran: float, waited: float, *, is_ready: bool = False) -> Mapping[int, ThreadTimes]:
    """Return the times of a process with one thread."""
    return {1: ThreadTimes(ran, waited, is_ready)}


def test_a_process_that_sleeps_stands_still() -> None:
    """It waits for no processor, so all of the time counts."""
    assert stalled(thread(1, 0), thread(1, 0), thread(1, 0)) == 20


def test_a_process_that_computes_stands_still() -> None:
    """It has a processor, and does not come to an end."""
    looks = [thread(ran, 0, is_ready=True) for ran in (1, 11, 21)]

    assert stalled(*looks) == 20


def test_time_without_a_processor_does_not_count() -> None:
    """On a machine that is too busy, a plugin that computes is not to blame."""
    looks = [thread(ran, waited, is_ready=True) for ran, waited in ((1, 0), (1.5, 9.5), (2, 19))]

    assert stalled(*looks) == pytest.approx(1)


def test_a_wait_that_goes_on_does_not_count() -> None:
    """The system adds a wait when it is over: until then the thread is ready and does not run."""
    assert stalled(*[thread(1, 0, is_ready=True)] * 4) == 0


def test_a_wait_that_is_over_counts_once() -> None:
    """After 20 seconds without a processor the thread sleeps for 10."""
    waits = [thread(1, 0, is_ready=True)] * 3

    assert stalled(*waits, thread(1.1, 20)) == 10


def test_what_it_has_run_counts_though_the_watcher_comes_late() -> None:
    """The watcher has no processor either: the looks of 10 s were 60 s apart."""
    looks = [thread(ran, waited, is_ready=True) for ran, waited in ((1, 0), (7, 54), (13, 108))]

    assert stalled(*looks) == 12


def test_any_thread_may_be_what_the_others_wait_for() -> None:
    """The one that has Python's global lock may be the one without a processor."""
    first = {1: ThreadTimes(0, 0), 2: ThreadTimes(0, 5)}

    assert stalled(first, {1: ThreadTimes(0, 1), 2: ThreadTimes(1, 13)}) == 2


def test_a_thread_that_has_begun_meanwhile() -> None:
    """All that it has waited, it has waited since."""
    assert stalled(thread(0, 0), {**thread(0, 0), 2: ThreadTimes(0, 4)}) == 6


def test_a_sign_of_life_ends_it() -> None:
    """What is seen differs from what was seen before."""
    stall = Stall()
    for seen in ("jira", "jira", "slack"):
        stall.look(seen, passed=10, threads={})

    assert stall.seconds == 0


def test_without_figures_all_time_counts() -> None:
    """Not every system says how long a thread waits for a processor."""
    assert stalled({}, {}) == 10


def test_what_the_system_says_of_each_thread(tmp_path: Path) -> None:
    """Nanoseconds run and waited, and the state behind the name; a thread may end meanwhile."""
    for name, times, state in (
        ("7", "9000000000 1500000000 3\n", "7 (py) thon) R 1 7"),
        ("8", "1000000000 0 1\n", "8 (python) S 1 7"),
        ("9", "", ""),
    ):
        folder = tmp_path / "7" / "task" / name
        folder.mkdir(parents=True)
        (folder / "schedstat").write_text(times)
        (folder / "stat").write_text(state)
    (tmp_path / "7" / "task" / "10").mkdir()

    assert thread_times(7, proc=tmp_path) == {
        7: ThreadTimes(9.0, 1.5, is_ready=True),
        8: ThreadTimes(1.0, 0.0),
    }


def test_where_the_system_says_nothing(tmp_path: Path) -> None:
    """There are no figures then."""
    assert thread_times(os.getpid(), proc=tmp_path) == {}


@pytest.mark.parametrize(("left", "seconds"), [(30.0, 7.5), (3.0, 3.0), (0.01, 0.6), (-5.0, 7.5)])
def test_the_next_look_is_when_the_time_may_be_over(left: float, seconds: float) -> None:
    """A quarter of the time at most, so that a sign of life is seen; never at once."""
    assert next_look(30, left=left) == seconds
