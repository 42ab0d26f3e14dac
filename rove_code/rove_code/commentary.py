"""Model commentary on files, stored by content; usually there is none."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from rove_core import PackageDatabase

_TABLES: Final = """
CREATE TABLE commentary (
    blob TEXT PRIMARY KEY,
    said TEXT NOT NULL
) WITHOUT ROWID;
"""
MIGRATIONS: Final = (_TABLES,)
_AT_ONCE: Final = 500
#: More than this is no comment in a sentence or two.
_LONGEST: Final = 400


class Commentator(Protocol):
    """A source of commentary on files."""

    async def comment(self, path: str, text: str) -> str:
        """Return a sentence or two about a file; empty if there is nothing to say."""


class Commentaries:
    """Commentary by content hash.

    Args:
        path: The database; it is made when something is said for the first time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = PackageDatabase(path, MIGRATIONS)

    def find(self, blobs: Collection[str]) -> Mapping[str, str]:
        """Return the commentary on contents, by content id; most have none."""
        if not blobs or not self._path.exists():
            return {}
        names = sorted(blobs)
        found: dict[str, str] = {}
        with self._database.reading() as db:
            for start in range(0, len(names), _AT_ONCE):
                some = names[start : start + _AT_ONCE]
                marks = ", ".join("?" * len(some))
                query = f"SELECT blob, said FROM commentary WHERE blob IN ({marks})"  # noqa: S608  # marks alone
                found.update(db.execute(query, some).fetchall())
        return found

    def keep(self, comments: Sequence[tuple[str, str]]) -> None:
        """Store commentary by content id."""
        with self._database.writing() as db:
            db.executemany("INSERT OR REPLACE INTO commentary VALUES (?, ?)", comments)


def in_short(text: str) -> str:
    """Return commentary as one short line without tags."""
    plain = " ".join(text.split()).replace("codeRag:", "codeRag ")
    shown = "".join(letter for letter in plain if letter.isprintable())
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
