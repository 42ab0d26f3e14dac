"""A document says that its account was not reached, and verifies against what it quotes."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from attrs import evolve
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror_builds import copied, in_project, wiki

from rove.operations.verify import verify
from rove_core import (
    Container,
    Identity,
    ItemRef,
    LoginRefused,
    Project,
    RoveError,
    TimedOut,
    Unavailable,
    hookimpl,
)
from rove_core.events import Event
from rove_core.mirror.scope_choice import meant_containers
from rove_core.store.account_removal import forget_unquoted
from rove_core.store.document_items import read_searches
from rove_core.store.items import read_items
from rove_core.testing import VirtualClock

TEN_MINUTES = 600.0
YEAR = 365 * 86_400.0


def with_dishes() -> Wiki:
    """Return a wiki with more pages than a document quotes."""
    source = wiki()
    for number in range(10, 40):
        source.write(f"OPS-{number}", f"Dish {number}", container="OPS")
    return source


def refreshed(folder: Path, source: Wiki) -> tuple[str, list[Event]]:
    """Refresh a document ten minutes after its copy was updated; return it, and what was told."""
    told: list[Event] = []

    async def work(project: Project) -> str:
        await copied(project)
        await project.build("DOC-1")
        await project.clock.sleep(TEN_MINUTES)
        source.refusal = Unavailable("no answer", account="wiki")
        project.tasks.on_event = told.append
        built = await project.refresh("DOC-1")
        return built.document.path.read_text("utf-8")

    return in_project(folder, source, work), told


def test_the_table_says_that_an_account_was_not_reached(tmp_path: Path) -> None:
    """Nobody may take a document from an old copy for one without news."""
    text, _ = refreshed(tmp_path, wiki())

    assert "| 2026-03-01, not reached, local copy of 09:00 UTC |" in text


def test_a_person_learns_that_an_account_was_not_reached(tmp_path: Path) -> None:
    """While the document is refreshed, with the time of the copy."""
    _, told = refreshed(tmp_path, wiki())

    notes = [each.note for each in told if each.stage == "copy"]
    assert notes == ["not reached; from the copy of 2026-03-01 09:00 UTC"]


def test_a_program_learns_it_too(tmp_path: Path) -> None:
    """From the notes of the result."""
    source = wiki()

    async def work(project: Project) -> tuple[str, ...]:
        await copied(project)
        await project.clock.sleep(TEN_MINUTES)
        source.is_away, source.refusal = True, Unavailable("no answer", account="wiki")
        return (await project.build("DOC-1")).notes

    notes = in_project(tmp_path, source, work)

    assert notes == ("wiki not reached; from the copy of 2026-03-01 09:00 UTC",)


class TickingClock(VirtualClock):
    """A clock that advances by a millisecond whenever it is read, as real ones do."""

    def now(self) -> datetime:
        """Return the time of day."""
        self.advance(0.001)
        return super().now()


def test_an_account_that_answered_was_reached(tmp_path: Path) -> None:
    """The copy is then newer than the beginning of the refresh."""
    told = list[Event]()

    async def work(project: Project) -> str:
        await copied(project)
        await project.build("DOC-1")
        await project.clock.sleep(TEN_MINUTES)
        project.tasks.on_event = told.append
        built = await project.refresh("DOC-1")
        return built.document.path.read_text("utf-8")

    text = in_project(tmp_path, wiki(), work, clock=TickingClock(AT))

    assert "not reached" not in text
    assert [each.note for each in told if each.stage == "copy"] == []


@pytest.mark.parametrize(
    ("edited", "states"), [(False, ["fresh", "fresh"]), (True, ["fresh", "changed"])]
)
def test_what_a_copy_lacks_is_no_change(tmp_path: Path, *, edited: bool, states: list[str]) -> None:
    """Verifying reads items in full, with parts that no listing brings: only edits are changes."""
    source = wiki()
    source.parts["DOC-2"] = "Linked pages: The key schedule"

    async def work(project: Project) -> list[str]:
        await copied(project)
        await project.build("DOC-1")
        if edited:
            source.write("DOC-2", "We decided on DOC-1 to rotate the keys every 90 days, or sooner")
        verified = await verify(project, ticket="DOC-1")
        return [each.state for each in verified.items if each.id in {"DOC-1", "DOC-2"}]

    assert in_project(tmp_path, source, work, unlisted_parts="linked pages") == states


@pytest.mark.parametrize("is_gone", [False, True])
def test_verifying_corrects_a_copy(tmp_path: Path, *, is_gone: bool) -> None:
    """By an edit, or a deletion, that its vendor does not report."""
    source, edited = wiki(), "We decided on DOC-1 to rotate the keys every 9 days"

    async def work(project: Project) -> str | None:
        await copied(project)
        await project.build("DOC-1")
        if is_gone:
            del source.pages["DOC-2"]
        else:
            source.pages["DOC-2"] = evolve(source.pages["DOC-2"], text=edited)
        await verify(project, ticket="DOC-1")
        ref = ItemRef(account="wiki", kind="page", id="DOC-2", url="")
        found = await (await project.open_mirrors(update=False)).item(ref)
        return found.content if found else None

    assert in_project(tmp_path, source, work) == (None if is_gone else edited)


class Lapsed(Wiki):
    """A wiki that calls everything unknown to a login that has lapsed."""

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Refuse the login."""
        raise LoginRefused("log in again", account="wiki")


def test_verifying_with_a_lapsed_login_removes_nothing(tmp_path: Path) -> None:
    """What it may not see any more is not gone."""
    source = Lapsed(pages=wiki().pages)

    async def work(project: Project) -> bool:
        for name, page in source.pages.items():
            source.write(name, page.text, at=page.at)
        await copied(project)
        await project.build("DOC-1")
        del source.pages["DOC-2"]
        await verify(project, ticket="DOC-1")
        ref = ItemRef(account="wiki", kind="page", id="DOC-2", url="")
        return await (await project.open_mirrors(update=False)).has(ref)

    assert in_project(tmp_path, source, work)


def test_a_removed_account_leaves_only_quotes_in_an_index(tmp_path: Path) -> None:
    """What no document quotes is erased from the file, its free pages and its log."""

    async def work(project: Project) -> Path:
        await copied(project)
        await project.build("DOC-1")
        return project.places.index

    index = in_project(tmp_path, with_dishes(), work)
    found = b"".join(each.read_bytes() for each in index.parent.glob("index.db*"))
    forget_unquoted(index, "wiki")
    left = b"".join(each.read_bytes() for each in index.parent.glob("index.db*"))

    assert (b"Dish 39" in found, b"Dish 39" in left) == (True, False)
    assert b"rotate the keys every 90 days" in left


def test_a_build_keeps_nothing_of_a_copy_that_is_dropped_meanwhile(tmp_path: Path) -> None:
    """What it stores after that goes again at its end; its quotes stay."""

    async def work(project: Project) -> tuple[str, bytes]:
        await copied(project)

        def drop(event: Event) -> None:
            if event.stage == "write":
                project.mirror("wiki").drop()

        project.tasks.on_event = drop
        built = await project.build("DOC-1")
        index = project.places.rove.glob("index.db*")
        return built.document.path.read_text("utf-8"), b"".join(each.read_bytes() for each in index)

    document, index = in_project(tmp_path, with_dishes(), work)

    assert "rotate the keys every 90 days" in document
    assert (b"rotate the keys every 90 days" in index, b"Dish 39" in index) == (True, False)


def test_what_was_erased_is_searched_for_again(tmp_path: Path) -> None:
    """The index no longer knows of earlier searches, nor since when nothing is new."""

    async def work(project: Project) -> list[int]:
        await copied(project)
        await project.build("DOC-1")
        before = await project.store.read(read_searches, "wiki", "DOC-1")
        forget_unquoted(project.places.index, "wiki")
        after = await project.store.read(read_searches, "wiki", "DOC-1")
        return [len(before), len(after)]

    assert in_project(tmp_path, with_dishes(), work) == [1, 0]


@pytest.mark.parametrize("way", ["deleted", "lost"])
def test_what_is_gone_from_a_copy_leaves_the_index(tmp_path: Path, *, way: str) -> None:
    """With the next build of a document that found it and does not quote it."""
    source = with_dishes()
    dish = ItemRef(account="wiki", kind="page", id="OPS-39")

    async def work(project: Project) -> list[int]:
        await copied(project)
        await project.build("DOC-1")
        before = await project.store.read(read_items, [dish])
        source.delete("OPS-39")
        source.spaces = ["DOC", "OPS"] if way == "deleted" else ["DOC"]
        await project.update_mirror("wiki")
        await project.build("DOC-1")
        after = await project.store.read(read_items, [dish])
        return [len(before), len(after)]

    assert in_project(tmp_path, source, work) == [1, 0]


def test_a_quote_that_is_gone_from_a_copy_is_marked(tmp_path: Path) -> None:
    """However old it is, by the next build; later ones do not read it again."""
    source = wiki()

    async def work(project: Project) -> str:
        await copied(project)
        await project.build("DOC-1")
        await project.clock.sleep(YEAR)
        source.delete("OPS-1")
        await project.update_mirror("wiki")
        await project.build("DOC-1")
        built = await project.build("DOC-1")
        return built.document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work)

    assert "signed by a key in the vault" in text
    assert "(no longer at the source, Mar 1, 2027)" in text
    assert source.read == ["OPS-1"]


def test_a_container_that_is_not_listed_can_be_named(tmp_path: Path) -> None:
    """An account may read more than it lists."""

    class Hiding(Wiki):
        @hookimpl
        async def rove_readable(self, names: Sequence[str]) -> Sequence[Container]:
            return [Container(name=each) for each in names if each == "HID"]

    async def work(project: Project) -> list[str]:
        listed = await project.accounts.containers("wiki")
        meant = await meant_containers(project, "wiki", listed, ["HID", "DOC"])
        return [each.name for each in meant]

    assert in_project(tmp_path, Hiding(), work) == ["HID", "DOC"]


@pytest.mark.parametrize(("failure", "is_told"), [(Unavailable, True), (TimedOut, False)])
def test_the_status_says_when_a_vendor_was_not_reached(
    tmp_path: Path, failure: type[RoveError], *, is_told: bool
) -> None:
    """A call that only had too little time left is no failure."""
    source = wiki()

    async def work(project: Project) -> bool:
        await copied(project)
        source.refusal = failure("no answer", account="wiki")
        await project.update_mirror("wiki")
        state = project.mirror("wiki").state()
        return bool(state and state.failure)

    assert in_project(tmp_path, source, work) == is_told
