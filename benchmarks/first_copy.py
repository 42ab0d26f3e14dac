"""Hours and calls of a first copy as the server makes it, and calls of a day, on a virtual clock.

Simulators hold the vendors' limits; a request itself takes no time, so the hours are those that the
limits and the server's schedule force: ``python -m benchmarks.first_copy [SHARE
[VENDOR ...]]``, where ``SHARE`` is the part of the full amounts to copy, as ``.1``.
"""

import asyncio
import sys
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from attrs import frozen

from benchmarks.listing import Site, sites
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.state import CURRENT, count_items
from rove_core.mirror.update import update_mirror
from rove_core.mirror.update_limits import IN_BACKGROUND
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.testing import Vendor, VirtualClock
from rove_core.testing.scene import Scene, on_stage
from rove_sim.server import serve

_BEGIN: Final = datetime(2025, 1, 1, tzinfo=UTC)
_DAY: Final = timedelta(days=1)
#: How many items are copied, and how many of them change on a day of ten hours.
_AMOUNTS: Final = {
    "Jira": 5_000,
    "GitHub": 10_000,
    "GitHub requests": 10_000,
    "GitHub commits": 10_000,
    "Linear": 5_000,
    "Slack": 50_000,
}
_CHANGES: Final = 100
_HOURS: Final = 10


@frozen
class Copy:
    """What a first copy and a day took."""

    items: int
    calls: int
    time: timedelta
    calls_of_a_day: int


async def measure(site: Site, items: int, clock: VirtualClock, folder: Path) -> Copy:
    """Return what copying a site takes, and keeping it current for a working day."""
    for number in range(1, items + 1):
        site.add(number, _BEGIN + timedelta(minutes=number))
    clock.advance(max(0.0, (_BEGIN + timedelta(minutes=2 * items) - clock.now()).total_seconds()))
    (kind,) = site.kind.rove_sources()  # type: ignore[attr-defined]  # a source's package
    async with serve(site.vendor) as url:
        vendor = Vendor(base_url=url, answers=site.answers, settings=site.settings)
        async with on_stage(kind, vendor, clock=clock) as scene:
            await scene.enter()
            keeper = await _keeper(scene, clock, folder)
            before, began = len(site.vendor.exchanges), clock.now()
            while not await keeper.is_current_after_update():
                clock.advance(CURRENT.total_seconds())
            calls, took = len(site.vendor.exchanges) - before, clock.now() - began
            for step in range(_HOURS * 3600 // int(CURRENT.total_seconds())):
                if step < _CHANGES:
                    site.add(items - step, clock.now())
                clock.advance(CURRENT.total_seconds())
                await keeper.is_current_after_update()
            day = len(site.vendor.exchanges) - before - calls
            return Copy(keeper.count(), calls, took, day)


@frozen
class Keeper:
    """Keeps a mirror current as the server does."""

    mirror: Mirror
    accounts: Accounts
    clock: VirtualClock

    async def is_current_after_update(self) -> bool:
        """Update the mirror once, and return whether all of it is there."""
        await update_mirror(self.mirror, self.accounts, self.clock, IN_BACKGROUND)
        state = self.mirror.state()
        with self.mirror.reading() as db:
            parts = db.execute("SELECT count(*) FROM items WHERE NOT whole").fetchone()[0]
        return state is not None and state.updated_at is not None and not parts

    def count(self) -> int:
        """Return how many items are copied."""
        with self.mirror.reading() as db:
            return count_items(db)


async def _keeper(scene: Scene, clock: VirtualClock, folder: Path) -> Keeper:
    accounts = Accounts(use_plugins([]).manager)
    accounts.connect(scene.account.name, scene.source)
    containers = await accounts.containers(scene.account.name)
    mirror = Mirror(scene.account.name, folder / f"{scene.kind.name}.db")
    scope = MirrorScope(containers=tuple(each.name for each in containers))
    with mirror.writing() as writer:
        writer.choose(scope, containers, owner="", now=clock.now())
    return Keeper(mirror, accounts, clock)


async def main(share: float, names: Collection[str]) -> None:
    """Print a row for each vendor."""
    print("| what | items copied | hours | calls | calls of a day |")
    print("| --- | --- | --- | --- | --- |")
    for name in names or _AMOUNTS:
        amount = _AMOUNTS[name]
        clock = VirtualClock(_BEGIN)
        with TemporaryDirectory() as folder:
            made = await measure(sites(clock)[name], int(amount * share), clock, Path(folder))
        hours = made.time.total_seconds() / 3600
        print(
            f"| {name} | {made.items:,} | {hours:.1f} | {made.calls:,} | {made.calls_of_a_day:,} |",
            flush=True,
        )


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0, sys.argv[2:]))
