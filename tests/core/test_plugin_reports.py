"""What a plugin does wrong stands in the document, by name; nobody else is blamed."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest

from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    ItemNotFound,
    ItemRef,
    Link,
    MemoryStore,
    Query,
    Section,
    SourceHooks,
    SourceKind,
    hookimpl,
    open_project,
)
from rove_core.build.requests import BuildResult
from rove_core.plugins.kept_off import KeptOff
from rove_core.plugins.limits import MOST_LINKS
from rove_core.testing import VirtualClock

pytestmark = pytest.mark.anyio

WORDS = "We decided that the cookie lives 60 seconds."


def item(account: str, name: str, **fields: Any) -> ContextItem:  # noqa: ANN401  # as items take them
    """Return an item of an account."""
    given: dict[str, Any] = {
        "ref": ItemRef(account=account, kind="ticket", id=name),
        "source": account,
        "role": "ticket",
        "title": f"The cookie of {name}",
        "content": WORDS,
        "timestamp": datetime(2026, 1, 1, tzinfo=UTC),
    }
    return ContextItem(**{**given, **fields})


class Source(SourceHooks):
    """Has one ticket."""

    def __init__(self, account: Account[CommonSettings]) -> None:
        self.name = account.name

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:  # noqa: ARG002  # the hook's
        """Yield it."""
        yield item(self.name, "T-1")

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return it."""
        return item(self.name, ref.id)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Find it."""
        return [ItemRef(account=self.name, kind="ticket", id="T-1")] if "T-1" in text else []


class Bad(Source):
    """Recognises nothing, but fails."""

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Fail as asyncio does."""
        raise asyncio.CancelledError


class Linked(Source):
    """Gives items with far too many links."""

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:  # noqa: ARG002  # the hook's
        """Yield one."""
        refs = (ItemRef(account="bad", kind="note", id=f"B-{n}") for n in range(1_000))
        links = tuple(Link(ref=ref) for ref in refs)
        yield item("bad", "B-1", links=links)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Find nothing."""
        return []


class Cancelling(Source):
    """Cancels itself instead of answering."""

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Cancel the task that runs this."""
        if task := asyncio.current_task():
            task.cancel()
        await asyncio.Event().wait()
        yield item(self.name, query.text)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Find nothing."""
        return []


def bringing(name: str, source: type[Source]) -> ModuleType:
    """Return a plugin that brings a kind of source."""

    @hookimpl
    def rove_sources() -> Sequence[SourceKind[CommonSettings]]:
        return [
            SourceKind(
                name=name,
                title=name.title(),
                settings=CommonSettings,
                connect=lambda account, _: source(account),
            )
        ]

    return plugin(f"of_{name}", rove_sources=rove_sources)


def plugin(name: str, **hooks: object) -> ModuleType:
    """Return a plugin with some hooks."""
    module = ModuleType(name)
    vars(module).update(hooks)
    return module


async def built(
    folder: Path,
    *others: ModuleType,
    accounts: Sequence[str] = ("good",),
    kept_off: dict[str, KeptOff] | None = None,
    at: VirtualClock | None = None,
) -> BuildResult:
    """Build the ticket's document beside other plugins."""
    async with open_project(
        folder,
        plugins=[bringing("good", Source), *others],
        accounts=[Account(name=name, kind=name, settings=CommonSettings()) for name in accounts],
        credentials=MemoryStore(),
        clock=at or VirtualClock(),
        kept_off=kept_off or {},
    ) as project:
        return await project.build("T-1", source="good")


def text(of: BuildResult) -> str:
    """Return a document."""
    return of.document.path.read_text("utf-8")


@hookimpl
def fail(account: str, item: ContextItem) -> ContextItem:  # noqa: ARG001  # the hook's
    """Fail to look at an item."""
    raise KeyError("rules")


@hookimpl
def drop(account: str, item: ContextItem) -> None:
    """Let nothing pass."""


@hookimpl
async def fail_to_add(ticket: ContextItem) -> Sequence[Section]:  # noqa: ARG001  # the hook's
    """Fail to add anything."""
    raise KeyError("taste")


async def test_sections_that_fail(tmp_path: Path) -> None:
    """They are a row of their plugin, and the rest is there."""
    done = await built(tmp_path, plugin("bad", rove_sections=fail_to_add))

    assert done.failures == {"bad/bad": "rove_sections: KeyError: 'taste'"}
    assert "| bad/bad (plugin) | 0 | failed: rove\\_sections: KeyError" in text(done)
    assert WORDS in text(done)


def adding(words: str) -> ModuleType:
    """Return a plugin that adds a section with some words."""

    @hookimpl
    async def rove_sections(ticket: ContextItem) -> Sequence[Section]:  # noqa: ARG001  # the hook's
        return [Section(heading="Blocked by", content=words)]

    return plugin("adding", rove_sections=rove_sections)


async def test_sections_are_current_without_other_news(tmp_path: Path) -> None:
    """A refresh shows what a plugin says now, also if the sources have nothing new."""
    clock = VirtualClock()
    await built(tmp_path, adding("It waits for T-2."), at=clock)
    clock.advance(3_600)

    done = await built(tmp_path, adding("It waits for T-3."), at=clock)

    assert "It waits for T-3." in text(done)
    assert "T-2" not in text(done)
    assert WORDS in text(done)


async def test_a_filter_that_fails(tmp_path: Path) -> None:
    """Nothing passes, for it may be there to keep something back; the document says why."""
    done = await built(tmp_path, plugin("bad", rove_filter_item=fail))

    assert done.failures == {"bad/bad": "rove_filter_item: KeyError: 'rules'"}
    assert text(done).startswith("# Context: T-1 - T-1\n")
    assert "cookie" not in text(done)


async def test_a_filter_that_is_kept_off(tmp_path: Path) -> None:
    """Nothing passes either: it ended another process before it could look."""
    kept_off = {"bad/bad": KeptOff("bad/bad: rove_filter_item blocked", "rove_filter_item")}

    done = await built(tmp_path, kept_off=kept_off)

    assert done.failures == {"bad/bad": "rove_filter_item blocked"}
    assert "cookie" not in text(done)


async def test_a_plugin_with_a_filter_that_is_kept_off(tmp_path: Path) -> None:
    """Nothing passes, in whatever hook it failed: its filter is not called."""
    kept_off = {"bad/bad": KeptOff("bad/bad: its code ended", "", may_filter=True)}

    done = await built(tmp_path, kept_off=kept_off)

    assert done.failures == {"bad/bad": "its code ended"}
    assert "cookie" not in text(done)


async def test_what_was_kept_back_is_asked_for_again(tmp_path: Path) -> None:
    """Once the filter works the document has all of it."""
    clock = VirtualClock()
    await built(tmp_path, plugin("bad", rove_filter_item=fail), at=clock)
    clock.advance(3_600)

    done = await built(tmp_path, at=clock)

    assert done.failures == {}
    assert WORDS in text(done)


async def test_a_filter_that_drops_the_ticket(tmp_path: Path) -> None:
    """That is its right, and no failure: there is no document."""
    with pytest.raises(ItemNotFound, match="a plugin filters out T-1"):
        await built(tmp_path, plugin("strict", rove_filter_item=drop))


async def test_a_recogniser_that_fails(tmp_path: Path) -> None:
    """It is in the row of its account, whatever it raises."""
    done = await built(tmp_path, bringing("bad", Bad), accounts=("good", "bad"))

    assert done.failures == {"bad": "rove_recognise: CancelledError"}
    assert WORDS in text(done)


async def test_a_source_that_cancels_itself(tmp_path: Path) -> None:
    """It is a failure of its account, and cancels nobody else."""
    done = await built(tmp_path, bringing("bad", Cancelling), accounts=("good", "bad"))

    assert done.failures == {"bad": "rove_search cancelled itself"}
    assert WORDS in text(done)


async def test_a_flood_of_links(tmp_path: Path) -> None:
    """It is cut with a note, and is no failure."""
    done = await built(tmp_path, bringing("bad", Linked), accounts=("good", "bad"))

    assert done.failures == {}
    said = f"Note: bad: rove\\_search gave more than {MOST_LINKS} links for B-1: cut."
    assert said in text(done)


async def test_a_plugin_that_is_kept_off(tmp_path: Path) -> None:
    """The document says that it was not used, and why."""
    done = await built(tmp_path, kept_off={"bad/bad": KeptOff("bad/bad: its code ended", "")})

    assert done.failures == {"bad/bad": "its code ended"}
    assert WORDS in text(done)


async def test_a_plugin_that_does_not_load(tmp_path: Path) -> None:
    """The document names it, and is whole: nothing in it was asked of that plugin."""
    done = await built(tmp_path, plugin("bad", rove_sections=list))

    assert done.failures == {}
    assert "Note: bad: the plugin bad bad.rove\\_sections is not a function." in text(done)


async def test_a_plugin_with_a_filter_that_does_not_load(tmp_path: Path) -> None:
    """Nothing passes: what its filter would have kept back is not known."""
    done = await built(tmp_path, plugin("bad", rove_sections=list, rove_filter_item=drop))

    assert list(done.failures) == ["bad/bad"]
    assert "rove_sections is not a function" in done.failures["bad/bad"]
    assert "cookie" not in text(done)


async def test_each_document_has_its_own_reports(tmp_path: Path) -> None:
    """What went wrong in one build is not told of the next one."""
    clock = VirtualClock()
    await built(tmp_path, plugin("bad", rove_sections=fail_to_add), at=clock)
    clock.advance(3_600)

    done = await built(tmp_path, at=clock)

    assert done.failures == {}
    assert "bad/bad" not in text(done)


def test_kept_off_crosses_a_process() -> None:
    """Why a plugin is kept off is told to a worker as JSON."""
    kept_off = KeptOff("bad: blocked", "rove_sections", may_filter=True)

    assert KeptOff.from_json(attrs.asdict(kept_off)) == kept_off
    assert kept_off.filters
