"""A mirror holds what its vendor has, whatever stopped an update, and nothing else."""

import asyncio
import sqlite3
import stat
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import define, evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.mirrored import AT, Wiki

from rove_core import (
    Container,
    ContextItem,
    ItemNotFound,
    ItemRef,
    ListedChange,
    RoveError,
    hookimpl,
)
from rove_core.mirror.copies import read_copies, read_copy
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirrors import Mirrors, open_mirrors
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.search import TimeRange, rows_about, rows_naming, rows_with_text
from rove_core.mirror.search_words import WordLimits, words_to_find
from rove_core.mirror.state import count_items
from rove_core.mirror.update import CHECK_EVERY, LOOK_EVERY, MirrorUpdated, update_mirror
from rove_core.mirror.update_limits import FOR_A_BUILD, IN_BACKGROUND, UpdateLimits
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.testing import VirtualClock

OWNER = "https://wiki.example ada"


def mirror_of(folder: Path, *containers: str, scope: MirrorScope | None = None) -> Mirror:
    """Return a mirror of some spaces that nothing was copied to yet."""
    mirror = Mirror("wiki", folder / "mirrors" / "wiki.db")
    choose(mirror, *containers, scope=scope)
    return mirror


def choose(mirror: Mirror, *names: str, scope: MirrorScope | None = None) -> None:
    """Set what is copied."""
    chosen = scope or MirrorScope(containers=names)
    containers = [Container(name=name) for name in chosen.containers]
    with mirror.writing() as writer:
        writer.choose(chosen, containers, owner=OWNER, now=AT)


def accounts_of(wiki: Wiki) -> Accounts:
    """Return the accounts of a project that uses the wiki alone."""
    accounts = Accounts(use_plugins([]).manager)
    accounts.connect("wiki", wiki)
    return accounts


def updated(
    mirror: Mirror,
    wiki: Wiki,
    limits: UpdateLimits = IN_BACKGROUND,
    *,
    clock: VirtualClock | None = None,
) -> MirrorUpdated:
    """Bring a mirror up to date."""
    return asyncio.run(update_mirror(mirror, accounts_of(wiki), clock or VirtualClock(AT), limits))


def copied(mirror: Mirror) -> dict[str, str]:
    """Return the words of all that was copied."""
    with mirror.reading() as db:
        rows = [row for (row,) in db.execute("SELECT row FROM items")]
        items = [each.item for each in read_copies(db, "wiki", rows)]
    return {
        item.ref.id: "|".join([item.content, *(part.content for part in item.thread)])
        for item in items
    }


def there(wiki: Wiki, *containers: str) -> dict[str, str]:
    """Return the words of all that a vendor has in some spaces."""
    return {
        name: "|".join([page.text, *page.comments])
        for name, page in wiki.pages.items()
        if page.container in containers
    }


def found(mirror: Mirror, word: str) -> set[str]:
    """Return what has a word."""
    with mirror.reading() as db:
        rows = rows_with_text(db, word, TimeRange(), 1000)
        return {each.item.ref.id for each in read_copies(db, "wiki", rows)}


def test_what_an_account_lists_is_copied(tmp_path: Path) -> None:
    """All of the chosen spaces, and nothing of another one, is asked for and kept."""
    wiki = Wiki()
    wiki.write("DOC-1", "tokens expire")
    wiki.write("OPS-1", "servers burn", container="OPS")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)

    assert copied(mirror) == {"DOC-1": "tokens expire"}
    assert set(wiki.asked) == {"DOC"}


def test_only_its_user_can_read_it(tmp_path: Path) -> None:
    """The database and what SQLite puts beside it are closed to everybody else."""
    wiki = Wiki()
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    modes = {stat.S_IMODE(each.stat().st_mode) for each in mirror.path.parent.iterdir()}

    assert modes == {0o600}
    assert stat.S_IMODE(mirror.path.parent.stat().st_mode) == 0o700


def test_what_was_listed_in_part_is_completed(tmp_path: Path) -> None:
    """An update reads the discussion; while it cannot be read again, the earlier one stays."""
    wiki = Wiki(whole=False)
    wiki.write("DOC-1", "tokens expire")
    wiki.comment("DOC-1", "in 15 minutes")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    first = copied(mirror)
    wiki.write("DOC-1", "tokens last")
    wiki.is_away = True
    updated(mirror, wiki, FOR_A_BUILD)

    assert first == {"DOC-1": "tokens expire|in 15 minutes"}
    assert copied(mirror) == {"DOC-1": "tokens last|in 15 minutes"}


def test_a_build_finds_what_was_just_said(tmp_path: Path) -> None:
    """Of items that are listed in part, an update for a build reads the newest in full."""
    wiki, clock = Wiki(whole=False), VirtualClock(AT)
    for number in range(9):
        wiki.write(f"DOC-{number}", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    for number in range(9):
        wiki.comment(f"DOC-{number}", "in 15 minutes")
    wiki.read.clear()
    updated(mirror, wiki, FOR_A_BUILD, clock=clock)

    assert len(wiki.read) == 5
    assert found(mirror, "minutes") == set(wiki.read)


@define(eq=False)
class Moving(Wiki):
    """A wiki whose pages have moved to another space when they are read."""

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return the page as it is called now."""
        item = self.item(ref.id)
        return evolve(item, ref=evolve(ref, id=ref.id.replace("DOC", "SECRET")))


def test_an_item_that_moved_when_it_is_read_is_forgotten(tmp_path: Path) -> None:
    """Its new space brings it, if that is copied; nothing else of that space is stored."""
    wiki = Moving(whole=False)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)

    assert copied(mirror) == {}


def test_an_incomplete_item_is_read_again(tmp_path: Path) -> None:
    """The next check of a container reads what could not be read in full before."""
    wiki = Wiki(whole=False, is_partly_closed=True)
    wiki.write("DOC-1", "tokens expire")
    wiki.comment("DOC-1", "in 15 minutes")
    mirror, clock = mirror_of(tmp_path, "DOC"), VirtualClock(AT)
    updated(mirror, wiki, clock=clock)
    wiki.is_partly_closed = False
    asyncio.run(clock.sleep(CHECK_EVERY.total_seconds() + 1))
    updated(mirror, wiki, clock=clock)
    updated(mirror, wiki, clock=clock)

    assert copied(mirror) == {"DOC-1": "tokens expire|in 15 minutes"}


def test_a_listing_of_nothing_new_reads_nothing(tmp_path: Path) -> None:
    """What is listed again as it was needs not be read again."""
    wiki = Wiki(whole=False)
    wiki.write("DOC-1", "tokens expire")
    mirror, clock = mirror_of(tmp_path, "DOC"), VirtualClock(AT)
    updated(mirror, wiki, clock=clock)
    wiki.read.clear()
    asyncio.run(clock.sleep(CHECK_EVERY.total_seconds() + 1))
    updated(mirror, wiki, clock=clock)

    assert wiki.read == []


def test_what_a_vendor_does_not_tell_to_be_gone_is_found_out(tmp_path: Path) -> None:
    """A check of everything forgets it, within a week."""
    wiki, clock = Wiki(tells_gone=False), VirtualClock(AT)
    for name in ("DOC-1", "DOC-2"):
        wiki.write(name, "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    wiki.delete("DOC-1")
    updated(mirror, wiki, clock=clock)
    before = set(copied(mirror))
    asyncio.run(clock.sleep(CHECK_EVERY.total_seconds() + 1))
    updated(mirror, wiki, clock=clock)

    assert (before, set(copied(mirror))) == ({"DOC-1", "DOC-2"}, {"DOC-2"})


def test_what_may_no_longer_be_read_is_forgotten(tmp_path: Path) -> None:
    """The account is asked for it every day."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    wiki.write("OPS-1", "servers burn", container="OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki, clock=clock)
    wiki.spaces = ["DOC"]
    asyncio.run(clock.sleep(LOOK_EVERY.total_seconds() + 1))
    done = updated(mirror, wiki, clock=clock)

    assert done.lost == ("OPS",)
    assert set(copied(mirror)) == {"DOC-1"}


def test_what_its_vendor_no_longer_lists_is_forgotten_at_once(tmp_path: Path) -> None:
    """Also at the start of a build; the other spaces are brought up to date all the same."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    wiki.write("OPS-1", "servers burn", container="OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki, clock=clock)
    wiki.spaces = ["OPS"]
    wiki.write("OPS-2", "servers rest", container="OPS")
    done = updated(mirror, wiki, FOR_A_BUILD, clock=clock)

    assert (done.lost, done.failure) == (("DOC",), None)
    assert set(copied(mirror)) == {"OPS-1", "OPS-2"}


def test_a_missing_container_delays_no_other(tmp_path: Path) -> None:
    """Where the account may still read it, its absence is the update's failure, and it stays."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki, clock=clock)
    wiki.unlisted = ["DOC"]
    wiki.write("OPS-1", "servers burn", container="OPS")
    done = updated(mirror, wiki, clock=clock)

    assert isinstance(done.failure, ItemNotFound)
    assert set(copied(mirror)) == {"DOC-1", "OPS-1"}


def test_a_narrower_scope_forgets(tmp_path: Path) -> None:
    """No word of a space that was taken out is in any file of the mirror."""
    wiki = Wiki()
    wiki.write("DOC-1", "tokens expire")
    wiki.write("OPS-1", "the wombatsecret burns", container="OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki)
    assert found(mirror, "wombatsecret") == {"OPS-1"}
    choose(mirror, "DOC")

    assert set(copied(mirror)) == {"DOC-1"}
    assert all(b"wombat" not in each.read_bytes() for each in mirror.path.parent.iterdir())


def test_a_wider_scope_copies_more(tmp_path: Path) -> None:
    """A space that was added, and what is older than before, are copied by the next update."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire", at=AT - timedelta(days=300))
    wiki.write("DOC-2", "tokens last", at=AT - timedelta(days=3))
    mirror = mirror_of(tmp_path, scope=MirrorScope(containers=("DOC",), keep=timedelta(days=30)))
    updated(mirror, wiki, clock=clock)
    before = set(copied(mirror))
    choose(mirror, "DOC")
    updated(mirror, wiki, clock=clock)

    assert (before, set(copied(mirror))) == ({"DOC-2"}, {"DOC-1", "DOC-2"})


def test_what_is_too_old_is_removed(tmp_path: Path) -> None:
    """Items leave the mirror when they are older than it keeps them."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire", at=AT)
    scope = MirrorScope(containers=("DOC",), keep=timedelta(days=30))
    mirror = mirror_of(tmp_path, scope=scope)
    updated(mirror, wiki, clock=clock)
    asyncio.run(clock.sleep(timedelta(days=31).total_seconds()))
    updated(mirror, wiki, clock=clock)

    assert copied(mirror) == {}


def test_the_oldest_give_way(tmp_path: Path) -> None:
    """A mirror that takes too much room removes its oldest items, and copies none such again."""
    wiki = Wiki()
    for number in range(300):
        wiki.write(f"DOC-{number}", f"{number} " + "".join(map(chr, range(200, 1200))))
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    whole = mirror.size
    choose(mirror, scope=MirrorScope(containers=("DOC",), budget=whole // 2))
    state = mirror.state()
    with mirror.reading() as db:
        left = count_items(db)

    assert 0 < left < 300
    assert state is not None
    assert state.cut_at is not None
    assert "DOC-299" in copied(mirror)
    assert "DOC-0" not in copied(mirror)


def test_dropping_leaves_nothing(tmp_path: Path) -> None:
    """Neither the database nor a file beside it is there afterwards."""
    wiki = Wiki()
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)

    assert mirror.drop() > 0
    assert [*mirror.path.parent.iterdir()] == []


def test_somebody_elses_copy_is_forgotten(tmp_path: Path) -> None:
    """A mirror that was made by another person's login is not used, and gives way."""
    wiki = Wiki()
    wiki.write("DOC-1", "tokens expire")
    mirror, clock = mirror_of(tmp_path, "DOC"), VirtualClock(AT)
    updated(mirror, wiki, clock=clock)

    def usable(owner: str) -> Mirrors:
        return asyncio.run(open_mirrors({"wiki": (mirror, owner)}, accounts_of(wiki), clock))

    assert "wiki" in usable(OWNER)
    assert "wiki" not in usable("https://wiki.example bo")
    with mirror.writing() as writer:
        scope = MirrorScope(containers=("OPS",))
        writer.choose(scope, [Container(name="OPS")], owner="bo", now=AT)
    assert copied(mirror) == {}


def test_a_copy_that_cannot_be_locked_is_used_as_it_is(tmp_path: Path) -> None:
    """So it is where the data folder may only be read."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    lock = mirror.path.with_suffix(".update")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    clock.advance(3600)

    assert "wiki" in asyncio.run(open_mirrors({"wiki": (mirror, OWNER)}, accounts_of(wiki), clock))


def test_the_case_of_a_containers_name_does_not_matter(tmp_path: Path) -> None:
    """People write it as they like: what is copied is found, and what is not is not asked for."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    one, two = (ItemRef(account="wiki", kind="page", id=name) for name in ("doc-1", "Doc-2"))

    async def told() -> tuple[ContextItem | None, bool]:
        mirrors = await open_mirrors({"wiki": (mirror, OWNER)}, accounts_of(wiki), clock)
        return await mirrors.item(one), await mirrors.is_absent(two)

    assert asyncio.run(told()) == (wiki.item("DOC-1"), True)


def test_words_are_found_whatever_their_ending(tmp_path: Path) -> None:
    """Also parts of names, and scripts that put no blanks between words."""
    wiki = Wiki()
    wiki.write("DOC-1", "Tokens are refreshed by TokenRefresher, 令牌过期了")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)

    assert all(found(mirror, word) for word in ("token", "refreshing", "refresher", "DOC-1"))
    with mirror.reading() as db:
        ref = wiki.item("DOC-1").ref
        (row,) = rows_naming(db, ref, TimeRange(), 10)
        (about,) = rows_about(db, wiki.item("DOC-1"), [], TimeRange(), 10)
        copy = read_copy(db, ref)

    assert row == about
    assert copy is not None
    assert copy.item == wiki.item("DOC-1")


def test_the_commonest_words_are_left_out(tmp_path: Path) -> None:
    """Once rarer ones bring enough items; what no item has is not looked for."""
    wiki = Wiki()
    for number, word in enumerate(["anchor", "brook", "cliff", "dune", "elm", "fjord", "grove"]):
        wiki.write(f"DOC-{number}", f"tokens expire {word}")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    wiki.write("DOC-9", "tokens anchor brook cliff dune elm nowhere")
    with mirror.reading() as db:
        words = words_to_find(db, [wiki.item("DOC-9")], WordLimits(most=10, items=6))

    assert [*words] == ["anchor", "brook", "cliff", "dune", "elm"]


CHANGES = st.one_of(
    st.tuples(
        st.just("write"),
        st.sampled_from(["DOC-1", "DOC-2", "DOC-3"]),
        st.sampled_from(["tokens", "expire", "servers"]),
        st.sampled_from(["DOC", "OPS", "HR"]),
    ),
    st.tuples(st.just("comment"), st.sampled_from(["DOC-1", "DOC-2"]), st.text("ab ", max_size=5)),
    st.tuples(st.just("delete"), st.sampled_from(["DOC-1", "DOC-2", "DOC-3"])),
)


def happen(wiki: Wiki, change: Sequence[str]) -> None:
    """Let something happen at the vendor."""
    match change:
        case ["write", name, text, container]:
            wiki.write(name, text, container=container)
        case ["comment", name, text] if name in wiki.pages:
            wiki.comment(name, text)
        case ["delete", name] if name in wiki.pages:
            wiki.delete(name)


@settings(max_examples=25, deadline=None)
@given(
    rounds=st.lists(st.lists(CHANGES, max_size=6), min_size=1, max_size=4),
    breaks=st.lists(st.integers(0, 4), max_size=4),
    steps=st.lists(st.integers(1, 400), max_size=4),
    whole=st.booleans(),
)
def test_a_mirror_equals_its_vendor(
    tmp_path_factory: pytest.TempPathFactory,
    rounds: list[list[tuple[str, ...]]],
    breaks: list[int],
    steps: list[int],
    *,
    whole: bool,
) -> None:
    """After each update that came to its end, whatever broke off at the vendor or in SQLite."""
    wiki, clock = Wiki(whole=whole), VirtualClock(AT)
    mirror = mirror_of(tmp_path_factory.mktemp("m"), "DOC", "OPS")
    for number, changes in enumerate(rounds):
        for change in changes:
            happen(wiki, change)
        wiki.fails_after = breaks[number : number + 1]
        if number < len(steps):
            with pytest.MonkeyPatch.context() as patch:
                interrupt_sqlite(patch, steps[number])
                interrupted(mirror, wiki, clock)
        while updated(mirror, wiki, clock=clock).failure:
            pass

        assert copied(mirror) == there(wiki, "DOC", "OPS")
        for word in ("tokens", "expire", "servers"):
            expected = {n for n, text in there(wiki, "DOC", "OPS").items() if word in text}
            assert found(mirror, word) == expected
    assert "HR" not in wiki.asked


def interrupt_sqlite(patch: pytest.MonkeyPatch, steps: int) -> None:
    """Let SQLite stop in the middle of a statement, as a kill does, after some steps."""
    connect = sqlite3.connect

    def connected(*args: object, **kwargs: object) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **kwargs)  # type: ignore[call-overload]  # as called
        left = iter(range(steps))
        db.set_progress_handler(lambda: next(left, None) is None, 100)
        return db

    patch.setattr(sqlite3, "connect", connected)


def interrupted(mirror: Mirror, wiki: Wiki, clock: VirtualClock) -> None:
    """Update a mirror until something stops that."""
    try:
        updated(mirror, wiki, clock=clock)
    except RoveError:
        return


def test_nothing_is_stored_without_its_cursor(tmp_path: Path) -> None:
    """What was told and its cursor are in one transaction: a failure keeps neither."""
    wiki = Wiki()
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    change = ListedChange(item=wiki.item("DOC-1"), whole=True)
    with mirror.writing() as writer:
        writer.db.set_authorizer(refuse_cursors)
        with pytest.raises(RoveError):
            writer.store_changes("DOC", [change], cursor="1", is_check=False, now=AT)

    assert copied(mirror) == {}


def refuse_cursors(action: int, table: str | None, column: str | None, *_: object) -> int:
    """Refuse to write a cursor."""
    is_cursor = (table, column) == ("containers", "cursor")
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_UPDATE and is_cursor else 0
