"""Just enough HTTP/1.1 for a test proxy."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

_JSON: Final = {"content-type": "application/json"}
#: What each side says for itself about the length of a body and the connection.
_FRAMING: Final = frozenset({"connection", "content-length", "keep-alive", "transfer-encoding"})


@dataclass(frozen=True, kw_only=True)
class ServerReply:
    """A reply as a server means it."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: _JSON)
    body: bytes = b"{}"


@dataclass(frozen=True, kw_only=True)
class SeenRequest:
    """A request that came; its path has the query, names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


def uncompressed(seen: SeenRequest) -> SeenRequest:
    """Return a request whose reply comes as it is, so that one can read it."""
    return replace(seen, headers={**seen.headers, "accept-encoding": "identity"})


async def read_request(reader: asyncio.StreamReader) -> SeenRequest | None:
    """Read the next request; None at the end of the connection."""
    if not (line := await reader.readline()):
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    headers = await _read_headers(reader)
    body = await _read_body(reader, {"content-length": "0", **headers})
    return SeenRequest(method=method, path=path, headers=headers, body=body)


async def ask(host: str, port: int, seen: SeenRequest) -> ServerReply:
    """Pass a request on to another server and return its answer."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        lines = [f"{seen.method} {seen.path} HTTP/1.1"]
        lines += [f"{name}: {text}" for name, text in seen.headers.items() if name not in _FRAMING]
        lines += [f"content-length: {len(seen.body)}", "connection: close", "", ""]
        writer.write("\r\n".join(lines).encode("latin-1") + seen.body)
        status = int((await reader.readline()).split(b" ")[1])
        headers = await _read_headers(reader)
        body = await _read_body(reader, headers)
    finally:
        writer.close()
        await writer.wait_closed()
    return ServerReply(status=status, headers=headers, body=body)


def write_head(writer: asyncio.StreamWriter, answer: ServerReply, length: str) -> None:
    """Write all of a reply that comes before its body.

    Args:
        writer: Where to.
        answer: The reply.
        length: How its length is told: by ``header``, by ``chunks``, or ``not at all``.
    """
    framing = {
        "header": f"content-length: {len(answer.body)}",
        "chunks": "transfer-encoding: chunked",
        "not at all": "connection: close",
    }
    headers = {name.lower(): text for name, text in answer.headers.items()}
    lines = [f"HTTP/1.1 {answer.status} -", framing[length]]
    lines += [f"{name}: {text}" for name, text in headers.items() if name not in _FRAMING]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))


async def _read_headers(reader: asyncio.StreamReader) -> dict[str, str]:
    headers: dict[str, str] = {}
    while line := (await reader.readline()).decode("latin-1").strip():
        name, _, text = line.partition(":")
        before = f"{headers[name.lower()]}, " if name.lower() in headers else ""
        headers[name.lower()] = before + text.strip()
    return headers


async def _read_body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    """Read a body; without a word about its length it ends with the connection."""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return await _read_chunks(reader)
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    return await reader.read()


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while size := int((await reader.readline()).partition(b";")[0], 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await _read_headers(reader)
    return bytes(body)
