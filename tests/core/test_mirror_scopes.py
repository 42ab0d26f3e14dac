"""A mirror whose scope changes has what the new scope says, and is searched meanwhile."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import OWNER, accounts_of, choose, copied, mirror_of, there, updated

from rove_core import ItemRef, LoginRefused
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirrors import Mirrors, open_mirrors
from rove_core.mirror.schedule import is_update_due
from rove_core.mirror.scope import BUDGET, MirrorScope
from rove_core.mirror.state import MirrorState
from rove_core.mirror.update import LOOK_EVERY
from rove_core.mirror.update_limits import FOR_A_BUILD, IN_BACKGROUND
from rove_core.project.layout import ProjectPaths
from rove_core.testing import VirtualClock

ALWAYS, MONTH, YEAR = None, timedelta(days=30), timedelta(days=365)


def keeping(keep: timedelta | None, *, budget: int = BUDGET) -> MirrorScope:
    """Return the scope of the space DOC that keeps items for some time."""
    return MirrorScope(containers=("DOC",), keep=keep, budget=budget)


def state_of(mirror: Mirror) -> MirrorState:
    """Return the state of a mirror that exists."""
    state = mirror.state()
    assert state is not None
    return state


def usable(mirror: Mirror, wiki: Wiki, clock: VirtualClock) -> Mirrors:
    """Return the mirror, if builds search it."""
    accounts = accounts_of(wiki)
    return asyncio.run(open_mirrors({"wiki": (mirror, OWNER)}, accounts, clock, update=False))


def page(name: str) -> ItemRef:
    """Return the reference of a page."""
    return ItemRef(account="wiki", kind="page", id=name)


def aged() -> Wiki:
    """Return a wiki with pages of several ages."""
    wiki = Wiki()
    for number, days in enumerate([800, 300, 20, 1]):
        wiki.write(f"DOC-{number}", "tokens expire", at=AT - timedelta(days=days))
    return wiki


@pytest.mark.parametrize("updates_between", [True, False])
@pytest.mark.parametrize(
    ("keeps", "expected"),
    [
        ([ALWAYS, MONTH, ALWAYS], {"DOC-0", "DOC-1", "DOC-2", "DOC-3"}),
        ([YEAR, MONTH, YEAR], {"DOC-1", "DOC-2", "DOC-3"}),
        ([ALWAYS, MONTH, YEAR], {"DOC-1", "DOC-2", "DOC-3"}),
        ([MONTH, ALWAYS, YEAR], {"DOC-1", "DOC-2", "DOC-3"}),
    ],
)
def test_what_is_kept_longer_again_is_copied_again(
    tmp_path: Path,
    keeps: list[timedelta | None],
    expected: set[str],
    *,
    updates_between: bool,
) -> None:
    """Whether or not an update came between."""
    wiki, clock = aged(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, scope=keeping(keeps[0]))
    updated(mirror, wiki, clock=clock)
    for keep in keeps[1:]:
        choose(mirror, scope=keeping(keep))
        if updates_between:
            updated(mirror, wiki, clock=clock)
    updated(mirror, wiki, clock=clock)

    assert set(copied(mirror)) == expected
    assert state_of(mirror).incomplete == ()


@settings(max_examples=15, deadline=None)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from([ALWAYS, YEAR, MONTH]),
            st.sampled_from([("DOC",), ("OPS",), ("DOC", "OPS")]),
            st.integers(0, 6),
        ),
        min_size=1,
        max_size=5,
    ),
)
def test_a_mirror_has_what_its_last_scope_says(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[timedelta | None, tuple[str, ...], int]],
) -> None:
    """Whatever scopes it had before, and wherever their updates broke off."""
    wiki, clock = aged(), VirtualClock(AT)
    for number, days in enumerate([700, 200, 2]):
        wiki.write(f"OPS-{number}", "servers burn", container="OPS", at=AT - timedelta(days=days))
    mirror = mirror_of(tmp_path_factory.mktemp("m"), "DOC")
    for keep, names, breaks_at in steps:
        choose(mirror, scope=MirrorScope(containers=names, keep=keep))
        wiki.fails_after = [breaks_at]
        updated(mirror, wiki, clock=clock)
    while updated(mirror, wiki, clock=clock).failure:
        pass

    begins = AT - keep if keep else None
    expected = {
        name
        for name, each in wiki.pages.items()
        if each.container in names and (begins is None or each.at >= begins)
    }
    assert set(copied(mirror)) == expected
    assert state_of(mirror).incomplete == ()


def test_a_first_copy_that_shall_go_less_far_back_begins_again(tmp_path: Path) -> None:
    """It does not list what is no longer wanted."""
    wiki, clock = aged(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, scope=keeping(ALWAYS))
    wiki.fails_after = [1]
    updated(mirror, wiki, clock=clock)
    choose(mirror, scope=keeping(MONTH))
    updated(mirror, wiki, clock=clock)

    assert set(copied(mirror)) == {"DOC-2", "DOC-3"}
    assert state_of(mirror).containers[0].since == AT - MONTH


def test_older_items_are_copied_beside_the_changes(tmp_path: Path) -> None:
    """The copy stays current and usable however long the older ones take."""
    wiki, clock = aged(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, scope=keeping(MONTH))
    updated(mirror, wiki, clock=clock)
    choose(mirror, scope=keeping(ALWAYS))
    wiki.write("DOC-9", "tokens last", at=AT)
    wiki.fails_after = [100, 1]
    updated(mirror, wiki, clock=clock)
    mirrors = usable(mirror, wiki, clock)

    assert "DOC-9" in copied(mirror)
    assert [each.name for each in state_of(mirror).incomplete] == ["DOC"]
    assert "wiki" in mirrors
    assert not asyncio.run(mirrors.is_absent(page("DOC-7")))


def test_deletions_of_older_items_are_noticed(tmp_path: Path) -> None:
    """The next listing goes on where the copying of older items ended."""
    wiki, clock = aged(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, scope=keeping(MONTH))
    updated(mirror, wiki, clock=clock)
    choose(mirror, scope=keeping(ALWAYS))
    updated(mirror, wiki, clock=clock)
    wiki.delete("DOC-0")
    updated(mirror, wiki, clock=clock)

    assert copied(mirror) == there(wiki, "DOC")


def test_room_for_more_is_used(tmp_path: Path) -> None:
    """A larger budget brings back the items that a smaller one removed."""
    wiki, clock = Wiki(), VirtualClock(AT)
    for number in range(300):
        wiki.write(f"DOC-{number}", f"{number} " + "".join(map(chr, range(200, 1200))))
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    choose(mirror, scope=keeping(ALWAYS, budget=mirror.size // 2))
    updated(mirror, wiki, clock=clock)
    cut = len(copied(mirror))
    choose(mirror, scope=keeping(ALWAYS))
    updated(mirror, wiki, clock=clock)

    assert (cut < 300, len(copied(mirror)), state_of(mirror).cut_at) == (True, 300, None)


def test_a_copy_without_its_oldest_items_remembers_that(tmp_path: Path) -> None:
    """Also when a space is added: it is still full."""
    wiki, clock = Wiki(), VirtualClock(AT)
    for number in range(300):
        wiki.write(f"DOC-{number}", f"{number} " + "".join(map(chr, range(200, 1200))))
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    budget = mirror.size // 2
    choose(mirror, scope=keeping(ALWAYS, budget=budget))
    cut = state_of(mirror).cut_at
    choose(mirror, scope=MirrorScope(containers=("DOC", "OPS"), budget=budget))

    assert cut is not None
    assert state_of(mirror).cut_at == cut


def test_what_is_copied_stays_usable_while_a_space_is_added(tmp_path: Path) -> None:
    """Of the new space nothing is known to be missing until it is copied."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    wiki.write("OPS-1", "servers burn", container="OPS")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    choose(mirror, "DOC", "OPS")
    mirrors = usable(mirror, wiki, clock)

    assert mirrors.updated_at("wiki") == AT
    assert asyncio.run(mirrors.item(page("DOC-1"))) == wiki.item("DOC-1")
    assert asyncio.run(mirrors.is_absent(page("DOC-2")))
    assert not asyncio.run(mirrors.is_absent(page("OPS-1")))


def test_the_first_copy_of_an_account_is_usable_when_it_is_whole(tmp_path: Path) -> None:
    """Until then a search of the vendor finds more."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    wiki.write("OPS-1", "servers burn", container="OPS")
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    wiki.fails_after = [100, 0]
    updated(mirror, wiki, clock=clock)

    assert set(copied(mirror)) == {"DOC-1"}
    assert "wiki" not in usable(mirror, wiki, clock)


def test_what_is_copied_stays_current_while_a_space_is_added(tmp_path: Path) -> None:
    """Its changes come before the first copy of the new space, and a build lists no such space."""
    wiki, clock = Wiki(), VirtualClock(AT)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    choose(mirror, "AAA", "DOC")
    wiki.asked.clear()
    updated(mirror, wiki, FOR_A_BUILD, clock=clock)
    by_a_build = [*wiki.asked]
    updated(mirror, wiki, IN_BACKGROUND, clock=clock)

    assert by_a_build == ["DOC"]
    assert wiki.asked[1:] == ["DOC", "AAA"]


def test_an_added_space_makes_an_update_due(tmp_path: Path) -> None:
    """The server copies it at once; a mirror that has lost all its spaces is left alone."""
    wiki, clock, places = Wiki(), VirtualClock(AT), ProjectPaths.at(tmp_path)
    mirror = Mirror.of(places, "wiki")
    choose(mirror, "DOC")
    updated(mirror, wiki, clock=clock)
    before = is_update_due(places, ["wiki"], AT)
    choose(mirror, "DOC", "OPS")
    added = is_update_due(places, ["wiki"], AT)
    wiki.spaces = []
    updated(mirror, wiki, clock=clock)
    clock.advance(LOOK_EVERY.total_seconds())

    assert (before, added) == (False, True)
    assert not is_update_due(places, ["wiki"], clock.now())


def test_a_lost_space_is_remembered(tmp_path: Path) -> None:
    """Until a person copies it again."""
    wiki, clock = Wiki(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC", "OPS")
    updated(mirror, wiki, clock=clock)
    wiki.spaces = ["DOC"]
    updated(mirror, wiki, FOR_A_BUILD, clock=clock)
    lost = [(each.name, each.at) for each in state_of(mirror).lost]
    choose(mirror, "DOC", "OPS")

    assert lost == [("OPS", AT)]
    assert state_of(mirror).lost == ()


def test_a_failed_update_is_remembered(tmp_path: Path) -> None:
    """Until one succeeds: nobody reads what the server says."""
    wiki, clock = Wiki(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, clock=clock)
    wiki.refusal = LoginRefused("the token expired", account="wiki")
    updated(mirror, wiki, FOR_A_BUILD, clock=clock)
    failure = state_of(mirror).failure
    wiki.refusal = None
    updated(mirror, wiki, FOR_A_BUILD, clock=clock)

    assert failure is not None
    assert (failure.message, failure.at) == ("the token expired", AT)
    assert state_of(mirror).failure is None


def test_a_check_begins_where_the_scope_does(tmp_path: Path) -> None:
    """What a mirror no longer keeps is not listed again and again."""
    wiki, clock = aged(), VirtualClock(AT)
    mirror = mirror_of(tmp_path, scope=keeping(YEAR))
    updated(mirror, wiki, clock=clock)
    clock.advance(100 * 86_400)
    updated(mirror, wiki, clock=clock)
    wiki.write("DOC-9", "tokens last", at=clock.now())
    updated(mirror, wiki, clock=clock)

    assert state_of(mirror).containers[0].since == AT + timedelta(days=100) - YEAR
    assert set(copied(mirror)) == {"DOC-2", "DOC-3", "DOC-9"}
