"""When documents are refreshed by themselves: in their time, spread, and never in a storm."""

import os
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import SchedulerSettings
from rove_core.store.documents import DocumentRecord, save_document
from rove_core.store.last_use import last_uses, record_use
from rove_core.store.store import Store, open_store
from rove_core.store.task_changes import add_task, claim_task, fail_task
from rove_core.store.task_keys import planned_key
from rove_core.store.tasks import Task, TaskState, due_tasks, list_tasks, next_due
from rove_core.tasks.intervals import Pace
from rove_core.tasks.schedule import WatchedDocument, plan, plan_refreshes, wake_after, watched
from rove_core.testing import VirtualClock

if TYPE_CHECKING:
    from tests.core.team import Team

_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_PACE = Pace()
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


def _document(
    number: int, *, age: timedelta, account: str = "jira", now: datetime = _NOON
) -> WatchedDocument:
    return WatchedDocument(
        DocumentRecord(
            account=account,
            ticket_id=f"TB-{number}",
            filename=f"TB-{number}_x.md",
            last_updated=now - age,
            created_at=now - _DAY,
            changed_at=now - _DAY,
        )
    )


def _refreshed(document: WatchedDocument, at: datetime) -> WatchedDocument:
    return document._replace(document=attrs.evolve(document.document, last_updated=at))


def _some(count: int, *, age: timedelta, now: datetime = _NOON) -> list[WatchedDocument]:
    return [_document(number, age=age, now=now) for number in range(count)]


class _Day:
    """What happens to documents in the course of time: what is planned is done in its time."""

    def __init__(self, documents: Sequence[WatchedDocument], start: datetime = _NOON) -> None:
        self.documents = {each.key: each for each in documents}
        self.now = start
        self.runs: dict[str, list[datetime]] = {each.key: [] for each in documents}

    def pass_time(self, time: timedelta) -> None:
        """Let time pass, plan by plan."""
        until = self.now + time
        while self.now < until:
            planned = plan(self.documents.values(), _PACE, self.now)
            self.now += wake_after(_PACE)
            for each, at in planned:
                assert at <= self.now
                self.runs[each.key].append(at)
                self.documents[each.key] = _refreshed(each, at)


def test_a_day_of_many_documents() -> None:
    """In 24 hours each of 500 documents is refreshed every six hours, and one by one."""
    ages = [timedelta(seconds=43 * number) for number in range(500)]
    day = _Day([_document(number, age=age) for number, age in enumerate(ages)])
    day.pass_time(_DAY)
    gaps = [later - earlier for runs in day.runs.values() for earlier, later in pairwise(runs)]
    minutes = Counter(at.replace(second=0) for runs in day.runs.values() for at in runs)

    assert all(timedelta(hours=5.4) <= gap <= timedelta(hours=6.61) for gap in gaps)
    assert {len(runs) for runs in day.runs.values()} <= {3, 4, 5}
    assert 1900 <= sum(map(len, day.runs.values())) <= 2100
    assert max(minutes.values()) <= 8


def test_what_is_long_due_is_spread() -> None:
    """After a week's sleep 500 documents are refreshed once each, in the course of an hour."""
    planned = plan(_some(500, age=timedelta(days=6)), _PACE, _NOON)
    times = [at for _, at in planned]

    assert len({each.key for each, _ in planned}) == len(planned) == 500
    assert times[0] == _NOON
    assert times[-1] < _NOON + _HOUR
    assert all(later - earlier == times[1] - times[0] for earlier, later in pairwise(times))


def test_a_few_need_not_wait() -> None:
    """Three that are due follow each other after seconds."""
    planned = plan(_some(3, age=timedelta(hours=9)), _PACE, _NOON)

    assert [at - _NOON for _, at in planned] == [timedelta(seconds=20 * n) for n in range(3)]


@pytest.mark.parametrize("jump", [_DAY, -_DAY, timedelta(hours=5)])
def test_a_clock_that_jumps_makes_no_storm(jump: timedelta) -> None:
    """Whatever time it is suddenly, each document is refreshed once at most in the next hours."""
    day = _Day([_document(number, age=timedelta(minutes=number)) for number in range(300)])
    day.pass_time(12 * _HOUR)
    day.runs = {key: [] for key in day.runs}
    day.now += jump
    day.pass_time(5 * _HOUR)

    assert max(len(runs) for runs in day.runs.values()) <= 1


def test_a_clock_that_went_back_stops_nothing() -> None:
    """What was refreshed in the future is refreshed now, and from then on in its time."""
    day = _Day(_some(10, age=timedelta(days=-300)))
    day.pass_time(_DAY)

    assert {len(runs) for runs in day.runs.values()} <= {4, 5}


def test_accounts_take_turns() -> None:
    """One account with many documents does not keep another's waiting."""
    many = [_document(number, age=timedelta(days=2)) for number in range(100)]
    few = [_document(number, age=timedelta(hours=8), account="linear") for number in range(3)]
    planned = plan([*many, *few], _PACE, _NOON)
    accounts = [each.document.account for each, _ in planned]

    assert accounts[:6].count("linear") == 3


def test_jitter_is_each_documents_own() -> None:
    """It is the same each time, and not the same for all."""
    documents = _some(100, age=timedelta())
    once, again = (
        [each.next_refresh(_PACE, _NOON) for each in documents],
        [each.next_refresh(_PACE, _NOON + _HOUR) for each in documents],
    )

    assert once == again
    assert len(set(once)) > 90


@given(
    updated=st.timedeltas(timedelta(days=-400), timedelta(days=400)),
    interval=st.timedeltas(timedelta(minutes=1), timedelta(days=365)),
)
def test_a_plan_is_for_now(updated: timedelta, interval: timedelta) -> None:
    """Whatever the times say, what is planned begins now or before the next plan is made."""
    pace = Pace(interval, timedelta(days=3650))
    for _, at in plan([_document(1, age=updated)], pace, _NOON):
        assert _NOON <= at < _NOON + wake_after(pace)


def test_what_nobody_wants_is_left_alone() -> None:
    """For a week there was no news and nobody asked: it is not refreshed any more."""
    record = attrs.evolve(
        _document(1, age=timedelta(hours=9)).document,
        created_at=_NOON - timedelta(days=40),
        changed_at=_NOON - timedelta(days=8),
    )
    stale = WatchedDocument(record)
    asked = WatchedDocument(record, used_at=_NOON - timedelta(days=6))
    changed = WatchedDocument(attrs.evolve(record, changed_at=_NOON - timedelta(days=6)))
    new = WatchedDocument(attrs.evolve(record, created_at=_NOON - timedelta(days=6)))

    assert stale.is_stale(_PACE, _NOON)
    assert [each.document for each, _ in plan([stale], _PACE, _NOON)] == []
    assert not any(each.is_stale(_PACE, _NOON) for each in (asked, changed, new))


def test_what_fails_is_not_tried_all_the_time() -> None:
    """A refresh that was tried counts, though nothing came of it."""
    failed = _document(1, age=timedelta(hours=9))._replace(tried_at=_NOON - timedelta(hours=1))

    assert plan([failed], _PACE, _NOON) == ()


def test_asking_for_a_document_is_remembered(places: ProjectPaths) -> None:
    """One touch of a file: what asks most often may take no time."""
    rove = str(places.rove)
    before = datetime.now(UTC).timestamp()  # noqa: TID251  # the file system's time is no clock's
    record_use(rove, "TB-1_keys.md")
    os.utime(places.rove / "asked" / "TB-1_keys.md", (0, 0))
    record_use(rove, "TB-1_keys.md")
    record_use(rove, "../../outside.md")

    assert last_uses(rove)["TB-1_keys.md"] >= before - 1
    assert sorted(last_uses(rove)) == ["TB-1_keys.md", "outside.md"]


def test_where_nothing_can_be_written_nothing_is_remembered(places: ProjectPaths) -> None:
    """A link is not followed, and whoever asked gets an answer all the same."""
    (places.rove / "asked").symlink_to(places.root)
    record_use(str(places.rove), "TB-1_keys.md")

    assert [*places.root.iterdir()] == [places.rove]


async def _save(store: Store, *documents: WatchedDocument) -> None:
    async with store.transaction() as db:
        for each in documents:
            await save_document(db, each.document, {})


@pytest.mark.anyio
async def test_a_plan_is_made_of_tasks(places: ProjectPaths) -> None:
    """Each is a call that anyone can make; to plan again changes nothing."""
    clock, settings = VirtualClock(_NOON), SchedulerSettings()
    async with open_store(places.index, clock=clock) as store:
        await _save(store, _document(1, age=timedelta(hours=9)), _document(2, age=timedelta()))
        again_at = await plan_refreshes(store, places, settings)
        await plan_refreshes(store, places, settings)
        (task,) = await store.read(list_tasks)

    assert again_at == _NOON + _HOUR
    assert (task.operation, task.due_at) == ("refresh", _NOON)
    assert task.arguments == {"tickets": ["TB-1"], "account": "jira"}


@pytest.mark.anyio
async def test_documents_of_an_account_that_is_gone_are_left_alone(places: ProjectPaths) -> None:
    """Nobody could read their tickets; each refresh would fail."""
    clock = VirtualClock(_NOON)
    async with open_store(places.index, clock=clock) as store:
        await _save(store, _document(1, age=timedelta(hours=9)))
        await plan_refreshes(store, places, SchedulerSettings(), used=("slack",))
        left = await store.read(list_tasks)
        await plan_refreshes(store, places, SchedulerSettings(), used=("jira",))
        planned = await store.read(list_tasks)

    assert left == ()
    assert [task.arguments["account"] for task in planned] == ["jira"]


@pytest.mark.anyio
async def test_what_runs_is_not_planned_twice(places: ProjectPaths) -> None:
    """A refresh that has begun, or waits for another attempt, is the only one of its document."""
    clock, settings = VirtualClock(_NOON), SchedulerSettings()
    async with open_store(places.index, clock=clock) as store:
        await _save(store, _document(1, age=timedelta(hours=9)))
        await plan_refreshes(store, places, settings)
        async with store.transaction() as db:
            task = await claim_task(db, "worker", now=_NOON, lease=_HOUR)
        assert task
        await plan_refreshes(store, places, settings)
        async with store.transaction() as db:
            await fail_task(db, task, None, now=_NOON, retry_at=_NOON + _HOUR / 2)
        await plan_refreshes(store, places, settings)
        (only,) = await store.read(list_tasks)
        async with store.transaction() as db:
            task = await claim_task(db, "worker", now=_NOON + _HOUR / 2, lease=_HOUR)
            assert task
            await fail_task(db, task, None, now=_NOON + _HOUR / 2)
        clock.advance(3600)
        await plan_refreshes(store, places, settings)
        states = [each.state for each in await store.read(list_tasks)]

    assert only.due_at == _NOON + _HOUR / 2
    assert states == [TaskState.FAILED]


@pytest.mark.anyio
async def test_a_build_makes_a_planned_refresh_needless(team: "Team", tmp_path: Path) -> None:
    """Who builds a document an instant before its time spares the accounts a question."""
    await team.build(tmp_path)
    team.clock.advance(9 * 3600)
    async with team.opened(tmp_path) as project:
        await plan_refreshes(project.store, project.places, SchedulerSettings())
        planned = await project.store.read(due_tasks, now=team.clock.now())
        await project.build("T-1", source="tickets")
        left = await project.store.read(due_tasks, now=team.clock.now())

    assert [task.key for task in planned] == [planned_key("tickets", "T-1")]
    assert left == ()


@pytest.mark.anyio
async def test_news_is_known_from_no_news(team: "Team", tmp_path: Path) -> None:
    """A refresh that finds nothing new says so of the document, and one that does, too."""
    await team.build(tmp_path)
    begun = team.clock.now()
    await team.build(tmp_path)
    async with team.opened(tmp_path) as project:
        (silent,) = await project.store.read(watched, project.places)
    team.chat.put("M-2", "T-1: the cookie works now.")
    await team.build(tmp_path)
    async with team.opened(tmp_path) as project:
        (told,) = await project.store.read(watched, project.places)

    assert silent.document.changed_at == begun
    assert told.document.changed_at == team.clock.now()


@pytest.mark.anyio
async def test_what_is_due_is_done_in_a_fair_order(places: ProjectPaths) -> None:
    """What people wait for is first; then the account for which least is being done."""
    clock = VirtualClock(_NOON)
    async with open_store(places.index, clock=clock) as store:
        async with store.transaction() as db:
            for number, (key, account) in enumerate(
                [
                    ("running", "jira"),
                    (planned_key("linear", "L-1"), "linear"),
                    ("second", "jira"),
                    ("first", "linear"),
                ]
            ):
                at = _NOON - timedelta(minutes=10 - number)
                task = Task(
                    operation="refresh",
                    arguments={"tickets": [], "account": account},
                    key=key,
                    created_at=at,
                    due_at=at,
                )
                await add_task(db, task)
                if key == "running":
                    await claim_task(db, "worker", now=_NOON, lease=_HOUR)
        order = [task.key for task in await store.read(due_tasks, now=_NOON)]

    assert order == ["first", "second", planned_key("linear", "L-1")]


@pytest.mark.anyio
async def test_a_task_is_due_when_the_clock_went_back(places: ProjectPaths) -> None:
    """What was queued in the future is done now, not in the future."""
    clock = VirtualClock(_NOON)
    async with open_store(places.index, clock=clock) as store:
        async with store.transaction() as db:
            await add_task(db, Task(operation="x", key="x", created_at=_NOON, due_at=_NOON))
        yesterday = _NOON - _DAY
        (task,) = await store.read(due_tasks, now=yesterday)
        due = await store.read(next_due, now=yesterday)
        async with store.transaction() as db:
            claimed = await claim_task(db, "me", now=yesterday, lease=_HOUR, task_id=task.id)

    assert due == yesterday
    assert claimed
