"""Check the other stores: databases of packages and mirrors, and misplaced files."""

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Final

from rove.doctor.database_versions import check_version
from rove.doctor.databases import DAMAGED, PARTS, open_quietly, put_aside
from rove.doctor.findings import FIX, Finding, fixed, ok, problem
from rove.doctor.subject import Subject
from rove_core.mirror.mirror import Mirror
from rove_core.project.layout import ProjectPaths
from rove_core.store.files import kind_of_file
from rove_core.store.migrations import is_foreign

#: A larger database is not read through: that would take longer than anybody waits.
_READ_THROUGH: Final = 100_000_000
#: Where packages keep databases: what is in the user's folder cannot be rebuilt.
_DURABLE: Final = "state"
#: The vendors' limits stand in tables that never change.
_NO_VERSION: Final = frozenset({"limits.db"})


def check_stores(subject: Subject) -> Iterator[Finding]:
    """Yield whether each store but the index can be read, and the way out of what cannot."""
    if not subject.is_safe:
        return
    places = subject.places
    databases = list(_databases(places))
    found = [finding for path in databases for finding in _check_store(path, subject)]
    found += [finding for path in _files(places) for finding in _no_file(path)]
    yield from found
    if not found:
        yield ok("stores", f"{len(databases)} whole" if databases else "none yet")


def _databases(places: ProjectPaths) -> Iterator[Path]:
    own = places.rove.glob("*.db")
    users = (places.data_dir.glob("*.db"), places.mirrors.glob("*.db"))
    packages = ((base / _DURABLE).glob("**/*.db") for base in (places.data_dir, places.rove))
    yield from sorted({*own, *chain(*users), *chain(*packages)} - {places.index})


def _files(places: ProjectPaths) -> Iterator[Path]:
    """Yield the files, other than databases and settings, that Rove writes by their names."""
    yield places.rove / "marks.key"
    yield places.weights_file
    yield places.schedule_file
    yield places.data_dir / "plugin-commands.json"
    yield places.data_dir / "plugin-list.json"
    yield places.data_dir / "login-states.json"
    yield from sorted(places.bases.glob("*/*.json"))


def _check_store(path: Path, subject: Subject) -> Iterator[Finding]:
    parts = [path.with_name(f"{path.name}{part}") for part in PARTS]
    if wrong := [finding for part in parts for finding in _no_file(part)]:
        yield from wrong
        return
    damage = _damage(path)
    if damage is None:
        yield ok("stores", f"{path} was not checked: it is in use, or closed to this user")
    elif not damage:
        yield from check_version(path, subject)
    elif subject.places.data_dir / _DURABLE in path.parents:
        yield problem("stores", f"{path} is damaged: {damage}", _way_back(path))
    elif subject.fix:
        aside = put_aside(path)
        after = _after_removal(path, subject.places)
        yield fixed("stores", f"{path} was damaged ({damage}); moved to {aside}; {after}")
    else:
        yield problem("stores", f"{path} is damaged: {damage}", FIX)


def _no_file(path: Path) -> Iterator[Finding]:
    kind = kind_of_file(path)
    if kind not in {"", "file"}:
        yield problem("stores", f"{path} is a {kind}", f"Move it away: {_move_advice(path)}")


def _damage(path: Path) -> str | None:
    """Return the damage of a database; empty without any, None if it cannot be read now."""
    try:
        with closing(open_quietly(path)) as db:
            if path.stat().st_size > _READ_THROUGH:
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
                return ""
            (result,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if result != "ok":
                return str(result)
            has_none = path.name not in _NO_VERSION and is_foreign(db)
            return "it has tables but no version" if has_none else ""
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in DAMAGED:
            return str(error)
        return None


def _after_removal(path: Path, places: ProjectPaths) -> str:
    """Return what happens once a damaged database is gone."""
    if path.parent != places.mirrors:
        return "it is recreated when needed"
    account = path.stem.replace("_", ":")  # No account name has an underscore.
    return f"copy it again with: {Mirror(account, path).start_command()}"


def _way_back(path: Path) -> str:
    """Return the advice for a store that cannot be rebuilt."""
    copies = sorted(path.parent.glob(f"{path.name}.before-*"))
    if not copies:
        return f"Restore a backup, or start over: {_move_advice(path)}"
    copy = f"cp {shlex.quote(str(copies[-1]))} {shlex.quote(str(path))}"
    return f"Restore the copy from before an update: {_move_advice(path)} && {copy}"


def _move_advice(path: Path) -> str:
    return f"mv {shlex.quote(str(path))} {shlex.quote(f'{path}.damaged')}"
