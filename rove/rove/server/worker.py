"""A worker process: it opens the project, loads plugins, and runs what the server sends.

What a plugin does to its process, it does to this one. The server sees on a shared board whether
the event loop still turns and whose code runs, and ends the worker if need be.
"""

import asyncio
import logging
import socket
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from rove.collector import spare_the_collector
from rove.plugin_output import log_what_is_printed
from rove.server.arguments import WorkerOrders
from rove.server.confinement import die_with, give_way, limit_memory, share_heap
from rove.server.frames import SCHEDULE, Message, of_response, packed, read_message, to_request
from rove.server.process_client import ProcessClient
from rove.server.project_operations import operations_of, routes_of
from rove_core.errors import RoveError
from rove_core.http.server.door import answer
from rove_core.operations import Failure
from rove_core.plugins.event_loop import run_to_end
from rove_core.plugins.watchdog import Board, beating, show_on
from rove_core.project.layout import ProjectPaths
from rove_core.project.opener import open_project
from rove_core.project.project import Project
from rove_core.tasks.recurring_operations import intervals_of
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import to_json

_LOG: Final = logging.getLogger("rove.worker")


class Worker:
    """Executes the server's requests on an open project, several at a time."""

    def __init__(self, project: Project, writer: asyncio.StreamWriter) -> None:
        self._project = project
        self._writer = writer
        self._operations = operations_of(project)
        project.client = ProcessClient(project, self._operations)
        self._routes = routes_of(project, self._operations)
        self._doing: dict[int, asyncio.Task[None]] = {}

    @property
    def intervals(self) -> dict[str, JSON]:
        """Intervals of recurring operations."""
        return dict(intervals_of(self._operations))

    async def serve(self, reader: asyncio.StreamReader) -> None:
        """Execute requests until the server ends; unfinished ones are returned to the queue."""
        while message := await read_message(reader):
            number = int(str(message["number"]))
            if message["ask"] != "stop":
                self._doing[number] = asyncio.create_task(self._do(number, message))
                self._doing[number].add_done_callback(partial(self._forget, number))
            elif number in self._doing:
                self._doing[number].cancel()
        left = tuple(self._doing.values())
        for doing in left:
            doing.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _do(self, number: int, message: Message) -> None:
        result: JSON = None
        try:
            match message["ask"]:
                case "task":
                    await self._project.run_queued(self._operations, str(message["task"]))
                case "request":
                    request = to_request(message["request"])
                    result = of_response(
                        await answer(request, self._operations, self._project, self._routes)
                    )
                case "renew":
                    await self._project.renew_logins()
        finally:
            self._writer.write(packed({"number": number, "result": result}))

    def _forget(self, number: int, done: "asyncio.Task[None]") -> None:
        del self._doing[number]
        if not done.cancelled() and (error := done.exception()):
            _LOG.error("a worker could not handle a message", exc_info=error)


async def _work(connection: socket.socket, orders: WorkerOrders) -> None:
    reader, writer = await asyncio.open_connection(sock=connection)
    try:
        if not ProjectPaths.at(Path(orders.root)).rove.is_dir():
            return  # The project has gone meanwhile: to open it would bring it back.
        async with beating(), open_project(Path(orders.root), kept_off=orders.kept_off) as project:
            worker = Worker(project, writer)
            writer.write(packed({"number": SCHEDULE, "result": worker.intervals}))
            await worker.serve(reader)
    except RoveError as error:
        writer.write(packed({"number": 0, "result": to_json(Failure.of(error))}))
    finally:
        with suppress(OSError):
            await writer.drain()


def main() -> None:
    """Work until the server says no more."""
    orders = WorkerOrders.from_text(sys.argv[1])
    die_with(orders.server)
    limit_memory(orders.bounds.memory)
    share_heap()
    give_way()
    spare_the_collector()
    log_what_is_printed()
    board = Board(orders.board)
    show_on(board)
    run_to_end(_work(socket.socket(fileno=orders.connection), orders))


if __name__ == "__main__":
    main()
