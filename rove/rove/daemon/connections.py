"""Who is connected: only this user, never too many, and nobody who only waits keeps others out."""

import asyncio
import logging
import os
import socket
from contextlib import suppress
from typing import Final

from attrs import define, field

from rove.daemon.http1 import Answer, Conversation, Limits
from rove.daemon.peers import peer_of
from rove_core.errors import Locked

_LOG: Final = logging.getLogger("rove.server")


@define(eq=False)
class Connections:
    """The open connections of a server.

    Attributes:
        most: How many there may be. One more takes the place of the one that has been waiting for
            its caller the longest, or is refused while all of them are being answered.
    """

    _answer: Answer
    _limits: Limits = field(factory=Limits)
    most: int = field(default=64, kw_only=True)
    _open: dict[Conversation, "asyncio.Task[None]"] = field(factory=dict, init=False)

    async def listen(self, listener: socket.socket) -> asyncio.Server:
        """Answer whoever calls a listening socket."""
        return await asyncio.start_unix_server(self._accept, sock=listener, limit=self._limits.head)

    async def aclose(self, seconds: float) -> None:
        """Let those who are being answered have their answers, within some time, and end all."""
        busy = [task for conversation, task in self._open.items() if conversation.is_busy]
        if busy:
            await asyncio.wait(busy, timeout=seconds)
        for task in self._open.values():
            task.cancel()
        await asyncio.gather(*self._open.values(), return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Let a caller in, or not."""
        if not _is_own(writer.get_extra_info("socket")):
            writer.transport.abort()
            return
        conversation = Conversation(reader, writer, self._answer, self._limits)
        has_room = len(self._open) < self.most or self._made_room()
        task = asyncio.create_task(_held(conversation, writer, is_welcome=has_room))
        self._open[conversation] = task
        task.add_done_callback(lambda _: self._open.pop(conversation))

    def _made_room(self) -> bool:
        """End the connection that has been there the longest of all that wait for their callers."""
        for conversation, task in self._open.items():
            if not conversation.is_busy and not task.cancelling():
                task.cancel()
                return True
        return False


def _is_own(connection: socket.socket) -> bool:
    """Tell whether the caller is this user; it may be gone already."""
    try:
        uid = peer_of(connection).uid
    except OSError:
        return False
    if uid != os.geteuid():
        _LOG.warning("user %s called, and was not let in", uid)
    return uid == os.geteuid()


async def _held(
    conversation: Conversation, writer: asyncio.StreamWriter, *, is_welcome: bool
) -> None:
    try:
        # A caller that goes away, or that takes no answer, has done harm to nobody.
        with suppress(OSError, TimeoutError):
            if is_welcome:
                await conversation.hold()
            else:
                await conversation.refuse(503, Locked("too many connections are being answered"))
    finally:
        writer.close()
