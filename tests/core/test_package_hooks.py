"""Hooks of packages: each plugin is asked alone, and one that is wrong costs only what it adds."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import pytest
from attrs import evolve

from rove_core import ContextItem, ItemRef, Query, Section, SourceHooks, hookimpl, run
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins

HERE = Path()
Items: TypeAlias = AsyncGenerator[ContextItem, None]


def _item(account: str, name: str = "A-1") -> ContextItem:
    ref, at = ItemRef(account=account, kind="note", id=name), datetime(2026, 1, 1, tzinfo=UTC)
    return ContextItem(ref=ref, source="acme", role="page", title=name, content="", timestamp=at)


class Good(SourceHooks):
    """A source without a flaw."""

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield one item."""
        yield _item(query.account, "A-0")


def _accounts(*plugins: ModuleType, **sources: SourceHooks) -> Accounts:
    accounts = Accounts(use_plugins(plugins).manager)
    for name, source in sources.items():
        accounts.connect(name, source)
    return accounts


def _plugin(name: str, **hooks: object) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(hooks)
    return module


@hookimpl
def _shout(account: str, item: ContextItem) -> ContextItem:  # noqa: ARG001  # the hook's
    return evolve(item, title=f"{item.title}!")


@hookimpl
def _ask(account: str, item: ContextItem) -> ContextItem:  # noqa: ARG001  # the hook's
    return evolve(item, title=f"{item.title}?")


@hookimpl
def _drop(account: str, item: ContextItem) -> None:
    """Let nothing pass."""


@hookimpl
def _fail(account: str, item: ContextItem) -> ContextItem:
    raise KeyError(f"{account} {item.ref.id}")


@hookimpl
def _swap(account: str, item: ContextItem) -> ContextItem:  # noqa: ARG001  # the hook's
    return _item("other")


@hookimpl
def _sell(account: str, item: ContextItem) -> str:  # noqa: ARG001  # the hook's
    return "an item"


def test_filters_are_asked_in_the_order_of_their_registration() -> None:
    """Each gets what the one before it let pass."""
    accounts = _accounts(
        _plugin("first", rove_filter_item=_shout), _plugin("second", rove_filter_item=_ask)
    )

    item = accounts.filter_item("good", _item("good", "A-1"))

    assert item is not None
    assert item.title == "A-1!?"


def test_without_filters_an_item_passes() -> None:
    """Nobody asked, nothing changed."""
    item = _item("good")

    assert _accounts().filter_item("good", item) is item


def test_dropped_item_is_shown_to_no_further_filter() -> None:
    """After one has dropped it the others do not see it."""
    accounts = _accounts(
        _plugin("first", rove_filter_item=_drop), _plugin("second", rove_filter_item=_fail)
    )

    assert accounts.filter_item("good", _item("good")) is None


@pytest.mark.parametrize("hook", [_fail, _swap, _sell], ids=["raises", "swaps", "wrong type"])
def test_filter_that_fails_drops_the_item(hook: object, caplog: pytest.LogCaptureFixture) -> None:
    """A broken filter lets nothing pass, and that is logged once."""
    accounts = _accounts(_plugin("broken", rove_filter_item=hook))

    passed = [accounts.filter_item("good", _item("good", name)) for name in ("A-1", "A-2")]

    assert passed == [None, None]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "rove_filter_item fails: broken/broken: " in caplog.text


SECTION = Section(heading="Decided earlier", content="Keys rotate.")


@hookimpl
async def _add() -> Sequence[Section]:
    return [SECTION]


@hookimpl
async def _add_text() -> Sequence[str]:
    return ["Decided earlier"]


@hookimpl
async def _add_never() -> Sequence[Section]:
    await asyncio.Event().wait()
    return []


@hookimpl
async def _add_and_exit() -> Sequence[Section]:
    raise SystemExit("enough")


@pytest.mark.parametrize(
    "hook", [_add_text, _add_never, _add_and_exit], ids=["wrong type", "hangs", "exits"]
)
def test_bad_section_costs_no_other(hook: object, caplog: pytest.LogCaptureFixture) -> None:
    """The other plugins' sections are there, and what is wrong is logged once."""
    accounts = _accounts(_plugin("bad", rove_sections=hook), _plugin("good", rove_sections=_add))

    given = [
        run(accounts.sections(_item("good"), budget=100, project=HERE, deadline=0.3))
        for _ in range(2)
    ]

    assert given == [{"bad/bad": (), "good/good": [SECTION]}] * 2
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "rove_sections fails: bad/bad: " in caplog.text


@hookimpl(wrapper=True)
def _audited(query: Query) -> Generator[None, Items, Items]:
    return _marked(query, (yield))


async def _marked(query: Query, items: Items) -> Items:
    async with aclosing(items):
        async for item in items:
            yield evolve(item, title=f"{query.account}:{item.title}")


def test_wrapper_of_a_package_applies_to_every_account() -> None:
    """A package may wrap a hook of sources; it knows which account it wraps."""

    async def ask() -> list[str]:
        accounts = _accounts(_plugin("audit", rove_search=_audited), good=Good())
        query = Query(account="good", text="", limit=1)
        return [item.title async for item in accounts.search(query)]

    assert run(ask()) == ["good:A-0"]
