"""Call operations for an agent: in the project's server if it runs, else in this process."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rove import server_tasks
from rove.operations import own_operations
from rove.server.client import call
from rove.server.environment import HEADER, environment_digest
from rove.server.process_client import ProcessClient, ignore_event
from rove.server.project_operations import operations_of
from rove.server.start import ensure_server
from rove_core.errors import RoveError, ServerTrouble
from rove_core.events import Event
from rove_core.operations import Operation
from rove_core.project.local import LocalProject
from rove_core.project.opener import open_project
from rove_core.project.operation_client import OfferedOperation, OnEvent
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import TOLERANT, to_json

if TYPE_CHECKING:
    from rove_core.project.layout import ProjectPaths

_ERRORS: Final = 400
_DESCRIBED: Final = "/operations?schemas=true"
#: Seconds that an operation may take in the server.
_PATIENCE: Final = 600.0


@define(eq=False)
class ServerClient:
    """Calls operations in the project's server, and starts it when it does not run.

    Where no server can be started, or the one that runs has another environment, the project is
    opened in this process.

    Attributes:
        places: The project.
    """

    places: "ProjectPaths"
    _own: Mapping[str, Operation] = field(init=False)
    _here: "_OpenedProject" = field(init=False)

    @_own.default
    def _by_name(self) -> Mapping[str, Operation]:
        return {each.name: each for each in own_operations()}

    @_here.default
    def _not_open(self) -> "_OpenedProject":
        return _OpenedProject(self.places.root)

    async def offered(self) -> Sequence[OfferedOperation]:
        """Return the operations that may be called, by name."""
        try:
            payload = await self._request("GET", _DESCRIBED)
        except (OSError, ServerTrouble):
            return await (await self._here.client()).offered()
        return TOLERANT.structure(payload, tuple[OfferedOperation, ...])

    async def call(
        self, name: str, arguments: Mapping[str, JSON], on_event: OnEvent = ignore_event
    ) -> JSON:
        """Call an operation and return its result; builds are tasks of the server."""
        operation = self._own.get(name)
        try:
            if operation and operation.parts and server_tasks.prefers_server(arguments):
                return to_json(await self._as_tasks(operation, arguments, on_event))
            return await self._request("POST", f"/operations/{name}", dict(arguments))
        except (OSError, ServerTrouble):
            client = await self._here.client()
            return await client.call(name, arguments, on_event)

    async def aclose(self) -> None:
        """Close the client."""
        await self._here.aclose()

    async def _request(self, method: str, path: str, body: JSON | None = None) -> JSON:
        """Return the server's answer; start the server once if it is not running."""
        if not server_tasks.prefers_server({}):
            raise ServerTrouble("ROVE_DAEMON=0 forbids a server here")
        try:
            status, payload = await asyncio.to_thread(self._call, method, path, body)
        except OSError:
            await asyncio.to_thread(ensure_server, self.places)
            status, payload = await asyncio.to_thread(self._call, method, path, body)
        if status >= _ERRORS:
            raise server_tasks.failure_of(payload).as_error()
        return payload

    def _call(self, method: str, path: str, body: JSON | None) -> tuple[int, JSON]:
        digest = {HEADER: environment_digest()}
        return call(self.places, method, path, body, headers=digest, timeout=_PATIENCE)

    async def _as_tasks(
        self, operation: Operation, arguments: Mapping[str, JSON], on_event: OnEvent
    ) -> object:
        """Run it as tasks in the server, and return the joined result."""
        project, loop = LocalProject(self.places), asyncio.get_running_loop()
        queueing = server_tasks.submitted(project, operation, arguments)
        ids = await asyncio.to_thread(asyncio.run, queueing)
        if ids is None:
            raise ServerTrouble("no server is available for this")

        def listener(event: Event) -> None:
            loop.call_soon_threadsafe(on_event, event)

        waiting = asyncio.create_task(
            asyncio.to_thread(server_tasks.waited_for, project, operation, ids, listener)
        )
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            for task_id in ids:
                with suppress(OSError, RoveError):
                    await asyncio.to_thread(self._call, "POST", f"/tasks/{task_id}/cancel", None)
            await asyncio.gather(waiting, return_exceptions=True)
            raise


@define(eq=False)
class _OpenedProject:
    """A project that is opened on first use, in a separate task."""

    _folder: Path
    _keeper: "asyncio.Task[None] | None" = field(default=None, init=False)
    _client: "asyncio.Future[ProcessClient] | None" = field(default=None, init=False)
    _closing: asyncio.Event = field(factory=asyncio.Event, init=False)

    async def client(self) -> ProcessClient:
        """Return what calls its operations."""
        if self._client is None:
            self._client = asyncio.get_running_loop().create_future()
            self._keeper = asyncio.create_task(self._keep(self._client))
        return await asyncio.shield(self._client)

    async def aclose(self) -> None:
        """Close the project, if it was opened."""
        self._closing.set()
        if self._keeper:
            await asyncio.gather(self._keeper, return_exceptions=True)

    async def _keep(self, client: "asyncio.Future[ProcessClient]") -> None:
        made: ProcessClient | None = None

        def forward(event: Event) -> None:
            if made:
                made.forward(event)

        try:
            async with open_project(self._folder, on_event=forward) as project:
                made = ProcessClient(project, operations_of(project))
                client.set_result(made)
                await self._closing.wait()
        except RoveError as error:
            if not client.done():
                client.set_exception(error)


@asynccontextmanager
async def operation_client(project: LocalProject) -> AsyncIterator[ServerClient]:
    """Yield a client of a project's operations."""
    client = ServerClient(project.places)
    try:
        yield client
    finally:
        await client.aclose()
