"""The only module that imports ``httpx``: send a request, return its reply."""

import json
import logging
import os
import re
import zlib
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from rove_core.errors import MalformedReply, Unavailable, WrongSetting
from rove_core.http.addresses import Address
from rove_core.http.reply import Reply
from rove_core.http.request_limits import Counts

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator, Mapping, Sequence

    import httpx

_MEGABYTE: Final = 1_000_000
_GZIP_OR_ZLIB: Final = 47
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
#: How Linux and macOS say that there is no such host.
_NO_SUCH_NAME: Final = re.compile(r"(?i)name or service not known|name resolution|nodename")


@frozen(kw_only=True)
class WireRequest:
    """A request as sent.

    Attributes:
        method: The method.
        address: Where it goes.
        headers: Its headers.
        content: Its body.
        pinned: The IP addresses to connect to, whatever the host's name means by then; any
            when empty.
    """

    method: str
    address: Address
    headers: "Mapping[str, str]"
    content: bytes | None
    pinned: "Sequence[str]" = ()


class Transport:
    """The connections of one account.

    Args:
        most_bytes: How large a decoded body may be.
        counts: Where the bytes are counted.
    """

    def __init__(self, *, most_bytes: int, counts: Counts) -> None:
        self._most_bytes = most_bytes
        self._counts = counts
        self._client: httpx.AsyncClient | None = None

    async def send(self, request: WireRequest) -> Reply:
        """Send a request and return the whole reply; Unavailable when it did not all arrive."""
        import httpx  # noqa: PLC0415  # 120 ms that only a request should pay

        self._client = self._client or _open()
        address = request.address
        tries = list(_requests(self._client, request))
        never_sent = httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout
        while True:
            try:
                answer = await self._client.send(tries.pop(0), stream=True)
                async with aclosing(answer):
                    body = await self._body(answer, address)
                break
            except (httpx.HTTPError, OSError, UnicodeError) as error:
                maybe_done = not isinstance(error, never_sent)
                if maybe_done or not tries:
                    raise unavailable(request, error, maybe_done=maybe_done) from error
        reply = Reply(answer.status_code, address.url, dict(answer.headers), body)
        if _is_cut(reply):
            cut = Unavailable(f"{address.where}: the connection was closed within the reply")
            cut.maybe_done = request.method != "GET"
            raise cut
        return reply

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client:
            await self._client.aclose()

    async def _body(self, answer: "httpx.Response", address: Address) -> bytes:
        inflate = _Inflate(answer.headers.get("content-encoding", ""), address)
        body = bytearray()
        async for piece in answer.aiter_raw():
            part = inflate(piece, self._most_bytes + 1 - len(body))
            self._counts.received(len(part))
            body += part
            if len(body) > self._most_bytes:
                size = self._most_bytes / _MEGABYTE
                raise MalformedReply(f"{address.where} sent more than {size:g} MB")
        if not inflate.is_complete:
            raise Unavailable(f"{address.where}: the compressed reply ends too early")
        return bytes(body)


class _Inflate:
    """Decompresses a body incrementally, never more than requested.

    httpx would make a thousand times the bytes of a piece before they can be counted.
    """

    def __init__(self, encoding: str, address: Address) -> None:
        if encoding.lower() not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise MalformedReply(f"{address.where} sent {encoding}, which Rove did not ask for")
        self._address = address
        self._stream = (
            zlib.decompressobj(_GZIP_OR_ZLIB) if encoding.lower() not in {"", "identity"} else None
        )
        self.is_complete = True

    def __call__(self, piece: bytes, most: int) -> bytes:
        if self._stream is None:
            return piece[:most]
        try:
            part = self._stream.decompress(piece, most)
        except zlib.error as error:
            raise Unavailable(f"{self._address.where}: broken compression: {error}") from error
        self.is_complete = self._stream.eof
        return part


def _is_cut(reply: Reply) -> bool:
    """Return whether JSON of unknown length ends in its middle: the connection was cut."""
    known_length = {"content-length", "transfer-encoding"} & reply.headers.keys()
    if known_length or reply.status in {204, 304} or "json" not in reply.content_type:
        return False
    try:
        json.loads(reply.text)
    except json.JSONDecodeError:
        return True
    except (ValueError, RecursionError):
        pass  # It is all there; that it is unreadable is for Reply.json to say.
    return False


def _requests(client: "httpx.AsyncClient", request: WireRequest) -> "Iterator[httpx.Request]":
    """Yield what httpx sends: the request by name, or one for each address that it is pinned to."""
    address = request.address
    if not request.pinned:
        yield client.build_request(
            request.method, address.url, headers=request.headers, content=request.content
        )
    for ip in request.pinned:
        yield client.build_request(
            request.method,
            evolve(address, name=ip.partition("%")[0]).url,
            headers={**request.headers, "host": address.host},
            content=request.content,
            extensions={"sni_hostname": address.name},
        )


def unavailable(request: WireRequest, error: Exception, *, maybe_done: bool = False) -> Unavailable:
    """Return the error of a request that got no reply."""
    address = request.address
    message = str(error) or type(error).__name__
    hint = ""
    if "CERTIFICATE_VERIFY_FAILED" in message:
        hint = "Behind a proxy with a certificate of its own, set SSL_CERT_FILE to its CA."
    elif _NO_SUCH_NAME.search(message):
        hint = f"The host {address.name} was not found: check the address and your network."
    failed = Unavailable(f"{address.where}: {message}", hint=hint)
    failed.maybe_done = maybe_done and request.method != "GET"
    return failed


def _open() -> "httpx.AsyncClient":
    """Create the pool: proxies and CAs from the environment, no cookies, no redirects."""
    from http.cookiejar import CookieJar, DefaultCookiePolicy  # noqa: PLC0415  # as httpx

    import httpx  # noqa: PLC0415  # 120 ms that only a request should pay

    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)  # They log whole URLs, queries too.
    try:
        return httpx.AsyncClient(
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            # A login may go to this machine in the clear, but not by way of a proxy.
            mounts={f"all://{host}": None for host in _LOOPBACK},
            timeout=None,  # noqa: S113  # the deadline is for the request as a whole
            verify=_trust(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")),
        )
    except (httpx.InvalidURL, ImportError, OSError, ValueError) as error:
        raise WrongSetting(
            f"invalid proxy or certificate settings in the environment: {error}",
            hint="Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, SSL_CERT_FILE or SSL_CERT_DIR.",
        ) from error


@cache
def _trust(_cert_file: str | None, _cert_dir: str | None) -> "ssl.SSLContext":
    """Load the trusted CAs once for all accounts; httpx itself reads these two variables."""
    import httpx  # noqa: PLC0415  # 120 ms that only a request should pay

    return httpx.create_ssl_context()
