"""Describe a source to the compliance suite, and run its tests."""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    nullcontext,
)
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeAlias
from urllib.parse import urlsplit

import pytest
from attrs import evolve

from rove_core.items import ItemRef
from rove_core.sources import AnySourceKind
from rove_core.testing.clock import VirtualClock
from rove_core.testing.expected_item import ExpectedItem
from rove_core.testing.faults import FaultProxy
from rove_core.testing.scene import Scene, Vendor, on_stage

#: Seconds that a test waits for one call of the source. It does not limit the whole test, which
#: calls the source hundreds of times and would fail on a slow machine.
PATIENCE: Final = 30.0

#: What stands in every text of programmers, and is a reference to nothing.
LOOKALIKES: Final = (
    "",
    "UTF-8, UTF-16, SHA-256, MD-5, ISO-8601, RFC-2119, COVID-19, X-509, TLS-1, HTTP-2, CVE-2024",
    "2024-12-15T12:00:00+01:00 1734264000.000100 10:42 3.11 v2.0-rc1 50-100 0x1F-7",
    "a-1 b_2 c/3 #nothing # 7 @someone $PATH --flag=1 C++-17 e-mail me@nowhere.invalid",
    "https://nowhere.invalid/browse/1 https://nowhere.invalid/a/b/pull/1 file:///etc/passwd",
)

Test: TypeAlias = Callable[[Any, Scene], Coroutine[Any, Any, None]]
ProxiedTest: TypeAlias = Callable[[Any, Scene, FaultProxy], Coroutine[Any, Any, None]]
Place: TypeAlias = AbstractAsyncContextManager[Vendor]


class SourceUnderTest:
    """The facts about one source. Its author sets them; the standard tests only read them.

    Attributes:
        kind: The kind of source.
        known: The id of an item that is there.
        known_kind: What that item is in its source's words (``ticket``).
        unknown: An id of the right shape of an item that is not there.
        query: Words that two items contain, or more, changed at different times.
        query_for_nothing: Words that no item contains.
        mentions: Texts that each name the known item: by its id, by its address. In them
            ``{base_url}`` stands for the account's address, which changes from test to test.
        no_mentions: Texts that name no item, though they look like it; ``{base_url}`` may be
            in them, too.
        newest_first: Whether a search yields what was changed last first; False when it ranks.
        in_fields: For searchable fields: words, and the ids of all items with these words in
            that field. The words occur elsewhere in other items too.
        expected: The known item as a person reads it at the vendor; needed for gold.
        more_expected: Further items, each with its id, for facts that no item has together: one
            that is closed, one with a reply by a robot.
        unsearched: Kinds of described items that no search finds, as the vendor searches none.
        user: The name of whoever logs in, as people see it at the vendor; needed for gold.
    """

    rove_suite: ClassVar = True  # The pytest plugin knows standard tests by it.
    kind: ClassVar[str]
    known: ClassVar[str]
    known_kind: ClassVar[str]
    unknown: ClassVar[str]
    query: ClassVar[str]
    query_for_nothing: ClassVar[str] = "wordthatnobodyeverwroteanywhere"
    mentions: ClassVar[tuple[str, ...]] = ()
    no_mentions: ClassVar[tuple[str, ...]] = LOOKALIKES
    newest_first: ClassVar[bool] = True
    in_fields: ClassVar[Mapping[str, tuple[str, tuple[str, ...]]]] = MappingProxyType({})
    expected: ClassVar[ExpectedItem | None] = None
    more_expected: ClassVar[tuple[ExpectedItem, ...]] = ()
    unsearched: ClassVar[tuple[str, ...]] = ()
    user: ClassVar[str] = ""

    @pytest.fixture
    def vendor(self) -> Place:
        """Yield the fake vendor for one test; override this."""
        return nullcontext(Vendor())

    def ref(self, scene: Scene, name: str) -> ItemRef:
        """Return a reference to an item of the account on stage."""
        return ItemRef(account=scene.account.name, kind=self.known_kind, id=name)


def on_site(scene: Scene, texts: Iterable[str]) -> list[str]:
    """Return texts with the address of the account on stage in place of ``{base_url}``."""
    base = scene.account.base_url.rstrip("/")
    return [text.replace("{base_url}", base) for text in texts]


def unconnected(test: Callable[[Any, AnySourceKind, Vendor], None]) -> Callable[..., None]:
    """Run a test with the kind and its vendor, and nothing connected."""

    @functools.wraps(test)
    def run(self: SourceUnderTest, source_kind: AnySourceKind, vendor: Place) -> None:
        async def play() -> None:
            async with vendor as place:
                test(self, source_kind, place)

        asyncio.run(play())

    return _without_signature(run)


def connected(*hooks: str) -> Callable[[Test], Callable[..., None]]:
    """Run an async test with the source connected, but not logged in.

    Args:
        hooks: The hooks it is about: for a source without one of them it is skipped.
    """
    return functools.partial(_with_scene, hooks, prepare=_stay)


def logged_in(*hooks: str) -> Callable[[Test], Callable[..., None]]:
    """Run an async test with the source connected and logged in.

    Args:
        hooks: The hooks it is about: for a source without one of them it is skipped.
    """
    return functools.partial(_with_scene, hooks, prepare=_enter)


def proxied(*hooks: str) -> Callable[[ProxiedTest], Callable[..., None]]:
    """Run an async test with the source logged in through a proxy that can play faults.

    Its clock waits without waiting. A source that talks to nobody over HTTP skips it.

    Args:
        hooks: The hooks it is about: for a source without one of them it is skipped.
    """
    return functools.partial(_with_proxy, hooks)


@asynccontextmanager
async def through(
    kind: AnySourceKind, vendor: Vendor, *, name: str = ""
) -> AsyncIterator[tuple[Scene, FaultProxy]]:
    """Connect an account and log in, through its own proxy."""
    address = urlsplit(vendor.base_url)
    if address.scheme != "http" or address.hostname is None:
        pytest.skip(f"{kind.name} talks to no vendor over plain HTTP here")
    upstream = address.hostname, address.port or 80
    async with FaultProxy(upstream) as proxy:
        passed = evolve(
            vendor,
            base_url=f"{proxy.url}{address.path}",
            hosts=(*vendor.hosts, proxy.host),
            refused=vendor.refused,
        )
        async with on_stage(kind, passed, name=name, clock=VirtualClock()) as scene:
            await _enter(scene)
            yield scene, proxy


def renew_at_each_call(patience: asyncio.Timeout, scene: Scene) -> None:
    """Give each call of the source the whole time."""

    def renew() -> None:
        if not patience.expired():
            patience.reschedule(asyncio.get_running_loop().time() + PATIENCE)

    scene.before_call = renew


def _with_proxy(hooks: tuple[str, ...], test: ProxiedTest) -> Callable[..., None]:
    @functools.wraps(test)
    def run(self: SourceUnderTest, source_kind: AnySourceKind, vendor: Place) -> None:
        async def play() -> None:
            async with (
                asyncio.timeout(PATIENCE) as patience,
                vendor as place,
                through(source_kind, place) as (scene, proxy),
            ):
                renew_at_each_call(patience, scene)
                _require(scene, hooks)
                await test(self, scene, proxy)

        asyncio.run(play())

    return _without_signature(run)


def _with_scene(
    hooks: tuple[str, ...], test: Test, *, prepare: Callable[[Scene], Coroutine[Any, Any, None]]
) -> Callable[..., None]:
    @functools.wraps(test)
    def run(self: SourceUnderTest, source_kind: AnySourceKind, vendor: Place) -> None:
        async def play() -> None:
            async with (
                asyncio.timeout(PATIENCE) as patience,
                vendor as place,
                AsyncExitStack() as stack,
            ):
                scene = await _connect(stack, source_kind, place)
                renew_at_each_call(patience, scene)
                _require(scene, hooks)
                await prepare(scene)
                # What a source can do may follow from what its login opens.
                _require(scene, hooks)
                await test(self, scene)

        asyncio.run(play())

    return _without_signature(run)


def _without_signature(run: Callable[..., None]) -> Callable[..., None]:
    """Hide the wrapped function's signature, which pytest would read as fixtures."""
    del run.__dict__["__wrapped__"]
    return run


async def _connect(stack: AsyncExitStack, kind: AnySourceKind, vendor: Vendor) -> Scene:
    try:
        # Its clock waits without waiting: a vendor's limit must not slow a test down.
        return await stack.enter_async_context(on_stage(kind, vendor, clock=VirtualClock()))
    except Exception as error:  # noqa: BLE001  # whatever it is, a test of its own shows it
        pytest.skip(f"{kind.name} cannot be connected, as a test of its own shows: {error}")


def _require(scene: Scene, hooks: tuple[str, ...]) -> None:
    for hook in hooks:
        if not scene.has(hook):
            pytest.skip(f"{scene.kind.name} has no {hook}")


async def _stay(_: Scene) -> None:
    return


async def _enter(scene: Scene) -> None:
    try:
        await scene.enter()
    except Exception as error:  # noqa: BLE001  # whatever it is, a test of its own shows it
        pytest.skip(f"nobody gets into {scene.kind.name}, as a test of its own shows: {error}")
