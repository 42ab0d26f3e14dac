"""Registry of projects with memories, and their aliases.

A project is known by the remotes of its repository, however they are spelled, and each checkout
by a random mark in its ``.rove``. So worktrees, clones, forks (by the remote ``upstream``), a
moved folder and a remote that was renamed lead to one memory.

A path alone identifies nothing: where a folder was deleted, another project may begin. A checkout
that lost its mark is the same project if its repository still has the commit that was recorded.
"""

import os
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
    sha256_hex,
    state_folder,
    write_atomic,
)
from rove_memory.store.migrations import REGISTRY_MIGRATIONS
from rove_memory.store.values import time_text

PACKAGE: Final = "memory"
_MARK: Final = "checkout"
_SELECT: Final = "SELECT id, name, path, git_remote, git_commit, last_accessed FROM projects"


class RegisteredProject(NamedTuple):
    """A project of the registry.

    Attributes:
        id: Its id.
        name: What people call it.
        path: Where it was seen last.
        git_remote: The remote it is known by; empty without one.
        git_commit: A commit of its repository, if it has no remote; empty if none was recorded.
        last_accessed: When it was used last.
    """

    id: str
    name: str
    path: str
    git_remote: str = ""
    git_commit: str = ""
    last_accessed: str = ""


def registry() -> PackageDatabase:
    """Return the database that lists all projects of this user."""
    return PackageDatabase(state_folder(PACKAGE) / "registry.db", REGISTRY_MIGRATIONS, durable=True)


def registered_projects() -> tuple[RegisteredProject, ...]:
    """Return all projects of this user, the last used first."""
    with registry().reading() as db:
        rows = db.execute(f"{_SELECT} ORDER BY last_accessed DESC, id").fetchall()
    return tuple(RegisteredProject(*row) for row in rows)


def find_earlier_project(project: RegisteredProject) -> RegisteredProject | None:
    """Return the project without a remote that was last used at the same path before this one."""
    with registry().reading() as db:
        row = db.execute(
            f"{_SELECT} WHERE path = ? AND git_remote = '' AND id <> ? "
            "ORDER BY last_accessed DESC LIMIT 1",
            [project.path, project.id],
        ).fetchone()
    return RegisteredProject(*row) if row else None


def find_project(places: ProjectPaths) -> RegisteredProject | None:
    """Return a folder's project from the registry, without writing."""
    names = _ProjectNames.of(places)
    with registry().reading() as db:
        return _find(db, names)


def register_project(places: ProjectPaths, clock: Clock) -> RegisteredProject:
    """Return the project of a folder, and let the registry know it by all its names."""
    names = _ProjectNames.of(places)
    with registry().reading() as db:
        found = _find(db, names)
        if found and found.path == names.path and _has_all(db, names, found):
            return found
    with registry().writing() as db:
        # Read again: of several processes that start at once, the first one has written the mark.
        names = _ProjectNames.of(places).with_mark(places).with_commit(places)
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
        commit: The current commit, if there is no remote; empty while there is none.
    """

    path: str
    name: str
    remotes: tuple[str, ...]
    mark: str = ""
    commit: str = ""

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
            mark=_read_mark(places.rove),
        )

    def with_mark(self, places: ProjectPaths) -> "_ProjectNames":
        """Return the same with a mark; write one where that can be done."""
        if self.mark:
            return self
        mark = os.urandom(16).hex()
        # Where the project cannot be written, its remote or its path must do.
        with suppress(RoveError):
            write_atomic(_mark_file(places), f"{mark}\n".encode())
            return self._replace(mark=mark)
        return self

    def with_commit(self, places: ProjectPaths) -> "_ProjectNames":
        """Return the same with the current commit, where no remote identifies the project."""
        if self.remotes or not git_folder(str(places.root)):
            return self
        from rove_memory.git import head_commit  # noqa: PLC0415  # subprocess is slow to load

        return self._replace(commit=head_commit(places.root))


def _below_repository(root: Path) -> str:
    for top in (root, *root.parents):
        if git_folder(str(top)):
            below = root.relative_to(top).as_posix()
            return "" if below == "." else below
    return ""


def _mark_file(places: ProjectPaths) -> Path:
    return state_folder(PACKAGE, project=places) / _MARK


def _read_mark(rove: Path) -> str:
    # Not by state_folder: reading must not create anything.
    path = rove / "state" / PACKAGE / _MARK
    with suppress(OSError, UnicodeDecodeError):
        return read_file(path)[:64].decode("ascii").strip()
    return ""


def _find(db: Connection, names: _ProjectNames) -> RegisteredProject | None:
    """Return the project of these names: by first remote, mark, another remote, or path."""
    first, others = names.remotes[:1], names.remotes[1:]
    found = (
        _by_remotes(db, first)
        or _by_mark(db, names)
        or _by_remotes(db, others)
        or _by_path(db, names)
    )
    row = db.execute(f"{_SELECT} WHERE id = ?", [found]).fetchone() if found else None
    return RegisteredProject(*row) if row else None


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

    A copy of a folder has its mark, too: while the original has it, it does not count in the copy.
    """
    row = db.execute(
        "SELECT project_id, path FROM aliases WHERE kind = 'checkout' AND alias = ?", [names.mark]
    ).fetchone()
    if row is None or (row[1] != names.path and _read_mark(Path(row[1], ".rove")) == names.mark):
        return None
    return str(row[0])


def _by_path(db: Connection, names: _ProjectNames) -> str | None:
    """Return the project without a remote that was used at this path, if it is the same one.

    It is if its recorded commit is in the repository, or if it never could have a mark.
    """
    rows = db.execute(
        "SELECT p.id, p.git_commit, a.alias FROM projects p LEFT JOIN aliases a "
        "ON a.project_id = p.id AND a.kind = 'checkout' WHERE p.path = ? AND p.git_remote = '' "
        "ORDER BY p.last_accessed DESC",
        [names.path],
    ).fetchall()
    for identifier, commit, mark in rows:
        if _has_commit(names.path, commit) if commit else mark is None:
            return str(identifier)
    return None


def _has_commit(path: str, commit: str) -> bool:
    from rove_memory.git import has_commit  # noqa: PLC0415  # subprocess is slow to load

    return git_folder(path) is not None and has_commit(Path(path), commit)


def _has_all(db: Connection, names: _ProjectNames, project: RegisteredProject) -> bool:
    if not names.mark or _lacks_commit(names, project):
        return False
    aliases = [("checkout", names.mark), *(("remote", remote) for remote in names.remotes)]
    for kind, alias in aliases:
        row = db.execute(
            "SELECT project_id, path FROM aliases WHERE kind = ? AND alias = ?", [kind, alias]
        ).fetchone()
        if row is None or (kind == "checkout" and row != (project.id, names.path)):
            return False
    return True


def _lacks_commit(names: _ProjectNames, project: RegisteredProject) -> bool:
    return not (project.git_commit or names.remotes) and git_folder(names.path) is not None


def _add(db: Connection, names: _ProjectNames, clock: Clock) -> RegisteredProject:
    now = time_text(clock.now())
    remote = names.remotes[0] if names.remotes else ""
    new = RegisteredProject(
        id=_new_id(db, remote or names.path),
        name=names.name,
        path=names.path,
        git_remote=remote,
        git_commit=names.commit,
        last_accessed=now,
    )
    db.execute(
        "INSERT INTO projects (id, name, path, git_remote, git_commit, created_at, last_accessed) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        [new.id, new.name, new.path, remote, new.git_commit, now, now],
    )
    return new


def _new_id(db: Connection, seed: str) -> str:
    """Return an id that no project has: a later project at the same path gets another one."""
    while True:
        identifier = sha256_hex(seed.encode())[:16]
        if not db.execute("SELECT 1 FROM projects WHERE id = ?", [identifier]).fetchone():
            return identifier
        seed = identifier


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
        "UPDATE projects SET last_accessed = ?, path = ?, "
        "git_commit = CASE git_commit WHEN '' THEN ? ELSE git_commit END WHERE id = ?",
        [now, names.path, names.commit, project],
    )
