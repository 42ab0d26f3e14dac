"""Schedule document refreshes, spread over time.

Plans are made anew each time, from what is known of the documents alone: however long the machine
slept, and however its clock was set, a document is planned once.
"""

from binascii import crc32
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from rove_core.store.documents import DocumentRecord, list_documents
from rove_core.store.last_use import last_uses
from rove_core.store.task_changes import add_task, forget_tasks, unplan
from rove_core.store.task_keys import planned_key
from rove_core.store.tasks import (
    Task,
    document_subject,
    partial_subjects,
    planned_ends,
)
from rove_core.tasks.intervals import Pace

if TYPE_CHECKING:
    import sqlite3

    from rove_core.project.layout import ProjectPaths
    from rove_core.project.settings.scheduler_section import SchedulerSettings
    from rove_core.store.store import Store
    from rove_core.wire.json_types import JSON

#: Maximum time between two plans.
WAKE: Final = timedelta(hours=1)
#: How long finished tasks are kept.
_KEPT: Final = timedelta(days=30)
#: Maximum share by which an interval varies, always the same for each document.
_JITTER: Final = 0.1
#: Maximum time between refreshes of overdue documents.
_STEP: Final = timedelta(seconds=20)
#: Maximum interval of a document whose last build could not query all its sources.
_PARTIAL_INTERVAL: Final = timedelta(minutes=30)
#: How far a clock may be set back.
_SLACK: Final = timedelta(minutes=5)


class WatchedDocument(NamedTuple):
    """A document in the refresh schedule.

    Attributes:
        document: Its record.
        used_at: When it was last used; None for never.
        tried_at: When a planned refresh of it last ended, whatever the outcome.
        is_partial: Whether its last build could not query all its sources.
    """

    document: DocumentRecord
    used_at: datetime | None = None
    tried_at: datetime | None = None
    is_partial: bool = False

    @property
    def key(self) -> str:
        """The key of its refresh task."""
        return planned_key(self.document.account, self.document.ticket_id)

    def is_stale(self, pace: Pace, now: datetime) -> bool:
        """Return whether refreshing has stopped, without news or use for a long time."""
        document = self.document
        signs = (document.created_at, document.changed_at or document.last_updated, self.used_at)
        return all(now - sign > pace.staleness_threshold for sign in signs if sign)

    def next_refresh(self, pace: Pace, now: datetime) -> datetime | None:
        """Return when to refresh a document, possibly in the past; None for never.

        A refresh in the future was recorded before the clock was set back and is ignored.
        """
        if self.is_stale(pace, now):
            return None
        done = [self.document.last_updated, *([self.tried_at] if self.tried_at else [])]
        past = [at for at in done if at <= now + _SLACK]
        interval = pace.refresh_interval
        if self.is_partial:
            interval = min(interval, _PARTIAL_INTERVAL)
        return max(past) + interval * self._jitter if past else now

    @property
    def _jitter(self) -> float:
        return 1 + _JITTER * (2 * crc32(self.key.encode("utf-8", "replace")) / 0xFFFFFFFF - 1)


def plan(
    documents: Iterable[WatchedDocument], pace: Pace, now: datetime
) -> tuple[tuple[WatchedDocument, datetime], ...]:
    """Return the refreshes until the next plan, with their times.

    Overdue refreshes are spread over time, alternating between the accounts.

    Args:
        documents: All documents.
        pace: Their refresh interval.
        now: The current time.
    """
    until = now + wake_after(pace)
    times = [(each, each.next_refresh(pace, now)) for each in documents]
    due = sorted(((at, each) for each, at in times if at and at < until), key=_order)
    late = _in_turn([each for at, each in due if at <= now])
    step = min(_STEP, (until - now) / max(len(late), 1))
    spread = [(each, now + step * place) for place, each in enumerate(late)]
    return (*spread, *((each, at) for at, each in due if at > now))


def wake_after(pace: Pace) -> timedelta:
    """Return the time between two plans."""
    return min(WAKE, pace.refresh_interval)


def watched(db: "sqlite3.Connection", places: "ProjectPaths") -> tuple[WatchedDocument, ...]:
    """Return the schedule's data about each document."""
    times, tried, partial = last_uses(str(places.rove)), planned_ends(db), partial_subjects(db)
    return tuple(
        WatchedDocument(
            document=each,
            used_at=_moment(times.get(each.filename)),
            tried_at=tried.get(planned_key(each.account, each.ticket_id)),
            is_partial=document_subject(each.account, each.ticket_id) in partial,
        )
        for each in list_documents(db)
    )


async def plan_refreshes(
    store: "Store",
    places: "ProjectPaths",
    scheduler: "SchedulerSettings",
    *,
    used: Collection[str] | None = None,
) -> datetime:
    """Queue a task for each document that is due soon; return when to plan again.

    Planned tasks that have not begun are replanned. It may be called at any time, as often as
    you like.

    Args:
        store: The index.
        places: The project.
        scheduler: The project's scheduler settings.
        used: The accounts that the project uses; documents of others are left alone. None for
            all.
    """
    now, pace = store.clock.now(), scheduler.pace
    documents = [
        each
        for each in await store.read(watched, places)
        if used is None or each.document.account in {"", *used}
    ]
    planned = [_task(each, at, now) for each, at in plan(documents, pace, now)]
    async with store.transaction() as db:
        await forget_tasks(db, before=now - _KEPT)
        await unplan(db)
        for task in planned:
            await add_task(db, task)
    return now + wake_after(pace)


def _task(watched: WatchedDocument, due_at: datetime, now: datetime) -> Task:
    document = watched.document
    arguments: dict[str, JSON] = {"tickets": [document.ticket_id], "account": document.account}
    return Task(
        operation="refresh", arguments=arguments, key=watched.key, created_at=now, due_at=due_at
    )


def _order(due: tuple[datetime, WatchedDocument]) -> tuple[datetime, int]:
    # Documents due at the same second are not always in the order of their names.
    return due[0], crc32(due[1].key.encode("utf-8", "replace"))


def _in_turn(documents: Sequence[WatchedDocument]) -> list[WatchedDocument]:
    """Return documents in order, but alternating between accounts."""
    by_account = sorted(documents, key=lambda each: each.document.account)
    groups = groupby(by_account, key=lambda each: each.document.account)
    turns = [enumerate(list(group)) for _, group in groups]
    return [each for _, each in merge(*turns, key=lambda turn: turn[0])]


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
