"""The rows of a folder's files."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from attrs import frozen

from rove_folder.files.kinds import FileKind, suffix_of

if TYPE_CHECKING:
    from rove_folder.files.walk import FoundFile

_ID_BYTES: Final = 16
_MS: Final = 1_000_000


class FileState(NamedTuple):
    """A stamp that changes when the file does."""

    size: int
    mtime: int
    inode: int
    ctime: int


@frozen(kw_only=True)
class ManifestFile:
    """A file of the manifest.

    Attributes:
        path: From the linked folder on.
        kind: What it is.
        size: Its bytes.
        mtime_ms: When its content changed.
        summary: What is in it, or why it was skipped; None while nobody knows.
    """

    path: str
    kind: FileKind
    size: int
    mtime_ms: int
    summary: str | None


@frozen(kw_only=True)
class DueFile:
    """A file that has to be read.

    Attributes:
        id: Its row's id.
        path: From the linked folder on.
        sha256: Its content when it was last read; empty if it never was.
        recipe: How its summary was made.
        summary: Its summary.
    """

    id: str
    path: str
    sha256: str
    recipe: str
    summary: str | None


@frozen(kw_only=True)
class ReadFile:
    """The stored result of reading a file.

    Attributes:
        id: Its row's id.
        kind: What its content is.
        sha256: The digest of its content; empty if it could not be read.
        recipe: How its summary was made.
        summary: Its summary, or why it was skipped.
        due: Whether it has to be read again at the next scan.
    """

    id: str
    kind: FileKind
    sha256: str = ""
    recipe: str = ""
    summary: str | None = None
    due: bool = False


def file_states(db: sqlite3.Connection, project: str) -> dict[str, FileState]:
    """Return the state of each known file, by path."""
    rows = db.execute(
        "SELECT relative_path, size_bytes, mtime_ns, inode, ctime_ns FROM project_folder_files"
        " WHERE project_id = ?",
        [project],
    )
    return {path: FileState(*state) for path, *state in rows}


def add_files(db: sqlite3.Connection, project: str, found: "Sequence[FoundFile]") -> None:
    """Add rows of new files; each is due."""
    ids = os.urandom(_ID_BYTES * len(found)).hex()
    step = 2 * _ID_BYTES
    db.executemany(
        "INSERT INTO project_folder_files (id, project_id, relative_path, ext, kind, size_bytes,"
        " mtime_ms, mtime_ns, inode, ctime_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                ids[number * step : (number + 1) * step],
                project,
                each.path,
                suffix_of(each.path.rpartition("/")[2]),
                each.kind,
                each.size,
                each.mtime // _MS,
                each.mtime,
                each.inode,
                each.ctime,
            )
            for number, each in enumerate(found)
        ),
    )


def change_files(db: sqlite3.Connection, project: str, found: "Iterable[FoundFile]") -> None:
    """Record new states of known files; each is due."""
    db.executemany(
        "UPDATE project_folder_files SET size_bytes = ?, mtime_ms = ?, mtime_ns = ?, inode = ?,"
        " ctime_ns = ?, due = 1 WHERE project_id = ? AND relative_path = ?",
        (
            (each.size, each.mtime // _MS, each.mtime, each.inode, each.ctime, project, each.path)
            for each in found
        ),
    )


def rename_files(db: sqlite3.Connection, project: str, renamed: "Mapping[str, FoundFile]") -> None:
    """Record new paths of known files; all other data stays valid."""
    # Two files may have changed names with each other: a path must be free before it is taken.
    paths = [(f"\0{number}", project, old) for number, old in enumerate(renamed)]
    db.executemany(
        "UPDATE project_folder_files SET relative_path = ?"
        " WHERE project_id = ? AND relative_path = ?",
        paths,
    )
    db.executemany(
        "UPDATE project_folder_files SET relative_path = ?, ext = ?, ctime_ns = ?"
        " WHERE project_id = ? AND relative_path = ?",
        (
            (new.path, suffix_of(new.path.rpartition("/")[2]), new.ctime, project, old)
            for new, (old, _, _) in zip(renamed.values(), paths, strict=True)
        ),
    )


def delete_files(db: sqlite3.Connection, project: str, paths: Iterable[str]) -> None:
    """Remove the rows of files that are gone."""
    db.executemany(
        "DELETE FROM project_folder_files WHERE project_id = ? AND relative_path = ?",
        ((project, path) for path in paths),
    )


def mark_due(db: sqlite3.Connection, project: str, *, recipe: str, racy_since: int) -> None:
    """Mark files to be read again although they did not change.

    That is what changed while the last scan looked at it, what failed, and what was summarised in
    another way than it would be today.

    Args:
        db: The database, in a transaction.
        project: The project.
        recipe: How summaries are made today.
        racy_since: What changed at this time or later may have changed once more, in nanoseconds.
    """
    db.execute(
        "UPDATE project_folder_files SET due = 1 WHERE project_id = ? AND NOT due"
        " AND (kind = 'error' OR (recipe <> '' AND recipe <> ?) OR ctime_ns >= ?)",
        [project, recipe, racy_since],
    )


def due_files(db: sqlite3.Connection, project: str) -> Sequence[DueFile]:
    """Return the files that have to be read, newest first."""
    rows = db.execute(
        "SELECT id, relative_path, sha256, recipe, summary FROM project_folder_files"
        " WHERE project_id = ? AND due ORDER BY mtime_ns DESC, relative_path",
        [project],
    )
    return [
        DueFile(id=key, path=path, sha256=digest, recipe=recipe, summary=summary)
        for key, path, digest, recipe, summary in rows
    ]


def count_due(db: sqlite3.Connection, project: str) -> int:
    """Return how many files have to be read."""
    query = "SELECT count(*) FROM project_folder_files WHERE project_id = ? AND due"
    (count,) = db.execute(query, [project]).fetchone()
    return int(count)


def record_files(db: sqlite3.Connection, read: Iterable[ReadFile], now: int) -> None:
    """Record the state of files."""
    db.executemany(
        "UPDATE project_folder_files SET kind = ?, sha256 = ?, recipe = ?,"
        " summary_updated_at = CASE WHEN summary IS ? THEN summary_updated_at ELSE ? END,"
        " summary = ?, due = ? WHERE id = ?",
        (
            (
                each.kind,
                each.sha256,
                each.recipe,
                each.summary,
                now,
                each.summary,
                each.due,
                each.id,
            )
            for each in read
        ),
    )


def manifest_files(
    db: sqlite3.Connection, project: str, *, limit: int = -1
) -> Iterator[ManifestFile]:
    """Yield the files of a project's manifest, newest first."""
    rows = db.execute(
        "SELECT relative_path, kind, size_bytes, mtime_ms, summary FROM project_folder_files"
        " WHERE project_id = ? ORDER BY mtime_ns DESC, relative_path LIMIT ?",
        [project, limit],
    )
    for path, kind, size, mtime, summary in rows:
        yield ManifestFile(path=path, kind=kind, size=size, mtime_ms=mtime, summary=summary)


def file_kind(db: sqlite3.Connection, project: str, path: str) -> FileKind | None:
    """Return the kind of a file of the manifest; None if it is not in there."""
    row = db.execute(
        "SELECT kind FROM project_folder_files WHERE project_id = ? AND relative_path = ?",
        [project, path],
    ).fetchone()
    kind: FileKind | None = row[0] if row else None
    return kind
