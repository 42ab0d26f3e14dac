"""Waiting for limits, as the benchmark of a working day counts it."""

from benchmarks.day_waiting import Hold, Taken, forced_holds, holds_of, waits


def _hold(arrived: float, released: float, *, which: str = "build", bucket: str = "jira") -> Hold:
    return Hold(which, bucket, 1, arrived, released)


def _call(at: float, wait: float, *, granted: bool = True) -> Taken:
    return Taken("build", "jira", 1, at, wait, granted)


def test_holds_at_the_same_time_count_once() -> None:
    """Two accounts that wait from 0 to 10 and from 5 to 12 make a command wait for 12 seconds."""
    holds = [_hold(0, 10), _hold(5, 12, bucket="slack"), _hold(20, 20)]

    assert waits(holds) == {"build": 12}


def test_what_comes_after_the_first_document_can_be_left_out() -> None:
    """Of a hold only the part before it counts."""
    assert waits([_hold(0, 10), _hold(30, 40)], until={"build": 4}) == {"build": 4}


def test_a_refused_request_is_held_until_a_later_one_leaves() -> None:
    """The command did not have its answer meanwhile."""
    calls = [_call(0, 30, granted=False), _call(31, 1), _call(40, 2)]

    held = [(each.arrived, each.released) for each in holds_of(calls)]
    assert held == [(0, 32), (40, 42)]


def test_a_limit_forces_each_request_to_wait_for_the_window() -> None:
    """With one request a minute, the second of two that arrive together leaves after 60 s."""
    forced = forced_holds([_hold(0, 0), _hold(0, 75)], window=60)

    assert waits(forced) == {"build": 60}


def test_a_wait_that_only_the_vendor_asks_for_is_not_forced() -> None:
    """Rove should have sent less."""
    asked = Hold("build", "slack", 0, 0, 30)

    assert (waits([asked]), waits(forced_holds([asked], window=60))) == ({"build": 30}, {})
