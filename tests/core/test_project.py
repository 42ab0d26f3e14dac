"""Rove as a library: one object, nothing of the user's needed, nothing left behind."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    Event,
    ItemNotFound,
    ItemRef,
    Locked,
    PluginFailed,
    Project,
    Query,
    Section,
    SourceHooks,
    SourceKind,
    Unavailable,
    UnknownAccount,
    WrongCall,
    hookimpl,
    open_project,
    run,
)
from rove_core.auth.credentials import MemoryStore
from rove_core.build.requests import BuildResult
from rove_core.store.tasks import TaskState, list_tasks
from rove_core.testing import VirtualClock

#: What the sources of these tests hold: a ring of references that leads four hops deep.
TEXTS = {
    "T-1": "The ticket itself. See T-3.",
    "T-2": "About T-1: agreed in the meeting.",
    "T-3": "Needs T-4 first.",
    "T-4": "Follows from T-5.",
    "T-5": "And back to T-1.",
}


class Pages(SourceHooks):
    """Pages that refer to each other."""

    def __init__(self, account: str, texts: dict[str, str]) -> None:
        self._account = account
        self._texts = texts

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the pages in which the text occurs."""
        for name, text in self._texts.items():
            if query.text in text:
                yield self._item(name)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a page."""
        match ref.id:
            case "T-DOWN":
                raise Unavailable("the wiki is down")
            case "T-SLOW":
                await asyncio.Event().wait()
        if ref.id not in self._texts:
            raise ItemNotFound(f"no page {ref.id}")
        return self._item(ref.id)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a page is a page anywhere
        """Return the pages that are named."""
        words = (word.strip(".,:") for word in text.split())
        return [self._ref(word) for word in words if word.startswith("T-")]

    def _ref(self, name: str) -> ItemRef:
        # What another ticket names is its own matter; what a page names is followed.
        kind = "page" if name == "T-3" else "ticket"
        return ItemRef(
            account=self._account, kind=kind, id=name, url=f"https://wiki.example/{name}"
        )

    def _item(self, name: str) -> ContextItem:
        at = datetime(2026, 1, len(self._texts[name]) % 28 + 1, tzinfo=UTC)
        return ContextItem(
            ref=self._ref(name),
            source="Wiki",
            role="page",
            title=f"Page {name}",
            content=self._texts[name],
            timestamp=at,
            author="Ada",
        )


def wiki(texts: dict[str, str] = TEXTS, *, pages: type[Pages] = Pages) -> ModuleType:
    """Return a plugin that brings the pages."""

    @hookimpl
    def rove_sources() -> list[SourceKind[CommonSettings]]:
        return [
            SourceKind(
                name="wiki",
                title="Wiki",
                settings=CommonSettings,
                connect=lambda account, _: pages(account.name, texts),
                id_pattern=r"T-\w+",
            )
        ]

    module = ModuleType("wiki")
    vars(module)["rove_sources"] = rove_sources
    return module


@asynccontextmanager
async def opened(
    path: Path,
    *plugins: ModuleType,
    accounts: Sequence[str] = ("wiki",),
    heard: list[Event] | None = None,
) -> AsyncIterator[Project]:
    """Open a project that needs nothing but its folder."""
    async with open_project(
        path,
        plugins=plugins or (wiki(),),
        accounts=[Account(name=name, kind="wiki", settings=CommonSettings()) for name in accounts],
        credentials=MemoryStore(),
        clock=VirtualClock(),
        on_event=([] if heard is None else heard).append,
    ) as project:
        yield project


async def text_of(path: Path, ticket: str, *plugins: ModuleType) -> str:
    """Build a ticket and return its document."""
    async with opened(path, *plugins) as project:
        return (await project.build(ticket)).document.path.read_text("utf-8")


async def begun(project: Project, ticket: str) -> asyncio.Task[BuildResult]:
    """Begin a build, and return it as soon as it is in the index."""
    build = asyncio.create_task(project.build(ticket))
    while not await project.store.read(list_tasks):
        assert not build.done()
    return build


class Unreadable(Pages):
    """The same pages, in which nothing can be recognised."""

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Stumble."""
        raise ValueError("no such page")


@pytest.mark.anyio
async def test_ticket_that_a_broken_source_may_know(tmp_path: Path) -> None:
    """Nobody knows the ticket, and it is said whose source failed when it was asked."""
    async with opened(tmp_path, wiki(pages=Unreadable)) as project:
        with pytest.raises(ItemNotFound) as caught:
            await project.build("T-99")

    assert caught.value.message == (
        "wiki has no ticket T-99; wiki: rove_recognise: ValueError: no such page"
    )
    assert caught.value.hint == "Report it to the plugin's author; see: rove --source-plugins"


class Addressed(Pages):
    """The same pages, recognised by their addresses alone."""

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Return the pages whose addresses stand in a text."""
        named = text.partition("https://wiki.example/")[2].split()
        return [self._ref(named[0])] if named else []


@pytest.mark.anyio
@pytest.mark.parametrize("typed", ["https://wiki.example/T-1", "T-1", "t-1"])
async def test_a_ticket_by_its_address_or_by_an_id_of_a_new_project(
    tmp_path: Path, typed: str
) -> None:
    """A pasted address is one; an id that looks right and is not recognised is asked for."""
    async with opened(tmp_path, wiki(pages=Addressed)) as project:
        built = await project.build(typed)

    assert built.document.ticket_id == "T-1"


@pytest.mark.anyio
async def test_an_id_that_nobody_has(tmp_path: Path) -> None:
    """It is not found once the account was asked; that one is down is said."""
    async with opened(tmp_path, wiki(pages=Addressed)) as project:
        with pytest.raises(ItemNotFound, match=r"^wiki has no ticket T-99$"):
            await project.build("T-99")
        with pytest.raises(ItemNotFound, match="not asked: the wiki is down"):
            await project.build("T-DOWN")


@pytest.mark.anyio
async def test_nothing_is_written_elsewhere(tmp_path: Path) -> None:
    """A program that brings its own accounts and logins touches only the project's folder."""
    before = sorted(Path.home().rglob("*"))

    await text_of(tmp_path, "T-1")

    assert before == sorted(Path.home().rglob("*"))


@pytest.mark.anyio
async def test_references_are_followed(tmp_path: Path) -> None:
    """The second hop is what the found ones name, the third what those name."""
    text = await text_of(tmp_path, "T-1")

    assert "Needs T-4 first." in text
    assert "Follows from T-5." in text


@pytest.mark.anyio
async def test_hops_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``max_hops`` 1 only what names the ticket is found, not what the ticket names."""
    monkeypatch.setenv("ROVE_AI_MAX_HOPS", "1")

    text = await text_of(tmp_path, "T-1")

    assert "agreed in the meeting" in text
    assert "Needs T-4 first." not in text


@pytest.mark.anyio
async def test_events_tell_how_far_it_is(tmp_path: Path) -> None:
    """Whoever listens is told each step; the last is the writing."""
    heard: list[Event] = []

    async with opened(tmp_path, heard=heard) as project:
        await project.build("T-1")

    stages = [event.stage for event in heard]
    assert list(dict.fromkeys(stages)) == ["ticket", "search", "hop", "read", "write"]


@pytest.mark.anyio
async def test_a_build_is_a_task(tmp_path: Path) -> None:
    """A build is in the index as a task that is done."""
    async with opened(tmp_path) as project:
        await project.build("T-1")
        (task,) = await project.store.read(list_tasks)

    assert (task.state, task.operation) == (TaskState.DONE, "build")


@pytest.mark.anyio
async def test_a_failed_build_says_why(tmp_path: Path) -> None:
    """A ticket that cannot be read fails its task, with the error's code."""
    async with opened(tmp_path) as project:
        with pytest.raises(Unavailable):
            await project.build("T-DOWN")
        (task,) = await project.store.read(list_tasks)

    assert task.state is TaskState.FAILED
    assert isinstance(task.error, dict)
    assert task.error["code"] == "ROVE-NET-001"


@pytest.mark.anyio
async def test_cancelling_cancels(tmp_path: Path) -> None:
    """Who cancels a build stops it at once, and its task is cancelled."""
    async with opened(tmp_path) as project:
        build = await begun(project, "T-SLOW")
        build.cancel()
        with pytest.raises(asyncio.CancelledError):
            await build
        (task,) = await project.store.read(list_tasks)

    assert task.state is TaskState.CANCELLED


@pytest.mark.anyio
async def test_the_same_build_runs_once(tmp_path: Path) -> None:
    """Two builds of one ticket do not run at a time."""
    async with opened(tmp_path) as project:
        first = await begun(project, "T-SLOW")
        with pytest.raises(Locked):
            await project.build("T-SLOW")
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)


@pytest.mark.anyio
async def test_two_projects_share_nothing(tmp_path: Path) -> None:
    """Two projects in one process have their own plugins, accounts and documents."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()

    async with opened(one) as first, opened(two, wiki({"T-1": "another wiki"})) as second:
        written = [(await project.build("T-1")).document.path for project in (first, second)]

    assert [one, two] == [path.parent.parent for path in written]
    assert "another wiki" not in written[0].read_text("utf-8")


@pytest.mark.anyio
async def test_names_stay(tmp_path: Path) -> None:
    """A document's name is fixed when it is first written, whatever its words become."""
    async with opened(tmp_path) as project:
        before = (await project.build("T-1")).document
    async with opened(tmp_path, wiki({"T-1": "quite other words now"})) as project:
        after = (await project.build("T-1")).document

    assert before.path == after.path
    assert before.keywords != after.keywords


@pytest.mark.anyio
async def test_no_account_at_all(tmp_path: Path) -> None:
    """Without an account there is no ticket, and the next command is named."""
    async with opened(tmp_path, accounts=()) as project:
        with pytest.raises(UnknownAccount, match="no source") as error:
            await project.build("T-1")

    assert "rove --add-source" in error.value.hint


@pytest.mark.anyio
async def test_a_plugin_may_drop_an_item(tmp_path: Path) -> None:
    """What a plugin's filter drops is in no document."""
    guard = ModuleType("guard")

    @hookimpl
    def rove_filter_item(item: ContextItem) -> ContextItem | None:
        return None if "meeting" in item.content else item

    vars(guard)["rove_filter_item"] = rove_filter_item

    assert "agreed in the meeting" not in await text_of(tmp_path, "T-1", wiki(), guard)


@pytest.mark.anyio
async def test_a_plugin_may_add_a_section(tmp_path: Path) -> None:
    """What a plugin adds stands in the document; one that fails costs its own section alone."""
    good, bad = ModuleType("good"), ModuleType("bad")

    @hookimpl
    async def criteria(ticket: ContextItem) -> Sequence[Section]:
        return [Section(heading="Acceptance Criteria", content=f"- {ticket.title} is done")]

    @hookimpl
    async def nothing() -> Sequence[Section]:
        raise ValueError("no criteria today")

    vars(good)["rove_sections"], vars(bad)["rove_sections"] = criteria, nothing
    text = await text_of(tmp_path, "T-1", wiki(), bad, good)

    assert "## Acceptance Criteria\n\n- Page T-1 is done" in text


@pytest.mark.anyio
async def test_run_inside_a_loop() -> None:
    """``run`` inside a running loop is refused with what to do instead."""

    async def work() -> int:
        return 1

    with pytest.raises(WrongCall, match="running event loop"):
        run(work())


def test_run_outside_a_loop() -> None:
    """``run`` returns what the coroutine returns."""

    async def work() -> int:
        return 1

    assert run(work()) == 1


@pytest.mark.anyio
async def test_an_account_twice(tmp_path: Path) -> None:
    """An account cannot be connected twice."""
    with pytest.raises(PluginFailed, match="already connected"):
        async with opened(tmp_path, accounts=("wiki", "wiki")):
            pass


@pytest.mark.anyio
async def test_a_kind_of_which_there_are_two(tmp_path: Path) -> None:
    """A kind of source stands for its only account; of two, one must be named."""
    async with opened(tmp_path, accounts=("wiki", "wiki:work")) as project:
        work = (await project.build("T-1", source="wiki:work")).document
        with pytest.raises(UnknownAccount, match="no account 'mail'"):
            await project.build("T-1", source="mail")

    assert work.account == "wiki:work"
