"""A proxy that injects network faults, with real sockets on loopback.

It needs nothing but Rove's core, so that any plugin's tests can use it.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from email.utils import format_datetime
from typing import Final, Self, TypeAlias

from rove_core.clock import SYSTEM, Clock
from rove_core.http.server.connections import close_server
from rove_core.testing.fault_catalogue import FAULTS, Fault
from rove_core.testing.http1 import SeenRequest, ServerReply, ask, read_request, write_head

__all__ = ["FAULTS", "Fault", "FaultProxy", "SeenRequest", "ServerReply"]

_RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)
_PIECE: Final = 65_536
_DRIPS_A_SECOND: Final = 10
_SOON: Final = timedelta(seconds=2)
_MINUTE: Final = timedelta(minutes=1)


Upstream: TypeAlias = tuple[str, int] | ServerReply | Callable[[SeenRequest], ServerReply]
Predicate: TypeAlias = Callable[[SeenRequest], bool]
Act: TypeAlias = Callable[[], Awaitable[None]]
Rewrite: TypeAlias = Callable[[SeenRequest], SeenRequest]
Watch: TypeAlias = Callable[[SeenRequest, ServerReply], None]
Stand: TypeAlias = Callable[[SeenRequest], ServerReply | None]

_NOTHING_WRONG: Final = Fault()
_EMPTY_OBJECT: Final = ServerReply()


@dataclass
class _FaultRun:
    fault: Fault
    times: int | None
    when: Predicate


class FaultProxy:
    """A server in front of another one, or of a ready answer, that plays faults.

    Use it as ``async with FaultProxy(upstream) as proxy``.

    Args:
        upstream: Host and port of the server behind, an answer, or what makes one.
        clock: Waits, for latency and drips.

    Attributes:
        port: Where it listens on 127.0.0.1.
        requests: What it has been asked so far.
    """

    def __init__(self, upstream: Upstream = _EMPTY_OBJECT, *, clock: Clock = SYSTEM) -> None:
        self.port = 0
        self.requests: list[SeenRequest] = []
        self._upstream = upstream
        self._clock = clock
        self._playing: list[_FaultRun] = []
        self._interruptions: list[tuple[Act, Predicate]] = []
        self._rewrite: Rewrite = _as_it_is
        self._watch: Watch = _look_away
        self._stand: Stand = _nothing
        self._talks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def host(self) -> str:
        """Its host and port, as credentials name them."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://{self.host}"

    def play(
        self, fault: Fault, *, times: int | None = 1, when: Predicate = lambda _: True
    ) -> None:
        """Apply a fault to the next replies, in order of request.

        Args:
            fault: What goes wrong.
            times: To how many replies; None for all.
            when: To the replies to which requests.
        """
        self._playing.append(_FaultRun(fault, times, when))

    def before(self, act: Act, *, when: Predicate) -> None:
        """Run a callback before a matching request is forwarded, to simulate a race.

        Args:
            act: What happens, once.
            when: Before which request.
        """
        self._interruptions.append((act, when))

    def rewrite(self, change: "Rewrite") -> None:
        """Pass each request on in another form; what the source asked is recorded.

        Args:
            change: Returns what is asked instead.
        """
        self._rewrite = change

    def watch(self, note: "Watch") -> None:
        """Show each request with its reply, from now on.

        Args:
            note: Is called with both.
        """
        self._watch = note

    def intercept(self, stand: "Stand") -> None:
        """Answer some requests here, which the server behind never sees.

        Args:
            stand: Returns an answer, or None to pass a request on.
        """
        self._stand = stand

    def stop(self) -> None:
        """Play no more faults."""
        self._playing.clear()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=1_000_000)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_closed = True
        await close_server(self._server)
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_closed:
            writer.transport.abort()
            return
        talk = asyncio.create_task(self._talk(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)
        # A task that is cancelled before it starts does not close its connection.
        talk.add_done_callback(lambda _: writer.close())

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A client that goes away in the middle is what half of the faults are for.
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            try:
                while seen := await read_request(reader):
                    self.requests.append(seen)
                    if not await self._reply(writer, seen):
                        break
            finally:
                writer.close()
                await writer.wait_closed()

    async def _reply(self, writer: asyncio.StreamWriter, seen: SeenRequest) -> bool:
        """Answer one request; return whether the connection stays usable."""
        for one in [each for each in self._interruptions if each[1](seen)]:
            self._interruptions.remove(one)
            await one[0]()
        fault = self._next_fault(seen)
        await self._clock.sleep(fault.latency)
        if fault.silent:
            await asyncio.Event().wait()
        if not fault.vanish:
            answer = self._spoil(await self._answer(seen), fault, seen)
            write_head(writer, answer, fault.length)
            await self._write_body(writer, answer.body, fault)
        if fault.reset:
            _break(writer)
        return not (fault.vanish or fault.ends_connection)

    def _next_fault(self, seen: SeenRequest) -> Fault:
        for playing in self._playing:
            if playing.times != 0 and playing.when(seen):
                playing.times = None if playing.times is None else playing.times - 1
                return playing.fault
        return _NOTHING_WRONG

    async def _answer(self, seen: SeenRequest) -> ServerReply:
        match self._upstream:
            case ServerReply() as answer:
                return answer
            case (host, port):
                if (own := self._stand(seen)) is not None:
                    return own
                reply = await ask(host, port, self._rewrite(seen))
                self._watch(seen, reply)
                return reply
            case make:
                return make(seen)

    def _spoil(self, answer: ServerReply, fault: Fault, seen: SeenRequest) -> ServerReply:
        soon = self._clock.now() + _SOON
        names = {
            "port": self.port,
            "path": seen.path,
            "epoch": int(soon.timestamp()),
            "iso": (soon + _MINUTE).strftime("%Y-%m-%dT%H:%MZ"),
            "date": format_datetime(soon, usegmt=True),
        }
        headers = {name: text.format_map(names) for name, text in fault.headers.items()}
        body = fault.body() if callable(fault.body) else fault.body
        # Another body is not compressed as the one was that it replaces.
        own = {} if body is None else {"content-encoding": "identity"}
        return replace(
            answer,
            status=answer.status if fault.status is None else fault.status,
            headers={**answer.headers, **own, **headers},
            body=answer.body if body is None else body,
        )

    async def _write_body(self, writer: asyncio.StreamWriter, body: bytes, fault: Fault) -> None:
        for piece in _pieces(body[: fault.cut_at], fault.drip):
            await self._clock.sleep(len(piece) / fault.drip if fault.drip else 0)
            chunked = fault.length == "chunks"
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
            await writer.drain()
        if fault.length == "chunks" and fault.cut_at is None:
            writer.write(b"0\r\n\r\n")
        await writer.drain()


def _as_it_is(seen: SeenRequest) -> SeenRequest:
    return seen


def _look_away(_: SeenRequest, __: ServerReply) -> None:
    pass


def _nothing(_: SeenRequest) -> None:
    return None


def _pieces(body: bytes, drip: int) -> Iterator[bytes]:
    size = max(1, drip // _DRIPS_A_SECOND) if drip else _PIECE
    for at in range(0, len(body), size):
        yield body[at : at + size]


def _break(writer: asyncio.StreamWriter) -> None:
    """Close so that the other side's system says that the connection was reset."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    writer.transport.abort()
