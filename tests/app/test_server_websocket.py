"""WebSockets on the server's socket: a client that knows the protocol's table and nothing else."""

import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attrs import define, field
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    CloseConnection,
    Ping,
    Pong,
    RejectConnection,
    Request,
    TextMessage,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.app.conftest import Daemon

    Connect = Callable[[], "Client"]

DEVICE = "/api/v1/device"


@define
class Client:
    """A client of the server."""

    wire: socket.socket
    ws: WSConnection = field(factory=lambda: WSConnection(ConnectionType.CLIENT))
    parts: list[str] = field(factory=list)

    def open(self, path: str = DEVICE) -> Any:  # noqa: ANN401  # an event of the library
        """Ask for a WebSocket and return what becomes of it."""
        self.wire.sendall(self.ws.send(Request(host="localhost", target=path)))
        return self.event()

    def send(self, frame: object) -> None:
        """Send a frame."""
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self.wire.sendall(self.ws.send(TextMessage(data=text)))

    def event(self) -> Any:  # noqa: ANN401  # an event of the library
        """Return the next event."""
        while True:
            for event in self.ws.events():
                return event
            data = self.wire.recv(1 << 16)
            self.ws.receive_data(data or None)

    def frame(self) -> dict[str, Any]:
        """Return the next frame."""
        while True:
            event = self.event()
            assert isinstance(event, TextMessage), event
            self.parts.append(str(event.data))
            if event.message_finished:
                text, self.parts = "".join(self.parts), []
                return dict(json.loads(text))


@pytest.fixture
def clients(daemon: "Daemon", empty: Path) -> "Iterator[Connect]":
    """Give what connects clients to a running server."""
    daemon.start()
    opened: list[socket.socket] = []

    def connect() -> Client:
        wire = socket.socket(socket.AF_UNIX)
        wire.settimeout(60)
        wire.connect(str(empty / ".rove" / "api.sock"))
        opened.append(wire)
        return Client(wire)

    yield connect
    for wire in opened:
        wire.close()


def _file(path: str, content: str) -> dict[str, object]:
    return {
        "relPath": path,
        "kind": "text",
        "content": content,
        "sizeBytes": len(content),
        "mtimeMs": 1,
    }


def test_a_session_over_a_websocket(clients: "Connect") -> None:
    """A client sends its files in batches and gets a result for each, and the end."""
    client = clients()
    assert isinstance(client.open(), AcceptConnection)
    client.send(
        {"type": "index_session_start", "sessionId": "s", "projectId": "p", "totalFiles": 2}
    )
    client.send(
        {
            "type": "index_file_batch",
            "sessionId": "s",
            "files": [_file("a.md", "About tea and tea."), _file("b.md", "About coffee alone.")],
        }
    )
    frames = [client.frame() for _ in range(5)]

    assert [each["type"] for each in frames] == [
        "index_session_progress",
        "index_file_result",
        "index_file_result",
        "index_session_progress",
        "index_session_done",
    ]
    assert [each["summary"] for each in frames[1:3]] == ["About tea and tea", "About coffee alone"]
    assert frames[-1] == {"type": "index_session_done", "sessionId": "s", "status": "completed"}


def test_the_protocol_is_kept(clients: "Connect") -> None:
    """A ping has its pong, wrong frames have answers, and a close is closed."""
    client = clients()
    client.open()
    client.wire.sendall(client.ws.send(Ping(payload=b"1")))
    assert isinstance(client.event(), Pong)
    client.send("no frame")
    assert client.frame()["status"] == "error"
    client.wire.sendall(client.ws.send(CloseConnection(code=1000)))

    assert isinstance(client.event(), CloseConnection)


@pytest.mark.parametrize("path", ["/nowhere", "/health"])
def test_other_paths_take_no_websocket(clients: "Connect", path: str) -> None:
    """Only a route for WebSockets takes one; all else is answered as HTTP."""
    assert isinstance(clients().open(path), RejectConnection)


def test_bytes_that_are_no_protocol_end_the_connection(clients: "Connect") -> None:
    """What is no WebSocket frame ends its own connection, and the server goes on."""
    client = clients()
    client.open()
    client.wire.sendall(b"\xff" * 100)
    while client.wire.recv(1 << 16):
        pass

    assert isinstance(clients().open(), AcceptConnection)


def test_the_method_cannot_be_forged(clients: "Connect") -> None:
    """A request cannot pretend to be a message of somebody else's WebSocket."""
    client = clients()
    client.wire.sendall(
        f"WEBSOCKET {DEVICE} HTTP/1.1\r\nHost: localhost\r\nrove-socket: 1\r\n"
        "rove-socket-event: message\r\n\r\n".encode()
    )

    assert client.wire.recv(100).startswith(b"HTTP/1.1 501 ")


def test_a_hundred_clients_are_answered(clients: "Connect") -> None:
    """There is room for 64 at a time: who only waits, and the longest, makes room for others."""
    opened, answers = list[Client](), list[object]()
    for _ in range(100):
        opened.append(clients())
        answers.append(opened[-1].open())
    for client in opened[36:]:
        client.send(
            {"type": "index_session_start", "sessionId": "s", "projectId": "p", "totalFiles": 1}
        )

    assert [type(answer) for answer in answers] == [AcceptConnection] * 100
    assert {client.frame()["type"] for client in opened[36:]} == {"index_session_progress"}
    assert {client.wire.recv(1) for client in opened[:36]} == {b""}
