"""Vector similarity of chunks and questions."""

import threading
from collections.abc import Iterator, MutableMapping
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
from attrs import define, field, frozen

from rove_code.ranking.arrays import Floats
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.segment import Segment
from rove_code.vectors.vector_store import VectorStore
from rove_core.clock import Clock

#: So many seconds vectors that were not there yet are not looked for again.
_FRESH: Final = 30.0
#: So many rows are multiplied at once: as numbers of four bytes they are four times as large.
_AT_ONCE: Final = 512


@frozen(eq=False)
class _Rows:
    """The vectors of a segment's rows.

    Attributes:
        numbers: Them; zeros where there is none.
        lengths: How long each is; NaN where there is none.
        is_complete: Whether there is one for each.
        read_at: When they were read, in seconds.
    """

    numbers: npt.NDArray[np.int8]
    lengths: Floats
    is_complete: bool
    read_at: float


@define(eq=False)
class SegmentVectors:
    """The vectors of segments, held as long as the segments are. Threads may share it."""

    _store: VectorStore
    _clock: Clock
    _cached_rows: MutableMapping[Segment, _Rows] = field(factory=WeakKeyDictionary, init=False)
    _turn: threading.Lock = field(factory=threading.Lock, init=False)

    def cosines(self, corpus: CodeCorpus, embedder: str, vector: Floats) -> Floats:
        """Return the cosine similarity of each row; NaN where unknown."""
        parts = [
            _cosines(self._rows(segment, embedder, vector.size), vector)
            for _, segment in corpus.segments
        ]
        return np.concatenate([np.zeros(0, np.float32), *parts])

    def _rows(self, segment: Segment, embedder: str, dimension: int) -> _Rows:
        now = self._clock.monotonic()
        with self._turn:
            rows = self._cached_rows.get(segment)
            if rows is None or not (rows.is_complete or now < rows.read_at + _FRESH):
                rows = self._read(segment, embedder, dimension, now)
                self._cached_rows[segment] = rows
            return rows

    def _read(self, segment: Segment, embedder: str, dimension: int, now: float) -> _Rows:
        starts = segment.starts.tolist()
        numbers = np.zeros((starts[-1], dimension), np.int8)
        places = {key: number for number, key in enumerate(segment.keys)}
        found = 0
        for each in self._store.find(embedder, segment.keys):
            at = places[each.key]
            row = starts[at] + each.chunk
            if row < starts[at + 1] and len(each.numbers) == dimension:
                numbers[row] = np.frombuffer(each.numbers, np.int8)
                found += 1
        return _Rows(numbers, _lengths(numbers), found == len(numbers), now)


def _lengths(numbers: npt.NDArray[np.int8]) -> Floats:
    squares = [np.einsum("ij,ij->i", some, some) for some in _parts(numbers)]
    found = np.concatenate([np.zeros(0, np.float32), *squares])
    found[found == 0] = np.nan
    return np.asarray(np.sqrt(found), np.float32)


def _cosines(rows: _Rows, vector: Floats) -> Floats:
    found = [some @ vector for some in _parts(rows.numbers)]
    joined = np.concatenate([np.zeros(0, np.float32), *found])
    return np.asarray(joined / rows.lengths, np.float32)


def _parts(numbers: npt.NDArray[np.int8]) -> Iterator[Floats]:
    """Yield rows as numbers that are multiplied quickly, a few at once."""
    for start in range(0, len(numbers), _AT_ONCE):
        yield numbers[start : start + _AT_ONCE].astype(np.float32)
