"""Claim a project's index for this user; nothing from a foreign index is run.

Whoever can put an index into a repository could otherwise plan work for whoever clones it, and have
replies of vendors believed that no vendor gave.
"""

import asyncio
import hashlib
import hmac
import logging
import os
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from rove_core.project.tracked_files import is_tracked, tracked_documents
from rove_core.store.documents import is_document_name
from rove_core.store.files import FileLock, private_folder, read_file, write_atomic

if TYPE_CHECKING:
    import aiosqlite

    from rove_core.project.layout import ProjectPaths
    from rove_core.store.store import Store

_LOG: Final = logging.getLogger("rove.store")
_KEY: Final = "index.key"
_BYTES: Final = 32
#: What is not taken over: work that is planned, and what vendors are said to have answered.
_DROPPED: Final = ("tasks", "events", "etags", "items", "fetch_history")


async def claim_index(store: "Store", places: "ProjectPaths") -> None:
    """Claim an index that another user made; leave the user's own as it is.

    A document that git tracks stays listed only if this user's Rove wrote it: a file that came with
    a clone is none until its user says so (``rove reindex``). Who moves or copies a project on a
    machine keeps its index whole.

    Args:
        store: The index.
        places: The project. One that is alone has no user.
    """
    if places.is_alone:
        return
    key = await asyncio.to_thread(user_key, places)
    if _is_own(await store.read(_owner), key):
        return
    async with store.transaction() as db:
        rows = await db.execute_fetchall("SELECT nonce, mark FROM owner")
        if _is_own(next(iter(rows), None), key):
            return  # Another process was quicker.
        named = await db.execute_fetchall("SELECT id, filename FROM context_files")
        tracked = await asyncio.to_thread(tracked_documents, places)
        astray = [(number,) for number, name in named if not _stays(places, name, key, tracked)]
        await db.executemany("DELETE FROM context_files WHERE id = ?", astray)
        dropped = 0
        for table in _DROPPED:
            dropped += (await db.execute(f"DELETE FROM {table}")).rowcount  # noqa: S608  # our own names
        await _sign(db, key)
    if dropped or astray:
        message = "%s was created elsewhere: its queued tasks and %d documents were dropped"
        _LOG.warning(message, places.index, len(astray))


async def sign_index(store: "Store", places: "ProjectPaths") -> None:
    """Mark an index as this user's own, with everything in it: it was made here just now.

    Args:
        store: The index.
        places: The project, with its user.
    """
    key = await asyncio.to_thread(user_key, places)
    async with store.transaction() as db:
        await _sign(db, key)


def _stays(places: "ProjectPaths", filename: str, key: bytes, tracked: bytes) -> bool:
    """Return whether a listed document is this user's, or at least did not come with a clone."""
    from rove_core.build.write.base import is_written_by  # noqa: PLC0415  # only a foreign index

    return is_document_name(filename) and (
        not is_tracked(tracked, filename) or is_written_by(key, places.bases, filename)
    )


async def _sign(db: "aiosqlite.Connection", key: bytes) -> None:
    nonce = os.urandom(_BYTES)
    await db.execute("DELETE FROM owner")
    await db.execute("INSERT INTO owner VALUES (?, ?)", [nonce, _mark(nonce, key)])


def _owner(db: sqlite3.Connection) -> tuple[bytes, bytes] | None:
    found: tuple[bytes, bytes] | None = db.execute("SELECT nonce, mark FROM owner").fetchone()
    return found


def _is_own(row: object, key: bytes) -> bool:
    """Return whether an index has a mark that only this user's key makes."""
    if row is None:
        return False
    nonce, mark = tuple(row)  # type: ignore[arg-type, var-annotated]  # a row of two columns
    is_marked = isinstance(nonce, bytes) and isinstance(mark, bytes)
    return is_marked and hmac.compare_digest(mark, _mark(nonce, key))


def _mark(nonce: bytes, key: bytes) -> bytes:
    return hmac.new(key, nonce, hashlib.sha256).digest()


def user_key(places: "ProjectPaths") -> bytes:
    """Return the user's key, and make it before its first use; a project alone has none."""
    if places.is_alone:
        return b""
    path = private_folder(places.data_dir) / _KEY
    with suppress(OSError):
        if len(key := read_file(path)) == _BYTES:
            return key
    with FileLock(path.with_name(f"{_KEY}.lock")):
        with suppress(OSError):
            if len(key := read_file(path)) == _BYTES:
                return key
        key = os.urandom(_BYTES)
        write_atomic(path, key)
    return key
