"""What a running server gives to whoever answers a request."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define

from rove.daemon.dispatch import Dispatcher
from rove.daemon.worker_handle import WorkerEnded
from rove.daemon.workers import Workers
from rove_core.errors import ServerTrouble
from rove_core.http.server.door import HttpRequest, HttpResponse, failure, json_reply
from rove_core.project.layout import ProjectPaths
from rove_core.store.connection import typed_errors
from rove_core.store.store import Store


@define(eq=False, kw_only=True)
class ServedProject:
    """A project that is served.

    Attributes:
        places: Where everything of it is.
        version: Of which version the server is.
        store: Its index, to be changed.
    """

    places: ProjectPaths
    version: str
    store: Store
    _db: sqlite3.Connection
    _workers: Workers
    _dispatcher: Dispatcher

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection to the index that can only read; it is kept, and holds up the loop."""
        with typed_errors(self.places.index):
            yield self._db

    def wake(self) -> None:
        """Have the tasks looked at now: call it when one was added, cancelled or hastened."""
        self._dispatcher.wake()

    async def in_worker(self, request: HttpRequest) -> HttpResponse:
        """Return the answer of a worker, which has all plugins."""
        try:
            return await self._workers.answer(request)
        except WorkerEnded as ended:
            if ended.refusal is not None:
                return json_reply(503, ended.refusal)
            error = ended.failed or ServerTrouble(str(ended), hint="Ask again in a moment.")
            return failure(error.http_status, error)
        finally:
            self.wake()
