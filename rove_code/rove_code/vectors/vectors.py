"""The vectors of an engine: computed in the background, queried within a time limit."""

import logging
import threading
from collections.abc import Callable, Collection, Iterable
from collections.abc import Set as AbstractSet
from math import inf
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from rove_code.answer import VectorStatus
from rove_code.model import CodeQuestion, Version
from rove_code.parsing import language_of
from rove_code.ranking.arrays import Floats
from rove_code.ranking.corpus import CodeCorpus
from rove_code.repository_cache import LoadedRepositories, RepositoryKeys
from rove_code.store import CodeStore
from rove_code.vectors.embedder import NoVectors, UsedUp, checked
from rove_code.vectors.embedder_choice import Embedding
from rove_code.vectors.similarity import SegmentVectors
from rove_code.vectors.vector_fill import VectorFill
from rove_code.vectors.vector_store import VectorStore
from rove_core import FileLock, RoveError
from rove_core.clock import SYSTEM, Clock

#: So much of a question is turned into a vector, from its beginning.
_LONGEST: Final = 3_000
#: So many seconds an embedder that failed is not asked about questions.
_PAUSE: Final = 60.0
#: So many seconds it is not asked about code; each attempt may cost something.
_LONG_PAUSE: Final = 600.0
#: So many seconds it takes at most until somebody who waits is told that nobody is done yet.
_STEP: Final = 0.2
#: So many seconds an engine that closes waits for the batch at hand.
_LAST: Final = 1.0
_log = logging.getLogger(__name__)


@frozen(eq=False)
class Near:
    """Similarity to a question.

    Attributes:
        rows: To each row, 1 at most and NaN where that is not known; None if nothing is known.
        why: Why nothing is known; empty if something is, or nothing is kept yet.
    """

    rows: Floats | None = None
    why: str = ""


@define(eq=False)
class Vectors:
    """The vectors of one project's repositories. Threads may share them.

    Whatever an embedder does, questions are answered: at worst by words.
    """

    _embedding: Embedding
    _store: CodeStore
    _saved: VectorStore
    _clock: Clock
    _shelved: SegmentVectors
    _turn: threading.Lock = field(factory=threading.Lock, init=False)
    _closing: threading.Event = field(factory=threading.Event, init=False)
    _worker: threading.Thread | None = field(default=None, init=False)
    _next: LoadedRepositories | None = field(default=None, init=False)
    _tried: dict[RepositoryKeys, tuple[tuple[Version, ...], float]] = field(
        factory=dict, init=False
    )
    _dimension: int = field(default=0, init=False)
    _paused: tuple[float, str] = field(default=(0.0, ""), init=False)

    @classmethod
    def at(
        cls, file: Path, embedding: Embedding, store: CodeStore, clock: Clock = SYSTEM
    ) -> "Vectors":
        """Return those that are kept in a file.

        Args:
            file: The file; it need not be there.
            embedding: Who makes them.
            store: What is kept of the same repositories.
            clock: The clock.
        """
        vector_store = VectorStore(file)
        return cls(embedding, store, vector_store, clock, SegmentVectors(vector_store, clock))

    def near(self, corpus: CodeCorpus, question: CodeQuestion) -> Near:
        """Return how near the rows of a corpus are to a question."""
        until, why = self._paused
        if self._clock.monotonic() < until:
            return Near(why=why)
        try:
            found = self._near(corpus, f"{question.title}\n{question.text}".strip())
            if why:
                self._paused = 0.0, ""
                self._note("")
            return Near(found)
        except NoVectors as none:
            why = none.reason
        except Exception as error:  # noqa: BLE001  # an embedder, or a damaged file, may do anything
            why = _reason(error)
        self._paused = self._clock.monotonic() + _PAUSE, why
        self._note(why)
        return Near(why=why)

    def keep_up(self, loaded: LoadedRepositories, *, again: bool = False) -> None:
        """Start to compute missing vectors of repositories, unless a process already does.

        Args:
            loaded: The repositories.
            again: Also if an attempt was made since they changed last.
        """
        with self._turn:
            if self._closing.is_set() or not (again or self._is_due(loaded)):
                return
            self._next = loaded
            if self._worker is None or not self._worker.is_alive():
                self._worker = threading.Thread(target=self._work, name="rove vectors", daemon=True)
                self._worker.start()

    def finish(self, on_progress: Callable[[], None]) -> None:
        """Wait until the missing vectors are computed or cannot be, reporting progress."""
        while (worker := self._worker) is not None and worker.is_alive():
            worker.join(_STEP)
            on_progress()

    def status(self, versions: Collection[Version]) -> VectorStatus:
        """Return the state of the vectors of some versions."""
        name = ""
        try:
            name = self._embedding.embedder.name
            return self._status(name, versions)
        except NoVectors as none:
            why = none.reason
        except RoveError as error:
            why = error.message
        return VectorStatus(name, 0, 0, 0, why)

    def close(self) -> None:
        """Begin nothing more, and wait a moment for the batch at hand."""
        self._closing.set()
        worker = self._worker
        if worker is not None:
            worker.join(_LAST)

    def _status(self, name: str, versions: Collection[Version]) -> VectorStatus:
        counts = self._saved.counts(name)
        # An empty file has nothing that a vector could be of.
        files = (file for version in versions for file in version.files if file.size)
        keys = self._there(f"{file.blob}:{language_of(file.path)}" for file in files)
        return VectorStatus(
            name,
            self._saved.dimension(name),
            sum(counts.get(key, 0) for key in keys),
            len(keys - counts.keys()),
            self._saved.trouble(name),
        )

    def _near(self, corpus: CodeCorpus, text: str) -> Floats | None:
        embedder = self._embedding.embedder
        self._dimension = self._dimension or self._saved.dimension(embedder.name)
        if not self._dimension:
            return None
        made = embedder.embed([text[:_LONGEST]], self._embedding.patience)
        (vector,) = checked(made, 1, self._dimension)
        return self._shelved.cosines(corpus, embedder.name, vector)

    def _work(self) -> None:
        while (repos := self._taken()) is not None:
            why, pause = "", inf
            try:
                self._fill(repos)
            except UsedUp as none:
                why = none.reason
            except NoVectors as none:
                why, pause = none.reason, _LONG_PAUSE
            except Exception as error:  # noqa: BLE001  # an embedder may do anything; nobody waits
                why, pause = _reason(error), _LONG_PAUSE
            self._tried[_repository_keys(repos)] = repos.versions, self._clock.monotonic() + pause
            if not self._closing.is_set():
                self._note(why)

    def _taken(self) -> LoadedRepositories | None:
        with self._turn:
            repos, self._next = self._next, None
            if repos is None or self._closing.is_set():
                self._worker = None
                return None
            return repos

    def _is_due(self, repos: LoadedRepositories) -> bool:
        """Return whether there may be something to make that was not tried lately."""
        versions, until = self._tried.get(_repository_keys(repos), ((), 0.0))
        return versions != repos.versions or self._clock.monotonic() >= until

    def _fill(self, repos: LoadedRepositories) -> None:
        filling = VectorFill(self._embedding, self._saved, lambda: not self._closing.is_set())
        # What two processes made at once would be paid for twice.
        with FileLock(self._saved.path.with_name(f"{self._saved.path.name}.filling"), timeout=0):
            filling.fill(repos)
            self._saved.sweep(self._there)

    def _there(self, keys: Iterable[str]) -> AbstractSet[str]:
        """Return the keys of contents of which chunks are kept."""
        pairs = {(blob, language) for blob, _, language in (key.partition(":") for key in keys)}
        found = self._store.find(pairs)
        return {":".join(pair) for pair, row in found.items() if not row.skipped}

    def _note(self, why: str) -> None:
        """Remember why there are no vectors, for the status."""
        if why:
            _log.info("no vectors: %s", why)
        try:
            name = self._embedding.embedder.name
            if self._saved.trouble(name) != why:
                self._saved.note(name, why)
        except (NoVectors, RoveError) as error:
            _log.info("not kept: %s", error)


def _repository_keys(repos: LoadedRepositories) -> RepositoryKeys:
    return tuple((Path(each.repository), each.name) for each in repos.versions)


def _reason(error: Exception) -> str:
    return error.message if isinstance(error, RoveError) else f"it fails: {type(error).__name__}"
