"""A code server that several people may ask, each with a token."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from attrs import frozen
from tests.code.developer import Developer

from rove_code.access import SharedAccess
from rove_code.project_code import access_of
from rove_code.query_log import QueryLog
from rove_code.tcp_server import TcpDoor
from rove_code.tokens import CodeToken, CodeTokens
from rove_core import JSON, HttpRequest, MemoryStore, Secret, open_project

#: The owner's token.
OWN: Final = "opened-sesame"
PAY: Final = "def pay_basket(card):\n    return charge(card)\n"
LEDGER: Final = "class Ledger:\n    def pay_basket_secretly(self):\n        return 1\n"


@frozen
class Guarded:
    """A server that several people may ask."""

    door: TcpDoor
    tokens: CodeTokens

    async def ask(self, token: str, path: str = "/coderag/query", **body: JSON) -> tuple[int, Any]:
        """Send a request with a token."""
        asked: dict[str, JSON] = {
            "messages": [{"role": "user", "content": "pay basket secretly Ledger"}],
            "token": token,
            **body,
        }
        head = {"host": "127.0.0.1:8000"}
        reply = await self.door(HttpRequest("POST", path, "", head, json.dumps(asked).encode()))
        return reply.status, json.loads(reply.body)

    def give(
        self, name: str, *, repositories: tuple[str, ...] = (), folders: tuple[str, ...] = ()
    ) -> str:
        """Return a new token."""
        return self.tokens.give(CodeToken(name, repositories, folders)).reveal()

    def log(self) -> list[dict[str, Any]]:
        """Return what is written down."""
        path = self.tokens.path.with_name("code-queries.jsonl")
        return [*map(json.loads, path.read_text("utf-8").splitlines())] if path.exists() else []


@asynccontextmanager
async def guarding(ann: Developer) -> AsyncIterator[Guarded]:
    """Yield a server over a repository of two folders; it is the current folder."""
    ann.write("shop/pay.py", PAY)
    ann.write("books/ledger.py", LEDGER)
    ann.commit("Begin")
    async with open_project(ann.folder, credentials=MemoryStore()) as rove:
        own = access_of(rove, token=Secret(OWN))
        tokens = CodeTokens.of(rove.places.rove)
        log = QueryLog.of(rove.places.rove, rove.clock)
        yield Guarded(TcpDoor(rove, SharedAccess(own, tokens), log), tokens)
