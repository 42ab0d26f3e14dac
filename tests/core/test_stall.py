"""How long a process has stood still although it could run."""

import os
from pathlib import Path

import pytest

from rove_core.plugins.stall import Stall, next_look, processor_waits


def test_a_process_that_sleeps_stands_still() -> None:
    """It waits for no processor, so all of the time counts."""
    stall = Stall()
    for _ in range(3):
        stall.look("jira", passed=10, waits={1: 0.0})

    assert stall.seconds == 20


def test_time_without_a_processor_does_not_count() -> None:
    """On a machine that is too busy, a plugin that computes is not to blame."""
    stall = Stall()
    for waited in (0.0, 9.5, 19.0):
        stall.look("jira", passed=10, waits={1: waited})

    assert stall.seconds == pytest.approx(1)


def test_any_thread_may_be_what_the_others_wait_for() -> None:
    """The one that has Python's global lock may be the one without a processor."""
    stall = Stall()
    stall.look("jira", passed=10, waits={1: 0.0, 2: 5.0})
    stall.look("jira", passed=10, waits={1: 1.0, 2: 13.0})

    assert stall.seconds == 2


def test_a_thread_that_has_begun_meanwhile() -> None:
    """All that it has waited, it has waited since."""
    stall = Stall()
    stall.look("jira", passed=10, waits={1: 0.0})
    stall.look("jira", passed=10, waits={1: 0.0, 2: 4.0})

    assert stall.seconds == 6


def test_a_sign_of_life_ends_it() -> None:
    """What is seen differs from what was seen before."""
    stall = Stall()
    for seen in ("jira", "jira", "slack"):
        stall.look(seen, passed=10, waits={})

    assert stall.seconds == 0


def test_without_figures_all_time_counts() -> None:
    """Not every system says how long a thread waits for a processor."""
    stall = Stall()
    for _ in range(2):
        stall.look("jira", passed=10, waits={})

    assert stall.seconds == 10


def test_what_the_system_says_of_each_thread(tmp_path: Path) -> None:
    """The second figure is the wait, in nanoseconds; a thread may end meanwhile."""
    for thread, text in (("7", "9000000000 1500000000 3\n"), ("8", "1 0 1\n"), ("9", "")):
        folder = tmp_path / "7" / "task" / thread
        folder.mkdir(parents=True)
        (folder / "schedstat").write_text(text)
    (tmp_path / "7" / "task" / "10").mkdir()

    assert processor_waits(7, proc=tmp_path) == {7: 1.5, 8: 0.0}


def test_where_the_system_says_nothing(tmp_path: Path) -> None:
    """There are no figures then."""
    assert processor_waits(os.getpid(), proc=tmp_path) == {}


@pytest.mark.parametrize(("left", "seconds"), [(30.0, 7.5), (3.0, 3.0), (0.01, 0.6), (-5.0, 7.5)])
def test_the_next_look_is_when_the_time_may_be_over(left: float, seconds: float) -> None:
    """A quarter of the time at most, so that a sign of life is seen; never at once."""
    assert next_look(30, left=left) == seconds
