"""The query engine over repositories; safe to call from any thread."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from attrs import evolve

from rove_code.answer import CodeAnswer, CodeRefresh, CodeStatus
from rove_code.answer_text import Commentary, render
from rove_code.model import CodeQuestion
from rove_code.model_commentator import commentaries_of
from rove_code.packing import AnswerPack, pack
from rove_code.ranking.centrality import central
from rove_code.ranking.rank import rank
from rove_code.repositories import open_repository
from rove_code.repositories.repository import WORKSPACE
from rove_code.repository_cache import LoadedRepositories, RepositoryCache, RepositoryKeys
from rove_code.repository_map import drawn
from rove_code.status import stored_size, version_status
from rove_code.store import CodeStore
from rove_code.suggestions import near_names
from rove_code.texts import Texts
from rove_code.version_index import Progress
from rove_code.view import VersionView
from rove_core import private_folder
from rove_core.clock import SYSTEM, Clock

if TYPE_CHECKING:
    from rove_code.exact.codebase import Codebase
    from rove_code.ranking.corpus import CodeCorpus
    from rove_code.vectors.embedder_choice import Embedding
    from rove_code.vectors.vectors import Vectors

#: What all that is kept is called: the database, what belongs to it, and a folder.
_NAME: Final = "code"

_MOST_HELD: Final = 48 << 20
#: So many reduced views of repositories are kept.
_RESTRICTED: Final = 4


def _quiet(_done: int, _total: int) -> None:
    """Ignore progress."""


class CodeEngine:
    """Repositories, ready to be asked. All threads of a process may share one.

    Args:
        folder: Where what is made of them is kept: a project's ``.rove``.
        clock: The clock.
        most_held: How many bytes of source are held in memory between two questions, as far as
            they are not those of the last one.
        embedding: Who makes vectors; nobody unless given.

    Raises:
        StoreUnusable: What is kept is damaged, of a newer Rove, or cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        *,
        clock: Clock = SYSTEM,
        cache_size: int = _MOST_HELD,
        embedding: "Embedding | None" = None,
    ) -> None:
        private_folder(folder)
        self._folder = folder
        self._clock = clock
        self._store = CodeStore(folder / f"{_NAME}.db", clock=clock)
        self._holdings = RepositoryCache(self._store, folder / _NAME, clock, cache_size)
        self._vectors = self._vectors_of(embedding) if embedding else None
        self._was_used = False
        self._codebase: Codebase | None = None
        self._seeing = threading.Lock()
        self._seen: dict[tuple[str, ...], tuple[CodeCorpus, LoadedRepositories]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the engine; the store stays."""
        if self._vectors:
            self._vectors.close()
        self._store.close()

    def query(
        self,
        question: CodeQuestion,
        repositories: Sequence[tuple[Path, str]],
        on_progress: Progress = _quiet,
        *,
        folders: tuple[str, ...] = (),
    ) -> CodeAnswer:
        """Return the code that matters for a question.

        Args:
            question: What is asked.
            repositories: The repositories' folders, and which version of each.
            on_progress: Is told how far it is, when files have to be taken apart first.
            folders: The folders in them that may be seen; everything if there are none.

        Raises:
            RepositoryNotFound: There is no such folder.
            RepositoryUnusable: It cannot be read.
            RevisionNotFound: There is no such version.
        """
        whole = self._holdings.current(_repository_keys(repositories), on_progress)
        repos = self._restricted(whole, folders)
        self._forget_codebase(repos.corpus)
        near = self._vectors.near(repos.corpus, question) if self._vectors else None
        ranking = rank(repos.corpus, question, near=near.rows if near else None)
        likely = ((each.repository, each.file) for each in ranking.scored)
        texts = Texts(repos.repositories, ranking.versions, likely)
        packed = pack(ranking, question, texts.read)
        answer = render(packed, ranking, question, self._commentary(packed))
        if self._vectors and self._was_used:
            # A process that asks once ends before much could be made.
            self._vectors.keep_up(whole)
        self._was_used = True
        metadata = answer.metadata
        if near and near.why:
            metadata = evolve(metadata, words_only=near.why)
        if not answer.rag_text and not ranking.scored:
            metadata = evolve(metadata, near=near_names(repos.corpus, question.text))
        return evolve(answer, metadata=metadata)

    def view(
        self,
        path: Path,
        specifier: str = WORKSPACE,
        on_progress: Progress = _quiet,
        *,
        anew: bool = False,
    ) -> VersionView:
        """Return a version to look around in, as long as this engine is open.

        Args:
            path: The repository's folder.
            specifier: Which version.
            on_progress: Is told how far it is, when files have to be taken apart first.
            anew: Whether to look at the repository again, however short ago that was done.

        Raises:
            RepositoryNotFound: There is no such folder.
            RepositoryUnusable: It cannot be read.
            RevisionNotFound: There is no such version.
        """
        look = self._holdings.renewed if anew else self._holdings.current
        return VersionView(look(_repository_keys([(path, specifier)]), on_progress), self._store)

    def codebase(
        self,
        path: Path,
        specifier: str = WORKSPACE,
        on_progress: Progress = _quiet,
        *,
        folders: tuple[str, ...] = (),
    ) -> "Codebase":
        """Return a version for following names.

        Args:
            path: The repository's folder.
            specifier: Which version.
            on_progress: Is told how far it is, when files have to be taken apart first.
            folders: The folders in it that may be seen; everything if there are none.
        """
        from rove_code.exact.codebase import Codebase  # noqa: PLC0415  # few ask for names

        whole = self._holdings.current(_repository_keys([(path, specifier)]), on_progress)
        repos = self._restricted(whole, folders)
        self._forget_codebase(repos.corpus)
        codebase = self._codebase
        if codebase is None or codebase.corpus is not repos.corpus:
            codebase = self._codebase = Codebase(repos.corpus, repos.repositories[0])
        return codebase

    def _forget_codebase(self, corpus: "CodeCorpus") -> None:
        """Free the memory of earlier exact answers if they read a lot, or an older version."""
        codebase = self._codebase
        if codebase and (codebase.is_large or codebase.corpus is not corpus):
            self._codebase = None

    def refresh(self, path: Path, on_progress: Progress = _quiet) -> CodeRefresh:
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

        repos = self._holdings.renewed(((folder, WORKSPACE),), count)
        if self._vectors:
            self._vectors.keep_up(repos, again=True)
        (version,) = repos.corpus.versions
        return CodeRefresh(
            version.repository,
            version.name,
            version.commit,
            len(version.files),
            read,
            len(version.skipped),
        )

    def finish_vectors(self, on_progress: Callable[[], None] = lambda: None) -> None:
        """Wait until all vectors that can be made are made, if any are wanted.

        Args:
            on_progress: Is called now and then. Whatever it raises ends the waiting, not the work.
        """
        if self._vectors:
            self._vectors.finish(on_progress)

    def status(self, repositories: Sequence[tuple[Path, str]] = ()) -> CodeStatus:
        """Return the status of the store, without reading or changing repositories.

        Args:
            repositories: The repositories' folders, and which version of each.
        """
        versions = [
            open_repository(path, clock=self._clock).version(specifier)
            for path, specifier in repositories
        ]
        return CodeStatus(
            *stored_size(self._folder, _NAME),
            tuple(version_status(each, self._store) for each in versions),
            self._vectors.status(versions) if self._vectors else None,
        )

    def map(self, path: Path, budget: int, specifier: str = WORKSPACE) -> str:
        """Return the signatures of the declarations that most of a repository is built on.

        Args:
            path: The repository's folder.
            budget: How many characters the map may have.
            specifier: Which version.
        """
        repos = self._holdings.current(_repository_keys([(path, specifier)]), _quiet)
        chunks = central(repos.corpus)
        likely = ((repository, file) for repository, file, _ in chunks)
        texts = Texts(repos.repositories, repos.corpus.versions, likely)
        return drawn(repos.corpus, chunks, budget=budget, read_text=texts.read)

    def _restricted(
        self, repos: LoadedRepositories, folders: tuple[str, ...]
    ) -> LoadedRepositories:
        """Return repositories without what may not be seen; the last few are kept."""
        if not folders:
            return repos
        from rove_code.restriction import restricted  # noqa: PLC0415  # few have such rights

        with self._seeing:
            entry = self._seen.pop(folders, None)
            if entry is None or entry[0] is not repos.corpus:
                entry = repos.corpus, restricted(repos, folders)
            self._seen[folders] = entry
            while len(self._seen) > _RESTRICTED:
                self._seen.pop(next(iter(self._seen)), None)
        return entry[1]

    def _vectors_of(self, embedding: "Embedding") -> "Vectors":
        from rove_code.vectors.vectors import Vectors  # noqa: PLC0415  # few want them

        file = self._folder / f"{_NAME}-vectors.db"
        return Vectors.at(file, embedding, self._store, self._clock)

    def _commentary(self, packed: AnswerPack) -> Commentary:
        """Return a function that finds the commentary on the shown files."""
        comments = commentaries_of(self._folder).find({each.blob for each in packed.excerpts})
        return lambda each: comments.get(each.blob, "")


def _repository_keys(repositories: Sequence[tuple[Path, str]]) -> RepositoryKeys:
    return tuple((path.resolve(), specifier) for path, specifier in repositories)
