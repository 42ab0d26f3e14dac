from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from attrs import evolve

from rove_core.events import Event
from rove_core.store.events import append_event, read_events
from rove_core.store.task_changes import (
    add_task,
    cancel_task,
    claim_task,
    extend_lease,
    fail_task,
    finish_task,
    forget_tasks,
)
from rove_core.store.tasks import Task, TaskState, find_task, list_tasks

if TYPE_CHECKING:
    from tests.core.conftest import Index

_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_LEASE = timedelta(seconds=60)
_AFTER_LEASE = _NOON + _LEASE


def _task(key: str = "build TB-123", *, due_at: datetime = _NOON) -> Task:
    return Task(
        operation="build",
        arguments={"ticket": "TB-123", "fresh": True},
        key=key,
        created_at=_NOON,
        due_at=due_at,
    )


def _claim(index: "Index", owner: str = "worker 1", *, now: datetime = _NOON) -> Task | None:
    return index.write(claim_task, owner, now=now, lease=_LEASE)


def _claimed(index: "Index") -> Task:
    index.write(add_task, _task())
    task = _claim(index)
    assert task
    return task


def test_an_added_task_waits(index: "Index") -> None:
    """It is kept with all that it was asked with."""
    task = index.write(add_task, _task())

    assert task.state is TaskState.QUEUED
    assert index.read(find_task, task.id) == task
    assert task.arguments == {"ticket": "TB-123", "fresh": True}


def test_an_unknown_task_is_not_found(index: "Index") -> None:
    """It is no error to ask."""
    assert index.read(find_task, "nobody") is None


def test_the_same_call_is_not_queued_twice(index: "Index") -> None:
    """Who asks again is given the task that is there, waiting or running."""
    first = index.write(add_task, _task())
    second = index.write(add_task, _task())
    _claim(index)
    third = index.write(add_task, _task())

    assert {first.id} == {second.id, third.id}


def test_a_finished_call_can_be_asked_for_again(index: "Index") -> None:
    """Only an active task stands for its key."""
    task = _claimed(index)
    index.write(finish_task, task, None, now=_NOON)

    assert index.write(add_task, _task()).id != task.id


def test_a_claimed_task_is_its_owners(index: "Index") -> None:
    """Nobody else is given it while the lease lasts."""
    task = _claimed(index)

    assert (task.state, task.owner, task.attempt) == (TaskState.RUNNING, "worker 1", 1)
    assert (task.started_at, task.lease_until) == (_NOON, _AFTER_LEASE)
    assert _claim(index, "worker 2", now=_AFTER_LEASE - timedelta(microseconds=1)) is None


def test_a_task_whose_lease_ended_is_claimed_again(index: "Index") -> None:
    """Its owner was killed, or sleeps."""
    task = _claimed(index)

    again = _claim(index, "worker 2", now=_AFTER_LEASE)

    assert again
    assert (again.id, again.owner, again.attempt) == (task.id, "worker 2", 2)


def test_an_extended_lease_lasts_longer(index: "Index") -> None:
    """A living owner keeps its task."""
    task = _claimed(index)
    half_time = _NOON + _LEASE / 2

    assert index.write(extend_lease, task, now=half_time, lease=_LEASE)
    assert _claim(index, "worker 2", now=_AFTER_LEASE) is None
    assert _claim(index, "worker 2", now=half_time + _LEASE)


def test_an_owner_that_lost_its_task_changes_nothing(index: "Index") -> None:
    """What a sleeper does on waking is refused, even under the same name."""
    task = _claimed(index)
    again = _claim(index, "worker 1", now=_AFTER_LEASE)

    assert not index.write(extend_lease, task, now=_AFTER_LEASE, lease=_LEASE)
    assert not index.write(finish_task, task, "late", now=_AFTER_LEASE)
    assert not index.write(fail_task, task, "late", now=_AFTER_LEASE)
    assert index.read(find_task, task.id) == again


def test_the_longest_due_task_is_claimed_first(index: "Index") -> None:
    """One that is not due yet is not claimed at all."""
    index.write(add_task, _task("c", due_at=_NOON + timedelta(microseconds=1)))
    index.write(add_task, _task("b", due_at=_NOON))
    index.write(add_task, _task("a", due_at=_NOON - timedelta(days=1)))

    claimed = [_claim(index), _claim(index), _claim(index)]

    assert [task and task.key for task in claimed] == ["a", "b", None]


def test_one_task_can_be_claimed_by_its_id(index: "Index") -> None:
    """The foreground works on what it was asked for."""
    index.write(add_task, _task("a"))
    wanted = index.write(add_task, _task("b"))

    task = index.write(claim_task, "me", now=_NOON, lease=_LEASE, task_id=wanted.id)

    assert task
    assert task.key == "b"


def test_a_finished_task_keeps_its_result(index: "Index") -> None:
    """It is over: nobody claims it."""
    task = _claimed(index)

    assert index.write(finish_task, task, {"file": "TB-123.md"}, now=_AFTER_LEASE)

    ended = evolve(
        task,
        state=TaskState.DONE,
        finished_at=_AFTER_LEASE,
        lease_until=None,
        result={"file": "TB-123.md"},
    )
    assert index.read(find_task, task.id) == ended
    assert not ended.active
    assert _claim(index, now=_AFTER_LEASE) is None


def test_a_failed_task_keeps_its_error(index: "Index") -> None:
    """Without a time to try again it is over."""
    task = _claimed(index)

    index.write(fail_task, task, {"code": "ROVE-NET-001"}, now=_NOON)

    (failed,) = index.read(list_tasks, frozenset({TaskState.FAILED}))
    assert failed.error == {"code": "ROVE-NET-001"}
    assert failed.finished_at == _NOON


def test_a_failed_task_can_be_tried_again_later(index: "Index") -> None:
    """It waits until then, and the attempts are counted."""
    task = _claimed(index)
    later = _NOON + timedelta(minutes=5)

    index.write(fail_task, task, "rate-limited", now=_NOON, retry_at=later)

    assert _claim(index, now=later - timedelta(seconds=1)) is None
    again = _claim(index, now=later)
    assert again
    assert (again.attempt, again.error) == (2, "rate-limited")


@pytest.mark.parametrize("claimed", [False, True])
def test_a_cancelled_task_is_over(index: "Index", claimed: bool) -> None:  # noqa: FBT001  # a parameter of the test
    """Whether it waits or runs; its owner learns it at the next sign of life."""
    task = _claimed(index) if claimed else index.write(add_task, _task())

    assert index.write(cancel_task, task.id, now=_NOON)
    assert not index.write(extend_lease, task, now=_NOON, lease=_LEASE)
    assert not index.write(cancel_task, task.id, now=_NOON)
    assert _claim(index, now=_AFTER_LEASE) is None


def test_the_newest_tasks_are_listed_first(index: "Index") -> None:
    """As many as are wanted, in the states that are wanted."""
    for minute, key in enumerate("abc"):
        task = evolve(_task(key), created_at=_NOON + timedelta(minutes=minute))
        index.write(add_task, task)
    _claim(index)

    assert [task.key for task in index.read(list_tasks)] == ["c", "b", "a"]
    assert [task.key for task in index.read(list_tasks, limit=1)] == ["c"]
    assert [task.key for task in index.read(list_tasks, frozenset({TaskState.QUEUED}))] == [
        "c",
        "b",
    ]


def test_tasks_that_ended_are_forgotten_with_their_events(index: "Index") -> None:
    """Those that ended later, or not yet, stay."""
    old = _claimed(index)
    index.write(finish_task, old, None, now=_NOON)
    new = _claimed(index)
    index.write(finish_task, new, None, now=_AFTER_LEASE)
    waiting = index.write(add_task, _task())
    for task in (old, new, waiting):
        index.write(append_event, Event(task=task.id, at=_NOON, stage="gather"))

    index.write(forget_tasks, before=_AFTER_LEASE)

    assert {task.id for task in index.read(list_tasks)} == {new.id, waiting.id}
    assert [len(index.read(read_events, task.id)) for task in (old, new, waiting)] == [0, 1, 1]
