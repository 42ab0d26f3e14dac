"""Import of what Semfora PM knows about a project, when its first session starts here."""

import json
import os
import sqlite3
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final

from rove_core import RoveError, WrongCall, counted, git_folder, project_remotes, read_file
from rove_memory.memory.exchange import load_tables
from rove_memory.memory.semfora_config import read_config
from rove_memory.memory.semfora_database import read_database
from rove_memory.store import ProjectStore

_CONFIG: Final = Path(".pm", "config.json")
#: So many projects are looked at, and settings of so many bytes are read.
_MOST_PROJECTS: Final = 500
_LARGEST: Final = 1_000_000
#: What each table holds, in the words of the note.
_NAMES: Final[Mapping[str, Sequence[str]]] = {
    "memory": ("memory", "memories"),
    "sessions": ("session",),
    "external_items": ("ticket",),
    "local_plans": ("plan",),
    "acceptance_criteria": ("criterion", "criteria"),
}


def import_semfora(db: Connection, store: ProjectStore) -> list[str]:
    """Import what Semfora PM knows of a project; return a line about each file.

    Existing rows stay, and the files stay as they are.
    """
    root, notes = store.places.root, list[str]()
    for path in (*islice(_databases_of(root), 1), *_config_of(root)):
        db.execute("SAVEPOINT semfora")
        try:
            notes.append(_import(db, store, path))
        except (RoveError, OSError) as error:
            db.execute("ROLLBACK TO semfora")
            notes.append(f"Not imported from Semfora PM: {path}: {error}")
        db.execute("RELEASE semfora")
    return notes


def keep_provider(db: Connection, values: Mapping[str, str | None]) -> None:
    """Store a project's tracker where none is stored."""
    for name, value in values.items():
        change = f"UPDATE projects SET {name} = coalesce({name}, ?)"  # noqa: S608  # our own names
        db.execute(change, [value])


def _import(db: Connection, store: ProjectStore, path: Path) -> str:
    if path.suffix == ".json":
        values, _ = read_config(_read_json(path))
        keep_provider(db, values)
        command = f"rove memory import {_CONFIG}"
        return f"Read the tracker of Semfora PM from {_CONFIG}. To see its settings: {command}"
    found = read_database(path)
    keep_provider(db, found.provider)
    added = load_tables(db, store, found.tables).added
    parts = [counted(added[table], *names) for table, names in _NAMES.items() if table in added]
    left_out = f" ({'; '.join(found.notes)})" if found.notes else ""
    return f"Imported {', '.join(parts) or 'nothing'} of Semfora PM from {path}{left_out}"


def _config_of(root: Path) -> Iterator[Path]:
    if (root / _CONFIG).is_file():
        yield root / _CONFIG


def _databases_of(root: Path) -> Iterator[Path]:
    """Yield the databases of Semfora PM that are about a project, by its path or remote.

    Each has the name of a hash that is not documented, so all of them are looked at.
    """
    folder = _cache_folder() / "projects"
    files = sorted(islice(folder.glob("*.db"), _MOST_PROJECTS)) if folder.is_dir() else []
    remotes = project_remotes(root) if files and git_folder(str(root)) else ()
    for file in files:
        try:
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
                rows = db.execute("SELECT path, git_remote FROM projects LIMIT 100").fetchall()
        except sqlite3.Error:
            continue
        if any(_is_about(row, root, remotes) for row in rows):
            yield file


def _is_about(row: tuple[Any, Any], root: Path, remotes: Collection[str]) -> bool:
    path, url = row
    if isinstance(path, str) and os.path.realpath(path) == os.path.realpath(root):
        return True
    if not isinstance(url, str):
        return False
    # Remotes are like github.com/acme/api; a URL has a scheme or a user before that.
    spelled = url.strip().lower().rstrip("/").removesuffix(".git").replace(":", "/")
    return any(spelled == each or spelled.endswith((f"/{each}", f"@{each}")) for each in remotes)


def _cache_folder() -> Path:
    """Return where Semfora PM stores its databases."""
    if folder := os.environ.get("SEMFORA_PM_CACHE_DIR"):
        return Path(folder)
    home = Path.home()
    if sys.platform == "darwin":
        config, cache = home / "Library/Application Support", home / "Library/Caches"
    else:
        config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
        cache = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    try:
        chosen = _read_json(config / "semfora-pm/config.json").get("cache_dir")
    except (OSError, WrongCall):
        chosen = None
    return Path(chosen) if isinstance(chosen, str) and chosen else cache / "semfora-pm"


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(read_file(path, most=_LARGEST))
    except (ValueError, RecursionError) as error:
        raise WrongCall("it is not JSON") from error
    if not isinstance(found, dict):
        raise WrongCall("it is not an object")
    return found
