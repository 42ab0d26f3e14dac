"""The contract: what pluggy cannot see is checked when an account is connected."""

from collections.abc import AsyncIterator, Generator, Sequence

import pytest
from attrs import frozen

from rove_core import ContextItem, Identity, ItemRef, Query, SourceHooks, hookimpl
from rove_core.errors import PluginFailed
from rove_core.plugins.hook_checks import check_source, has_hook
from rove_core.testing.reference import ReferenceSource

# mypy: disable-error-code="override, empty-body, misc"
# Each class below is wrong on purpose; tests/typing shows what mypy says of such classes.


class SearchInOneGo(SourceHooks):
    @hookimpl
    async def rove_search(self, query: Query) -> list[ContextItem]:
        """Give a list."""


class SearchAtOnce(SourceHooks):
    @hookimpl
    def rove_search(self, query: Query) -> list[ContextItem]:
        """Give a list, and block meanwhile."""


class DetailAtOnce(SourceHooks):
    @hookimpl
    def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Block."""


class RecogniseLater(SourceHooks):
    @hookimpl
    async def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Be slow."""


class DetailByAnotherName(SourceHooks):
    @hookimpl
    async def rove_item_detail(self, reference: ItemRef) -> ContextItem:
        """Rename the argument."""


class Unmarked(SourceHooks):
    async def rove_identity(self) -> Identity:
        """Forget the marker."""


class NoFunction(SourceHooks):
    rove_identity = hookimpl(type("Callable", (), {"__call__": lambda _: None})())


class Wrapping(SourceHooks):
    @hookimpl(wrapper=True)
    def rove_identity(self) -> Generator[None, Identity, Identity]:
        """Listen in on the other accounts."""


@frozen
class ComparedByValue(SourceHooks):
    name: str = ""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (SearchInOneGo(), "is a coroutine function, expected an async generator function"),
        (SearchAtOnce(), "is a plain function, expected an async generator function"),
        (DetailAtOnce(), "is a plain function, expected a coroutine function"),
        (RecogniseLater(), "is a coroutine function, expected a plain function"),
        (DetailByAnotherName(), "takes reference, the hook takes ref"),
        (Unmarked(), "lacks @hookimpl"),
        (NoFunction(), "is not a function"),
        (Wrapping(), "is a wrapper: only a package may have one"),
        (ComparedByValue(), "compares by value; accounts need identity: eq=False"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_wrong_source_is_refused_with_its_name(source: SourceHooks, reason: str) -> None:
    """The message names the class and what is wrong with it."""
    with pytest.raises(PluginFailed) as caught:
        check_source(source)

    assert caught.value.message.startswith(type(source).__name__)
    assert caught.value.message.endswith(reason)


class Structural:
    """Keeps the contract without inheriting it, and leaves out an argument it does not need."""

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Be somebody."""
        return Identity(name="Robin")

    @hookimpl
    def rove_recognise(self) -> Sequence[ItemRef]:
        """Find nothing."""
        return []


class Delegating(SourceHooks):
    """Hands the search on to somebody else's generator."""

    @hookimpl
    def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Return a generator."""


@pytest.mark.parametrize("source", [Structural(), Delegating(), SourceHooks.__new__(Delegating)])
def test_right_source_passes(source: object) -> None:
    """Arguments may be left out, a base class too, and a generator may come from elsewhere."""
    check_source(source)


def test_hook_is_capability() -> None:
    """To inherit a hook is not to have it; to write it is."""
    assert has_hook(Delegating(), "rove_search")
    assert not has_hook(Delegating(), "rove_identity")
    assert not has_hook(Structural(), "rove_search")
    assert has_hook(ReferenceSource.__new__(ReferenceSource), "rove_refresh")
