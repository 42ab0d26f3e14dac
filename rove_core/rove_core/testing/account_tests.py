"""Standard tests of several accounts: they stay apart, and clean up after themselves."""

# ruff: noqa: S101  # assert is how pytest speaks

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Final, TypeAlias

import pytest

from rove_core.clock import SYSTEM
from rove_core.items import ContextItem
from rove_core.testing.scene import Scene, on_stage
from rove_core.testing.side_effects import started
from rove_core.testing.source_under_test import SourceUnderTest, logged_in

#: After how many turns of the event loop a call is cancelled.
_TURNS: Final = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55)

Reading: TypeAlias = Callable[[], Coroutine[Any, Any, object]]


class AccountTests(SourceUnderTest):
    """Tests of accounts side by side, and of cancellation."""

    @logged_in()
    async def test_two_accounts_do_not_mix(self, scene: Scene) -> None:
        """Two accounts of the kind, used at the same time, each return their own data."""
        alone = [part.ref async for part in self._answers(scene)]

        other_name = f"{self.kind}:other"
        async with on_stage(scene.kind, scene.vendor, name=other_name, clock=scene.clock) as other:
            await other.enter()
            both = await asyncio.gather(_refs(self._answers(scene)), _refs(self._answers(other)))

        assert both[0] == alone
        assert [ref.id for ref in both[1]] == [ref.id for ref in alone]

    @logged_in()
    async def test_cancelled_calls_leave_nothing_behind(self, scene: Scene) -> None:
        """A cancelled call stops, leaves no task behind, and the account keeps working."""
        with started() as tasks:
            for reading in self._readings(scene):
                for turns in _TURNS:
                    await _break_off(reading, turns)
        await _turn(10)

        assert [task for task in tasks if not task.done()] == []
        for reading in self._readings(scene):
            await reading()

    def _readings(self, scene: Scene) -> list[Reading]:
        readings: list[Reading] = []
        if scene.has("rove_search"):
            readings.append(lambda: scene.find(self.query))
        if scene.has("rove_item_detail"):
            readings.append(lambda: scene.detail(self.ref(scene, self.known)))
        if not readings:
            pytest.skip(f"{self.kind} has neither rove_search nor rove_item_detail")
        return readings

    async def _answers(self, scene: Scene) -> AsyncIterator[ContextItem]:
        if scene.has("rove_search"):
            for item in await scene.find(self.query):
                yield item
        if scene.has("rove_item_detail"):
            yield await scene.detail(self.ref(scene, self.known))


async def _refs(items: AsyncIterator[ContextItem]) -> list[Any]:
    return [item.ref async for item in items]


async def _break_off(reading: Reading, turns: int) -> None:
    task = asyncio.ensure_future(reading())
    await _turn(turns)
    if not task.cancel():
        await task
        return
    await asyncio.wait({task}, timeout=5)

    assert task.done(), "it goes on after it was cancelled"
    assert task.cancelled(), "it answers as if it had not been cancelled"


async def _turn(turns: int) -> None:
    for _ in range(turns):
        await SYSTEM.sleep(0)
