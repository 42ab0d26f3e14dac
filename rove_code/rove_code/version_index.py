"""Update a repository's index: only unknown content is read."""

import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import evolve, field, frozen

from rove_code.content_record import SourceContent, make_all
from rove_code.model import FileVersion, ParsedFile, UnreadFile, Version
from rove_code.parser_processes import made_by
from rove_code.parsing import language_of, unpack
from rove_code.repositories.repository import Commit, Repository
from rove_code.skip_reasons import GONE
from rove_code.store import CodeStore, ContentRecord, Row

#: Is told how many files are done, and of how many. Whatever it raises ends the work; what is
#: done by then is kept.
Progress: TypeAlias = Callable[[int, int], None]
_Key: TypeAlias = tuple[str, str]

#: For fewer files it takes longer to start processes than to do without.
_MANY: Final = 200
_WORKERS: Final = 2
#: So much is kept at once, and so much is lost if the process is killed.
_FILES_AT_ONCE: Final = 64
_BYTES_AT_ONCE: Final = 1 << 19


@frozen(eq=False)
class IndexedVersion:
    """A version of which everything is there that finding and showing needs.

    Attributes:
        version: The version; what turned out to be nothing to read is among its skipped files.
        rows: What there is of all contents, each named by its blob and language.
    """

    version: Version
    rows: Mapping[_Key, Row] = field(repr=False)
    _store: CodeStore

    def hold(self) -> bool:
        """Hold a version in use, and return whether all of it is still there."""
        numbers = [row.number for row in self.rows.values()]
        return self._store.hold(self.version.repository, self.version.commit, numbers)

    def key(self, file: FileVersion) -> str:
        """Return a key for everything that a file's features depend on."""
        return ":".join(_key(file))

    def features(self, files: Sequence[FileVersion]) -> Iterator[bytes]:
        """Yield files' features, in their order."""
        return self._store.features([self.rows[_key(file)].number for file in files])

    def parsed(self, files: Sequence[FileVersion]) -> Iterator[ParsedFile]:
        """Yield files, taken apart, in their order."""
        numbers = [self.rows[_key(file)].number for file in files]
        return map(unpack, self._store.parsed(numbers))


def ensure(
    repository: Repository,
    version: Version,
    store: CodeStore,
    on_progress: Progress = lambda _done, _total: None,
    *,
    indexed_versions: Iterable[IndexedVersion] = (),
) -> IndexedVersion:
    """Parse and store a version's new files.

    Args:
        repository: Where the files are.
        version: Which.
        store: Where to keep it. Others may do the same at the same time.
        on_progress: Is told how far it is, if there is anything to do.
        indexed_versions: Other versions: what they have is not looked up.
    """
    by_key = {_key(file): file for file in version.files}
    rows = {
        key: row for each in indexed_versions for key, row in each.rows.items() if key in by_key
    }
    rows |= store.find(by_key.keys() - rows.keys())
    missing = [file for key, file in by_key.items() if key not in rows]
    if missing:
        done = 0
        for made in _made(_missing_content(repository, version, store, missing), len(missing)):
            store.add(made)
            done += len(made)
            on_progress(done, len(missing))
        on_progress(len(missing), len(missing))
        rows |= store.find({_key(file) for file in missing})
    indexed = _indexed(version, store, rows)
    # Another process may just have removed what no version had.
    return indexed if indexed.hold() else ensure(repository, version, store, on_progress)


def history(
    repository: Repository,
    version: Version,
    store: CodeStore,
    limit: int = 3000,
    *,
    loaded_commits: Iterable[Commit] = (),
) -> tuple[Commit, ...]:
    """Return the commits that led to a version, the newest first; only new ones are read.

    Args:
        repository: Where they are.
        version: The version.
        store: Where they are kept.
        limit: How many there are at most.
        loaded_commits: Some that are known: they are not looked up.
    """
    before = store.ancestors(version.repository)
    names = repository.ancestors(version, limit, before if len(before) == limit else ())
    # Of a short history nothing is kept: it is read as quickly, and may have been cut off.
    if len(names) == limit and names != before:
        store.keep_ancestors(version.repository, names)
    found = {commit.id: commit for commit in loaded_commits}
    found |= store.commits([name for name in names if name not in found])
    new = tuple(repository.commits(name for name in names if name not in found))
    if new:
        store.add_commits(new)
    found |= {commit.id: commit for commit in new}
    return tuple(found[name] for name in names)


def _key(file: FileVersion) -> _Key:
    return file.blob, language_of(file.path)


def _indexed(version: Version, store: CodeStore, rows: Mapping[_Key, Row]) -> IndexedVersion:
    files: list[FileVersion] = []
    skipped = list(version.skipped)
    for file in version.files:
        row = rows.get(_key(file))
        if row and not row.skipped:
            files.append(file)
        else:
            skipped.append(UnreadFile(file.path, row.skipped if row else GONE))
    left = evolve(version, files=tuple(files), skipped=tuple(skipped))
    return IndexedVersion(left, rows, store)


def _missing_content(
    repository: Repository, version: Version, store: CodeStore, missing: Sequence[FileVersion]
) -> Iterator[list[SourceContent]]:
    """Yield the content of missing files, in batches."""
    batch: list[SourceContent] = []
    size = 0
    for file, data in repository.read(version, _still_missing(store, missing)):
        batch.append(SourceContent(*_key(file), data))
        size += len(data)
        if len(batch) >= _FILES_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _still_missing(store: CodeStore, missing: Sequence[FileVersion]) -> Iterator[FileVersion]:
    """Yield what nobody else has made meanwhile; each process begins somewhere else."""
    starts = list(range(0, len(missing), _FILES_AT_ONCE))
    random.shuffle(starts)
    for start in starts:
        files = missing[start : start + _FILES_AT_ONCE]
        stored = store.find({_key(file) for file in files})
        yield from (file for file in files if _key(file) not in stored)


def _made(batches: Iterable[list[SourceContent]], count: int) -> Iterator[list[ContentRecord]]:
    workers = min(_WORKERS, os.cpu_count() or 1)
    if count < _MANY or workers < 2:
        return map(make_all, batches)
    return made_by(workers, batches)
