"""The server process: answer requests, dispatch tasks, and shut down cleanly."""

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any, Final

from attrs import define, field

from rove import __version__
from rove.server.arguments import Bounds, ServerOrders
from rove.server.endpoints import most_bytes, own_answer
from rove.server.environment import HEADER, environment_digest
from rove.server.home import Home
from rove.server.peers import is_own
from rove.server.scheduler import Scheduler
from rove.server.served_project import ServedProject
from rove.server.singleton import sign
from rove.server.worker_handle import WorkerEnded
from rove.server.workers import Workers
from rove_core.auth.login_ledger import LoginLedger
from rove_core.clock import SYSTEM, Clock
from rove_core.errors import RoveError, ServerTrouble
from rove_core.http.server.connections import Connections
from rove_core.http.server.door import HttpRequest, HttpResponse, failure
from rove_core.http.server.http1 import RequestLimits
from rove_core.operations import Failure
from rove_core.project.index_claim import claim_index
from rove_core.project.layout import ProjectPaths
from rove_core.project.logs import start_logging
from rove_core.store.connection import open_for_reading
from rove_core.store.files import remove_leftovers
from rove_core.store.store import open_store
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import to_json

_LOG: Final = logging.getLogger("rove.server")
#: Seconds between two looks at whether a login is to be renewed.
_RENEWAL: Final = 300.0


@define(eq=False)
class Server:
    """A server that answers.

    Attributes:
        served: What it serves.
        home: Where it listens.
        workers: Who does the work.
        scheduler: Who hands it to them.
        bounds: What it keeps to.
        clock: The clock.
    """

    served: ServedProject
    home: Home
    workers: Workers
    scheduler: Scheduler
    bounds: Bounds
    clock: Clock
    _ending: asyncio.Event = field(factory=asyncio.Event, init=False)

    def heed_signals(self) -> None:
        """Shut down cleanly on signals."""
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(each, self._end)

    def background(self) -> tuple[Coroutine[Any, Any, None], ...]:
        """Return what runs beside the requests until the server ends."""
        return self.scheduler.run(), self._watch(), self._renew()

    async def listen(self) -> Connections:
        """Begin to answer requests."""
        connections = Connections(self._answer, RequestLimits(body=most_bytes), lets_in=is_own)
        await connections.listen(self.home.listener)
        return connections

    async def wait_for_end(self) -> None:
        """Wait until somebody stops it, or the project is gone."""
        await self._ending.wait()

    async def _answer(self, request: HttpRequest) -> HttpResponse:
        """Answer a request, or let a worker answer, which has all plugins."""
        if not self.home.is_there():
            self._ending.set()
        if self._ending.is_set():
            raise ServerTrouble("the server is shutting down", hint="Try again in a moment.")
        digest = request.headers.get(HEADER)
        if digest is not None and digest != environment_digest():
            what = (
                "the server was started in a different environment: "
                "other logins, settings or proxies"
            )
            return failure(409, ServerTrouble(what, hint="Restart it from here: rove server stop"))
        if own := await own_answer(request, self.served):
            return own
        try:
            return await self.workers.answer(request)
        finally:
            self.scheduler.wake()

    def _end(self) -> None:
        """Shut down cleanly; a second signal stops at once."""
        if self._ending.is_set():
            os._exit(1)
        self._ending.set()

    async def _watch(self) -> None:
        while self.home.is_there():
            await self.clock.sleep(self.bounds.watch)
        _LOG.info("the project's folder is gone")
        self._ending.set()

    async def _renew(self) -> None:
        """Renew unused logins before they expire."""
        ledger = LoginLedger(self.served.places.data_dir)
        while True:
            try:
                now = self.clock.now()
                if any(record.is_due(now) for record in ledger.records().values()):
                    await self.workers.renew_logins()
            except (RoveError, OSError, WorkerEnded) as error:
                _LOG.warning("logins cannot be renewed: %s", error)
            await self.clock.sleep(_RENEWAL)


@asynccontextmanager
async def opened(
    places: ProjectPaths, bounds: Bounds, clock: Clock = SYSTEM
) -> AsyncIterator[Server]:
    """Yield a project's server, ready to serve."""
    async with AsyncExitStack() as stack:
        home = Home(places)
        stack.callback(home.leave)
        store = await stack.enter_async_context(open_store(places.index, clock=clock))
        await claim_index(store, places)
        db = stack.enter_context(open_for_reading(places.index))
        home.settle()
        for folder in (places.context, places.rove):
            remove_leftovers(folder)
        workers = Workers(places, bounds, clock)
        scheduler = Scheduler(places, store, workers, bounds, clock)
        served = ServedProject(
            places=places,
            version=__version__,
            store=store,
            db=db,
            wake=scheduler.wake,
        )
        yield Server(served, home, workers, scheduler, bounds, clock)


async def _serve(places: ProjectPaths, orders: ServerOrders) -> None:
    """Serve until stopped, or until the project is gone."""
    async with opened(places, orders.bounds) as server:
        server.heed_signals()
        sign(orders.lock, version=__version__, at=SYSTEM.now())
        _send_ready(orders.ready, {"version": __version__})
        _print_to(places.logs)
        _LOG.info("the server %s listens at %s", __version__, places.socket)
        connections = await server.listen()
        async with asyncio.TaskGroup() as group:
            background = [group.create_task(each) for each in server.background()]
            await server.wait_for_end()
            await connections.refuse_more()
            server.home.leave()
            for task in background:
                task.cancel()
        await asyncio.gather(server.workers.aclose(), connections.aclose(orders.bounds.drain))
        _LOG.info("the server ends")


def main() -> int:
    """Serve a project, and return the exit code."""
    orders = ServerOrders.from_text(sys.argv[1])
    for inherited in (orders.lock, orders.ready):
        os.set_inheritable(inherited, False)  # noqa: FBT003  # its one argument
    os.umask(0o077)
    try:
        places = ProjectPaths.at(Path(orders.root))
        with closing(start_logging(places)) as logs, logs.here():
            try:
                asyncio.run(_serve(places, orders))
            except Exception:
                _LOG.exception("the server ends")
                raise
    except RoveError as error:
        with suppress(OSError):  # Once it has said that it is ready, nobody waits.
            _send_ready(orders.ready, {"refused": to_json(Failure.of(error))})
        return error.exit_code
    return 0


def _send_ready(ready: int, report: dict[str, JSON]) -> None:
    os.write(ready, f"\n{json.dumps(report)}\n".encode())
    os.close(ready)


def _print_to(logs: Path) -> None:
    """Redirect output of the system and libraries to a log file."""
    with suppress(OSError):
        logs.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW
        file = os.open(logs / "server.log", flags, 0o600)
        os.dup2(file, 1)
        os.dup2(file, 2)
        os.close(file)


if __name__ == "__main__":
    sys.exit(main())
