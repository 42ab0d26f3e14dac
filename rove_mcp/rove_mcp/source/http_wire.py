"""MCP over streamable HTTP, through the account's own client."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rove_core import (
    JSON,
    ItemNotFound,
    MalformedReply,
    RateLimited,
    Reply,
    RoveError,
    ScopeMissing,
    WrongSetting,
    status_fault,
)
from rove_mcp.source.item_mapping import at
from rove_mcp.source.wire import MODERN, ServerError, SessionLost

if TYPE_CHECKING:
    from rove_core import Http

_ACCEPT: Final = "application/json, text/event-stream"
_SESSION: Final = "mcp-session-id"
_SCOPE: Final = re.compile(r'scope="([^"]{1,500})"')
_PLAIN: Final = re.compile(r"[\x21-\x7e]{1,1024}")
#: The parameter that names what a request is about, which its headers repeat.
_NAMED: Final = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
#: What vendors limit; the messages that begin a conversation are counted by themselves.
_LIMITED: Final = frozenset({"tools/call", "resources/read"})


@define(eq=False)
class HttpWire:
    """Carries messages to the endpoint of a remote server.

    Attributes:
        http: The account's client.
        url: The endpoint.
        name: The account, for messages.
    """

    http: "Http"
    url: str
    name: str
    _session: str = field(default="", init=False)

    async def ask(self, message: Mapping[str, JSON], version: str) -> Mapping[str, JSON]:
        """Send a request and return the response to it."""
        reply = await self._post(message, version)
        if message["method"] == "initialize":
            session = reply.headers.get(_SESSION, "")
            self._session = session if _PLAIN.fullmatch(session) else ""
        for answer in _messages(reply):
            if answer.get("id") == message["id"] and ("result" in answer or "error" in answer):
                return answer
        raise MalformedReply(f"{reply.where} does not answer {message['method']}")

    async def notify(self, message: Mapping[str, JSON], version: str) -> None:
        """Send a notification."""
        await self._post(message, version)

    def restart(self) -> None:
        """Forget the session."""
        self._session = ""

    async def _post(self, message: Mapping[str, JSON], version: str) -> Reply:
        headers = {"accept": _ACCEPT}
        if message["method"] != "initialize":
            headers["mcp-protocol-version"] = version
        if self._session:
            headers[_SESSION] = self._session
        if version == MODERN:
            headers.update(_routing_headers(message))
        client = self.http.reading(self._fault)
        kind = "mcp" if message["method"] in _LIMITED else "mcp begin"
        # Only what reads is ever asked, so that it may be asked again.
        return await client.post(
            self.url, json=dict(message), headers=headers, kind=kind, repeatable=True
        )

    def _fault(self, reply: Reply) -> RoveError | None:
        if reply.status == 404 and self._session:
            return SessionLost(f"{reply.where} ended the session")
        challenge = reply.headers.get("www-authenticate", "")
        if reply.status == 403 and "insufficient_scope" in challenge:
            found = _SCOPE.search(challenge)
            return self._more_scopes(reply, found[1] if found else "")
        if reply.status in _REDIRECTS:
            return self._redirect_error(reply)
        fault = status_fault(reply) or _limit(reply)
        if reply.status in {400, 405, 406, 415} and fault:
            # Servers of one era refuse the other's requests so, and may say why.
            return _refusal(reply, fault)
        if isinstance(fault, ItemNotFound):
            return WrongSetting(
                f"{reply.where} is not an MCP server: it answered 404",
                hint="Compare the address with the one on the server's page.",
            )
        return fault

    def _redirect_error(self, reply: Reply) -> WrongSetting:
        place = _PLAIN.match(reply.headers.get("location", ""))
        return WrongSetting(
            f"{reply.where} redirects to {place[0] if place else 'nowhere'}: not followed",
            hint="If that is the server's address, connect it there: rove --add-source"
            f" {self.name} --url https://...",
        )

    def _more_scopes(self, reply: Reply, scopes: str) -> ScopeMissing:
        named = f": it needs {scopes}" if scopes else ""
        return ScopeMissing(
            f"{reply.where}: the login lacks permission for this{named}",
            hint=f'Log in again with them: rove --add-source {self.name} --set scope="{scopes}"',
        )


def _limit(reply: Reply) -> RateLimited | None:
    """Return that a tool has failed as its vendor's limit is used up; None for anything else."""
    if "rate_limited" not in reply.text:
        return None
    for answer in _messages(reply):
        error = at(answer, "result.structuredContent.error")
        if at(answer, "result.isError") is True and at(error, "code") == "rate_limited":
            seconds = at(error, "retry_after_seconds")
            wait = float(seconds) if isinstance(seconds, int | float) else 0.0
            return RateLimited(f"{reply.where} asks to wait", at_least=wait)
    return None


def _refusal(reply: Reply, fault: RoveError) -> RoveError:
    refused = ServerError(fault.message)
    try:
        body = json.loads(reply.text)
        refused.number = int(body["error"]["code"])
    except (ValueError, TypeError, KeyError, RecursionError):
        refused.number = 0
    return refused


def _routing_headers(message: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
    """Yield the headers by which a request without a session is routed."""
    method, params = str(message["method"]), message.get("params")
    yield "mcp-method", method
    if (key := _NAMED.get(method)) and isinstance(params, Mapping):
        name = str(params.get(key, ""))
        if _PLAIN.fullmatch(name):
            yield "mcp-name", name


def _messages(reply: Reply) -> Iterator[Mapping[str, JSON]]:
    """Yield the messages of a reply: one, several, or a stream of events."""
    if reply.content_type != "text/event-stream":
        value = reply.json()
        yield from (each for each in _several(value) if isinstance(each, Mapping))
        return
    for event in re.split(r"\r?\n\r?\n|\r\r", reply.text):
        lines = [line[5:].removeprefix(" ") for line in event.splitlines() if line[:5] == "data:"]
        if not lines:
            continue
        one = Reply(reply.status, reply.url, {}, "\n".join(lines).encode()).json()
        yield from (each for each in _several(one) if isinstance(each, Mapping))


def _several(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else [value]
