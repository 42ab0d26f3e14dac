"""A mirror stays right when its clock, or that of its vendor, is wrong for a while."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import define
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import OWNER, accounts_of, choose, copied, mirror_of, there, updated

from rove_core import Container, ListedChange, ListScope, Unavailable, UpdateCursor, hookimpl
from rove_core.mirror.attempts import UNREAD_FOR, FailedRead
from rove_core.mirror.catch_up import beginning_of_catch_up
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirrors import open_mirrors
from rove_core.mirror.schedule import is_update_due
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.update import CHECK_EVERY
from rove_core.project.layout import ProjectPaths
from rove_core.testing import VirtualClock

DAY = 86_400.0
FUTURE = datetime(2099, 12, 31, tzinfo=UTC)


@define(eq=False)
class Timed(Wiki):
    """A wiki that lists by the time of the last change, as most vendors can."""

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield each changed page, newest first."""
        place, left = UpdateCursor.of(scope), scope.limit
        breaks_at = self.fails_after.pop(0) if self.fails_after else None
        pages = sorted(self.pages.items(), key=lambda each: each[1].at, reverse=True)
        for told, (name, page) in enumerate(pages):
            if told == breaks_at:
                raise Unavailable("the connection broke", account="wiki")
            if page.container in scope.containers and place.is_new(name, page.at):
                left -= 1
                cursor = place.text(done=False)
                yield ListedChange(item=self.item(name), whole=True, cursor=cursor)
                if not left:
                    return
        yield ListedChange(cursor=place.text(done=True, now=scope.now))


@pytest.mark.parametrize("future", [FUTURE, datetime.max.replace(tzinfo=UTC)])
def test_an_item_of_the_future_delays_no_other(tmp_path: Path, future: datetime) -> None:
    """A vendor's wrong clock or an import can make one; later changes are listed all the same."""
    wiki, clock = Timed(), VirtualClock(AT)
    wiki.write("DOC-0", "tokens expire", at=future)
    mirror = mirror_of(tmp_path, "DOC")
    for number in range(1, 6):
        wiki.write(f"DOC-{number}", "tokens expire", at=clock.now())
        clock.advance(1_200)
        assert updated(mirror, wiki, clock=clock).failure is None
        clock.advance(DAY)
        assert updated(mirror, wiki, clock=clock).failure is None

        assert copied(mirror) == there(wiki, "DOC")


def test_a_cursor_of_the_future_begins_anew(tmp_path: Path) -> None:
    """A mirror that an older Rove left with one gets what it has missed since."""
    wiki, clock = Timed(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    with mirror.writing() as writer:
        writer.db.execute("UPDATE containers SET cursor = ?", [f'{{"since":"{FUTURE}"}}'])
    wiki.write("DOC-1", "tokens expire", at=AT)
    updated(mirror, wiki, clock=clock)

    assert set(copied(mirror)) == {"DOC-1"}


def test_an_item_of_the_future_is_listed_once(tmp_path: Path) -> None:
    """The next listings do not bring it again, unless it changes."""
    wiki, clock = Timed(), VirtualClock(AT)
    wiki.write("DOC-0", "tokens expire", at=FUTURE)
    mirror = mirror_of(tmp_path, "DOC")
    changes = []
    for _ in range(4):
        changes.append(updated(mirror, wiki, clock=clock).changes)
        clock.advance(DAY / 24)

    assert changes == [1, 0, 0, 0]


@pytest.mark.parametrize("set_back", [3_600, -3_600])
def test_a_clock_set_during_a_check_removes_nothing(tmp_path: Path, set_back: int) -> None:
    """A check knows what it listed by its number, not by the time."""
    wiki, clock = Timed(), VirtualClock(AT)
    for number in range(10):
        wiki.write(f"DOC-{number}", "tokens expire", at=AT - timedelta(hours=number))
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    clock.advance(CHECK_EVERY.total_seconds() + 1)
    wiki.fails_after = [20, 6]  # The listing of changes comes to its end.
    interrupted = updated(mirror, wiki, clock=clock)
    clock.put(clock.now() - timedelta(seconds=set_back))
    done = updated(mirror, wiki, clock=clock)

    assert isinstance(interrupted.failure, Unavailable)
    assert (done.failure, done.gone, len(copied(mirror))) == (None, 0, 10)


def ahead(folder: Path, wiki: Wiki) -> tuple[Mirror, VirtualClock]:
    """Return a mirror that was updated by a clock that was twelve years ahead."""
    mirror, clock = mirror_of(folder, "DOC", "OPS"), VirtualClock(AT + timedelta(days=4_400))
    updated(mirror, wiki, clock=clock)
    clock.put(AT)
    return mirror, clock


def test_a_mirror_of_the_future_is_not_current(tmp_path: Path) -> None:
    """A build updates it, and finds what changed and what may no longer be read."""
    wiki = Timed()
    wiki.write("DOC-1", "tokens expire")
    wiki.write("OPS-1", "servers burn", container="OPS")
    mirror, clock = ahead(tmp_path, wiki)
    wiki.write("DOC-2", "tokens last", at=AT)

    async def age() -> datetime | None:
        mirrors = await open_mirrors({"wiki": (mirror, OWNER)}, accounts_of(wiki), clock)
        return mirrors.updated_at("wiki")

    assert asyncio.run(age()) == AT
    assert copied(mirror) == there(wiki, "DOC", "OPS")
    wiki.spaces = ["DOC"]
    assert updated(mirror, wiki, clock=clock).lost == ("OPS",)


def test_an_update_of_a_mirror_of_the_future_is_due(tmp_path: Path) -> None:
    """The server queues it."""
    places = ProjectPaths.at(tmp_path)
    wiki, clock = Timed(), VirtualClock(AT + timedelta(days=4_400))
    mirror = Mirror.of(places, "wiki")
    mirror_of(tmp_path, "DOC").path.rename(_made(mirror))
    updated(mirror, wiki, clock=clock)

    assert is_update_due(places, ["wiki"], AT)


def _made(mirror: Mirror) -> Path:
    mirror.path.parent.mkdir(parents=True)
    return mirror.path


def test_a_mirror_of_the_future_that_cannot_be_updated_tells_a_past_age(tmp_path: Path) -> None:
    """It has at least its newest item."""
    wiki = Timed()
    wiki.write("DOC-1", "tokens expire", at=AT - timedelta(days=1))
    wiki.write("OPS-1", "servers burn", at=AT - timedelta(days=2), container="OPS")
    mirror, clock = ahead(tmp_path, wiki)
    wiki.fails_after = [0, 0]
    updated(mirror, wiki, clock=clock)
    state = mirror.state()

    assert state is not None
    assert state.updated_at == AT - timedelta(days=2)


def test_a_check_that_a_clock_put_off_is_made(tmp_path: Path) -> None:
    """What is gone is not kept until the clock has come there again."""
    wiki = Wiki(tells_gone=False)
    for name in ("DOC-1", "DOC-2"):
        wiki.write(name, "tokens expire")
    mirror, clock = ahead(tmp_path, wiki)
    wiki.delete("DOC-1")
    updated(mirror, wiki, clock=clock)

    assert set(copied(mirror)) == {"DOC-2"}


def test_times_of_the_future_delay_no_request(tmp_path: Path) -> None:
    """Neither of an item that could not be read, nor the listing of all containers."""
    mirror, clock = ahead(tmp_path, Wiki())
    state = mirror.state()

    assert state is not None
    assert beginning_of_catch_up(state, clock.now()) is None
    assert not FailedRead(at=AT + UNREAD_FOR).is_recent(AT)


#: A text that hardly compresses, so that few of them fill a budget.
LONG = "".join(map(chr, range(200, 1200)))


def filled(folder: Path, wiki: Wiki, clock: VirtualClock, *, at: datetime) -> Mirror:
    """Return a mirror with half of the budget that 300 pages of one time need."""
    for number in range(300):
        wiki.write(f"DOC-{number}", f"{number} {LONG}", at=at)
    mirror = mirror_of(folder, "DOC")
    updated(mirror, wiki, clock=clock)
    choose(mirror, scope=MirrorScope(containers=("DOC",), budget=mirror.size // 2))
    updated(mirror, wiki, clock=clock)
    return mirror


def test_items_of_the_future_use_up_no_budget(tmp_path: Path) -> None:
    """They are the first to be removed, and what changes later is copied."""
    wiki, clock = Wiki(), VirtualClock(AT)
    mirror = filled(tmp_path, wiki, clock, at=AT + timedelta(days=400))
    for number in range(3):
        clock.advance(8 * DAY)
        wiki.write(f"DOC-9{number}0", "tokens expire", at=clock.now())
        updated(mirror, wiki, clock=clock)
    state = mirror.state()

    assert {"DOC-900", "DOC-910", "DOC-920"} < set(copied(mirror))
    assert state is not None
    assert state.cut_at is not None
    assert state.cut_at <= clock.now()


def test_of_items_of_one_time_as_many_stay_as_have_room(tmp_path: Path) -> None:
    """An import gives one time to many."""
    mirror = filled(tmp_path, Wiki(), VirtualClock(AT), at=AT - timedelta(days=3))

    assert 100 < len(copied(mirror)) < 300


def test_a_bound_of_the_future_is_lifted(tmp_path: Path) -> None:
    """A budget's bound from an older Rove, or from a clock that was ahead, empties no mirror."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire", at=AT - timedelta(days=3))
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    with mirror.writing() as writer:
        writer.db.execute("INSERT INTO facts VALUES ('full_since', ?)", [repr(FUTURE.timestamp())])
        writer.trim(AT)
    updated(mirror, wiki, clock=clock)

    assert set(copied(mirror)) == {"DOC-1"}


@pytest.mark.parametrize("days", [10, 400])
def test_a_copy_that_a_clock_began_too_late_goes_back(tmp_path: Path, days: int) -> None:
    """Once the clock is right, all that the scope has is copied, and copied only once."""
    wiki, clock = Timed(), VirtualClock(AT + timedelta(days=days))
    wiki.write("DOC-1", "tokens expire", at=AT - timedelta(days=25))
    mirror = Mirror("wiki", tmp_path / "mirrors" / "wiki.db")
    scope = MirrorScope(containers=("DOC",), keep=timedelta(days=30))
    with mirror.writing() as writer:
        writer.choose(scope, [Container(name="DOC")], owner=OWNER, now=clock.now())
    updated(mirror, wiki, clock=clock)
    clock.put(AT)
    changes = [updated(mirror, wiki, clock=clock).changes for _ in range(3)]

    assert set(copied(mirror)) == {"DOC-1"}
    assert changes == [1, 0, 0]
