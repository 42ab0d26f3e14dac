"""HTTP over the socket: what callers may send, how long they may take, and how many may come."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from attrs import define, field

from rove.server.address import bind, open_folder
from rove_core.errors import DocumentNotFound
from rove_core.http.server.connections import Connections
from rove_core.http.server.door import HttpRequest, HttpResponse, json_reply
from rove_core.http.server.http1 import RequestLimits

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@define
class Answering:
    """Connections at a socket, and what was asked over them.

    Attributes:
        path: The socket.
        asked: The requests.
        came: Counts them.
        gate: What an answer to ``/wait`` waits for.
    """

    path: str
    asked: list[HttpRequest] = field(factory=list)
    came: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(0))
    gate: asyncio.Event = field(factory=asyncio.Event)

    async def answer(self, request: HttpRequest) -> HttpResponse:
        """Answer the number of requests that came so far."""
        self.asked.append(request)
        self.came.release()
        if request.path == "/wait":
            await self.gate.wait()
        if request.path == "/wrong":
            raise DocumentNotFound("there is none")
        if request.path == "/broken":
            raise ZeroDivisionError
        return json_reply(200, len(self.asked))

    async def call(self, *pieces: bytes) -> bytes:
        """Send some bytes, piece by piece, and return all that comes back."""
        reader, writer = await asyncio.open_unix_connection(self.path)
        try:
            for piece in pieces:
                writer.write(piece)
            async with asyncio.timeout(60):
                return await reader.read(-1)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def listening(
    folder: Path, limits: RequestLimits, *, most: int = 64
) -> AsyncIterator[Answering]:
    """Answer at a socket in a folder."""
    answering = Answering(str(folder / "api.sock"))
    connections = Connections(answering.answer, limits, most=most)
    descriptor = open_folder(folder)
    await connections.listen(bind(descriptor, folder))
    try:
        yield answering
    finally:
        await connections.aclose(0)
        os.close(descriptor)


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder that its socket is called in by a short name."""
    monkeypatch.chdir(tmp_path)
    return Path()


def statuses(back: bytes) -> list[int]:
    """Return the status of each answer."""
    return [int(part[:3]) for part in back.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.anyio
async def test_a_connection_is_kept(private: Path) -> None:
    """Requests on one connection are answered in their order, also when they come at once."""
    async with listening(private, RequestLimits()) as there:
        back = await there.call(GET + GET, GET + LAST)

    assert statuses(back) == [200] * 4
    assert [line for line in back.splitlines() if line.isdigit()] == [b"1", b"2", b"3", b"4"]


@pytest.mark.anyio
async def test_http_1_0(private: Path) -> None:
    """An old caller has its answer, and then the end."""
    async with listening(private, RequestLimits()) as there:
        back = await there.call(b"GET / HTTP/1.0\r\n\r\n")

    assert statuses(back) == [200]
    assert b"\r\nConnection: close\r\n" in back


@pytest.mark.anyio
async def test_a_head_alone(private: Path) -> None:
    """HEAD is answered as GET is, without the body."""
    async with listening(private, RequestLimits()) as there:
        back = await there.call(LAST.replace(b"GET", b"HEAD"))

    assert b"content-length: 2\r\n" in back
    assert back.endswith(b"\r\n\r\n")
    assert there.asked[0].method == "GET"


@pytest.mark.anyio
async def test_what_was_asked(private: Path) -> None:
    """Path and query stay as they were sent; a header that came twice is one."""
    target = b"http://localhost/find/TB%20123?account=a&b"
    head = (
        b"GET " + target + b" HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nX-A: 2\r\nConnection: close\r\n\r\n"
    )
    async with listening(private, RequestLimits()) as there:
        await there.call(head)

    (asked,) = there.asked
    assert (asked.path, asked.query) == ("/find/TB%20123", "account=a&b")
    assert asked.headers["x-a"] == "1, 2"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 4\r\n\r\nbody",
        b"Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n",
    ],
)
async def test_a_body(private: Path, body: bytes) -> None:
    """A body comes whole, however it is sent."""
    async with listening(private, RequestLimits()) as there:
        await there.call(b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n", body)

    assert there.asked[0].body == b"body"


@pytest.mark.anyio
async def test_a_body_that_waits_to_be_wanted(private: Path) -> None:
    """Who asks whether to go on is told so."""
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n"
    async with listening(private, RequestLimits()) as there:
        reader, writer = await asyncio.open_unix_connection(there.path)
        writer.write(head + b"Connection: close\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 \r\n\r\n"
        writer.write(b"body")
        await reader.read(-1)
        writer.close()

    assert there.asked[0].body == b"body"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", 400),
        (b"\x16\x03\x01" + bytes(200), 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 8192 + b"\r\n\r\n", 431),
        (b"GET /" + b"x" * 9000, 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", 413),
        (
            b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + b"8000\r\n%b\r\n" % bytes(0x8000) * 3,
            413,
        ),
    ],
)
async def test_what_is_refused(private: Path, sent: bytes, status: int) -> None:
    """Whatever is no request, or too large, has an answer that says so, and then the end."""
    async with listening(private, RequestLimits()) as there:
        back = await there.call(sent)

    assert statuses(back) == [status]
    assert json.loads(back.partition(b"\r\n\r\n")[2])["code"] == "ROVE-USE-001"
    assert there.asked == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("path", "status", "code"),
    [(b"/wrong", 404, "ROVE-ITEM-002"), (b"/broken", 500, "ROVE-BUG-001")],
)
async def test_an_answer_that_fails(private: Path, path: bytes, status: int, code: str) -> None:
    """Whatever goes wrong is an answer, and the connection goes on."""
    async with listening(private, RequestLimits()) as there:
        back = await there.call(GET.replace(b"/ ", path + b" ", 1), LAST)

    assert statuses(back) == [status, 200]
    assert code.encode() in back


@pytest.mark.anyio
@pytest.mark.parametrize("sent", [b"GET / HT", GET + b"GET"])
async def test_a_slow_head(private: Path, sent: bytes) -> None:
    """Who begins a request has a moment to end it."""
    async with listening(private, RequestLimits(head_seconds=0.05)) as there:
        back = await there.call(sent)

    assert statuses(back)[-1] == 408


@pytest.mark.anyio
async def test_a_slow_body(private: Path) -> None:
    """The same holds for what follows the head."""
    async with listening(private, RequestLimits(body_seconds=0.05)) as there:
        back = await there.call(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nb")

    assert statuses(back) == [408]


@pytest.mark.anyio
async def test_nothing_comes(private: Path) -> None:
    """A connection on which nothing comes ends without a word."""
    async with listening(private, RequestLimits(idle_seconds=0.05)) as there:
        back = await there.call()

    assert back == b""


@pytest.mark.anyio
async def test_many_who_only_wait(private: Path) -> None:
    """They take nobody's place: who has waited the longest has to go when somebody comes."""
    async with listening(private, RequestLimits(), most=4) as there:
        idle = [await asyncio.open_unix_connection(there.path) for _ in range(20)]
        back = await there.call(LAST)
        ended = [await reader.read(-1) for reader, _ in idle[:16]]
        for _, writer in idle:
            writer.close()

    assert statuses(back) == [200]
    assert ended == [b""] * 16


SWITCH = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n\r\n"
)


@pytest.mark.anyio
async def test_web_sockets_that_only_wait(private: Path) -> None:
    """Between two messages they take nobody's place, as others who wait."""
    async with listening(private, RequestLimits(), most=2) as there:
        idle = [await asyncio.open_unix_connection(there.path) for _ in range(2)]
        for reader, writer in idle:
            writer.write(SWITCH)
            await reader.readuntil(b"\r\n\r\n")
        back = await there.call(LAST)
        ended = await idle[0][0].read(-1)
        for _, writer in idle:
            writer.close()

    assert (statuses(back), ended) == ([200], b"")


@pytest.mark.anyio
async def test_a_web_socket_on_which_nothing_comes(private: Path) -> None:
    """It is ended after its own limit."""
    async with listening(private, RequestLimits(socket_seconds=0.01)) as there:
        back = await there.call(SWITCH)

    assert statuses(back) == [101]


@pytest.mark.anyio
async def test_many_who_are_answered(private: Path) -> None:
    """While all are being answered, one more is told to come again; all others have theirs."""
    async with listening(private, RequestLimits(), most=3) as there:
        waiting = GET.replace(b"/ ", b"/wait ", 1).replace(
            b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"
        )
        busy = [asyncio.create_task(there.call(waiting)) for _ in range(3)]
        for _ in busy:
            await there.came.acquire()
        late = await there.call(LAST)
        there.gate.set()
        answered = await asyncio.gather(*busy)

    assert statuses(late) == [503]
    assert [statuses(each) for each in answered] == [[200]] * 3
