"""The project's index: whether it can be read, and whether it is whole."""

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Final

from rove.doctor.findings import FIX, Finding, fixed, ok, problem
from rove.doctor.subject import Subject
from rove_core.store.files import FileLock, kind_of_file

_DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PARTS: Final = ("", "-wal", "-shm", "-journal")


def look_at_the_index(subject: Subject) -> Iterator[Finding]:
    """Yield whether the index is whole and of this Rove's version; a damaged one is put aside."""
    path = subject.places.index
    if not subject.is_safe or not path.parent.is_dir():
        return
    if not kind_of_file(path):
        yield ok("index", "there is none yet")
        return
    for each in (path.with_name(f"{path.name}{part}") for part in _PARTS):
        if (kind := kind_of_file(each)) not in {"", "file"}:
            yield problem("index", f"{each} is a {kind}", f"Remove it: rm {shlex.quote(str(each))}")
            return
    damage = _damage(path)
    if not damage:
        yield _version(path)
    elif subject.fix:
        aside = _put_aside(path)
        found = f"{path} was damaged ({damage}); it is {aside} now, and the next build restores"
        yield fixed("index", f"{found} what it held")
    else:
        yield problem("index", f"{path} is damaged: {damage}", FIX)


def _damage(path: Path) -> str:
    """Return what is wrong with a database; empty if it is whole."""
    from rove_core.store.check import find_damage  # noqa: PLC0415  # only who has an index
    from rove_core.store.schema import VERSION, is_foreign, version_of  # noqa: PLC0415  # the same

    try:
        with closing(_opened(path)) as db:
            (said,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if said != "ok":
                return str(said)
            if is_foreign(db):
                return "it has tables and no version"
            return find_damage(db) if version_of(db) == VERSION else ""
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in _DAMAGED:
            return str(error)
        raise


def _version(path: Path) -> Finding:
    from rove_core.store.schema import VERSION, version_of  # noqa: PLC0415  # only who has an index

    with closing(_opened(path)) as db:
        version = version_of(db)
    if version > VERSION:
        found = f"{path} was made by a newer Rove: its version is {version}, this one knows"
        return problem("index", f"{found} {VERSION}", "pip install --upgrade rove")
    size = path.stat().st_size // 1000
    return ok("index", f"whole, version {version}, {size} kB")


def _opened(path: Path) -> sqlite3.Connection:
    from rove_core.store.lookup import database_uri  # noqa: PLC0415  # only who has an index

    uri = database_uri(str(path.absolute()), "mode=ro")
    db = sqlite3.connect(uri, uri=True, timeout=1.0, isolation_level=None)
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def _put_aside(path: Path) -> str:
    """Rename a damaged index, with what belongs to it, and return its new name."""
    with FileLock(path.with_name(f"{path.name}.lock"), timeout=1.0):
        names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
        aside = next(name for name in names if not name.exists())
        for part in _PARTS:
            old = path.with_name(f"{path.name}{part}")
            if old.exists():
                old.rename(aside.with_name(f"{aside.name}{part}"))
    return aside.name
