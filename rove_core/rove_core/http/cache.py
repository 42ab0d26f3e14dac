"""Cached replies for conditional requests."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from attrs import evolve, frozen

from rove_core.errors import MalformedReply
from rove_core.http.reply import Reply
from rove_core.safety.secrets import find_secrets

if TYPE_CHECKING:
    from rove_core.wire.json_types import JSON

#: What a person's words may be in; only there anybody leaves a secret.
_READABLE: Final = ("text/", "application/json", "application/vnd.")
_SENDABLE: Final = re.compile(r"[\x20-\x7e]*")


@frozen(kw_only=True)
class CachedReply:
    """A stored reply that can be revalidated.

    Attributes:
        etag: The vendor's name for this state; empty when it gave none.
        last_modified: When the vendor last changed it, in the vendor's words; may be empty.
        headers: The headers of the reply.
        body: Its body, decoded.
    """

    etag: str
    last_modified: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def conditions(self) -> dict[str, str]:
        """The headers that ask for it only if it has changed."""
        headers = {"if-none-match": self.etag, "if-modified-since": self.last_modified}
        return {name: value for name, value in headers.items() if value}


class ReplyCache(Protocol):
    """Stores replies by a key of request and (hashed) login."""

    async def get(self, key: str) -> CachedReply | None:
        """Return the reply stored under a key."""
        ...

    async def put(self, key: str, cached: CachedReply) -> None:
        """Keep a reply; it may be forgotten at any time."""
        ...


class MemoryCache:
    """Replies in memory; the least recently used are dropped first.

    Args:
        most_bytes: How much the bodies may take together.
    """

    def __init__(self, most_bytes: int = 32_000_000) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._replies: OrderedDict[str, CachedReply] = OrderedDict()

    async def get(self, key: str) -> CachedReply | None:
        """Return the reply stored under a key."""
        if key in self._replies:
            self._replies.move_to_end(key)
        return self._replies.get(key)

    async def put(self, key: str, cached: CachedReply) -> None:
        """Keep a reply; it may be forgotten at any time."""
        if old := self._replies.pop(key, None):
            self._bytes -= len(old.body)
        self._replies[key] = cached
        self._bytes += len(cached.body)
        while self._bytes > self._most_bytes:
            _, oldest = self._replies.popitem(last=False)
            self._bytes -= len(oldest.body)


@frozen
class CacheEntry:
    """A cached reply for a request about to be sent."""

    cache: ReplyCache
    key: str
    cached: CachedReply | None

    @property
    def conditions(self) -> dict[str, str]:
        """The headers to add to the request."""
        return self.cached.conditions if self.cached else {}

    def is_confirmed_by(self, reply: Reply) -> bool:
        """Return whether the vendor answered that nothing changed."""
        return reply.status == 304 and self.cached is not None

    def renew(self, reply: Reply) -> Reply:
        """Return the stored reply in place of "not modified"."""
        if not self.cached or not self.is_confirmed_by(reply):
            return reply
        headers = {**self.cached.headers, **reply.headers}
        return evolve(reply, status=200, headers=headers, body=self.cached.body)

    async def keep(self, reply: Reply) -> None:
        """Keep a good reply for the next time."""
        if cached := _keepable(reply):
            await self.cache.put(self.key, cached)


async def recall(cache: ReplyCache, url: str, headers: Mapping[str, str], login: str) -> CacheEntry:
    """Look up a GET request; logins never share entries."""
    identity = "\n".join(("GET", url, headers.get("accept", ""), login))
    key = hashlib.sha256(identity.encode()).hexdigest()
    return CacheEntry(cache, key, await cache.get(key))


def _keepable(reply: Reply) -> CachedReply | None:
    """Return the storable form of a reply; None if it contains a secret."""
    etag = reply.headers.get("etag", "")
    last_modified = reply.headers.get("last-modified", "")
    if (
        reply.status != 200
        or not (etag or last_modified)
        or not _SENDABLE.fullmatch(etag + last_modified)
        or "no-store" in reply.headers.get("cache-control", "").lower()
    ):
        return None
    if reply.content_type.startswith(_READABLE) and _has_secret(reply):
        return None
    headers = {name: text for name, text in reply.headers.items() if name != "set-cookie"}
    return CachedReply(etag=etag, last_modified=last_modified, headers=headers, body=reply.body)


def _has_secret(reply: Reply) -> bool:
    """Return whether there is a secret in a reply as it was sent, or in what people read in it."""
    if find_secrets(reply.text):
        return True
    if "json" not in reply.content_type:
        return False
    try:
        value = reply.json()
    except MalformedReply:
        return False
    return any(find_secrets(text) for text in _texts(value))


def _texts(value: "JSON") -> Iterator[str]:
    """Yield what people wrote: texts of several words, and documents of an editor whole.

    A password and the word for it may stand in different cells of a table: in the raw JSON of
    Jira's editor they are far apart.
    """
    waiting = [value]
    while waiting:
        match waiting.pop():
            case {"type": "doc", "content": list()} as document:
                from rove_core.markup.adf import adf_to_markdown  # noqa: PLC0415  # only Jira's

                yield adf_to_markdown(document)
            case dict() as members:
                waiting += members.values()
            case list() as elements:
                waiting += elements
            case str() as text if any(map(str.isspace, text)):
                yield text
