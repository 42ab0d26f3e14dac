"""Updates of a mirror that are cancelled or run out of time keep what is whole, and no more."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest
from attrs import define
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import OWNER, accounts_of, copied, mirror_of, there, updated

from rove_core import Container, ListedChange, ListScope, TimedOut, hookimpl
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirror_writer import MirrorWriter
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.update import update_mirror
from rove_core.mirror.update_limits import FOR_A_BUILD, IN_BACKGROUND
from rove_core.mirror.usable_mirror import usable_mirror
from rove_core.testing import VirtualClock


@define(eq=False)
class Recent(Wiki):
    """A wiki that lists the recent changes of all spaces at once, and then does not answer.

    Attributes:
        hangs: Whether it does not answer.
    """

    hangs: bool = False

    @hookimpl
    async def rove_list_recent(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield each page that changed since a time."""
        for name, page in self.pages.items():
            if page.container in scope.containers and scope.since and page.at >= scope.since:
                yield ListedChange(item=self.item(name), whole=True, container=page.container)
        if self.hangs:
            raise TimedOut("no answer", account="wiki")


def test_a_catch_up_without_end_keeps_what_it_read(tmp_path: Path) -> None:
    """The mirror is as old as before, because there may be more changes."""
    wiki, clock = Recent(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    clock.advance(600)
    wiki.write("DOC-2", "tokens last", at=clock.now())
    wiki.hangs = True
    done = updated(mirror, wiki, FOR_A_BUILD, clock=clock)
    state = mirror.state()

    assert isinstance(done.failure, TimedOut)
    assert set(copied(mirror)) == {"DOC-1", "DOC-2"}
    assert state is not None
    assert state.updated_at == AT


def interrupted_listing(mirror: Mirror, wiki: Wiki, clock: VirtualClock) -> None:
    """Update a mirror; the connection breaks after the first page."""
    wiki.fails_after = [1]
    assert updated(mirror, wiki, clock=clock).failure
    clock.advance(3_600)


def test_a_listing_in_parts_is_as_old_as_its_first(tmp_path: Path) -> None:
    """What changed between its parts is not in the copy yet."""
    mirror = mirror_of(tmp_path, "DOC")
    hour = timedelta(hours=1)
    with mirror.writing() as writer:
        for number in range(2):
            begin = AT + number * hour
            writer.store_changes(
                "DOC", [], cursor=str(number), is_check=False, now=begin + hour, began=begin
            )
        writer.end_listing("DOC", AT + hour)
    state = mirror.state()

    assert state is not None
    assert state.updated_at == AT


def test_what_changed_while_a_listing_was_interrupted_is_listed(tmp_path: Path) -> None:
    """By the update that completes it, so that the copy is current then."""
    wiki, clock = many_pages(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC")
    interrupted_listing(mirror, wiki, clock)
    updated(mirror, wiki, clock=clock)
    state = mirror.state()

    assert state is not None
    assert state.updated_at == clock.now()


def test_a_listing_that_brought_nothing_makes_no_copy_old(tmp_path: Path) -> None:
    """The next one is the first, and nothing is listed twice."""
    wiki, clock = many_pages(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC")
    wiki.fails_after = [0]
    updated(mirror, wiki, clock=clock)
    updated(mirror, wiki, clock=clock)

    assert wiki.asked == ["DOC", "DOC"]


def many_pages() -> Wiki:
    """Return a wiki with more pages than are stored at once."""
    wiki = Wiki(whole=False)
    for number in range(450):
        wiki.write(f"DOC-{number}", "tokens expire")
        if number % 100 == 0:
            wiki.comment(f"DOC-{number}", "in 15 minutes")
    return wiki


#: Turns of the event loop in which a cancelled task ends that waits for nothing.
TURNS = 100


def after_turns(turns: int, done: Event) -> None:
    """Set an event after some turns of the event loop."""
    if not turns:
        done.set()
        return
    asyncio.get_running_loop().call_soon(after_turns, turns - 1, done)


async def cancelled_at(mirror: Mirror, wiki: Wiki, write: int) -> list[str]:
    """Cancel an update while a thread makes a write; return what was written after its end."""
    update = asyncio.ensure_future(
        update_mirror(mirror, accounts_of(wiki), VirtualClock(AT), IN_BACKGROUND)
    )
    loop, done, late = asyncio.get_running_loop(), list[str](), list[str]()

    def cancel(event: Event) -> None:
        update.cancel()
        after_turns(TURNS, event)

    def note(sql: str) -> None:
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE", "COMMIT")):
            done.append(sql)
            if len(done) == write:
                event = Event()
                loop.call_soon_threadsafe(cancel, event)
                event.wait()
        if update.done():
            late.append(sql)

    with each_statement(note):
        await asyncio.wait({update})
        await loop.shutdown_default_executor()
    return late


@contextmanager
def each_statement(note: Callable[[str], None]) -> Iterator[None]:
    """Call something before each statement that SQLite runs."""

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            note(sql)
            return super().execute(sql, *values)  # type: ignore[arg-type]  # as given

    connect = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sqlite3, "connect", lambda *args, **named: connect(*args, factory=Connection, **named)
        )
        yield


@pytest.mark.parametrize("write", [1, 10, 100, 1_000, 1_300, 2_000])
def test_a_cancelled_update_leaves_no_thread_behind(tmp_path: Path, write: int) -> None:
    """Nothing is written once it has ended, and the next update brings what is missing."""
    wiki, mirror = many_pages(), mirror_of(tmp_path, "DOC")
    late = asyncio.run(cancelled_at(mirror, wiki, write))
    updated(mirror, wiki)

    assert late == []
    assert copied(mirror) == there(wiki, "DOC")


def test_words_that_a_killed_change_of_the_scope_left_are_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also from a copy that was stopped, which no update touches."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    wiki.write("OPS-1", "wombats rotate", container="OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki, clock=clock)
    with mirror.writing() as writer:
        writer.set_running(running=False)
    with monkeypatch.context() as patched:
        patched.setattr(MirrorWriter, "_merge_index", killed)
        with pytest.raises(KeyboardInterrupt):
            keep_only_documents(mirror)
    before = everything_in(tmp_path)
    usable = asyncio.run(usable_mirror(mirror, OWNER, accounts_of(wiki), clock, None))

    assert usable is None
    assert (b"wombat" in before, b"wombat" in everything_in(tmp_path)) == (True, False)


def keep_only_documents(mirror: Mirror) -> None:
    """Remove one of two spaces from a mirror, which stays stopped or running."""
    scope, containers = MirrorScope(containers=("DOC",)), [Container(name="DOC")]
    with mirror.writing() as writer:
        writer.choose(scope, containers, owner=OWNER, now=AT, starts=False)


def killed(_: object) -> None:
    """End as a process does that is interrupted."""
    raise KeyboardInterrupt


def everything_in(folder: Path) -> bytes:
    """Return the bytes of all files of the mirrors."""
    return b"".join(each.read_bytes() for each in (folder / "mirrors").iterdir())
