"""The indexed text of each document, re-read when its file changes."""

import os
import re
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rove_core.errors import DiskTrouble, RoveError, UnsafePlace
from rove_core.store.connection import open_for_reading, open_for_writing, typed_errors
from rove_core.store.documents import is_document_name
from rove_core.store.values import storable

if TYPE_CHECKING:
    import aiosqlite

    from rove_core.store.documents import DocumentRecord

_LARGEST: Final = 20_000_000
#: How many characters of a document are searched.
_SEARCHED: Final = 2_000_000

_BY_TICKET: Final = "(SELECT id FROM context_files WHERE account = ? AND ticket_id = ?)"
_SAVE_BODY: Final = "UPDATE document_texts SET body = ? WHERE rowid = {row}"
_SAVE_STAMP: Final = """
INSERT INTO document_files (stamp, context_file_id) SELECT ?, id FROM context_files WHERE id = {row}
ON CONFLICT (context_file_id) DO UPDATE SET stamp = excluded.stamp
"""

#: What a reader does not see as it is written: where a reference goes, a link's address, a
#: citation, an escaped sign, and the marks of quotes, headings, lists, tables, emphasis and code.
_MARKUP: Final = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|&(?P<entity>lt|amp|#91);"
    r"|^\[[^\]\n]+\]: \S.*\n?|\[\d+\]"
    r"|\[(?P<label>(?:\\.|[^\]\\\n])*)\](?:\[[^\]\n]*\]|\([^)\n]*\))"
    r"|^(?:[>#|\s]|[-*] )+|[*`|]+",
    re.MULTILINE,
)
_ENTITIES: Final = {"lt": "<", "amp": "&", "#91": "["}


def read_changed_texts(index: Path, folder: Path) -> None:
    """Re-index the documents whose files have changed.

    Where the index cannot be written, what it holds stays as it is.

    Args:
        index: The database.
        folder: Where the documents are.
    """
    with open_for_reading(index) as db:
        changed = list(_changed_documents(db, folder))
    if not changed:
        return
    with suppress(RoveError), typed_errors(index), closing(open_for_writing(index)) as db:
        db.execute("BEGIN IMMEDIATE")
        _save(db, changed, folder)
        db.execute("COMMIT")


def read_document(path: Path) -> str | None:
    """Return a document's text, with invalid UTF-8 as surrogates; None if it is missing.

    Raises:
        UnsafePlace: It is a link, no file, or too large.
        DiskTrouble: It cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnsafePlace(f"{path} cannot be read as a file: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UnsafePlace(f"{path} is not a file")
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > _LARGEST:
        raise UnsafePlace(f"{path} is larger than {_LARGEST // 1_000_000} MB")
    return data.decode("utf-8", "surrogateescape")


async def save_text(db: "aiosqlite.Connection", document: "DocumentRecord", folder: Path) -> None:
    """Read a document's file into the index.

    Args:
        db: A transaction's connection.
        document: The document; its record is saved already.
        folder: Where the documents are.
    """
    path = folder / document.filename
    which = (document.account, storable(document.ticket_id))
    for statement, value in ((_SAVE_BODY, _body(path)), (_SAVE_STAMP, _stamp(str(path)))):
        await db.execute(statement.format(row=_BY_TICKET), [value, *which])


def plain_text(markdown: str) -> str:
    """Return the words of a document without its Markdown."""
    return _MARKUP.sub(_words, markdown)


def _words(found: re.Match[str]) -> str:
    if found["label"] is not None:
        return plain_text(found["label"])
    return found["escaped"] or _ENTITIES.get(found["entity"], "")


def _changed_documents(db: sqlite3.Connection, folder: Path) -> Iterator[tuple[int, str, str]]:
    """Yield row, file and stamp of each document that changed since it was indexed."""
    rows = db.execute(
        "SELECT id, filename, stamp FROM context_files"
        " LEFT JOIN document_files ON context_file_id = id"
    )
    for row, filename, old_stamp in rows:
        if not is_document_name(filename):
            continue
        stamp = _stamp(f"{folder}/{filename}")
        if stamp != (old_stamp or ""):
            yield row, filename, stamp


def _stamp(path: str) -> str:
    """Return what changes with a file; empty if there is none."""
    with suppress(OSError, ValueError):
        status = os.lstat(path)
        if stat.S_ISREG(status.st_mode):
            return f"{status.st_size} {status.st_mtime_ns}"
    return ""


def _save(db: sqlite3.Connection, changed: Iterable[tuple[int, str, str]], folder: Path) -> None:
    for row, filename, stamp in changed:
        body = _body(folder / filename) if stamp else ""
        for statement, value in ((_SAVE_BODY, body), (_SAVE_STAMP, stamp)):
            db.execute(statement.format(row="?"), [value, row])


def _body(path: Path) -> str:
    """Return the words of a document; empty if its file cannot be read."""
    with suppress(RoveError):
        text = (read_document(path) or "")[:_SEARCHED]
        return plain_text(storable(text))
    return ""
