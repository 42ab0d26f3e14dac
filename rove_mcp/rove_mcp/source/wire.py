"""JSON-RPC with an MCP server over any transport, in both versions of the protocol."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Final, Protocol

from attrs import define, field

from rove_core import JSON, ItemNotFound, MalformedReply, RoveError, Unavailable

#: The last version that begins with a handshake, and the first without one.
LEGACY: Final = "2025-11-25"
MODERN: Final = "2026-07-28"
#: Versions of the handshake era that this client speaks as well.
_SPOKEN: Final = frozenset({"2024-11-05", "2025-03-26", "2025-06-18", LEGACY})
_META: Final = "io.modelcontextprotocol/"
_NO_METHOD: Final = -32601
_UNSUPPORTED: Final = -32022
_MISSING: Final = -32002
_MOST_PAGES: Final = 20
_LONGEST_SAID: Final = 200


class Wire(Protocol):
    """Carries messages to a server, and its answers back."""

    async def ask(self, message: Mapping[str, JSON], version: str) -> Mapping[str, JSON]:
        """Send a request and return the response to it."""

    async def notify(self, message: Mapping[str, JSON], version: str) -> None:
        """Send a notification."""

    def restart(self) -> None:
        """Forget the session."""


class ServerError(Unavailable):
    """A server's error.

    Attributes:
        number: The code of the protocol.
    """

    number: int = 0


@define(eq=False)
class Conversation:
    """A conversation with a server; it begins with the first request.

    Attributes:
        wire: What carries it.
        name: The account, for messages.
        version: The version that both speak; empty before it has begun.
        capabilities: What the server says it can do.
        title: What the server calls itself.
    """

    wire: Wire
    name: str
    version: str = field(default="", init=False)
    capabilities: Mapping[str, JSON] = field(factory=dict, init=False)
    title: str = field(default="", init=False)
    _number: int = field(default=0, init=False)
    _beginning: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def ask(self, method: str, params: Mapping[str, JSON]) -> Mapping[str, JSON]:
        """Return the result of a request.

        Raises:
            RoveError: The server refuses, or cannot be understood.
        """
        await self.begin()
        return await self._request(method, params)

    async def pages(self, method: str, key: str) -> AsyncGenerator[Mapping[str, JSON], None]:
        """Yield the entries of a list, page after page; what goes on for ever is cut."""
        cursor, seen = "", set[str]()
        for _ in range(_MOST_PAGES):
            page = await self.ask(method, {"cursor": cursor} if cursor else {})
            entries = page.get(key)
            for entry in entries if isinstance(entries, list) else ():
                if isinstance(entry, Mapping):
                    yield entry
            following = page.get("nextCursor")
            if not isinstance(following, str) or not following or following in seen:
                return
            seen.add(cursor := following)

    async def begin(self) -> None:
        """Agree on a version, unless that is done."""
        async with self._beginning:
            if not self.version:
                try:
                    await self._shake_hands()
                except ServerError as error:
                    if error.number not in {_NO_METHOD, _UNSUPPORTED, 0}:
                        raise
                    await self._discover(error)

    async def _shake_hands(self) -> None:
        params: Mapping[str, JSON] = {
            "protocolVersion": LEGACY,
            "capabilities": {},
            "clientInfo": _CLIENT,
        }
        result = await self._send("initialize", params, LEGACY)
        version = result.get("protocolVersion")
        if not isinstance(version, str) or version not in _SPOKEN:
            raise MalformedReply(f"{self.name} speaks version {str(version)[:40]!r} of MCP")
        self._learn(result)
        await self.wire.notify(
            {"jsonrpc": "2.0", "method": "notifications/initialized"}, str(version)
        )
        self.version = str(version)

    async def _discover(self, refused: ServerError) -> None:
        try:
            result = await self._send("server/discover", _with_envelope({}), MODERN)
        except ServerError as error:
            raise refused from error
        self._learn(result)
        self.version = MODERN

    def _learn(self, result: Mapping[str, JSON]) -> None:
        capabilities, info = result.get("capabilities"), result.get("serverInfo")
        meta = result.get("_meta")
        if not isinstance(info, Mapping) and isinstance(meta, Mapping):
            info = meta.get(f"{_META}serverInfo")
        self.capabilities = capabilities if isinstance(capabilities, Mapping) else {}
        if isinstance(info, Mapping):
            self.title = str(info.get("title") or info.get("name") or "")

    async def _request(self, method: str, params: Mapping[str, JSON]) -> Mapping[str, JSON]:
        sent = _with_envelope(params) if self.version == MODERN else params
        try:
            return await self._send(method, sent, self.version)
        except SessionLost:
            self.version = ""
            self.wire.restart()
            await self.begin()
            return await self._send(method, sent, self.version)

    async def _send(
        self, method: str, params: Mapping[str, JSON], version: str
    ) -> Mapping[str, JSON]:
        self._number += 1
        message: Mapping[str, JSON] = {
            "jsonrpc": "2.0",
            "id": self._number,
            "method": method,
            "params": params,
        }
        reply = await self.wire.ask(message, version)
        error, result = reply.get("error"), reply.get("result")
        if isinstance(error, Mapping):
            raise self._error(method, error)
        if not isinstance(result, Mapping):
            raise MalformedReply(f"{self.name} answered {method} without a result")
        return result

    def _error(self, method: str, error: Mapping[str, JSON]) -> RoveError:
        number = error.get("code")
        reason = " ".join(str(error.get("message", "")).split())[:_LONGEST_SAID]
        if number == _MISSING:
            return ItemNotFound(f"{self.name}: {reason or 'there is no such resource'}")
        refused = ServerError(f"{self.name} refuses {method}: {reason or number}")
        refused.number = number if isinstance(number, int) else 0
        return refused


class SessionLost(Unavailable):
    """The server has forgotten the session."""


_CLIENT: Final[Mapping[str, JSON]] = {"name": "rove", "version": "1"}


def _with_envelope(params: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return the parameters of a stateless request."""
    meta: Mapping[str, JSON] = {
        f"{_META}protocolVersion": MODERN,
        f"{_META}clientInfo": _CLIENT,
        f"{_META}clientCapabilities": {},
    }
    return {**params, "_meta": meta}
