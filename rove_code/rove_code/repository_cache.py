"""Keep corpora in memory, and update them while others read."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from attrs import define, evolve, field, frozen

from rove_code.model import Version
from rove_code.ranking.corpus import CodeCorpus
from rove_code.repositories import Commit, Repository, open_repository
from rove_code.repositories.tree_stamps import TreeStamps
from rove_code.store import CodeStore
from rove_code.version_index import IndexedVersion, Progress, ensure, history
from rove_core.clock import Clock

#: Repositories' folders, and which version of each.
RepositoryKeys: TypeAlias = tuple[tuple[Path, str], ...]

#: Nobody looks whether a file has changed for so many times as long as the last look took, and
#: for no more than so many seconds: what was just written is found, unless looking is expensive.
_TIMES: Final = 5.0
_FRESH: Final = 1.0
#: A look that takes no longer is made each time.
_QUICK: Final = 0.03


@frozen(eq=False)
class LoadedRepositories:
    """Some repositories, ready to be asked.

    Attributes:
        repositories: Where their files are read.
        versions: What they were when it was looked, with all their files.
        indexed: What is kept of them.
        commits: What led to each of them.
        corpus: What can be found in them.
        checked: When it was looked, in seconds.
        took: How long that took.
        is_quiet: Whether nothing had changed since the look before.
        stamps: What tells whether anything has changed since, for each of them; empty if they have
            to be listed.
    """

    repositories: tuple[Repository, ...]
    versions: tuple[Version, ...]
    indexed: tuple[IndexedVersion, ...]
    commits: tuple[tuple[Commit, ...], ...]
    corpus: CodeCorpus
    checked: float
    took: float = 0.0
    is_quiet: bool = False
    stamps: tuple[TreeStamps, ...] = ()

    def is_current(self) -> bool:
        """Return whether nothing has changed, as far as known without listing files."""
        return bool(self.stamps) and all(each.are_current() for each in self.stamps)

    @property
    def fresh_until(self) -> float:
        """When it is looked again, in seconds."""
        return self.checked + (min(_FRESH, _TIMES * self.took) if self.took > _QUICK else 0.0)

    @property
    def size(self) -> int:
        """Size of its source, in bytes."""
        return sum(file.size for version in self.corpus.versions for file in version.files)


@define(eq=False)
class RepositoryCache:
    """A cache of repositories, safe to share between threads.

    Attributes:
        most: So many bytes of source are held at most, and what was asked for last in any case.
    """

    _store: CodeStore
    _folder: Path
    _clock: Clock
    most: int
    _loaded: dict[RepositoryKeys, LoadedRepositories] = field(factory=dict, init=False)
    _turns: dict[Path, threading.Lock] = field(factory=dict, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    def current(self, keys: RepositoryKeys, on_progress: Progress) -> LoadedRepositories:
        """Return repositories as they are now.

        While another thread brings them up to date, what there was before is returned.
        """
        repos, now = self._used(keys), self._clock.monotonic()
        if repos and now < repos.fresh_until:
            return repos
        with self._turn(keys, waits=repos is None) as has_turn:
            before = self._used(keys)
            if before and (before is not repos or not has_turn):
                return before
            if before and before.is_current():
                return self._looked_at(keys, before, now, self._clock.monotonic() - now)
            return self._listed(keys, before, on_progress)

    def renewed(self, keys: RepositoryKeys, on_progress: Progress) -> LoadedRepositories:
        """List the files of repositories, and return them as they are now."""
        with self._turn(keys, waits=True):
            return self._listed(keys, self._used(keys), on_progress)

    def distrust(self, folder: Path) -> None:
        """Check the repository for changes before the next question."""
        with self._lock:
            for keys, repos in self._loaded.items():
                if any(path == folder for path, _ in keys):
                    self._loaded[keys] = evolve(repos, checked=-_FRESH)

    def all(self) -> list[LoadedRepositories]:
        """Return all entries, the most recently used last."""
        with self._lock:
            return list(self._loaded.values())

    def _used(self, keys: RepositoryKeys) -> LoadedRepositories | None:
        """Return an entry and mark it as the last used."""
        with self._lock:
            repos = self._loaded.pop(keys, None)
            if repos:
                self._loaded[keys] = repos
            return repos

    @contextmanager
    def _turn(self, keys: RepositoryKeys, *, waits: bool) -> Iterator[bool]:
        """Elect one thread to update a repository."""
        with ExitStack() as stack:
            for folder in sorted({path for path, _ in keys}):
                with self._lock:
                    turn = self._turns.setdefault(folder, threading.Lock())
                if not turn.acquire(blocking=waits):
                    yield False
                    return
                stack.callback(turn.release)
            yield True

    def _listed(
        self, keys: RepositoryKeys, before: LoadedRepositories | None, on_progress: Progress
    ) -> LoadedRepositories:
        now = self._clock.monotonic()
        repositories = tuple(open_repository(path, clock=self._clock) for path, _ in keys)
        pairs = list(zip(repositories, (specifier for _, specifier in keys), strict=True))
        # Taken before the files are listed, they hold for what is listed.
        stamps = _stamps(pairs, before) if before and before.is_quiet else ()
        versions = tuple(repository.version(specifier) for repository, specifier in pairs)
        took = self._clock.monotonic() - now
        if before and before.versions == versions:
            repos = evolve(before, repositories=repositories, is_quiet=True, stamps=stamps)
        else:
            repos = self._made(repositories, versions, on_progress)
        return self._looked_at(keys, repos, now, took)

    def _looked_at(
        self, keys: RepositoryKeys, repos: LoadedRepositories, now: float, took: float
    ) -> LoadedRepositories:
        """Keep repositories as they are; what another process has removed of them is made again."""
        if not all(each.hold() for each in repos.indexed):
            repos = self._made(repos.repositories, repos.versions, lambda _done, _total: None)
        repos = evolve(repos, checked=now, took=took)
        self._keep(keys, repos)
        return repos

    def _made(
        self,
        repositories: tuple[Repository, ...],
        versions: tuple[Version, ...],
        on_progress: Progress,
    ) -> LoadedRepositories:
        pairs = list(zip(repositories, versions, strict=True))
        nearest = self._nearest(versions)
        made = nearest.indexed if nearest else ()
        indexed = tuple(
            ensure(*pair, self._store, on_progress, indexed_versions=made) for pair in pairs
        )
        past_commits = [commit for each in nearest.commits for commit in each] if nearest else ()
        commits = tuple(history(*pair, self._store, loaded_commits=past_commits) for pair in pairs)
        corpus = CodeCorpus.of(
            indexed, commits, previous=nearest.corpus if nearest else None, folder=self._folder
        )
        return LoadedRepositories(
            repositories, versions, indexed, commits, corpus, self._clock.monotonic()
        )

    def _nearest(self, versions: Sequence[Version]) -> LoadedRepositories | None:
        """Return the entry that shares most repositories, to reuse its parts."""
        names = {version.repository for version in versions}

        def shared(loaded: LoadedRepositories) -> int:
            return len(names & {version.repository for version in loaded.versions})

        best = max(reversed(self.all()), key=shared, default=None)
        return best if best and shared(best) else None

    def _keep(self, keys: RepositoryKeys, repos: LoadedRepositories) -> None:
        with self._lock:
            self._loaded.pop(keys, None)
            self._loaded[keys] = repos
            while (
                len(self._loaded) > 1
                and sum(each.size for each in self._loaded.values()) > self.most
            ):
                del self._loaded[next(iter(self._loaded))]


def _stamps(
    pairs: Sequence[tuple[Repository, str]], before: LoadedRepositories
) -> tuple[TreeStamps, ...]:
    """Return the stamps of repositories; none at all if one has to be listed each time."""
    renewed = [each.renewed() for each in before.stamps]
    taken = (
        renewed
        if renewed and all(renewed)
        else [
            repository.stamps(version, specifier)
            for (repository, specifier), version in zip(pairs, before.versions, strict=True)
        ]
    )
    return tuple(each for each in taken if each) if all(taken) else ()
