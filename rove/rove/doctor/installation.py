"""Check the installation: the command on PATH, Python, installed packages, disk."""

import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rove.command_path import command_folder, command_path
from rove.doctor.findings import Finding, ok, problem, warning
from rove.doctor.subject import Subject

_MEGABYTE: Final = 1_000_000
_LITTLE: Final = 200 * _MEGABYTE
_TOO_LITTLE: Final = 20 * _MEGABYTE


def check_python(_: Subject) -> Iterator[Finding]:
    """Yield which Python runs here."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield ok("python", f"{version} ({sys.executable}), SQLite {sqlite3.sqlite_version}")


def check_packages(_: Subject) -> Iterator[Finding]:
    """Yield which packages of Rove are installed, and which they need are not."""
    from importlib_metadata import distributions  # noqa: PLC0415  # slow to import

    versions: dict[str, str] = {}
    needed: dict[str, str] = {}
    for each in distributions():
        name = _normal(each.name)
        versions.setdefault(name, each.version)
        if name.startswith("rove"):
            requirements = (text for text in each.requires or () if "extra ==" not in text)
            needed |= {
                _normal(re.split(r"[^\w.-]", text, maxsplit=1)[0]): name for text in requirements
            }
    missing = sorted(needed.keys() - versions.keys())
    for name in missing:
        yield problem("packages", f"{needed[name]} needs {name}", f"pip install {name}")
    own = sorted(f"{name} {at}" for name, at in versions.items() if name.startswith("rove"))
    others = sorted(f"{name} {versions[name]}" for name in needed if name in versions)
    rest = [each for each in others if not each.startswith("rove")]
    yield ok("packages", f"{', '.join(own)}; with {', '.join(rest)}")


def check_command(_: Subject) -> Iterator[Finding]:
    """Yield whether shells and agents find this very ``rove``."""
    found, own = shutil.which("rove"), command_path()
    if found is None:
        what = "rove is not on PATH, so agents cannot call it"
        yield warning(
            "command", what, f"Install it for your shell, or add to PATH: {command_folder()}"
        )
    elif own.exists() and not Path(found).samefile(own):
        yield warning(
            "command", f"the rove on PATH is a different one: {found}", f"This one: {own}"
        )
    else:
        yield ok("command", f"rove is {found}")


def check_disk(subject: Subject) -> Iterator[Finding]:
    """Yield how much space is left where Rove writes."""
    for what, folder in (("project", subject.places.root), ("yours", subject.places.data_dir)):
        existing = next(path for path in (folder, *folder.parents) if path.is_dir())
        yield _space(f"disk ({what})", existing)


def _space(name: str, folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    found = f"{free // _MEGABYTE} MB are free at {folder}"
    if free < _TOO_LITTLE:
        return problem(name, found, "Free some space: Rove writes a file whole or not at all.")
    if free < _LITTLE:
        return warning(name, found, "Free some space.")
    return ok(name, found)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
