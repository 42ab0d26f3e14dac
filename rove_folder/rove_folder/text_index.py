"""The text of a folder's files, searchable: a database in ``.rove`` that anybody may remove.

It holds the text of files of the manifest, with secrets taken out before they are stored, and
nothing of files that are skipped or withheld. It is made only in projects that use the source.
"""

import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Self

from attrs import frozen

from rove_core import LocalProject, PackageDatabase, clean, sealed, state_folder
from rove_folder.extract.content import ExtractedContent
from rove_folder.summary.preparation import PreparedFile

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
)
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
        sha256: The content it is in.
        text: The words.
        place: The page or the line.
        paged: Whether the place is a page.
    """

    sha256: str
    text: str
    place: int
    paged: bool


@frozen
class TextIndex:
    """The searchable text of a project's folder."""

    database: PackageDatabase

    @classmethod
    def of(cls, rove: LocalProject) -> Self:
        """Return the index of a project."""
        folder = state_folder("folder", project=rove.places)
        return cls(PackageDatabase(folder / "text.db", MIGRATIONS))

    @classmethod
    def in_use(cls, rove: LocalProject) -> Self | None:
        """Return the index of a project that uses the source; None for any other project."""
        used = any(name.partition(":")[0] == "folder" for name in rove.settings.sources.use)
        return cls.of(rove) if used else None

    def add(self, files: Iterable[PreparedFile]) -> None:
        """Add the text of files that were read."""
        contents = {each.digest: each.content for each in files if each.content}
        with self.database.writing() as db:
            for digest, content in contents.items():
                _add(db, digest, content)

    def known(self) -> set[str]:
        """Return the digests of all contents that are indexed."""
        with self.database.reading() as db:
            return {digest for (digest,) in db.execute("SELECT sha256 FROM contents")}

    def forget(self, digests: Iterable[str]) -> None:
        """Remove contents that no file of the manifest has."""
        with self.database.writing() as db:
            for digest in digests:
                _forget(db, digest)

    def search(self, words: Sequence[str], *, limit: int) -> Iterator[FoundPassage]:
        """Yield the passages in which all the words occur, best first.

        Args:
            words: The words; each matches whatever its ending.
            limit: How many passages at most.
        """
        if not words:
            return
        asked = " AND ".join(f'"{word.replace(chr(34), "")}"*' for word in words)
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT passages.sha256, text, place, has_pages FROM passages"
                " JOIN contents ON contents.sha256 = passages.sha256"
                " WHERE passages MATCH ? ORDER BY rank LIMIT ?",
                [asked, limit],
            )
            for digest, text, place, paged in rows:
                yield FoundPassage(sha256=digest, text=text, place=place, paged=bool(paged))


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
    """Yield a content in parts, cut between paragraphs where it can be; no secret is in them."""
    # As a whole: a secret that goes over a cut would not be recognised. Line ends stay, so that
    # lines keep their numbers; pages are told apart by where they begin in the text as it was.
    starts = content.pages
    if starts:
        ends = [*starts[1:], len(content.text) + 1]
        for number, (begin, end) in enumerate(zip(starts, ends, strict=True), 1):
            page = str(sealed(clean(content.text[begin : end - 1])))
            yield from (Passage(text=part, place=number) for part, _ in _cut(page))
        return
    text = str(sealed(clean(content.text)))
    line_starts = [0, *(place + 1 for place, sign in enumerate(text) if sign == "\n")]
    for part, begin in _cut(text):
        yield Passage(text=part, place=bisect_right(line_starts, begin))


def _cut(text: str) -> Iterator[tuple[str, int]]:
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
