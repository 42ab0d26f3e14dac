"""Registry of projects with memories, and their aliases.

A project is known by the remotes of its repository, however they are spelled, and each checkout
by a random mark in its ``.rove``. So worktrees, clones, forks (by the remote ``upstream``), a
moved folder and a remote that was renamed lead to one memory.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection
from typing import Final, NamedTuple

from rove_core import (
    Clock,
    PackageDatabase,
    ProjectPaths,
    RoveError,
    git_folder,
    project_remotes,
    read_file,
    state_folder,
    write_atomic,
)
from rove_memory.store.schema import REGISTRY_MIGRATIONS
from rove_memory.store.values import time_text

PACKAGE: Final = "memory"
_MARK: Final = "checkout"


class KnownProject(NamedTuple):
    """A project of the registry.

    Attributes:
        id: Its id.
        name: What people call it.
        path: Where it was seen last.
        git_remote: The remote it is known by; empty without one.
    """

    id: str
    name: str
    path: str
    git_remote: str = ""


def registry() -> PackageDatabase:
    """Return the database that lists all projects of this user."""
    return PackageDatabase(state_folder(PACKAGE) / "registry.db", REGISTRY_MIGRATIONS, durable=True)


def known_projects() -> tuple[KnownProject, ...]:
    """Return all projects of this user, the last used first."""
    with registry().reading() as db:
        rows = db.execute(
            "SELECT id, name, path, git_remote FROM projects ORDER BY last_accessed DESC, id"
        ).fetchall()
    return tuple(KnownProject(id=i, name=n, path=p, git_remote=r) for i, n, p, r in rows)


def find_project(places: ProjectPaths) -> KnownProject | None:
    """Return a folder's project from the registry, without writing."""
    names = _ProjectNames.of(places)
    with registry().reading() as db:
        return _find(db, names)


def register_project(places: ProjectPaths, clock: Clock) -> KnownProject:
    """Return the project of a folder, and let the registry know it by all its names."""
    names = _ProjectNames.of(places)
    with registry().reading() as db:
        found = _find(db, names)
        if found and found.path == names.path and _has_all(db, names, found.id):
            return found
    names = names.with_mark(places)
    with registry().writing() as db:
        found = _find(db, names) or _add(db, names, clock)
        _learn(db, names, found.id, clock)
    return found


class _ProjectNames(NamedTuple):
    """The names under which a folder may be registered.

    Attributes:
        path: Where it is.
        name: What people would call it.
        remotes: The remotes that tell a project from others, the first one first.
        mark: The mark of the checkout; empty while it has none.
    """

    path: str
    name: str
    remotes: tuple[str, ...]
    mark: str = ""

    @classmethod
    def of(cls, places: ProjectPaths) -> "_ProjectNames":
        root = places.root.resolve()
        remotes = project_remotes(root)
        below = _below_repository(root)
        suffix = f"#{below}" if below else ""
        return cls(
            path=str(root),
            name=remotes[0].rpartition("/")[2] if remotes else root.name,
            remotes=tuple(f"{remote}{suffix}" for remote in remotes),
            mark=_read_mark(places),
        )

    def with_mark(self, places: ProjectPaths) -> "_ProjectNames":
        """Return the same with a mark; write one where that can be done."""
        if self.mark:
            return self
        import secrets  # noqa: PLC0415  # only a new checkout gets a mark

        mark = secrets.token_hex(16)
        # Where the project cannot be written, its remote or its path must do.
        with suppress(RoveError):
            write_atomic(_mark_file(places), f"{mark}\n".encode())
            return _ProjectNames(path=self.path, name=self.name, remotes=self.remotes, mark=mark)
        return self

    @property
    def id(self) -> str:
        """The id of a new project."""
        from hashlib import sha256  # noqa: PLC0415  # a project that is known has its id

        return sha256((self.remotes[0] if self.remotes else self.path).encode()).hexdigest()[:16]


def _below_repository(root: Path) -> str:
    for top in (root, *root.parents):
        if git_folder(str(top)):
            below = root.relative_to(top).as_posix()
            return "" if below == "." else below
    return ""


def _mark_file(places: ProjectPaths) -> Path:
    return state_folder(PACKAGE, project=places) / _MARK


def _read_mark(places: ProjectPaths) -> str:
    # Not by state_folder: reading must not create anything.
    path = places.rove / "state" / PACKAGE / _MARK
    with suppress(OSError, UnicodeDecodeError):
        return read_file(path)[:64].decode("ascii").strip()
    return ""


def _find(db: Connection, names: _ProjectNames) -> KnownProject | None:
    """Return the project that the names lead to: the first remote, the checkout, another remote."""
    first, others = names.remotes[:1], names.remotes[1:]
    found = _by_remotes(db, first) or _by_mark(db, names) or _by_remotes(db, others)
    if found is None:
        row = db.execute(
            "SELECT id FROM projects WHERE id = ? AND git_remote = ''", [names.id]
        ).fetchone()
        found = row[0] if row and not names.remotes else None
    if found is None:
        return None
    row = db.execute(
        "SELECT id, name, path, git_remote FROM projects WHERE id = ?", [found]
    ).fetchone()
    return KnownProject(id=row[0], name=row[1], path=row[2], git_remote=row[3])


def _by_remotes(db: Connection, remotes: Sequence[str]) -> str | None:
    for remote in remotes:
        row = db.execute(
            "SELECT project_id FROM aliases WHERE kind = 'remote' AND alias = ?", [remote]
        ).fetchone()
        if row:
            return str(row[0])
    return None


def _by_mark(db: Connection, names: _ProjectNames) -> str | None:
    """Return the project of a marked checkout: the same one, moved or with a new remote.

    A copy of a folder has its mark, too: if the original is still there, the mark says nothing.
    """
    row = db.execute(
        "SELECT project_id, path FROM aliases WHERE kind = 'checkout' AND alias = ?", [names.mark]
    ).fetchone()
    if row is None or (row[1] != names.path and Path(row[1]).exists()):
        return None
    return str(row[0])


def _has_all(db: Connection, names: _ProjectNames, project: str) -> bool:
    if not names.mark:
        return False
    aliases = [("checkout", names.mark), *(("remote", remote) for remote in names.remotes)]
    for kind, alias in aliases:
        row = db.execute(
            "SELECT project_id, path FROM aliases WHERE kind = ? AND alias = ?", [kind, alias]
        ).fetchone()
        if row is None or (kind == "checkout" and row != (project, names.path)):
            return False
    return True


def _add(db: Connection, names: _ProjectNames, clock: Clock) -> KnownProject:
    now = time_text(clock.now())
    remote = names.remotes[0] if names.remotes else ""
    db.execute(
        "INSERT INTO projects (id, name, path, git_remote, created_at, last_accessed) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        [names.id, names.name, names.path, remote, now, now],
    )
    return KnownProject(id=names.id, name=names.name, path=names.path, git_remote=remote)


def _learn(db: Connection, names: _ProjectNames, project: str, clock: Clock) -> None:
    """Keep the names that lead to nothing yet; a mark follows its checkout."""
    now = time_text(clock.now())
    for remote in names.remotes:
        db.execute(
            "INSERT INTO aliases (kind, alias, project_id, path, created_at) "
            "VALUES ('remote', ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [remote, project, names.path, now],
        )
    if names.mark:
        db.execute(
            "INSERT INTO aliases (kind, alias, project_id, path, created_at) "
            "VALUES ('checkout', ?, ?, ?, ?) ON CONFLICT (kind, alias) DO UPDATE "
            "SET project_id = excluded.project_id, path = excluded.path",
            [names.mark, project, names.path, now],
        )
    db.execute(
        "UPDATE projects SET last_accessed = ?, path = ? WHERE id = ?", [now, names.path, project]
    )
