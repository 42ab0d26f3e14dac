"""The catalogue of faulty replies that every source is tested with."""

import gzip
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

_MEGABYTE: Final = 1_000_000
_HTML: Final = b"<!doctype html><title>Sign in</title><form action='/login'></form>"
_AS_HTML: Final = {"content-type": "text/html; charset=utf-8"}
_AS_JSON: Final = {"content-type": "application/json"}
_GZIPPED: Final = {"content-type": "application/json", "content-encoding": "gzip"}
_LIST: Final = b'{"items": [%b]}' % b", ".join(b'{"id": %d}' % item for item in range(100))


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A fault of one reply; the default is none.

    Attributes:
        latency: Seconds before the reply begins.
        drip: Bytes a second of the body; 0 sends it at once.
        status: Another status.
        headers: Other or further headers. ``{port}`` and ``{path}`` in them stand for the proxy's
            port and the path asked for; ``{epoch}`` and ``{date}`` for the time in two seconds,
            ``{iso}`` for the full minute after it.
        body: Another body, or what makes it.
        length: How the length of the body is told; not at all means by closing the connection.
        cut_at: Close the connection after so many bytes of the body.
        reset: Break the connection instead of closing it.
        vanish: Close the connection without a byte of a reply.
        silent: Never answer.
    """

    latency: float = 0.0
    drip: int = 0
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | Callable[[], bytes] | None = None
    length: Literal["header", "chunks", "not at all"] = "header"
    cut_at: int | None = None
    reset: bool = False
    vanish: bool = False
    silent: bool = False

    @property
    def ends_connection(self) -> bool:
        """Whether to close the connection after the reply."""
        return self.cut_at is not None or self.length == "not at all" or self.reset


def _rate_limit(**headers: str) -> Fault:
    return Fault(status=429, headers={name.replace("_", "-"): headers[name] for name in headers})


def _json(body: bytes) -> Fault:
    return Fault(headers=_AS_JSON, body=body)


@cache
def _bomb() -> bytes:
    """Return 64 MB of spaces as one gzip stream of some 60 kB."""
    press = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(press.compress(b" " * _MEGABYTE) for _ in range(64)) + press.flush()


#: What one reply may suffer; :meth:`FaultProxy.play` says how often and to which requests.
FAULTS: Final[Mapping[str, Fault]] = MappingProxyType(
    {
        # Slowness
        "latency": Fault(latency=0.05),
        "drip": Fault(body=_LIST, headers=_AS_JSON, drip=20),
        "never answers": Fault(silent=True),
        # Connections that break
        "closed without a reply": Fault(vanish=True),
        "reset without a reply": Fault(vanish=True, reset=True),
        "reset within the body": Fault(body=_LIST, headers=_AS_JSON, cut_at=100, reset=True),
        "cut, length known": Fault(body=_LIST, headers=_AS_JSON, cut_at=100),
        "cut, length unknown": Fault(body=_LIST, headers=_AS_JSON, cut_at=100, length="not at all"),
        "cut within chunks": Fault(body=_LIST, headers=_AS_JSON, cut_at=100, length="chunks"),
        # Compression
        "gzip bomb": Fault(headers=_GZIPPED, body=_bomb),
        "gzip broken": Fault(headers=_GZIPPED, body=b"\x1f\x8b" + b"no gzip" * 20),
        "gzip ends early": Fault(headers=_GZIPPED, body=gzip.compress(_LIST, mtime=0)[:-30]),
        "encoding nobody asked for": Fault(headers={"content-encoding": "br"}, body=b"\x0b\x02"),
        # Limits, in every way of saying when
        "429, no hint": _rate_limit(),
        "429, seconds": _rate_limit(retry_after="2"),
        "429, fraction of a second": _rate_limit(retry_after="0.5"),
        "429, date": _rate_limit(retry_after="{date}"),
        "429, garbage": _rate_limit(retry_after="soon"),
        "429, negative": _rate_limit(retry_after="-5"),
        "429, three years": _rate_limit(retry_after="99999999"),
        "429, a number of 400 digits": _rate_limit(retry_after="9" * 400),
        "429, reset in seconds": _rate_limit(
            x_ratelimit_remaining="0", x_ratelimit_reset="{epoch}"
        ),
        "429, reset in milliseconds": _rate_limit(x_ratelimit_reset="{epoch}000"),
        "429, reset as ISO 8601": _rate_limit(x_ratelimit_reset="{iso}"),
        "429, RateLimit": _rate_limit(ratelimit='"default";r=0;t=2'),
        # Servers that fail
        "500": Fault(status=500, headers=_AS_HTML, body=_HTML),
        "502": Fault(status=502, headers=_AS_HTML, body=_HTML),
        "503": Fault(status=503, body=b""),
        "503, seconds": Fault(status=503, headers={"retry-after": "2"}, body=b""),
        "504": Fault(status=504, headers=_AS_HTML, body=_HTML),
        # What stands between
        "HTML instead of JSON": Fault(headers=_AS_HTML, body=_HTML),
        "HTML called JSON": _json(_HTML),
        "login page with 203": Fault(status=203, headers=_AS_HTML, body=_HTML),
        "redirect to another host": Fault(
            status=302, headers={"location": "http://localhost:{port}/stranger"}
        ),
        "redirect loop": Fault(status=302, headers={"location": "{path}"}),
        "redirect to nowhere": Fault(status=302, headers={"location": "http://[:"}),
        # Bodies
        "empty body": _json(b""),
        "wrong content type": Fault(headers={"content-type": "image/png"}, body=b"\x89PNG\r\n"),
        "malformed JSON": _json(b'{"items": [1, 2,,]}'),
        "deep JSON": _json(b"[" * 200_000),
        "a number of 5,000 digits": _json(b'{"id": %b}' % (b"9" * 5_000)),
        "NaN": _json(b'{"id": NaN}'),
        "1e999": _json(b'{"id": 1e999}'),
        "half of a surrogate pair": _json(rb'{"title": "broken \ud83d emoji"}'),
        "bytes that are no UTF-8": _json(b'{"title": "caf\xe9"}'),
        "300 kB of headers": Fault(headers={f"x-{part}": "a" * 1_000 for part in range(300)}),
        "more than asked for": Fault(headers=_AS_JSON, body=lambda: b" " * 17 * _MEGABYTE),
    }
)
