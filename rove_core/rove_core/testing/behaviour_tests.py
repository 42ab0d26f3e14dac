"""Standard tests of behaviour: no printing, no blocking, no use of the local clock or zone."""

# ruff: noqa: S101  # assert is how pytest speaks

import asyncio
import io
import os
import time  # noqa: TID251  # only to set the zone of this process
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Final

import pytest

from rove_core.items import ContextItem
from rove_core.testing.faults import FaultProxy
from rove_core.testing.levels import silver
from rove_core.testing.scene import Scene
from rove_core.testing.side_effects import slept
from rove_core.testing.source_under_test import (
    SourceUnderTest,
    logged_in,
    on_site,
    proxied,
    through,
)

#: Far from UTC, on both sides.
_ZONES: Final = ("Pacific/Kiritimati", "America/Los_Angeles")


class BehaviourTests(SourceUnderTest):
    """Tests of a source's behaviour in a shared process."""

    @silver
    @logged_in()
    async def test_nothing_is_printed(self, scene: Scene) -> None:
        """The source prints nothing to standard output or standard error."""
        output = io.StringIO()
        with redirect_stdout(output), redirect_stderr(output):
            await self._read(scene)

        assert output.getvalue() == ""

    @silver
    @logged_in()
    async def test_nothing_blocks(self, scene: Scene) -> None:
        """The source never blocks the event loop, for example with ``time.sleep``."""
        with slept() as calls:
            await self._read(scene)
            for hook in ("rove_identity", "rove_containers"):
                if scene.has(hook):
                    await scene.awaited(hook)
            if scene.has("rove_list"):
                await scene.list_changes()

        assert calls == []

    @silver
    @logged_in()
    async def test_zone_of_the_machine_changes_nothing(self, scene: Scene) -> None:
        """The machine's time zone does not change the times of an item."""
        times = []
        for zone in _ZONES:
            with _in_zone(zone):
                items = await self._read(scene)
            times.append([part.timestamp for item in items for part in (item, *item.thread)])

        assert times[0] == times[1]

    @silver
    @proxied()
    async def test_accounts_keep_their_own_connection(
        self, scene: Scene, proxy: FaultProxy
    ) -> None:
        """Two accounts at the same time send requests only to their own sites."""
        async with through(scene.kind, scene.vendor, name=f"{self.kind}:other") as (other, second):
            # The second proxy passes on to the first one, which sees the requests of both.
            before = len(proxy.requests), len(second.requests)
            await asyncio.gather(self._read(scene), self._read(other))
            both, its_own = len(proxy.requests) - before[0], len(second.requests) - before[1]

        assert both == 2 * its_own > 0

    async def _read(self, scene: Scene) -> list[ContextItem]:
        """Return all items that the source returns for the known item."""
        items: list[ContextItem] = []
        if scene.has("rove_search"):
            items += await scene.find(self.query)
        if scene.has("rove_item_detail"):
            items.append(await scene.detail(self.ref(scene, self.known)))
        if scene.has("rove_recognise"):
            scene.recognise("\n".join(on_site(scene, self.mentions)))
        if not items:
            pytest.skip(f"{self.kind} has neither rove_search nor rove_item_detail")
        return items


@contextmanager
def _in_zone(name: str) -> Iterator[None]:
    """Put this process into a time zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = name
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()
