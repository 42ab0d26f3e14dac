"""A build searches mirrors instead of vendors, and says so."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import pytest
from attrs import define
from tests.core.mirrored import AT, Page, Wiki

from rove.operations.mirror_status import MirrorStatuses, status_of
from rove.operations.source_search import sources_search
from rove_core import (
    Account,
    Clock,
    CommonSettings,
    Container,
    ContextItem,
    ItemRef,
    ListedChange,
    ListScope,
    LoginWay,
    MemoryStore,
    Project,
    SourceKind,
    Unavailable,
    hookimpl,
    open_project,
)
from rove_core.mirror.mirror import owner_of
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.update import MirrorUpdated
from rove_core.project.explain import explain
from rove_core.testing import VirtualClock

Result = TypeVar("Result")


def in_project(  # noqa: PLR0913  # each is a choice of its own
    folder: Path,
    wiki: Wiki,
    work: Callable[[Project], Awaitable[Result]],
    *,
    unlisted: str = "",
    unlisted_parts: str = "",
    mirror_terms: str = "",
    clock: Clock | None = None,
) -> Result:
    """Do something in a project that uses the wiki alone."""
    kind = SourceKind(
        name="wiki",
        title="Wiki",
        settings=CommonSettings,
        connect=lambda _account, _http: wiki,
        unlisted=unlisted,
        unlisted_parts=unlisted_parts,
        mirror_terms=mirror_terms,
        logins=(LoginWay(name="token", title="Token", fields=()),) if mirror_terms else (),
    )
    plugin = ModuleType("rove_wiki")
    plugin.rove_sources = hookimpl(lambda: [kind])  # type: ignore[attr-defined]  # a plugin
    account = Account(
        name="wiki",
        kind="wiki",
        settings=CommonSettings(),
        base_url="https://wiki.example",
        hosts=("wiki.example",),
    )

    async def done() -> Result:
        async with open_project(
            folder,
            accounts=[account],
            plugins=[plugin],
            credentials=MemoryStore(),
            clock=clock or VirtualClock(AT),
        ) as project:
            return await work(project)

    return asyncio.run(done())


async def copied(project: Project, *spaces: str) -> None:
    """Copy some spaces of the wiki, or all of it."""
    await chosen(project, *(spaces or ("DOC", "OPS")))
    await project.update_mirror("wiki")


async def chosen(project: Project, *names: str, keep: timedelta | None = None) -> None:
    """Choose some spaces of the wiki to be copied."""
    mirror = project.mirror("wiki")
    with mirror.writing() as writer:
        writer.choose(
            MirrorScope(containers=names, keep=keep),
            [Container(name=each) for each in names],
            owner=owner_of(project.account("wiki")),
            now=project.clock.now(),
        )


@define(eq=False)
class Silent(Wiki):
    """A wiki that does not answer, once it has a clock to wait on."""

    clock: Clock | None = None

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """List as the wiki does, or wait."""
        await self._wait()
        async for change in Wiki.rove_list(self, scope):
            yield change

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Read as the wiki does, or wait."""
        await self._wait()
        return await Wiki.rove_item_detail(self, ref)

    async def _wait(self) -> None:
        if self.clock:
            await self.clock.sleep(3.0)
            raise Unavailable("no network", account="wiki")


def wiki() -> Wiki:
    """Return a wiki with a few pages."""
    made = Wiki()
    made.write("DOC-1", "Rotate the signing keys of the session tokens")
    made.write("DOC-2", "We decided on DOC-1 to rotate the keys every 90 days")
    made.write("OPS-1", "The session tokens are signed by a key in the vault", container="OPS")
    made.write("OPS-2", "Lunch is at noon", container="OPS")
    return made


def test_a_build_asks_nobody(tmp_path: Path) -> None:
    """What names the ticket and what shares its words comes from the mirror alone."""
    source = wiki()

    async def work(project: Project) -> str:
        await copied(project)
        source.asked.clear()
        built = await project.build("DOC-1")
        assert built.failures == {}
        return built.document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work)

    assert (source.asked, source.read) == ([], [])
    assert "rotate the keys every 90 days" in text
    assert "local copy of 09:00 UTC" in text


def test_the_table_says_what_a_copy_lacks(tmp_path: Path) -> None:
    """What only a search of the vendor would find was not searched for."""

    async def work(project: Project) -> str:
        await copied(project)
        return (await project.build("DOC-1")).document.path.read_text("utf-8")

    text = in_project(tmp_path, wiki(), work, unlisted="old revisions")

    assert "local copy of 09:00 UTC without old revisions |" in text


def test_the_table_says_which_space_is_not_copied_yet(tmp_path: Path) -> None:
    """The page of such a space that the ticket names is read at the vendor."""
    source = wiki()
    source.write("DOC-1", "Rotate the signing keys as OPS-1 says")

    async def work(project: Project) -> str:
        await copied(project, "DOC")
        await chosen(project, "DOC", "OPS")
        source.asked.clear()
        return (await project.build("DOC-1")).document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work, unlisted="old revisions")

    assert "local copy of 09:00 UTC without old revisions, OPS |" in text
    assert (source.asked, source.read) == ([], ["OPS-1"])


def test_the_table_says_how_much_of_an_account_is_copied(tmp_path: Path) -> None:
    """While a copy is used, nothing else of its account is searched."""

    async def work(project: Project) -> str:
        await chosen(project, "DOC", keep=timedelta(days=20))
        await project.update_mirror("wiki")
        return (await project.build("DOC-1")).document.path.read_text("utf-8")

    text = in_project(tmp_path, wiki(), work)

    assert "local copy of 09:00 UTC of 1 of 2 containers, last 20 days |" in text


def test_a_new_space_shows_in_the_table(tmp_path: Path) -> None:
    """A copy of everything is one of a part as soon as the account may read more."""
    source = wiki()

    async def work(project: Project) -> str:
        await copied(project)
        source.spaces.append("NEW")
        with project.mirror("wiki").writing() as writer:
            writer.db.execute("DELETE FROM facts WHERE name = 'looked_at'")
        await project.update_mirror("wiki")
        return (await project.build("DOC-1")).document.path.read_text("utf-8")

    assert "UTC of 2 of 3 containers |" in in_project(tmp_path, source, work)


def test_a_build_reads_the_parts_of_its_ticket_that_no_listing_brings(tmp_path: Path) -> None:
    """Of other items it reads none, and says so."""
    source = wiki()

    async def work(project: Project) -> str:
        await copied(project)
        source.read.clear()
        return (await project.build("DOC-1")).document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work, unlisted_parts="old revisions")

    assert source.read == ["DOC-1"]
    assert "local copy of 09:00 UTC without old revisions |" in text


def test_offline_the_copy_of_a_ticket_is_enough(tmp_path: Path) -> None:
    """A build is complete without the parts that no listing brings."""
    source = wiki()

    async def work(project: Project) -> str:
        await copied(project)
        source.is_away = True
        built = await project.build("DOC-1")
        assert built.failures == {}
        return built.document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work, unlisted_parts="old revisions")

    assert "rotate the keys every 90 days" in text


def test_the_ticket_counts_among_the_requests_of_a_build(tmp_path: Path) -> None:
    """Three requests of the ticket leave one for other items that the copy lacks."""
    source = wiki()
    source.requests_of_item = 3
    source.write("DOC-9", "OPS-1 OPS-2")

    async def work(project: Project) -> None:
        await copied(project, "DOC")
        source.requests = 0
        await project.build("DOC-9")

    in_project(tmp_path, source, work, unlisted_parts="old revisions")

    assert source.requests == 4


def test_a_copy_of_another_login_is_not_updated(tmp_path: Path) -> None:
    """This login may read what that one may not, and the other way round."""
    source = wiki()

    async def work(project: Project) -> MirrorUpdated:
        await copied(project)
        with project.mirror("wiki").writing() as writer:
            spaces = [Container(name="DOC")]
            scope = MirrorScope(containers=("DOC",))
            writer.choose(scope, spaces, owner="https://wiki.example bo", now=project.clock.now())
        source.asked.clear()
        return await project.update_mirror("wiki")

    done = in_project(tmp_path, source, work)

    assert source.asked == []
    assert done.failure
    assert done.failure.message == "wiki: its copy was made with another login"


def test_the_status_says_what_a_copy_lacks(tmp_path: Path) -> None:
    """In the words of the table of sources."""

    async def work(project: Project) -> str:
        await copied(project)
        return MirrorStatuses(mirrors=(status_of(project, project.mirror("wiki")),)).show()

    shown = in_project(tmp_path, wiki(), work, unlisted="old revisions")

    assert shown.endswith("Space OPS, without old revisions")


def test_a_build_reads_few_items_that_no_mirror_has(tmp_path: Path) -> None:
    """A ticket may name many items of other places: each of them would cost requests."""
    source = wiki()
    source.write("DOC-9", " ".join(f"OPS-{number}" for number in range(1, 8)))

    async def work(project: Project) -> None:
        await copied(project, "DOC")
        source.read.clear()
        await project.build("DOC-9")

    in_project(tmp_path, source, work)

    assert sorted(source.read) == ["OPS-1", "OPS-2", "OPS-3"]


def test_a_build_reads_all_named_items_that_a_mirror_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They cost no request, however many they are, and whether or not a search finds them."""
    for name in ("MOST_ABOUT", "MOST_NEAR", "MOST_OF_PEOPLE"):
        monkeypatch.setattr(f"rove_core.mirror.mirrors.{name}", 0)
    source = wiki()
    names = {f"OPS-{number}" for number in range(10, 18)}
    for name in names:
        source.write(name, "Lunch is at noon", container="OPS")
    source.write("DOC-9", f"See {' '.join(names)}")

    async def work(project: Project) -> set[str]:
        await copied(project)
        source.read.clear()
        await project.build("DOC-9")
        return {each.id for each in (await explain(project, ticket="DOC-9")).items}

    found = in_project(tmp_path, source, work)

    assert (found, source.read) == (names, [])


@pytest.mark.parametrize(("requests", "items"), [(1, 3), (2, 2), (3, 1), (9, 1)])
def test_a_build_makes_few_requests_for_what_no_mirror_has(
    requests: int, items: int, tmp_path: Path
) -> None:
    """Of items that take several requests it reads fewer: all together take four at most."""
    source = wiki()
    source.requests_of_item = requests
    source.write("DOC-9", " ".join(f"OPS-{number}" for number in range(1, 8)))

    async def work(project: Project) -> None:
        await copied(project, "DOC")
        source.read.clear()
        await project.build("DOC-9")

    in_project(tmp_path, source, work)

    assert len(source.read) == items
    assert source.requests == min(4, requests * items)


def test_a_document_names_what_takes_too_many_requests(tmp_path: Path) -> None:
    """An item outside the copies that takes more requests than a build makes is not read."""
    source = wiki()
    source.requests_of_item = 5
    source.write("DOC-9", "See OPS-1")

    async def work(project: Project) -> tuple[str, dict[str, str]]:
        await copied(project, "DOC")
        built = await project.build("DOC-9")
        return built.document.path.read_text("utf-8"), dict(built.failures)

    text, failures = in_project(tmp_path, source, work)

    assert "Note: Not in the local copies, and not read: Wiki OPS-1." in text
    assert failures == {}


def test_a_build_without_a_network_is_complete(tmp_path: Path) -> None:
    """What lies outside the copies is listed as not read, which is no failure of its account."""
    source = wiki()
    source.write("DOC-9", "See OPS-1 and OPS-2")

    async def work(project: Project) -> tuple[str, dict[str, str]]:
        await copied(project, "DOC")
        source.is_away = True
        built = await project.build("DOC-9")
        return built.document.path.read_text("utf-8"), dict(built.failures)

    text, failures = in_project(tmp_path, source, work)

    assert "Note: Not in the local copies, and not read: Wiki OPS-1, OPS-2." in text
    assert "failed" not in text
    assert failures == {}


@pytest.mark.parametrize("is_refresh", [False, True])
def test_what_could_not_be_reached_is_read_later(tmp_path: Path, *, is_refresh: bool) -> None:
    """By a build after 15 minutes, or by a refresh at once; then the note is gone."""
    source = wiki()
    source.write("DOC-9", "See OPS-1")

    async def work(project: Project) -> tuple[str, set[str]]:
        await copied(project, "DOC")
        source.is_away = True
        await project.build("DOC-9")
        source.is_away = False
        if is_refresh:
            built = await project.refresh("DOC-9")
        else:
            await project.clock.sleep(15 * 60)
            built = await project.build("DOC-9")
        found = {each.id for each in (await explain(project, ticket="DOC-9")).items}
        return built.document.path.read_text("utf-8"), found

    text, found = in_project(tmp_path, source, work)

    assert "OPS-1" in found
    assert "not read" not in text


@pytest.mark.parametrize("requests", [1, 5])
def test_no_build_soon_repeats_a_read_that_failed(requests: int, tmp_path: Path) -> None:
    """Neither one of the same ticket nor one of another; its document has the note as well."""
    source = wiki()
    source.requests_of_item = requests
    source.is_away = requests == 1
    source.write("DOC-8", "See OPS-1")
    source.write("DOC-9", "See OPS-1")

    async def work(project: Project) -> str:
        await copied(project, "DOC")
        await project.build("DOC-8")
        source.read.clear()
        await project.build("DOC-8")
        await project.clock.sleep(14 * 60)
        return (await project.build("DOC-9")).document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work)

    assert source.read == []
    assert "Note: Not in the local copies, and not read: Wiki OPS-1." in text


def test_no_build_of_a_day_repeats_a_read_of_what_is_missing(tmp_path: Path) -> None:
    """What the vendor lacks needs no note."""
    source = wiki()
    source.write("DOC-8", "See OPS-7")
    source.write("DOC-9", "See OPS-7")

    async def work(project: Project) -> str:
        await copied(project, "DOC")
        await project.build("DOC-8")
        source.read.clear()
        await project.clock.sleep(23 * 3600)
        return (await project.build("DOC-9")).document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work)

    assert "OPS-7" not in source.read
    assert "not read" not in text


def test_a_document_names_what_comes_after_the_third(tmp_path: Path) -> None:
    """A build reads three items outside the copies; of the others it names ten."""
    source = wiki()
    named = [f"OPS-{number}" for number in range(101, 116)]
    source.write("DOC-9", " ".join(named))
    for name in named:
        source.pages[name] = Page("OPS", "Lunch is at noon", AT)

    async def work(project: Project) -> str:
        await copied(project, "DOC")
        return (await project.build("DOC-9")).document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work)

    assert (
        f"Note: Not in the local copies, and not read: Wiki {', '.join(named[3:13])}, 2 more."
        in text
    )


def test_further_builds_read_what_comes_after_the_third(tmp_path: Path) -> None:
    """Each goes on with the items that were not read yet, until nothing is left to note."""
    source = wiki()
    named = [f"OPS-{number}" for number in range(101, 106)]
    source.write("DOC-9", " ".join(named))
    for name in named:
        source.pages[name] = Page("OPS", "Lunch is at noon", AT - timedelta(days=90))

    async def work(project: Project) -> str:
        await copied(project, "DOC")
        await project.build("DOC-9")
        return (await project.build("DOC-9")).document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work)

    assert sorted(source.read) == named
    assert "not read" not in text


def test_a_build_brings_its_mirror_up_to_date(tmp_path: Path) -> None:
    """One that was not looked at for some minutes is, and what came since is found."""
    source = wiki()

    async def work(project: Project) -> str:
        await copied(project)
        await project.clock.sleep(600)
        source.write("DOC-3", "DOC-1 is done: the keys are rotated", at=project.clock.now())
        return (await project.build("DOC-1")).document.path.read_text("utf-8")

    text = in_project(tmp_path, source, work)

    assert "the keys are rotated" in text
    assert "local copy of 09:10 UTC" in text


def test_a_refresh_brings_what_was_just_changed(tmp_path: Path) -> None:
    """Although the copy is current."""
    source = wiki()

    async def work(project: Project) -> str:
        await copied(project)
        await project.build("DOC-1")
        await project.clock.sleep(60)
        source.write("DOC-3", "DOC-1 is done: the keys are rotated", at=project.clock.now())
        return (await project.refresh("DOC-1")).document.path.read_text("utf-8")

    assert "the keys are rotated" in in_project(tmp_path, source, work)


def test_a_build_waits_once_for_a_vendor_that_does_not_answer(tmp_path: Path) -> None:
    """For changes of the copy and the ticket's other parts together, 3 seconds at most."""
    source = Silent()

    async def work(project: Project) -> float:
        source.write("DOC-1", "Rotate the signing keys")
        await copied(project)
        await project.clock.sleep(600)
        source.clock, began = project.clock, project.clock.monotonic()
        await project.build("DOC-1")
        return project.clock.monotonic() - began

    assert in_project(tmp_path, source, work, unlisted_parts="old revisions") < 3.5


def test_a_stopped_mirror_is_not_used(tmp_path: Path) -> None:
    """The vendor is asked as before, whatever is copied."""
    source = wiki()

    async def work(project: Project) -> dict[str, str]:
        await copied(project)
        with project.mirror("wiki").writing() as writer:
            writer.set_running(running=False)
        return dict((await project.build("DOC-1")).failures)

    assert in_project(tmp_path, source, work) == {"wiki": "nobody may search here"}


def test_what_may_not_be_stored_is_not(tmp_path: Path) -> None:
    """A secret in an item is no longer there when the item is."""
    source = Wiki()
    source.write("DOC-1", "password: wombat-Secret-9481")

    async def work(project: Project) -> bytes:
        await copied(project)
        folder = project.mirror("wiki").path.parent
        return b"".join(each.read_bytes() for each in folder.iterdir())

    assert b"wombat" not in in_project(tmp_path, source, work)


def test_a_mirror_can_be_searched(tmp_path: Path) -> None:
    """By words, whatever their ending, and nobody is asked."""
    source = wiki()

    async def work(project: Project) -> list[str]:
        await copied(project)
        source.asked.clear()
        found = await sources_search(project, account="wiki", query="rotating key", local=True)
        return [item.ref.id for item in found.items]

    assert sorted(in_project(tmp_path, source, work)) == ["DOC-1", "DOC-2"]
    assert source.asked == []
