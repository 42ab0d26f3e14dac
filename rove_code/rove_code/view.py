"""Browse one version of a repository: search words, contents of a file, history."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from rove_code.file_filter import allows
from rove_code.model import (
    Chunk,
    CodeQuestion,
    Declaration,
    FileVersion,
    Filter,
    ParsedFile,
    Place,
    Ranking,
    Version,
    text_of,
)
from rove_code.ranking.centrality import central
from rove_code.ranking.rank import rank
from rove_code.repositories.repository import Commit, Repository
from rove_code.repository_cache import LoadedRepositories
from rove_code.store import CodeStore
from rove_code.texts import Texts
from rove_code.version_index import history

#: For so many characters one chunk more is ranked.
_ROOM: Final = 50
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")


@frozen
class ChunkHit:
    """A chunk that fits a question.

    Attributes:
        path: Its file.
        place: Where it is.
        text: It.
        declarations: What it declares.
        weights: How much each of its lines has to do with the question; 0 is nothing.
    """

    path: str
    place: Place
    text: str
    declarations: tuple[Declaration, ...]
    weights: tuple[float, ...]


@frozen
class ViewedFile:
    """A file.

    Attributes:
        text: All of it.
        parsed: It, taken apart.
    """

    text: str
    parsed: ParsedFile

    def chunk_at(self, line: int) -> Chunk | None:
        """Return the chunk that a line is in; None if there is no such line."""
        chunks = self.parsed.chunks
        return next((each for each in chunks if each.place.first <= line <= each.place.last), None)

    def between(self, first: int, last: int) -> Place | None:
        """Return the lines from one to another, as far as there are any; None if there are none."""
        lines = [line[0] for line in _LINE.finditer(self.text)]
        if not 0 < first <= min(last, len(lines)):
            return None
        start = sum(map(len, lines[: first - 1]))
        end = start + sum(map(len, lines[first - 1 : last]))
        return Place(start, end, first, min(last, len(lines)))


@frozen(eq=False)
class VersionView:
    """One version of a repository."""

    _loaded: LoadedRepositories
    _store: CodeStore

    @property
    def version(self) -> Version:
        """The version, with all its files that are read."""
        return self._loaded.corpus.versions[0]

    @property
    def repository(self) -> Repository:
        """Where it is."""
        return self._loaded.repositories[0]

    def find(self, text: str, most: int, *, title: str = "") -> Iterator[ChunkHit]:
        """Yield chunks that fit a question, the best first.

        Args:
            text: What is asked.
            most: How many are looked at.
            title: What counts most of it.
        """
        ranking = rank(self._loaded.corpus, CodeQuestion(text, _ROOM * most, title))
        likely = [(each.repository, each.file) for each in ranking.scored[:most]]
        texts = Texts(self._loaded.repositories, ranking.versions, likely)
        for each in ranking.scored[:most]:
            whole = texts.read(each.repository, each.file)
            if whole is not None:
                path = ranking.versions[0].files[each.file].path
                yield _hit(ranking, path, whole, (each.file, each.chunk))

    def file(self, path: str) -> ViewedFile | None:
        """Return a file; None if there is none, or it is not read."""
        file = next((each for each in self.version.files if each.path == path), None)
        if file is None:
            return None
        read = self.repository.read(self.version, [file])
        data = next((data for _, data in read), None)
        if data is None:
            return None
        (parsed,) = self._loaded.indexed[0].parsed([file])
        return ViewedFile(text_of(data), parsed)

    def has_file(self, only: Filter) -> bool:
        """Return whether a filter lets any of its files answer."""
        corpus = self._loaded.corpus
        places = zip(corpus.names, corpus.kinds, strict=True)
        return any(allows(only, path, kind) for (_, path), kind in places)

    def central(self) -> Iterator[FileVersion]:
        """Yield its files, those first that most others are built on."""
        numbers = dict.fromkeys(file for _, file, _ in central(self._loaded.corpus))
        return (self.version.files[number] for number in numbers)

    def commits(self) -> Sequence[Commit]:
        """Return what led to it, the newest first; of a long history the end."""
        return history(self.repository, self.version, self._store)

    def authors(self, commits: Sequence[Commit]) -> Mapping[str, str]:
        """Return who wrote commits, by the commit's name."""
        return self.repository.authors([commit.id for commit in commits])


def _hit(ranking: Ranking, path: str, text: str, at: tuple[int, int]) -> ChunkHit:
    file, number = at
    parsed = ranking.parsed(0, file)
    chunk = parsed.chunks[number]
    own = text[chunk.place.start : chunk.place.end]
    declarations = tuple(parsed.declarations[each] for each in chunk.declarations)
    return ChunkHit(path, chunk.place, own, declarations, tuple(ranking.relevance(own.split("\n"))))
