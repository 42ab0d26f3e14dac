"""Schedule recurring operations. Workers name them, since the server loads no plugin."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from attrs import define, field

from rove.server.worker_handle import WorkerEnded
from rove.server.workers import Workers, changed_at
from rove_core.errors import RoveError
from rove_core.project.layout import ProjectPaths
from rove_core.store.store import Store
from rove_core.tasks.recurring_operations import (
    Intervals,
    load_intervals,
    plan_operations,
    save_intervals,
)
from rove_core.wire.json_types import JSON

_LOG: Final = logging.getLogger("rove.server")


@define(eq=False)
class OperationSchedule:
    """Queues the next runs of recurring operations, as reported by workers.

    A worker is started for that only if nobody has said it since a package was installed.
    """

    _places: ProjectPaths
    _store: Store
    _workers: Workers
    _wake: Callable[[], None]
    _intervals: Intervals = field(factory=dict, init=False)
    _stamp: str = field(default="", init=False)
    _asking: "asyncio.Task[None] | None" = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._intervals, self._stamp = load_intervals(self._places)
        self._workers.on_schedule = self._learn

    async def plan(self) -> None:
        """Queue the next run of each operation, unless it waits or runs."""
        if self._stamp != (stamp := _plugin_stamp()) and self._asking is None:
            self._asking = asyncio.create_task(self._ask(stamp))
        await plan_operations(self._store, self._intervals)

    def _learn(self, payload: JSON) -> None:
        every = payload if isinstance(payload, Mapping) else {}
        intervals = {str(name): str(text) for name, text in every.items()}
        stamp = _plugin_stamp()
        if (intervals, stamp) != (self._intervals, self._stamp):
            self._intervals, self._stamp = intervals, stamp
            try:
                save_intervals(self._places, intervals, stamp)
            except RoveError as error:  # Only status reads it.
                _LOG.warning("cannot store when operations run: %s", error)
            self._wake()

    async def _ask(self, stamp: str) -> None:
        try:
            await self._workers.start_one()
        except (WorkerEnded, OSError) as error:
            _LOG.warning("no worker listed the recurring operations: %s", error)
            self._stamp = stamp  # Until a package is installed or removed.
        finally:
            self._asking = None


def _plugin_stamp() -> str:
    """Return what changes when a package is installed or removed."""
    parts = [os.environ.get("ROVE_LOAD_PLUGINS", "*"), sys.executable]
    parts += [f"{folder}:{changed_at(folder)}" for folder in sys.path]
    return sha256("\n".join(parts).encode()).hexdigest()
