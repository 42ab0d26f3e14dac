"""MCP servers to talk to: a wiki of the official SDK, over HTTP, behind a token."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any, Final

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

TOKEN: Final = "wiki-token-of-northwind"  # noqa: S105  # made up
READS: Final = ToolAnnotations(read_only_hint=True)
SETTINGS: Final = {"page": "https://wiki.example/pages/{id}", "hosts": ["wiki.example"]}
PAGES: Final = {
    "P-1": ("Tokens", "Ann Lee", "2024-12-12T09:00:00Z", "Tokens last a **day**, not a week."),
    "P-2": ("Sessions", "Ben Fox", "2024-12-10T09:00:00Z", "A session ends with its token."),
    "P-3": (
        "Colours",
        "Ben Fox",
        "2024-12-08T09:00:00Z",
        "The *button* is `<b>`: <https://wiki.example/blue>",
    ),
}

Asgi = Callable[[Any, Any, Any], Awaitable[None]]
Serve = Callable[[Asgi], AbstractAsyncContextManager[str]]


def row(page: str) -> dict[str, object]:
    """Return a page as connectors give it."""
    title, author, at, text = PAGES[page]
    return {
        "id": page,
        "title": title,
        "text": text,
        "url": f"https://wiki.example/pages/{page}",
        "metadata": {"author": author, "updated_at": at},
    }


def wiki() -> MCPServer:
    """Return a server that offers what connectors expect."""
    server = MCPServer("wiki", version="1", log_level="CRITICAL")

    @server.tool(annotations=READS)
    def search(query: str) -> str:
        """Search the wiki."""
        words = query.casefold().split()
        found = [row(page) for page, told in PAGES.items() if _has(page, told, words)]
        return json.dumps({"results": found})

    @server.tool(annotations=READS)
    def fetch(id: str) -> str:  # noqa: A002  # as connectors call it
        """Read a page."""
        if id not in PAGES:
            raise ToolError(f"page {id} not found")
        return json.dumps(row(id))

    return server


def _has(page: str, told: tuple[str, ...], words: list[str]) -> bool:
    text = " ".join((page, *told)).casefold()
    return all(word in text for word in words)


def behind_token(app: Asgi, token: str = TOKEN) -> Asgi:
    """Let only those in who show the token."""

    async def guarded(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  # ASGI
        shown = dict(scope.get("headers", ())).get(b"authorization", b"").decode()
        if scope["type"] == "http" and shown != f"Bearer {token}":
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b"{}"})
            return
        await app(scope, receive, send)

    return guarded


@asynccontextmanager
async def serving(app: Asgi) -> AsyncIterator[str]:
    """Serve an application on loopback, and give its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = PromptServer(uvicorn.Config(app, log_level="critical", ws="none"))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await server.is_open.wait()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.is_over.set()
        await task
        listener.close()


class PromptServer(uvicorn.Server):
    """A server that starts and ends at once: one of uvicorn's own looks around every 0.1 s."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_open, self.is_over = asyncio.Event(), asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the tests."""
        yield

    async def main_loop(self) -> None:
        """Serve until the end."""
        self.is_open.set()
        await self.is_over.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drop whoever is connected."""
        for each in (*self.servers, *(sockets or ())):
            each.close()
        for connection in tuple(self.server_state.connections):
            connection.transport.abort()
        for asked in self.server_state.tasks:
            asked.cancel()
        await self.lifespan.shutdown()


def app_of(server: MCPServer, **options: Any) -> Asgi:  # noqa: ANN401  # the SDK's own
    """Return the HTTP application of a server."""
    app: Asgi = server.streamable_http_app(
        **{"stateless_http": True, "json_response": True, **options}
    )
    return app
