"""The open database of a running Rove: one connection writes, one reads."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import aiosqlite

from rove_core.clock import Clock
from rove_core.store.connection import open_for_reading, open_for_writing, typed_errors

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class Store:
    """The database of a project, open. :func:`open_store` makes one.

    Attributes:
        clock: The clock for the times in rows.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock,
        writer: aiosqlite.Connection,
        reader: sqlite3.Connection,
        readers_thread: ThreadPoolExecutor,
    ) -> None:
        self.clock = clock
        self._path = path
        self._writer = writer
        self._reader = reader
        self._readers_thread = readers_thread
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """Yield the connection inside a transaction.

        Keep it short, and await nothing else in it: other writers wait.
        """
        async with self._turn:
            with typed_errors(self._path):
                try:
                    await _undisturbed(self._writer.execute("BEGIN IMMEDIATE"))
                    yield self._writer
                    await _undisturbed(self._writer.execute("COMMIT"))
                except BaseException:
                    await _undisturbed(self._writer.rollback())
                    raise

    async def read(
        self,
        function: Callable[Concatenate[sqlite3.Connection, Arguments], Found],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Found:
        """Run a read function in a thread, without blocking the event loop."""
        call = partial(function, self._reader, *args, **kwargs)
        with typed_errors(self._path):
            return await asyncio.get_running_loop().run_in_executor(self._readers_thread, call)


@asynccontextmanager
async def open_store(path: Path, *, clock: Clock) -> AsyncIterator[Store]:
    """Yield the database of a project; create or migrate it if needed.

    Args:
        path: The file, ``.rove/index.db``; its folder exists.
        clock: The clock for the times in rows.
    """
    db = await _open(path)
    writer = aiosqlite.Connection(lambda: db, iter_chunk_size=64)
    try:
        await _undisturbed(writer)
        with open_for_reading(path) as reader, ThreadPoolExecutor(1, "rove-reader") as thread:
            yield Store(path, clock=clock, writer=writer, reader=reader, readers_thread=thread)
    finally:
        await _undisturbed(writer.close())


async def _open(path: Path) -> sqlite3.Connection:
    """Open the database in a thread: others may be migrating it."""
    opening = asyncio.ensure_future(asyncio.to_thread(open_for_writing, path))
    try:
        await _undisturbed(opening)
    except asyncio.CancelledError:
        opening.result().close()
        raise
    return opening.result()


async def _undisturbed(call: Awaitable[object]) -> None:
    """Wait for a call to end even when cancelled: a thread is busy with it, and goes on."""
    task = asyncio.ensure_future(call)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled and not task.exception():
        raise cancelled
    task.result()
