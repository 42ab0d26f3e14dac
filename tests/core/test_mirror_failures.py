"""What fails at a vendor or in a filter delays nothing else, and loses nothing."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest
from attrs import define, field
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import OWNER, choose, copied, mirror_of, updated

from rove.doctor.databases import put_aside
from rove_core import (
    Container,
    ContextItem,
    ItemRef,
    ListedChange,
    ListScope,
    Locked,
    LoginRefused,
    MalformedReply,
    PluginFailed,
    RateLimited,
    RoveError,
    Unavailable,
    hookimpl,
)
from rove_core.mirror.codec import pack
from rove_core.mirror.indexed_text import indexed_text
from rove_core.mirror.migrations import MIGRATIONS
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirrors import open_mirrors
from rove_core.mirror.schedule import is_update_due
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.update import CHECK_EVERY, MirrorUpdated, update_mirror
from rove_core.mirror.update_limits import FOR_A_BUILD, IN_BACKGROUND, UpdateLimits
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.project.layout import ProjectPaths
from rove_core.store.files import private_folder
from rove_core.store.packages import PackageDatabase
from rove_core.testing import VirtualClock

SPACES = ("DOC", "OPS", "HR")
HOUR, DAY = 3_600.0, 86_400.0


@define(eq=False)
class Faulty(Wiki):
    """A wiki of which some spaces or pages fail.

    Attributes:
        broken: The errors of spaces and pages.
        happens: What happens at each change that a listing yields.
    """

    spaces: list[str] = field(factory=lambda: [*SPACES])
    broken: dict[str, RoveError] = field(factory=dict)
    happens: Callable[[ListedChange], None] = lambda _: None

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """List as the wiki does, unless the space is broken."""
        for name in scope.containers:
            if name in self.broken:
                self.asked.append(name)
                raise self.broken[name]
        async for change in Wiki.rove_list(self, scope):
            yield change
            self.happens(change)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Read as the wiki does, unless the page is broken."""
        if ref.id in self.broken:
            self.read.append(ref.id)
            raise self.broken[ref.id]
        return await Wiki.rove_item_detail(self, ref)


@define(eq=False)
class Filter:
    """A filter that can fail on all pages, or on some.

    Attributes:
        fails_on: Returns whether it fails on a page.
    """

    fails_on: Callable[[str], bool]

    @hookimpl
    def rove_filter_item(self, item: ContextItem) -> ContextItem:
        """Let all pages pass."""
        if self.fails_on(item.ref.id):
            raise ValueError("no list of private names")
        return item


def wiki_of(**pages: str) -> Faulty:
    """Return a wiki with a page in each of some spaces: ``DOC_1="DOC"``."""
    wiki = Faulty()
    for name, container in pages.items():
        wiki.write(name.replace("_", "-"), "tokens expire", container=container)
    return wiki


def filtered(
    mirror: Mirror, wiki: Wiki, clock: VirtualClock, fails_on: Callable[[str], bool]
) -> MirrorUpdated:
    """Update a mirror with a filter."""
    plugins = use_plugins([]).manager
    plugins.register(Filter(fails_on), "discreet")
    accounts = Accounts(plugins)
    accounts.connect("wiki", wiki)
    return asyncio.run(update_mirror(mirror, accounts, clock, IN_BACKGROUND))


@pytest.mark.parametrize("error", [MalformedReply("bad page"), LoginRefused("no"), RateLimited("")])
def test_a_broken_container_delays_no_other(tmp_path: Path, error: RoveError) -> None:
    """The others are listed by the next updates, and what is gone from them is found."""
    wiki, clock = wiki_of(DOC_1="DOC", OPS_1="OPS", OPS_2="OPS", HR_1="HR"), VirtualClock(AT)
    wiki.tells_gone = False
    mirror = mirror_of(tmp_path, *SPACES)
    updated(mirror, wiki, clock=clock)
    wiki.broken = {"DOC": error}
    wiki.delete("OPS-1")
    wiki.write("HR-2", "servers burn", container="HR")
    clock.advance(CHECK_EVERY.total_seconds() + 1)
    done = [updated(mirror, wiki, clock=clock) for _ in range(3)]

    assert set(copied(mirror)) == {"DOC-1", "OPS-2", "HR-1", "HR-2"}
    assert [each.failure for each in done] == [error] * 3


def test_a_broken_container_is_told_until_it_works(tmp_path: Path) -> None:
    """Its state has the message of its last failure."""
    wiki, clock = wiki_of(DOC_1="DOC", OPS_1="OPS"), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    failures = []
    for name in ("OPS", "nothing"):
        wiki.broken = {name: MalformedReply("bad page")}
        updated(mirror, wiki, clock=clock)
        state = mirror.state()
        assert state is not None
        failures.append({each.name: each.failure for each in state.containers})

    assert failures == [{"DOC": "", "OPS": "bad page"}, {"DOC": "", "OPS": ""}]


def test_a_vendor_that_fails_is_not_asked_for_every_container(tmp_path: Path) -> None:
    """After three failures the rest waits for the next update, which begins with it."""
    wiki, clock = wiki_of(), VirtualClock(AT)
    names = [f"S-{number}" for number in range(7)]
    wiki.spaces = names
    wiki.broken = {name: MalformedReply("bad page") for name in names}
    mirror = mirror_of(tmp_path, *names)
    for _ in range(2):
        updated(mirror, wiki, clock=clock)

    assert wiki.asked == names[:6]


def test_an_item_that_cannot_be_read_delays_no_other(tmp_path: Path) -> None:
    """Nor a check: others are read, and it is read again later, ever more seldom."""
    wiki, clock = wiki_of(), VirtualClock(AT)
    wiki.whole = False
    for number in range(6):
        wiki.write(f"DOC-{number}", "tokens expire")
        wiki.comment(f"DOC-{number}", "in 15 minutes")
    wiki.broken = {f"DOC-{number}": MalformedReply("bad page") for number in (2, 3, 4, 5)}
    mirror = mirror_of(tmp_path, "DOC")
    for _ in range(40):
        updated(mirror, wiki, clock=clock)
        clock.advance(300)
    complete = {name for name, text in copied(mirror).items() if "|" in text}
    reads = wiki.read.count("DOC-3")
    wiki.broken = {}
    clock.advance(DAY)
    updated(mirror, wiki, clock=clock)

    assert complete == {"DOC-0", "DOC-1"}
    assert 2 <= reads <= 5
    assert set(copied(mirror).values()) == {"tokens expire|in 15 minutes"}


def test_a_clock_that_was_ahead_delays_no_item(tmp_path: Path) -> None:
    """An item that could not be read then is read again at once."""
    wiki, clock = wiki_of(DOC_1="DOC"), VirtualClock(AT)
    wiki.whole, wiki.broken = False, {"DOC-1": MalformedReply("bad page")}
    wiki.comment("DOC-1", "in 15 minutes")
    mirror = mirror_of(tmp_path, "DOC")
    clock.put(AT + timedelta(days=4_000))
    updated(mirror, wiki, clock=clock)
    clock.put(AT)
    wiki.broken = {}
    updated(mirror, wiki, clock=clock)

    assert copied(mirror) == {"DOC-1": "tokens expire|in 15 minutes"}


@pytest.mark.parametrize("whole", [True, False])
def test_a_filter_that_fails_on_an_item_delays_no_other(tmp_path: Path, *, whole: bool) -> None:
    """What was stored stays, the rest is copied, and the item comes once the filter works."""
    wiki, clock = wiki_of(DOC_1="DOC", DOC_2="DOC"), VirtualClock(AT)
    wiki.whole = whole
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    for name in ("DOC-1", "DOC-2", "DOC-3"):
        wiki.write(name, "tokens last")
    failed = filtered(mirror, wiki, clock, lambda name: name in {"DOC-1", "DOC-3"})
    before = copied(mirror)
    clock.advance(HOUR)
    filtered(mirror, wiki, clock, lambda _: False)

    assert isinstance(failed.failure, PluginFailed)
    assert before == {"DOC-1": "tokens expire", "DOC-2": "tokens last"}
    assert copied(mirror) == dict.fromkeys(("DOC-1", "DOC-2", "DOC-3"), "tokens last")


def test_a_filter_that_fails_on_everything_loses_nothing(tmp_path: Path) -> None:
    """Neither by a listing nor by a check, and the listing goes on where it was."""
    wiki, clock = wiki_of(), VirtualClock(AT)
    for number in range(9):
        wiki.write(f"DOC-{number}", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    before = copied(mirror)
    for number in range(9):
        wiki.write(f"DOC-{number + 5}", "tokens last")
    clock.advance(CHECK_EVERY.total_seconds() + 1)
    filtered(mirror, wiki, clock, lambda _: True)
    filtered(mirror, wiki, clock, lambda _: True)
    kept = copied(mirror)
    clock.advance(DAY)
    filtered(mirror, wiki, clock, lambda _: False)

    assert kept == before
    assert copied(mirror) == {
        **dict.fromkeys((f"DOC-{number}" for number in range(5)), "tokens expire"),
        **dict.fromkeys((f"DOC-{number + 5}" for number in range(9)), "tokens last"),
    }


def test_a_filter_that_cannot_run_stops_an_update(tmp_path: Path) -> None:
    """Its vendor is not asked for anything."""
    wiki, clock = wiki_of(DOC_1="DOC"), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    wiki.asked.clear()
    accounts = Accounts(use_plugins([]).manager, closed={"discreet": "discreet cannot be loaded"})
    accounts.connect("wiki", wiki)
    done = asyncio.run(update_mirror(mirror, accounts, clock, IN_BACKGROUND))

    assert isinstance(done.failure, PluginFailed)
    assert (wiki.asked, copied(mirror)) == ([], {"DOC-1": "tokens expire"})


def test_an_item_that_no_filter_judged_may_exist(tmp_path: Path) -> None:
    """A build requests it from its vendor, as one that the mirror lacks."""
    wiki, clock = wiki_of(DOC_1="DOC", DOC_2="DOC"), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC")
    filtered(mirror, wiki, clock, lambda name: name == "DOC-2")
    refs = [ItemRef(account="wiki", kind="page", id=name) for name in ("DOC-2", "DOC-3")]

    async def lacking() -> list[bool]:
        accounts = Accounts(use_plugins([]).manager)
        accounts.connect("wiki", wiki)
        mirrors = await open_mirrors({"wiki": (mirror, OWNER)}, accounts, clock)
        return [await mirrors.is_absent(ref) for ref in refs]

    assert asyncio.run(lacking()) == [False, True]


def choosing(mirror: Mirror, scope: MirrorScope) -> Callable[[ListedChange], None]:
    """Return what chooses a scope once a listing has begun."""
    left = [scope]

    def happens(_: ListedChange) -> None:
        if left:
            choose(mirror, scope=left.pop())

    return happens


def test_a_wider_scope_during_an_update_copies_more(tmp_path: Path) -> None:
    """The listing that is under way does not count for the new scope."""
    wiki, clock = Faulty(), VirtualClock(AT)
    for number in range(10):
        wiki.write(f"DOC-{number}", "tokens expire", at=AT - timedelta(days=20 * number))
    scope = MirrorScope(containers=("DOC",), keep=timedelta(days=100))
    mirror = mirror_of(tmp_path, scope=scope)
    wiki.happens = choosing(mirror, MirrorScope(containers=("DOC",)))
    updated(mirror, wiki, clock=clock)

    assert len(copied(mirror)) == 10


def test_a_removed_container_is_not_requested_any_more(tmp_path: Path) -> None:
    """Not even by the update that is listing it."""
    wiki, clock = wiki_of(), VirtualClock(AT)
    for number in range(600):
        wiki.write(f"DOC-{number}", "tokens expire")
    wiki.write("OPS-1", "servers burn", container="OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    wiki.happens = choosing(mirror, MirrorScope(containers=("OPS",)))
    updated(mirror, wiki, clock=clock)

    assert wiki.asked == ["DOC", "OPS"]
    assert set(copied(mirror)) == {"OPS-1"}


def test_a_stopped_mirror_requests_nothing_any_more(tmp_path: Path) -> None:
    """A running update ends before its next listing."""
    wiki, clock = wiki_of(DOC_1="DOC", OPS_1="OPS"), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC", "OPS")

    def stop(_: ListedChange) -> None:
        with mirror.writing() as writer:
            writer.set_running(running=False)

    wiki.happens = stop
    done = updated(mirror, wiki, clock=clock)

    assert (wiki.asked, done.failure) == (["DOC"], None)


def words_on_disk(mirror: Mirror, word: str) -> bool:
    """Return whether a word is in any file of a mirror."""
    return any(word.encode() in each.read_bytes() for each in mirror.path.parent.iterdir())


@pytest.mark.parametrize("limits", [IN_BACKGROUND, FOR_A_BUILD])
def test_words_of_deleted_items_are_erased(tmp_path: Path, limits: UpdateLimits) -> None:
    """By the update that finds the deletion or the change, also if only builds update."""
    wiki, clock = wiki_of(), VirtualClock(AT)
    for number in range(30):
        wiki.write(f"DOC-{number}", "tokens expire")
    wiki.write("DOC-40", "xylophones expire")
    wiki.write("DOC-41", "xylophones last")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    before = words_on_disk(mirror, "xylophon")
    wiki.delete("DOC-40")
    wiki.write("DOC-41", "tokens last")
    updated(mirror, wiki, limits, clock=clock)

    assert (before, words_on_disk(mirror, "xylophon")) == (True, False)


def test_a_mirror_of_an_older_rove_goes_on(tmp_path: Path) -> None:
    """It keeps its items, a check that was under way begins again, and no copy of it stays."""
    wiki, clock = wiki_of(DOC_1="DOC", DOC_2="DOC"), VirtualClock(AT)
    wiki.tells_gone = False
    mirror = old_mirror(tmp_path, wiki)
    updated(mirror, wiki, clock=clock)
    first = set(copied(mirror))
    wiki.delete("DOC-1")
    clock.advance(CHECK_EVERY.total_seconds() + 1)
    updated(mirror, wiki, clock=clock)

    assert (first, set(copied(mirror))) == ({"DOC-1", "DOC-2"}, {"DOC-2"})
    assert [*mirror.path.parent.glob("*.before-*")] == []


def test_a_mirror_of_an_older_rove_is_not_copied(tmp_path: Path) -> None:
    """A large one would keep the first build waiting, and what is deleted later on disk."""
    mirror = old_mirror(tmp_path, wiki_of(DOC_1="DOC"))
    state = mirror.state()

    assert state is not None
    assert [*mirror.path.parent.glob("*.before-*")] == []


def old_mirror(folder: Path, wiki: Wiki) -> Mirror:
    """Return a mirror as an older Rove left it, in the middle of a check."""
    mirror = Mirror("wiki", private_folder(folder / "mirrors") / "wiki.db")
    with PackageDatabase(mirror.path, MIGRATIONS[:2]).writing() as db:
        scope = MirrorScope(containers=("DOC",)).text()
        facts = {"scope": scope, "owner": OWNER, "running": "yes"}
        db.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        db.execute(
            "INSERT INTO containers (name, title, copied_at, updated_at, check_cursor, check_began)"
            " VALUES ('DOC', '', 1, 1, '1', 1)"
        )
        item = wiki.item("DOC-1")
        row = ("DOC-1", "page", "DOC", AT.timestamp(), 1.0, 1, b"", pack(item))
        db.execute("INSERT INTO items VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        words = indexed_text(item)
        db.execute("INSERT INTO texts (rowid, title, content) VALUES (1, ?, ?)", words)
    return mirror


def test_a_damaged_mirror_can_be_dropped(tmp_path: Path) -> None:
    """With what doctor moved away, and what SQLite left beside a database."""
    wiki = wiki_of(DOC_1="DOC")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    mirror.path.write_bytes(b"xylophones" * 1_000)
    put_aside(mirror.path)
    mirror.path.with_name("wiki.db-wal").write_bytes(b"xylophones")

    assert mirror.has_files
    assert mirror.drop() > 10_000
    assert [*mirror.path.parent.iterdir()] == []


def test_a_damaged_mirror_names_the_way_out(tmp_path: Path) -> None:
    """Its error has the commands that copy the same again."""
    scope = MirrorScope(containers=("DOC", "My space"), keep=timedelta(days=30), budget=5_000_000)
    mirror = mirror_of(tmp_path, scope=scope)
    mirror.path.write_bytes(b"xylophones" * 1_000)
    with pytest.raises(RoveError) as raised:
        mirror.state()

    assert raised.value.hint == (
        "Copy it again: rove mirror drop wiki && rove mirror start wiki --container DOC"
        " --container 'My space' --keep 30d --budget 5"
    )


def test_dropping_removes_a_pipe(tmp_path: Path) -> None:
    """It has no content."""
    mirror = Mirror("wiki", private_folder(tmp_path / "mirrors") / "wiki.db")
    os.mkfifo(mirror.path)
    mirror.drop()

    assert not os.path.lexists(mirror.path)


def test_dropping_refuses_a_link(tmp_path: Path) -> None:
    """Removing it would leave the copy where it leads to, so the error names it."""
    mirror = mirror_of(tmp_path, "DOC")
    elsewhere = mirror.path.rename(tmp_path / "elsewhere.db")
    mirror.path.symlink_to(elsewhere)
    with pytest.raises(RoveError, match=r"wiki\.db is a link"):
        mirror.drop()

    assert (mirror.path.is_symlink(), elsewhere.exists()) == (True, True)


def test_dropping_ends_a_running_update(tmp_path: Path) -> None:
    """It requests no further container, and then everything is removed."""
    wiki, clock = wiki_of(DOC_1="DOC", OPS_1="OPS"), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    dropping = Thread(target=mirror.drop)

    def drop(_: ListedChange) -> None:
        if not dropping.ident:
            dropping.start()
        while running(mirror):
            pass

    wiki.happens = drop
    updated(mirror, wiki, clock=clock)
    dropping.join()

    assert wiki.asked == ["DOC"]
    assert not mirror.has_files


def test_a_copy_that_is_held_is_removed_by_its_holder(tmp_path: Path) -> None:
    """Who drops it need not wait for the update that holds it; at once it counts as missing."""
    wiki, clock = wiki_of(DOC_1="DOC"), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC")

    def drop(_: ListedChange) -> None:
        with pytest.raises(Locked):
            mirror.drop(wait=0)
        assert not mirror.exists

    wiki.happens = drop
    updated(mirror, wiki, clock=clock)

    assert [*mirror.path.parent.iterdir()] == []


def test_a_copy_whose_holder_was_killed_is_removed_later(tmp_path: Path) -> None:
    """By whatever looks at mirrors next, also if its account is gone."""
    places = ProjectPaths(root=tmp_path, data_dir=tmp_path, config_dir=tmp_path)
    mirror = Mirror.of(places, "wiki")
    choose(mirror, "DOC")
    with mirror.update_lock(), pytest.raises(Locked):
        mirror.drop(wait=0)
    before = mirror.has_files
    is_update_due(places, [], AT)

    assert (before, [*places.mirrors.iterdir()]) == (True, [])


def running(mirror: Mirror) -> bool:
    """Return whether a mirror is kept current."""
    state = mirror.state()
    return state is not None and state.running


def test_a_title_has_no_secret(tmp_path: Path) -> None:
    """Titles of containers are sanitised like all texts of a source."""
    token, wiki = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5", wiki_of(DOC_1="DOC")  # nobody's
    mirror = mirror_of(tmp_path, "DOC")

    @define(eq=False)
    class Titled(Faulty):
        @hookimpl
        async def rove_containers(self) -> list[Container]:
            return [Container(name="DOC", title=f"Ops\x1b[2J {token}")]

    updated(mirror, Titled(pages=wiki.pages), clock=VirtualClock(AT))
    state = mirror.state()

    assert state is not None
    assert state.containers[0].title.startswith("Ops")
    assert not any(each in state.containers[0].title for each in (token, "\x1b"))
    assert not any(token.encode() in each.read_bytes() for each in mirror.path.parent.iterdir())


@pytest.mark.parametrize("error", [Unavailable, LoginRefused])
def test_a_stored_failure_has_no_secret(tmp_path: Path, error: type[RoveError]) -> None:
    """What a vendor says may quote a token, or control a terminal."""
    wiki = wiki_of()
    token = "ghp_" + "x7Kq2ZtB9mW4" * 3
    wiki.refusal = error(f"token {token}\x1b[2J expired", hint=f"renew {token}", account="wiki")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    state = mirror.state()

    assert state is not None
    stored = f"{state.failure} {state.containers}"
    assert ("expired" in stored, token in stored, "\\x1b" in stored) == (True, False, False)
