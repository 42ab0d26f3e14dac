"""Parse URLs once: decisions about a host use the parsed address, never the text."""

import ipaddress
import re
from collections.abc import Collection
from functools import lru_cache
from socket import inet_aton, inet_ntoa
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

from attrs import frozen

_HOST: Final = re.compile(r"[a-z0-9_][a-z0-9_.-]*|[0-9a-f]*:[0-9a-f:.]+")
_NUMERIC: Final = re.compile(r"[0-9a-fx.]*[0-9][0-9a-fx.]*")
#: Top-level names of this machine and of local networks.
_INTERNAL_NAMES: Final = frozenset({"localhost", "local", "internal", "intranet", "lan", "home"})
_PORTS: Final = {"http": 80, "https": 443}
#: Characters that stay as they are; all others are percent-encoded before the URL is parsed.
_AS_IT_IS: Final = "%/:=&?~#+!$,;'@()*[]"


@frozen
class Address:
    """The address of a request.

    Attributes:
        scheme: ``https`` or ``http``.
        name: The host's name, in lower case, an IPv6 address without its brackets.
        port: The port, even if it is the scheme's default.
        path: The path, beginning with a slash.
        query: The query, without its question mark.
    """

    scheme: str
    name: str
    port: int
    path: str
    query: str

    @property
    def host(self) -> str:
        """The host, with the port unless it is the scheme's default."""
        return self._short if self.port == _PORTS[self.scheme] else f"{self._short}:{self.port}"

    @property
    def url(self) -> str:
        """The whole address."""
        return f"{self.scheme}://{self.host}{self.path}" + (f"?{self.query}" if self.query else "")

    @property
    def where(self) -> str:
        """Host and path, for messages: a query may hold a ticket's words."""
        return f"{self.host}{self.path}"

    @property
    def is_loopback(self) -> bool:
        """Whether it is loopback."""
        try:
            return ipaddress.ip_address(self.name).is_loopback
        except ValueError:
            return self.name == "localhost"

    @property
    def is_internal(self) -> bool:
        """Whether it is loopback or in a private range, in any notation."""
        try:
            ip = ipaddress.ip_address(_dotted_ipv4(self.name))
        except ValueError:
            return self.name.rstrip(".").rpartition(".")[2] in _INTERNAL_NAMES
        mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
        return not (mapped or ip).is_global

    def is_one_of(self, hosts: Collection[str]) -> bool:
        """Return whether its host is exactly one of these, ``host`` or ``host:port``."""
        return not {self.host, f"{self._short}:{self.port}"}.isdisjoint(map(str.lower, hosts))

    @property
    def _short(self) -> str:
        return f"[{self.name}]" if ":" in self.name else self.name


def _dotted_ipv4(name: str) -> str:
    """Return an IPv4 address in its usual form: ``127.1`` and ``2130706433`` are 127.0.0.1."""
    if not _NUMERIC.fullmatch(name):
        return name
    try:
        return inet_ntoa(inet_aton(name))
    except OSError:
        return name


@lru_cache(maxsize=4096)
def parse_address(url: str, *, base: str = "") -> Address:
    """Parse an address; raise ValueError if requests may not go there.

    Args:
        url: The address; it may be relative to ``base``.
        base: The address it stands below.
    """
    try:
        parts = urlsplit(urljoin(base, quote(url, safe=_AS_IT_IS)))
        name, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ValueError(f"{where(url)!r} is not an address that Rove can request") from error
    if parts.scheme not in _PORTS or "@" in parts.netloc or not _HOST.fullmatch(name):
        raise ValueError(f"{where(url)!r} is not an address that Rove can request")
    port = _PORTS[parts.scheme] if port is None else port
    return Address(parts.scheme, name, port, parts.path or "/", parts.query)


def where(url: str) -> str:
    """Return host and path of an address, for messages: without query, fragment and password."""
    plain = url.partition("?")[0].partition("#")[0].partition("://")
    return (plain[2] or plain[0]).rpartition("@")[2]
