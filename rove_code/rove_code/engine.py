"""Asking repositories, from any thread."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from rove_code.answer import Answer, CodeStatus, Refreshed
from rove_code.commenting import commentaries_of
from rove_code.held import Asked, Holdings
from rove_code.indexing import Progress
from rove_code.mapping import drawn
from rove_code.model import Question
from rove_code.packing import Packed, pack
from rove_code.ranking.centrality import central
from rove_code.ranking.rank import rank
from rove_code.rendering import Commentary, render
from rove_code.repositories import open_repository
from rove_code.repositories.repository import WORKSPACE
from rove_code.status import kept, version_status
from rove_code.store import CodeStore
from rove_code.texts import Texts
from rove_code.view import View
from rove_core.clock import SYSTEM, Clock

#: What all that is kept is called: the database, what belongs to it, and a folder.
_NAME: Final = "code"

_MOST_HELD: Final = 48 << 20


def _quiet(_done: int, _total: int) -> None:
    """Tell nobody how far it is."""


class CodeEngine:
    """Repositories, ready to be asked. All threads of a process may share one.

    Args:
        folder: Where what is made of them is kept: a project's ``.rove``.
        clock: What tells the time.
        most_held: How many bytes of source are held in memory between two questions, as far as
            they are not those of the last one.

    Raises:
        StoreUnusable: What is kept is damaged, of a newer Rove, or cannot be written.
    """

    def __init__(self, folder: Path, *, clock: Clock = SYSTEM, most_held: int = _MOST_HELD) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._clock = clock
        self._store = CodeStore(folder / f"{_NAME}.db", clock=clock)
        self._holdings = Holdings(self._store, folder / _NAME, clock, most_held)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it; what was kept stays."""
        self._store.close()

    def query(
        self,
        question: Question,
        repositories: Sequence[tuple[Path, str]],
        on_progress: Progress = _quiet,
    ) -> Answer:
        """Return the code that matters for a question.

        Args:
            question: What is asked.
            repositories: The repositories' folders, and which version of each.
            on_progress: Is told how far it is, when files have to be taken apart first.

        Raises:
            RepositoryNotFound: There is no such folder.
            RepositoryUnusable: It cannot be read.
            RevisionNotFound: There is no such version.
        """
        held = self._holdings.current(_asked(repositories), on_progress)
        ranking = rank(held.corpus, question)
        likely = ((each.repository, each.file) for each in ranking.scored)
        texts = Texts(held.repositories, ranking.versions, likely)
        packed = pack(ranking, question, texts.read)
        return render(packed, ranking, question, self._commentary(packed))

    def view(self, path: Path, specifier: str = WORKSPACE, on_progress: Progress = _quiet) -> View:
        """Return a version to look around in, as long as this engine is open.

        Args:
            path: The repository's folder.
            specifier: Which version.
            on_progress: Is told how far it is, when files have to be taken apart first.

        Raises:
            RepositoryNotFound: There is no such folder.
            RepositoryUnusable: It cannot be read.
            RevisionNotFound: There is no such version.
        """
        return View(self._holdings.current(_asked([(path, specifier)]), on_progress), self._store)

    def refresh(self, path: Path, on_progress: Progress = _quiet) -> Refreshed:
        """Look at a repository again, whatever was asked of it lately.

        Args:
            path: Its folder.
            on_progress: Is told how far it is, when files have to be taken apart.

        Raises:
            RepositoryNotFound: There is no such folder.
            RepositoryUnusable: It cannot be read.
        """
        folder = path.resolve()
        self._holdings.distrust(folder)
        read = 0

        def count(done: int, total: int) -> None:
            nonlocal read
            read = total
            on_progress(done, total)

        held = self._holdings.renewed(((folder, WORKSPACE),), count)
        (version,) = held.corpus.versions
        return Refreshed(
            version.repository,
            version.name,
            version.commit,
            len(version.files),
            read,
            len(version.skipped),
        )

    def status(self, repositories: Sequence[tuple[Path, str]] = ()) -> CodeStatus:
        """Return how things stand with what is kept; nothing is read or changed for it.

        Args:
            repositories: The repositories' folders, and which version of each.
        """
        versions = (
            open_repository(path, clock=self._clock).version(specifier)
            for path, specifier in repositories
        )
        return CodeStatus(
            *kept(self._folder, _NAME),
            tuple(version_status(each, self._store) for each in versions),
        )

    def map(self, path: Path, budget: int, specifier: str = WORKSPACE) -> str:
        """Return the signatures of the declarations that most of a repository is built on.

        Args:
            path: The repository's folder.
            budget: How many characters the map may have.
            specifier: Which version.
        """
        held = self._holdings.current(_asked([(path, specifier)]), _quiet)
        chunks = central(held.corpus)
        likely = ((repository, file) for repository, file, _ in chunks)
        texts = Texts(held.repositories, held.corpus.versions, likely)
        return drawn(held.corpus, chunks, budget=budget, read_text=texts.read)

    def _commentary(self, packed: Packed) -> Commentary:
        """Return what gives what was said of the files that are shown."""
        said = commentaries_of(self._folder).find({each.blob for each in packed.excerpts})
        return lambda each: said.get(each.blob, "")


def _asked(repositories: Sequence[tuple[Path, str]]) -> Asked:
    return tuple((path.resolve(), specifier) for path, specifier in repositories)
