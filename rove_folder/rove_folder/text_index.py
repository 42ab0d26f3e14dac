"""Full-text index of a folder's files: a disposable database in ``.rove``.

It holds the text of files of the manifest, with secrets taken out before they are stored, and
nothing of files that are skipped or withheld. It is made only in projects that use the source.
"""

import re
import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from attrs import frozen

from rove_core import PackageDatabase, clean, sealed, state_folder
from rove_folder.extract.content import ExtractedContent
from rove_folder.files.walk import FoundFile
from rove_folder.storage.files import FileState

MIGRATIONS: Final = (
    """
    CREATE TABLE contents (
        sha256 TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        has_pages INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE passages USING fts5 (
        text, sha256 UNINDEXED, place UNINDEXED, tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TABLE passage_of (sha256 TEXT NOT NULL, passage INTEGER NOT NULL);
    CREATE INDEX passage_of_content ON passage_of (sha256);
    """,
    """
    CREATE TABLE paths (
        root TEXT NOT NULL,
        path TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        ctime INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        PRIMARY KEY (root, path)
    ) WITHOUT ROWID;
    CREATE INDEX paths_by_content ON paths (sha256);
    """,
)
#: No document quotes more.
_MOST_FOUND: Final = 1_000
#: About a screen of text: what is quoted is small, and what belongs together stays together.
_PASSAGE: Final = 1_200


@frozen(kw_only=True)
class Passage:
    """A part of a file's text.

    Attributes:
        text: The words.
        place: The page it begins on, or the line.
    """

    text: str
    place: int


@frozen(kw_only=True)
class FoundPassage:
    """A passage that a search found.

    Attributes:
        path: The file, from the folder on.
        mtime: When its content changed, in nanoseconds since 1970.
        text: The words.
        place: The page or the line.
        paged: Whether the place is a page.
    """

    path: str
    mtime: int
    text: str
    place: int
    paged: bool


@frozen
class TextIndex:
    """The searchable text of a project's folder."""

    database: PackageDatabase

    @classmethod
    def of(cls, project: Path) -> Self:
        """Return the index of a project."""
        folder = state_folder("folder", project=project)
        return cls(PackageDatabase(folder / "text.db", MIGRATIONS))

    def states(self, root: str) -> dict[str, FileState]:
        """Return the state in which each file of a folder was indexed, by path."""
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT path, size, mtime, inode, ctime FROM paths WHERE root = ?", [root]
            )
            return {path: FileState(*state) for path, *state in rows}

    def record(
        self, root: str, found: Mapping[FoundFile, tuple[str, ExtractedContent | None]]
    ) -> None:
        """Store the digest and content of files that were read."""
        with self.database.writing() as db:
            for file, (digest, content) in found.items():
                if content:
                    _add(db, digest, content)
                db.execute(
                    "INSERT OR REPLACE INTO paths (root, path, size, mtime, inode, ctime, sha256)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [root, file.path, file.size, file.mtime, file.inode, file.ctime, digest],
                )

    def forget(self, root: str, paths: Iterable[str]) -> None:
        """Remove files that are gone, and contents that no file has any more."""
        with self.database.writing() as db:
            db.executemany(
                "DELETE FROM paths WHERE root = ? AND path = ?", ((root, path) for path in paths)
            )
            orphans = db.execute(
                "SELECT sha256 FROM contents WHERE sha256 NOT IN (SELECT sha256 FROM paths)"
            ).fetchall()
            for (digest,) in orphans:
                _forget(db, digest)

    def search(self, root: str, words: Sequence[str]) -> list[FoundPassage]:
        """Return the passages in which all the words occur, best first, each file's best one.

        Args:
            root: The folder.
            words: The words; each matches whatever its ending.
        """
        if not words:
            return []
        query = " AND ".join(f'"{word.replace(chr(34), "")}"*' for word in words)
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT paths.path, paths.mtime, text, place, has_pages FROM passages"
                " JOIN contents ON contents.sha256 = passages.sha256"
                " JOIN paths ON paths.sha256 = passages.sha256 AND paths.root = ?"
                " WHERE passages MATCH ? ORDER BY rank LIMIT ?",
                [root, query, _MOST_FOUND],
            )
            return [_passage_of(row) for row in rows]

    def named(self, root: str, words: Sequence[str]) -> list[FoundPassage]:
        """Return the first passage of each file whose path contains all words.

        Args:
            root: The folder.
            words: The words; each matches whatever its ending.
        """
        if not words:
            return []
        begins = [re.compile(rf"(?<![^\W_]){re.escape(word)}", re.IGNORECASE) for word in words]
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT paths.path, paths.mtime, text, place, has_pages FROM paths"
                " JOIN contents ON contents.sha256 = paths.sha256 JOIN passages ON passages.rowid ="
                " (SELECT min(passage) FROM passage_of WHERE passage_of.sha256 = paths.sha256)"
                " WHERE paths.root = ? AND instr(lower(paths.path), lower(?))",
                [root, max(words, key=len)],
            )
            found = [_passage_of(row) for row in rows]
        return [each for each in found if all(word.search(each.path) for word in begins)]


def _passage_of(row: Sequence[Any]) -> FoundPassage:
    path, mtime, text, place, paged = row
    return FoundPassage(path=path, mtime=mtime, text=text, place=place, paged=bool(paged))


def _add(db: sqlite3.Connection, digest: str, content: ExtractedContent) -> None:
    if not content.text:
        return
    added = db.execute(
        "INSERT OR IGNORE INTO contents (sha256, title, has_pages) VALUES (?, ?, ?)",
        [digest, content.title, bool(content.pages)],
    )
    if added.rowcount != 1:
        return
    for passage in passages_of(content):
        row = db.execute(
            "INSERT INTO passages (text, sha256, place) VALUES (?, ?, ?)",
            [passage.text, digest, passage.place],
        )
        db.execute("INSERT INTO passage_of VALUES (?, ?)", [digest, row.lastrowid])


def _forget(db: sqlite3.Connection, digest: str) -> None:
    db.execute(
        "DELETE FROM passages WHERE rowid IN (SELECT passage FROM passage_of WHERE sha256 = ?)",
        [digest],
    )
    db.execute("DELETE FROM passage_of WHERE sha256 = ?", [digest])
    db.execute("DELETE FROM contents WHERE sha256 = ?", [digest])


def passages_of(content: ExtractedContent) -> Iterator[Passage]:
    """Yield a text in parts without secrets, cut between paragraphs if possible."""
    # As a whole: a secret that goes over a cut would not be recognised. Line ends stay, so that
    # lines keep their numbers; pages are told apart by where they begin in the text as it was.
    starts = content.pages
    if starts:
        ends = [*starts[1:], len(content.text) + 1]
        for number, (begin, end) in enumerate(zip(starts, ends, strict=True), 1):
            page = str(sealed(clean(content.text[begin : end - 1])))
            yield from (Passage(text=part, place=number) for part, _ in _split_text(page))
        return
    text = str(sealed(clean(content.text)))
    line_starts = [0, *(place + 1 for place, sign in enumerate(text) if sign == "\n")]
    for part, begin in _split_text(text):
        yield Passage(text=part, place=bisect_right(line_starts, begin))


def _split_text(text: str) -> Iterator[tuple[str, int]]:
    """Yield parts of a text with where each begins."""
    begin = 0
    while begin < len(text):
        end = begin + _PASSAGE
        if end < len(text):
            gap = max(text.rfind("\n\n", begin + 1, end), text.rfind("\n#", begin + 1, end))
            gap = gap if gap > begin else text.rfind("\n", begin + 1, end)
            end = gap if gap > begin else end
        part = text[begin:end]
        if words := part.strip():
            yield words, begin + len(part) - len(part.lstrip())
        begin = end
