"""Compute missing vectors in batches, and store each batch at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from attrs import frozen

from rove_code.model import Chunk, FileVersion, ParsedFile, text_of
from rove_code.repositories import Repository
from rove_code.repository_cache import LoadedRepositories
from rove_code.vectors.embedder import UsedUp, checked, in_bytes
from rove_code.vectors.embedder_choice import Embedding
from rove_code.vectors.vector_store import Vector, VectorStore
from rove_code.version_index import IndexedVersion
from rove_core import estimated_tokens, find_secrets

#: So many texts are given to an embedder at once, in so many seconds, each cut after so many
#: characters: what a declaration is about stands at its beginning.
_BATCH: Final = 64
_DEADLINE: Final = 60.0
_LONGEST: Final = 1_500
#: So many files are read at once.
_FILES: Final = 64


@frozen
class _Text:
    key: str
    chunk: int
    text: str


@frozen(eq=False)
class VectorFill:
    """Computes missing vectors.

    Attributes:
        embedding: Who makes them.
        store: Where they are kept.
        goes_on: Tells before each batch whether to go on.
    """

    embedding: Embedding
    store: VectorStore
    goes_on: Callable[[], bool]

    def fill(self, loaded: LoadedRepositories) -> None:
        """Make the vectors of repositories; raise NoVectors if not all can be made.

        What is made by then is kept.
        """
        most, spent, is_enough = self.embedding.most_tokens, 0, True

        def affordable() -> Iterator[_Text]:
            nonlocal spent, is_enough
            for each in self._missing(loaded):
                spent += estimated_tokens(each.text)
                is_enough = most is None or spent <= most
                if not is_enough:
                    return
                yield each

        for batch in _batches(affordable()):
            if not self.goes_on():
                return
            self._make(batch)
        if not is_enough:
            raise UsedUp(f"the {most} tokens of embedding.max_tokens are used up for now")

    def _make(self, batch: Sequence[_Text]) -> None:
        embedder = self.embedding.embedder
        made = embedder.embed([each.text for each in batch], _DEADLINE)
        dimension = embedder.dimension or self.store.dimension(embedder.name)
        vectors = checked(made, len(batch), dimension)
        rows = zip(batch, in_bytes(vectors), strict=True)
        new = [Vector(each.key, each.chunk, row.tobytes()) for each, row in rows]
        self.store.add(embedder.name, vectors.shape[1], new)

    def _missing(self, repos: LoadedRepositories) -> Iterator[_Text]:
        counts = self.store.counts(self.embedding.embedder.name)
        chunks = {
            key: size
            for _, segment in repos.corpus.segments
            for key, size in zip(segment.keys, np.diff(segment.starts).tolist(), strict=True)
        }
        for indexed, repository in zip(repos.indexed, repos.repositories, strict=True):
            by_key = {indexed.key(file): file for file in indexed.version.files}
            lacking = [file for key, file in by_key.items() if counts.get(key, 0) < chunks[key]]
            for start in range(0, len(lacking), _FILES):
                yield from self._texts(indexed, repository, lacking[start : start + _FILES])

    def _texts(
        self, indexed: IndexedVersion, repository: Repository, files: Sequence[FileVersion]
    ) -> Iterator[_Text]:
        keys = [indexed.key(file) for file in files]
        found = self.store.find(self.embedding.embedder.name, keys)
        there = {(each.key, each.chunk) for each in found}
        parsed = dict(zip(keys, indexed.parsed(files), strict=True))
        for file, data in repository.read(indexed.version, files):
            key = indexed.key(file)
            texts = _texts(parsed[key], _without_secrets(text_of(data)))
            for number, text in enumerate(texts):
                if (key, number) not in there:
                    yield _Text(key, number, text)


def _texts(parsed: ParsedFile, text: str) -> Iterator[str]:
    """Yield the embedded text of each chunk: its context and beginning."""
    for chunk in parsed.chunks:
        own = text[chunk.place.start : chunk.place.end][:_LONGEST]
        yield f"{_title(parsed, chunk)}\n{own}".strip() or "-"


def _without_secrets(text: str) -> str:
    """Return a file's text with blanks where secrets are: a chunk may hold half of one."""
    parts, done = list[str](), 0
    for found in find_secrets(text):
        parts += (text[done : found.start], " " * (found.end - found.start))
        done = found.end
    return "".join((*parts, text[done:]))


def _title(parsed: ParsedFile, chunk: Chunk) -> str:
    names = [parsed.declarations[number].name for number in chunk.declarations]
    return " ".join((*chunk.containers, *names))


def _batches(texts: Iterable[_Text]) -> Iterator[list[_Text]]:
    batch: list[_Text] = []
    for each in texts:
        batch.append(each)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
