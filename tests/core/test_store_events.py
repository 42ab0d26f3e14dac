from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from attrs import evolve

from rove_core.events import Event
from rove_core.store.events import append_event, read_events

if TYPE_CHECKING:
    from tests.core.conftest import Index

_EVENT = Event(
    task="t1",
    at=datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC),
    stage="gather",
    account="slack:work",
    done=37,
    note="first 37, then no answer",
)


def test_an_event_is_read_as_it_was_appended(index: "Index") -> None:
    """To the microsecond."""
    whole = evolve(_EVENT, total=40)
    index.write(append_event, _EVENT)
    index.write(append_event, whole)

    assert index.read(read_events, "t1") == (_EVENT, whole)


def test_events_keep_their_order_when_the_clock_goes_back(index: "Index") -> None:
    """They are numbered, not timed."""
    earlier = evolve(_EVENT, at=_EVENT.at - timedelta(hours=1))
    index.write(append_event, _EVENT)
    index.write(append_event, earlier)

    assert index.read(read_events, "t1") == (_EVENT, earlier)


def test_a_reader_goes_on_where_it_was(index: "Index") -> None:
    """It says how many it has seen."""
    for done in range(3):
        index.write(append_event, evolve(_EVENT, done=done))

    assert [event.done for event in index.read(read_events, "t1", since=2)] == [2]
    assert index.read(read_events, "t1", since=3) == ()


def test_events_of_other_tasks_are_not_read(index: "Index") -> None:
    """Each task counts its own."""
    index.write(append_event, _EVENT)
    index.write(append_event, evolve(_EVENT, task="t2"))

    assert index.read(read_events, "t1") == (_EVENT,)
