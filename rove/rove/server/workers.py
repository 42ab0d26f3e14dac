"""The server's worker processes: up to two for tasks, and one for requests to plugins."""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from attrs import define, field

from rove.server.arguments import Bounds
from rove.server.frames import of_request, to_response
from rove.server.worker_handle import WorkerEnded, WorkerHandle
from rove_core.clock import Clock
from rove_core.errors import ServerTrouble
from rove_core.http.server.door import HttpRequest, HttpResponse, failure, json_reply
from rove_core.plugins.kept_off import KeptOff
from rove_core.project.layout import ProjectPaths
from rove_core.wire.json_types import JSON

#: How many tasks are carried out at a time.
MOST: Final = 2


@define(eq=False)
class Workers:
    """Hires workers when there is work; each leaves by itself when there is none for a while.

    Attributes:
        on_schedule: Who is told how often operations run, by each worker that starts.
    """

    _places: ProjectPaths
    _bounds: Bounds
    _clock: Clock
    _all: list[WorkerHandle] = field(factory=list, init=False)
    _answering: WorkerHandle | None = field(default=None, init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _kept_off: dict[str, KeptOff] = field(factory=dict, init=False)
    on_schedule: Callable[[JSON], None] = field(default=lambda _: None, init=False)

    async def free(self) -> WorkerHandle:
        """Return an idle, up-to-date worker for tasks.

        It counts as free until it is asked for something: ask it at once.
        """
        async with self._turn:
            stamp = self._stamp()
            others = (each for each in self._living_workers() if each is not self._answering)
            fit = [each for each in others if each.stamp == stamp and each.is_idle]
            return fit[0] if fit else await self._start_worker(stamp)

    async def answer(self, request: HttpRequest) -> HttpResponse:
        """Answer a request through the request worker."""
        payload, may_repeat = of_request(request), _is_repeatable(request)
        while True:
            try:
                reply = await (await self._answerer()).ask("request", request=payload)
            except WorkerEnded as ended:
                if not (ended.is_new and may_repeat):
                    return _failure_of(ended)
                may_repeat = False
            else:
                break
        if reply is None:
            raise ServerTrouble("the server is shutting down", hint="Try again in a moment.")
        return to_response(reply)

    async def renew_logins(self) -> None:
        """Renew due logins in the request worker.

        Raises:
            WorkerEnded: The worker ended before it was done.
        """
        await (await self._answerer()).ask("renew")

    async def start_one(self) -> None:
        """Start the worker for requests, if none runs, and wait until it works.

        Raises:
            WorkerEnded: The worker ended before it was done.
        """
        await (await self._answerer()).ask("nothing")

    async def aclose(self) -> None:
        """End all workers; their tasks are requeued."""
        await asyncio.gather(*(worker.aclose(self._bounds.drain) for worker in self._all))

    async def _answerer(self) -> WorkerHandle:
        async with self._turn:
            stamp, worker = self._stamp(), self._answering
            if worker is None or not worker.is_alive or worker.stamp != stamp:
                worker = self._answering = await self._start_worker(stamp)
            return worker

    async def _start_worker(self, stamp: object) -> WorkerHandle:
        for outdated in self._living_workers():
            if outdated.stamp != stamp and outdated.is_idle:
                outdated.retire()
        worker = await WorkerHandle.start(
            self._places.root,
            stamp=stamp,
            bounds=self._bounds,
            kept_off=self._kept_off,
            clock=self._clock,
            on_schedule=self.on_schedule,
            on_failure=self._keep_off,
        )
        self._all = [*(each for each in self._all if not each.has_ended), worker]
        return worker

    def _keep_off(self, name: str, reason: KeptOff) -> None:
        """Disable a plugin that broke a worker, so that it cannot break the next one."""
        self._kept_off.setdefault(name, reason)

    def _living_workers(self) -> list[WorkerHandle]:
        return [worker for worker in self._all if worker.is_alive]

    def _stamp(self) -> object:
        """Return a value that changes with settings, accounts, plugins and disabled plugins."""
        places = self._places
        files: tuple[str | Path, ...] = (
            places.settings_file,
            places.user_settings_file,
            places.data_dir / "accounts.toml",
            places.data_dir / "trust",
            *sys.path,
        )
        return (tuple(map(changed_at, files)), tuple(self._kept_off))


def _failure_of(ended: WorkerEnded) -> HttpResponse:
    if ended.refusal is not None:
        return json_reply(503, ended.refusal)
    error = ended.failed or ServerTrouble(str(ended), hint="Try again in a moment.")
    return failure(error.http_status, error)


def _is_repeatable(request: HttpRequest) -> bool:
    """Return whether a request may be repeated without adding a task twice."""
    return request.method == "GET" or (request.method, request.path) == ("POST", "/tasks")


def changed_at(path: str | Path) -> int:
    """Return when a file or folder changed; 0 if there is none."""
    with suppress(OSError):
        return os.stat(path).st_mtime_ns  # noqa: PTH116  # a text or a path
    return 0
