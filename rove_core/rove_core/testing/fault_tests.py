"""Standard tests of failures: each raises the right error, and none is silent."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

import pytest

from rove_core.errors import LoginNeeded, MalformedReply, RetryLater, RoveError
from rove_core.items import ContextItem
from rove_core.testing.fault_catalogue import FAULTS, Fault
from rove_core.testing.faults import FaultProxy
from rove_core.testing.http1 import SeenRequest
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, proxied

#: What goes wrong, and which errors say so.
_FAILURES: Final[Mapping[str, tuple[Fault, tuple[type[RoveError], ...]]]] = {
    "401": (Fault(status=401), (LoginNeeded,)),
    "403": (Fault(status=403), (LoginNeeded, RetryLater)),
    "429": (FAULTS["429, seconds"], (RetryLater,)),
    "500": (FAULTS["500"], (RetryLater,)),
    "503": (FAULTS["503"], (RetryLater,)),
    "no reply": (FAULTS["closed without a reply"], (RetryLater,)),
    "a reply that ends early": (FAULTS["cut, length known"], (RetryLater, MalformedReply)),
    "HTML instead of JSON": (
        FAULTS["HTML instead of JSON"],
        (MalformedReply, RetryLater, LoginNeeded),
    ),
    "malformed JSON": (FAULTS["malformed JSON"], (MalformedReply, RetryLater)),
}
#: At how many requests of a call each failure is played.
_MOST: Final = 4

Read: TypeAlias = Callable[[], Awaitable[list[ContextItem]]]


class FaultTests(SourceUnderTest):
    """Tests of a source with a failing vendor."""

    @silver
    @proxied("rove_search")
    async def test_search_tells_each_failure(self, scene: Scene, proxy: FaultProxy) -> None:
        """A page that fails raises an error and never looks like an empty or complete result."""
        await _play_each(scene, proxy, lambda: scene.find(self.query))

    @silver
    @proxied("rove_item_detail")
    async def test_detail_tells_each_failure(self, scene: Scene, proxy: FaultProxy) -> None:
        """What cannot be read raises an error or is noted in the item's ``facts.incomplete``."""

        async def read() -> list[ContextItem]:
            return [await scene.detail(self.ref(scene, self.known))]

        await _play_each(scene, proxy, read)

    @silver
    @proxied("rove_identity")
    async def test_identity_tells_each_failure(self, scene: Scene, proxy: FaultProxy) -> None:
        """A failed connection test says why it failed."""
        for name, (fault, told) in _FAILURES.items():
            scene.connect()
            proxy.play(fault, times=None)
            with pytest.raises(RoveError) as raised:
                await scene.awaited("rove_identity")
            proxy.stop()

            assert isinstance(raised.value, told), f"{name} was told as {raised.value!r}"


async def _play_each(scene: Scene, proxy: FaultProxy, read: Read) -> None:
    """Play each failure from each of the first requests on, and see that it shows."""
    before = len(proxy.requests)
    whole = _contents(await read())
    count = len(proxy.requests) - before
    for name, (fault, told) in _FAILURES.items():
        for at in range(min(count, _MOST)):
            scene.connect()
            proxy.play(fault, times=None, when=_after(at))
            try:
                items = await read()
            except told:
                continue
            except RoveError as error:
                pytest.fail(f"{name} at request {at + 1} was told as {error!r}")
            finally:
                proxy.stop()
            noted = any(item.facts.incomplete for item in items)
            message = f"{name} at request {at + 1} of {count} lost something in silence"
            assert noted or _contents(items) == whole, message


def _after(requests: int) -> Callable[[SeenRequest], bool]:
    """Return a predicate that is true for all requests but the first few."""
    left = requests

    def is_later(_: SeenRequest) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    return is_later


def _contents(items: list[ContextItem]) -> list[tuple[object, ...]]:
    return [
        (item.ref.id, item.content, item.links, tuple(part.ref.id for part in item.thread))
        for item in items
    ]
