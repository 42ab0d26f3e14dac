"""Check that the project's index is readable and complete."""

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from rove.doctor.databases import DAMAGED, PARTS, open_quietly, put_aside
from rove.doctor.findings import FIX, Finding, fixed, ok, problem
from rove.doctor.subject import Subject
from rove_core.store.files import kind_of_file


def check_index(subject: Subject) -> Iterator[Finding]:
    """Yield whether the index is intact and current; a damaged one is moved aside."""
    path = subject.places.index
    if not subject.is_safe or not path.parent.is_dir():
        return
    if not kind_of_file(path):
        yield ok("index", "none yet")
        return
    for each in (path.with_name(f"{path.name}{part}") for part in PARTS):
        if (kind := kind_of_file(each)) not in {"", "file"}:
            old = shlex.quote(str(each))
            yield problem("index", f"{each} is a {kind}", f"Move it away: mv {old} {old}.damaged")
            return
    damage = _damage(path)
    if not damage:
        yield _check_unlisted(subject, path) or _version(path)
    elif subject.fix:
        aside = put_aside(path)
        found = f"{path} was damaged ({damage}); moved to {aside}; the next build restores"
        yield fixed("index", f"{found} what it held")
    else:
        yield problem("index", f"{path} is damaged: {damage}", FIX)


def _check_unlisted(subject: Subject, path: Path) -> Finding | None:
    """Return that the index lists no document though there are some; it was lost, or emptied."""
    if path.stat().st_size or not any(subject.places.context.glob("*.md")):
        return None
    found = f"{path} is empty, and {subject.places.context} has documents"
    return problem("index", found, "rove reindex")


def _damage(path: Path) -> str:
    """Return the damage of a database; empty if it is intact."""
    from rove_core.store.check import find_damage  # noqa: PLC0415  # only who has an index
    from rove_core.store.migrations import VERSION, is_foreign, version_of  # noqa: PLC0415  # the same

    try:
        with closing(open_quietly(path)) as db:
            (result,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if result != "ok":
                return str(result)
            if is_foreign(db):
                return "it has tables but no version"
            return find_damage(db) if version_of(db) == VERSION else ""
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in DAMAGED:
            return str(error)
        raise


def _version(path: Path) -> Finding:
    from rove_core.store.migrations import VERSION, version_of  # noqa: PLC0415  # only who has an index

    with closing(open_quietly(path)) as db:
        version = version_of(db)
    if version > VERSION:
        found = f"{path} was made by a newer Rove: its version is {version}, this one knows"
        return problem("index", f"{found} {VERSION}", "pip install --upgrade rove")
    size = path.stat().st_size // 1000
    return ok("index", f"whole, version {version}, {size} kB")
