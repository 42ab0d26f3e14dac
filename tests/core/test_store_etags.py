import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from attrs import evolve

from rove_core.http.cache import CachedReply
from rove_core.store.etags import StoredCache
from rove_core.store.store import open_store
from rove_core.testing.clock import VirtualClock

_REPLY = CachedReply(
    etag='W/"abc"',
    last_modified="Fri, 20 Nov 2026 12:00:00 GMT",
    headers={"content-type": "application/json", "link": "<…>; rel=next"},
    body=b"\x00\xff[]",
)


def _with_cache(
    path: Path, work: Callable[[StoredCache, VirtualClock], Awaitable[None]], most_bytes: int = 1000
) -> None:
    async def call() -> None:
        clock = VirtualClock()
        async with open_store(path / "index.db", clock=clock) as store:
            await work(StoredCache(store, most_bytes), clock)

    asyncio.run(call())


def test_a_kept_reply_is_there_for_the_next_process(tmp_path: Path) -> None:
    """It comes back as it was."""

    async def keep(cache: StoredCache, _: VirtualClock) -> None:
        await cache.put("key", _REPLY)

    async def look(cache: StoredCache, _: VirtualClock) -> None:
        assert await cache.get("key") == _REPLY
        assert await cache.get("other") is None

    _with_cache(tmp_path, keep)
    _with_cache(tmp_path, look)


def test_a_newer_reply_replaces_the_older(tmp_path: Path) -> None:
    """One is kept under each key."""
    newer = evolve(_REPLY, etag='"def"', body=b"[1]")

    async def work(cache: StoredCache, _: VirtualClock) -> None:
        await cache.put("key", _REPLY)
        await cache.put("key", newer)

        assert await cache.get("key") == newer

    _with_cache(tmp_path, work)


def test_the_oldest_replies_are_forgotten(tmp_path: Path) -> None:
    """All bodies together stay within the bound."""

    async def work(cache: StoredCache, clock: VirtualClock) -> None:
        for number in range(12):
            await cache.put(f"key {number}", evolve(_REPLY, body=b"x" * 100))
            clock.advance(1)

        kept = [number for number in range(12) if await cache.get(f"key {number}")]

        assert kept == list(range(2, 12))

    _with_cache(tmp_path, work)


def test_a_reply_that_would_push_out_too_many_is_not_kept(tmp_path: Path) -> None:
    """The others stay."""

    async def work(cache: StoredCache, _: VirtualClock) -> None:
        await cache.put("small", _REPLY)
        await cache.put("large", evolve(_REPLY, body=b"x" * 101))

        assert await cache.get("small")
        assert await cache.get("large") is None

    _with_cache(tmp_path, work)
