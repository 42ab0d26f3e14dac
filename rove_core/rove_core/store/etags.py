"""Stored replies with their ETags, for conditional requests."""

import sqlite3
from typing import TYPE_CHECKING, Final, cast

from rove_core.http.cache import CachedReply
from rove_core.store.values import exact_text, json_text, json_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core.store.store import Store

_SAVE: Final = """
INSERT INTO etags (key, etag, last_modified, headers, stored_at, body) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    etag = excluded.etag, last_modified = excluded.last_modified, headers = excluded.headers,
    stored_at = excluded.stored_at, body = excluded.body
"""

_FORGET_OLDEST: Final = """
DELETE FROM etags WHERE key IN (
    SELECT key FROM (
        SELECT key, sum(length(body)) OVER (ORDER BY stored_at DESC, key) AS bytes FROM etags
    )
    WHERE bytes > ?
)
"""


class StoredCache:
    """A persistent cache; the oldest entries are dropped first.

    Args:
        store: Where the replies are kept.
        most_bytes: How much the bodies may take together, and ten times what one may take.
    """

    def __init__(self, store: "Store", most_bytes: int = 64_000_000) -> None:
        self._store = store
        self._most_bytes = most_bytes

    async def get(self, key: str) -> CachedReply | None:
        """Return the reply stored under a key."""
        return await self._store.read(_find, key)

    async def put(self, key: str, cached: CachedReply) -> None:
        """Store a reply, unless it would displace too many others."""
        if len(cached.body) * 10 > self._most_bytes:
            return
        headers = json_text(cached.headers)
        now = exact_text(self._store.clock.now())
        row = [key, cached.etag, cached.last_modified, headers, now, cached.body]
        async with self._store.transaction() as db:
            await db.execute(_SAVE, row)
            await db.execute(_FORGET_OLDEST, [self._most_bytes])


def _find(db: sqlite3.Connection, key: str) -> CachedReply | None:
    row = db.execute(
        "SELECT etag, last_modified, headers, body FROM etags WHERE key = ?", [key]
    ).fetchone()
    if row is None:
        return None
    etag, last_modified, headers, body = row
    return CachedReply(
        etag=etag,
        last_modified=last_modified,
        headers=cast("Mapping[str, str]", json_value(headers)),
        body=body,
    )
