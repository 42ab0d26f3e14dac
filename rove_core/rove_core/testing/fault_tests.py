"""Standard tests of failures: each raises the right error, and none is silent."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

import attrs
import pytest

from rove_core.errors import ItemNotFound, LoginNeeded, MalformedReply, RetryLater, RoveError
from rove_core.items import ContextItem
from rove_core.testing.fault_catalogue import FAULTS, Fault
from rove_core.testing.faults import FaultProxy
from rove_core.testing.http1 import SeenRequest
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, proxied

Failures: TypeAlias = Mapping[str, tuple[Fault, tuple[type[RoveError], ...]]]

#: What goes wrong, and which errors say so.
_FAILURES: Final[Failures] = {
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
#: Those that are played at pages and parts, which nobody tries again: each costs one request.
_OF_PAGES: Final = ("403", "malformed JSON")
#: How many parts of an item are made to fail.
_MOST_PARTS: Final = 8

Read: TypeAlias = Callable[[], Awaitable[list[ContextItem]]]


class FaultTests(SourceUnderTest):
    """Tests of a source with a failing vendor."""

    @silver
    @proxied("rove_search")
    async def test_search_tells_each_failure(self, scene: Scene, proxy: FaultProxy) -> None:
        """A page that fails raises an error and never looks like an empty or complete result."""
        await _play_each(scene, proxy, lambda: scene.find(self.query))

    @silver
    @proxied("rove_search")
    async def test_search_tells_a_failing_page(self, scene: Scene, proxy: FaultProxy) -> None:
        """With small pages, a later page that fails raises an error, too."""
        if "page_size" not in attrs.fields_dict(scene.kind.settings):
            pytest.skip(f"the settings of {scene.kind.name} have no page_size")
        scene.change(page_size=1)
        failures = {name: (_FAILURES[name][0], (RoveError,)) for name in _OF_PAGES}
        await _play_each(scene, proxy, lambda: scene.find(self.query), failures)

    @silver
    @proxied("rove_item_detail")
    async def test_detail_tells_each_failure(self, scene: Scene, proxy: FaultProxy) -> None:
        """What cannot be read raises an error or is noted in the item's ``facts.incomplete``."""

        async def read() -> list[ContextItem]:
            return [await scene.detail(self.ref(scene, self.known))]

        await _play_each(scene, proxy, read)

    @silver
    @proxied("rove_item_detail")
    async def test_detail_tells_a_failing_part(self, scene: Scene, proxy: FaultProxy) -> None:
        """If one request fails and all others succeed, an error or ``facts.incomplete`` says so."""

        async def read() -> list[ContextItem]:
            return [await scene.detail(self.ref(scene, self.known))]

        await _play_one(scene, proxy, read)
        if "page_size" in attrs.fields_dict(scene.kind.settings):
            scene.change(page_size=1)
            await _play_one(scene, proxy, read)

    @silver
    @proxied("rove_containers")
    async def test_containers_tell_each_failure(self, scene: Scene, proxy: FaultProxy) -> None:
        """A failing list of containers raises an error and is never a shorter list."""
        names = await _names(scene)
        for name, (fault, error_type) in _FAILURES.items():
            if name == "403":
                continue  # A container that may not be read is none of the account's.
            scene.connect()
            proxy.play(fault, times=None)
            try:
                found = await _names(scene)
            except error_type:
                continue
            except RoveError as error:
                pytest.fail(f"{name} was told as {error!r}")
            finally:
                proxy.stop()
            assert found == names, f"{name} lost containers in silence"

    @silver
    @proxied("rove_identity")
    async def test_identity_tells_each_failure(self, scene: Scene, proxy: FaultProxy) -> None:
        """A failed connection test says why it failed."""
        for name, (fault, error_type) in _FAILURES.items():
            scene.connect()
            proxy.play(fault, times=None)
            with pytest.raises(RoveError) as raised:
                await scene.awaited("rove_identity")
            proxy.stop()

            assert isinstance(raised.value, error_type), f"{name} was told as {raised.value!r}"

    @silver
    @proxied("rove_identity", "rove_authenticate")
    async def test_nobody_is_not_taken_for_somebody(self, scene: Scene, proxy: FaultProxy) -> None:
        """If the login does not reach the vendor, the connection test asks for a login."""
        if scene.credential is None:
            pytest.skip(f"{scene.kind.name} needs no login")
        sent = {name.lower() for name in scene.credential.headers}
        proxy.rewrite(partial(_without, sent))
        scene.connect()
        with pytest.raises(LoginNeeded):
            await scene.awaited("rove_identity")


def _without(names: set[str], seen: SeenRequest) -> SeenRequest:
    """Return a request without some headers."""
    rest = {name: text for name, text in seen.headers.items() if name not in names}
    return replace(seen, headers=rest)


async def _play_each(
    scene: Scene, proxy: FaultProxy, read: Read, failures: Failures = _FAILURES
) -> None:
    """Play each failure from each of the first requests on, and see that it shows."""
    before = len(proxy.requests)
    whole = _contents(await read())
    count = len(proxy.requests) - before
    for name, (fault, error_type) in failures.items():
        for at in range(min(count, _MOST)):
            scene.connect()
            proxy.play(fault, times=None, when=after(at))
            try:
                items = await read()
            except error_type:
                continue
            except RoveError as error:
                pytest.fail(f"{name} at request {at + 1} was told as {error!r}")
            finally:
                proxy.stop()
            noted = any(item.facts.incomplete for item in items)
            message = f"{name} at request {at + 1} of {count} lost something in silence"
            assert noted or _contents(items) == whole, message


async def _play_one(scene: Scene, proxy: FaultProxy, read: Read) -> None:
    """Play some failures at each of the first requests alone, and see that it shows."""
    scene.connect()
    before = len(proxy.requests)
    whole = _contents(await read())
    questions = list(dict.fromkeys(map(_question, proxy.requests[before:])))
    for name in _OF_PAGES:
        fault, error_type = _FAILURES[name]
        for number, question in enumerate(questions[:_MOST_PARTS], 1):
            scene.connect()
            proxy.play(fault, times=None, when=partial(_is_same, question))
            try:
                items = await read()
            except error_type:
                continue
            except ItemNotFound:
                continue
            finally:
                proxy.stop()
            noted = any(item.facts.incomplete for item in items)
            message = (
                f"{name} at request {number} of {len(questions)} alone lost something in silence"
            )
            assert noted or _contents(items) == whole, message


def _question(seen: SeenRequest) -> tuple[str, str, bytes]:
    return seen.method, seen.path, seen.body


def _is_same(question: tuple[str, str, bytes], seen: SeenRequest) -> bool:
    return question == _question(seen)


async def _names(scene: Scene) -> list[str]:
    return [each.name for each in await scene.awaited("rove_containers")]


def after(requests: int) -> Callable[[SeenRequest], bool]:
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
