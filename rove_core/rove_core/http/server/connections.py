"""Open connections: a limit, with idle ones closed first."""

import asyncio
import socket
from collections.abc import Callable

from attrs import define, field

from rove_core.errors import Locked
from rove_core.http.server.http1 import Answer, HttpConnection, RequestLimits


@define(eq=False)
class Connections:
    """The open connections of a server.

    Attributes:
        most: How many there may be. One more takes the place of the one that has been waiting for
            its caller the longest, or is refused while all of them are being answered.
        lets_in: Tells of a connection whether its caller may say anything at all.
    """

    _answer: Answer
    _limits: RequestLimits = field(factory=RequestLimits)
    most: int = field(default=64, kw_only=True)
    lets_in: Callable[[socket.socket], bool] = field(default=lambda _: True, kw_only=True)
    _open: dict[HttpConnection, "asyncio.Task[None]"] = field(factory=dict, init=False)
    _servers: list[asyncio.Server] = field(factory=list, init=False)
    _is_closed: bool = field(default=False, init=False)

    async def listen(self, listener: socket.socket) -> None:
        """Accept connections on a listening socket."""
        is_local = listener.family == socket.AF_UNIX
        start = asyncio.start_unix_server if is_local else asyncio.start_server
        self._servers.append(await start(self._accept, sock=listener, limit=self._limits.head))

    async def refuse_more(self) -> None:
        """Accept no more connections."""
        for server in self._servers:
            await close_server(server)

    async def aclose(self, seconds: float) -> None:
        """Accept no more connections, finish open requests within a deadline, then close."""
        await self.refuse_more()
        self._is_closed = True
        busy = [task for conversation, task in self._open.items() if conversation.is_busy]
        if busy:
            await asyncio.wait(busy, timeout=seconds)
        for task in self._open.values():
            task.cancel()
        await asyncio.gather(*self._open.values(), return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Accept or refuse a connection."""
        if self._is_closed or not self.lets_in(writer.get_extra_info("socket")):
            writer.transport.abort()
            return
        conversation = HttpConnection(reader, writer, self._answer, self._limits)
        has_room = len(self._open) < self.most or self._made_room()
        # Who is being refused makes no room for the next caller.
        conversation.is_busy = not has_room
        refusal = None if has_room else Locked("too many open connections")
        task = asyncio.create_task(conversation.hold(refusal))
        self._open[conversation] = task
        task.add_done_callback(lambda _: self._open.pop(conversation))
        # A task that is cancelled before it starts does not close its connection.
        task.add_done_callback(lambda _: writer.close())

    def _made_room(self) -> bool:
        """End the connection that has been there the longest of all that wait for their callers."""
        for conversation, task in self._open.items():
            if not conversation.is_busy and not task.cancelling():
                task.cancel()
                return True
        return False


async def close_server(server: asyncio.Server) -> None:
    """Close a server without losing a connection that it has just accepted.

    Such a connection gets its transport in the next step of the event loop, and only from a server
    that is still open; without a transport nobody closes its socket.
    """
    loop = asyncio.get_running_loop()
    for listener in server.sockets:
        loop.remove_reader(listener.fileno())
    await asyncio.sleep(0)  # noqa: TID251  # a step of the loop is no time
    server.close()
