"""How often documents are refreshed by themselves: in a day, after sleep, and when clocks jump."""

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

import attrs

from benchmarks.costs.line import Line
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import SchedulerSettings
from rove_core.store.documents import DocumentRecord, find_documents, save_document
from rove_core.store.store import Store, open_store
from rove_core.store.task_changes import claim_task, finish_task
from rove_core.store.tasks import due_tasks, next_due
from rove_core.tasks.schedule import plan_refreshes
from rove_core.testing import VirtualClock

DOCUMENTS: Final = 500
_DAY: Final = timedelta(days=1)
_LEASE: Final = timedelta(minutes=1)
_SCHEDULER: Final = SchedulerSettings()
_HOURS: Final = _SCHEDULER.refresh_interval / timedelta(hours=1)
#: What people do to a machine at noon of the day.
_NOON: Final = _DAY / 2


def main() -> int:
    """Print a table; return 1 when something is refreshed too often, or too seldom."""
    print(f"{'':56}{'measured':>10}{'bound':>10}")
    over = 0
    for line in _lines():
        print(line, flush=True)
        over += line.is_over
    return int(bool(over))


def _lines() -> Iterator[Line]:
    yield from _plain_day()
    yield from _after("a sleep of eight hours", lambda clock: clock.advance(8 * 3600))
    yield from _after("a clock that is set forward by a day", lambda clock: _set(clock, _DAY))
    yield from _after("a clock that is set back by a day", lambda clock: _set(clock, -_DAY))


def _plain_day() -> Iterator[Line]:
    runs = asyncio.run(_day(lambda _: None))
    times = [[*each] for each in runs.values()]
    gaps = [(late - early) / timedelta(hours=1) for each in times for early, late in pairwise(each)]
    expected = DOCUMENTS * 24 / _HOURS
    yield Line(f"refreshes of {DOCUMENTS} documents in 24 hours", sum(map(len, times)))
    yield Line("  that the intervals ask for", expected)
    yield Line("  part that is too many", sum(map(len, times)) / expected - 1, 0.05)
    yield Line("  part that is too few", 1 - sum(map(len, times)) / expected, 0.05)
    yield Line("  hours between two of one document, at least", min(gaps), least=0.9 * _HOURS)
    yield Line("  at most", max(gaps), 1.1 * _HOURS + 0.1)
    yield Line("  most that begin in the same minute", _most_at_once(times))


def _after(what: str, happens: Callable[[VirtualClock], None]) -> Iterator[Line]:
    """Look at the hours after something happened at noon, in which none is due twice."""
    moments: list[datetime] = []

    def happened(clock: VirtualClock) -> None:
        happens(clock)
        moments.append(clock.now())

    runs = asyncio.run(_day(happened))
    (begin,) = moments
    end = begin + 0.8 * _SCHEDULER.refresh_interval
    counts = [sum(begin <= at < end for at in each) for each in runs.values()]
    yield Line(f"refreshes in the {0.8 * _HOURS:.1f} hours after {what}", sum(counts))
    yield Line("  of one document, at most", max(counts), 1)


def _set(clock: VirtualClock, by: timedelta) -> None:
    clock.put(clock.now() + by)


def _most_at_once(times: Sequence[Sequence[datetime]]) -> int:
    minutes = Counter(at.replace(second=0, microsecond=0) for each in times for at in each)
    return max(minutes.values())


async def _day(noon: Callable[[VirtualClock], None]) -> Mapping[str, Sequence[datetime]]:
    """Do what is due in a day, as soon as it is; return when each document was refreshed."""
    clock = VirtualClock()
    with tempfile.TemporaryDirectory() as folder:
        places = ProjectPaths.at(Path(folder))
        places.prepare()
        async with open_store(places.index, clock=clock) as store:
            await _fill(store)
            first = await _passed(store, places, clock, _NOON)
            noon(clock)
            second = await _passed(store, places, clock, _DAY - _NOON)
    return {name: [*first.get(name, ()), *second.get(name, ())] for name in {*first, *second}}


async def _fill(store: Store) -> None:
    """Put documents into an index, written one after the other in the hours before."""
    now, step = store.clock.now(), _SCHEDULER.refresh_interval / DOCUMENTS
    async with store.transaction() as db:
        for number in range(DOCUMENTS):
            at = now - number * step
            record = DocumentRecord(
                account="jira",
                ticket_id=f"TB-{number}",
                filename=f"TB-{number}_x.md",
                last_updated=at,
                created_at=at,
                changed_at=at,
            )
            await save_document(db, record, {})


async def _passed(
    store: Store, places: ProjectPaths, clock: VirtualClock, time: timedelta
) -> Mapping[str, list[datetime]]:
    """Let time pass as the server does: plan, sleep until something is due, do it."""
    runs: dict[str, list[datetime]] = {}
    until = clock.monotonic() + time.total_seconds()
    plan_at = clock.now()
    while clock.monotonic() < until:
        if clock.now() >= plan_at:
            plan_at = await plan_refreshes(store, places, _SCHEDULER)
        for task in await store.read(due_tasks, now=clock.now()):
            await _refreshed(store, task.id, runs)
        due = await store.read(next_due, now=clock.now())
        wakes = min(filter(None, (due, plan_at)))
        clock.advance(max(1.0, (wakes - clock.now()).total_seconds()))
    return runs


async def _refreshed(store: Store, task_id: str, runs: dict[str, list[datetime]]) -> None:
    """Carry out one task, and write down when."""
    now = store.clock.now()
    async with store.transaction() as db:
        task = await claim_task(db, "here", now=now, lease=_LEASE, task_id=task_id)
    if task is None:
        return
    (ticket,) = map(str, task.arguments["tickets"])  # type: ignore[arg-type]  # a list of one
    (document,) = await store.read(find_documents, ticket)
    runs.setdefault(ticket, []).append(now)
    async with store.transaction() as db:
        await save_document(db, attrs.evolve(document, last_updated=now), {})
        await finish_task(db, task, None, now=now)


if __name__ == "__main__":
    sys.exit(main())
