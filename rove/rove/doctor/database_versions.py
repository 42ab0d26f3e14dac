"""Find the package of a database, and the newest version of a database that it can use."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from rove.doctor.databases import open_quietly
from rove.doctor.findings import Finding, problem
from rove.doctor.subject import Subject
from rove_core.plugins.installed_plugins import Plugin
from rove_core.project.layout import ProjectPaths


def check_version(path: Path, subject: Subject) -> Iterator[Finding]:
    """Yield that a whole database was made by a newer Rove or package, and the way out."""
    version = _version(path)
    if path.parent == subject.places.mirrors:
        from rove_core.mirror.migrations import MIGRATIONS  # noqa: PLC0415  # only who has a mirror

        yield from _compare(path, version, len(MIGRATIONS), "rove-core")
        return
    for plugin in subject.plugins.working if subject.plugins else ():
        for declared in plugin.databases:
            if any(declared.has(path, folder) for folder in _folders(plugin, subject.places, path)):
                try:
                    current = declared.version()
                except Exception as error:  # noqa: BLE001  # whatever its module does at import
                    found = f"{declared.migrations}: {type(error).__name__}: {error}"
                    yield problem("stores", found, _update(plugin.distribution))
                else:
                    yield from _compare(path, version, current, plugin.distribution)
                return


def _compare(path: Path, version: int, current: int, distribution: str) -> Iterator[Finding]:
    if version > current:
        found = f"{path} was made by a newer {distribution}: its version is {version}, this one"
        yield problem("stores", f"{found} knows {current}", _update(distribution))


def _update(distribution: str) -> str:
    return f"pip install --upgrade {distribution}"


def _folders(plugin: Plugin, places: ProjectPaths, path: Path) -> Iterator[Path]:
    """Yield the folders in which a package may keep databases."""
    users = places.data_dir / "state" / plugin.name
    if path.is_relative_to(users) and path.parent != users:
        yield users / path.relative_to(users).parts[0]
    yield places.rove / "state" / plugin.name
    if path.name.startswith(plugin.name):
        yield places.rove


def _version(path: Path) -> int:
    try:
        with closing(open_quietly(path)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            return int(version)
    except sqlite3.Error:
        return 0  # It is in use, or closed to this user.
