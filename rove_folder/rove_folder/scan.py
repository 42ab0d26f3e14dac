"""Scan a linked folder: detect changes, read new content, update the manifest."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from rove_core import AlreadyRunning, FileLock, QuotaExceeded, RoveError
from rove_folder import phrases
from rove_folder.delta import FolderDelta, folder_delta
from rove_folder.extract.extractor import Extractor, further_suffixes
from rove_folder.files.walk import Walk, walk
from rove_folder.project_folder import ProjectFolder
from rove_folder.storage import files, projects
from rove_folder.storage.files import DueFile, ReadFile
from rove_folder.storage.projects import LinkedProject
from rove_folder.summary.preparation import FileReader
from rove_folder.summary.writers import (
    ModelSpending,
    SummaryWriter,
    summary_meanwhile,
    summary_writer,
)

#: Is told how many files were read, and of how many.
Progress = Callable[[int, int], None]

_LOG: Final = logging.getLogger("rove.folder")
#: What changed so shortly before a scan may change again within one tick of the file system.
RACY_NS: Final = 50_000_000
_NS: Final = 1_000_000_000
#: How often a scan tries to begin: whoever asks whether one is running holds the lock for a moment.
_TRIES: Final = 5
_PAUSE: Final = 0.05


class ScanCancelled(Exception):  # noqa: N818  # it is no error
    """The scan was stopped, or took so long that another one began."""


@frozen(kw_only=True)
class ScanCounts:
    """The result of a scan.

    Attributes:
        total: How many files the manifest has.
        new: How many of them are new.
        changed: How many have changed.
        renamed: How many have another path.
        deleted: How many are gone.
        read: How many were read.
        left: How many still have to be read.
        asked: How many questions a model was asked.
        tokens: How many tokens that took.
        skipped: How many files could not be used.
        unsupported: How many files are of no kind that is read, by ending.
        withheld: How many were left alone because of their names, which promise secrets.
        unnamed: How many have a name that is not text.
        closed: How many folders the user may not open.
        deep: How many folders lie too deep.
        cancelled: Whether the scan was stopped.
        paused: Whether the month's tokens ran out.
    """

    total: int = 0
    new: int = 0
    changed: int = 0
    renamed: int = 0
    deleted: int = 0
    read: int = 0
    left: int = 0
    asked: int = 0
    tokens: int = 0
    skipped: int = 0
    unsupported: Mapping[str, int] = field(factory=dict)
    withheld: int = 0
    unnamed: int = 0
    closed: int = 0
    deep: int = 0
    cancelled: bool = False
    paused: bool = False


@define
class _Tally:
    read: int = 0
    remaining: int = 0
    skipped: int = 0
    same: int = 0
    cancelled: bool = False
    paused: bool = False


async def scan(
    folder: ProjectFolder,
    *,
    limit: int | None = None,
    without_model: bool = False,
    on_progress: Progress = lambda _done, _total: None,
) -> ScanCounts:
    """Bring the manifest of a project's folder up to date.

    Args:
        folder: The project's folder.
        limit: How many files to read at most; all that are due unless given.
        without_model: Whether to leave what only a model may summarise to the next scan.
        on_progress: Is told how far it is.

    Raises:
        AlreadyRunning: Another scan is running.
        QuotaExceeded: The folder has too many files, or the month's tokens were spent before.
        WrongSetting: The folder is gone, or the model cannot be asked.
    """
    project = folder.linked()
    run = _Scan(folder, project, f"{os.getpid()}-{os.urandom(8).hex()}", on_progress)
    lock = await _scan_lock(folder, project)
    try:
        return await _run_recorded(run, limit, without_model=without_model)
    finally:
        lock.release()


async def _scan_lock(folder: ProjectFolder, project: LinkedProject) -> FileLock:
    """Hold the lock of the folder's scan, which a dying process releases."""
    lock = FileLock(folder.scan_lock)
    for _ in range(_TRIES):
        if lock.try_acquire():
            return lock
        await folder.rove.clock.sleep(_PAUSE)
    what = f"The folder {project.folder_path} is being scanned."
    raise AlreadyRunning(what, hint="Wait until it is done: rove folder status")


async def _run_recorded(run: "_Scan", limit: int | None, *, without_model: bool) -> ScanCounts:
    """Scan, and record that a scan runs and what becomes of it."""
    await asyncio.to_thread(run.take_lease)
    error, counts = projects.INTERRUPTED, None
    try:
        with run.folder.reading(run.project):
            counts = await run.run(limit, without_model=without_model)
        error = phrases.PAUSED if counts.paused else ""
    except RoveError as failure:
        error = failure.message
        raise
    finally:
        run.end(error, counts)
    return counts


@define(eq=False)
class _Scan:
    folder: ProjectFolder
    project: LinkedProject
    owner: str
    on_progress: Progress
    began_ns: int = field(init=False)

    @began_ns.default
    def _now_ns(self) -> int:
        return int(self.folder.rove.clock.now().timestamp() * _NS)

    def take_lease(self) -> None:
        """Announce that a scan is running."""
        with self.folder.database.writing() as db:
            projects.take_lease(db, self.project.id, self.owner, self.folder.now)

    def end(self, error: str, counts: ScanCounts | None) -> None:
        """Let others scan."""
        ended = counts is not None and not error
        with self.folder.database.writing() as db:
            projects.end_scan(
                db,
                self.project.id,
                self.owner,
                self.folder.now,
                error=error,
                began_ns=self.began_ns if ended else 0,
                # Whoever stopped a scan does not want another one within the hour.
                is_whole=counts is not None and ended and (counts.cancelled or not counts.left),
            )

    async def run(self, limit: int | None, *, without_model: bool) -> ScanCounts:
        """Detect changes, and read the files that are due."""
        writer = summary_writer(self.folder)
        found = await asyncio.to_thread(self._walk)
        delta = await asyncio.to_thread(self._record_delta, found, writer.recipe)
        due = await asyncio.to_thread(self._due_files)
        tally = _Tally(remaining=len(due))
        try:
            if due and not (without_model and writer.asks_model):
                await self._read_all(writer, due[:limit], tally)
        except ScanCancelled:
            tally.cancelled = True
        return _counts(found, delta, tally, writer.spent)

    def _walk(self) -> Walk:
        further = frozenset(further_suffixes(self.folder.rove.plugins.extractors))
        found = walk(Path(str(self.project.folder_path)), further)
        self.folder.check_quota(len(found.files), asks_model=False)
        return found

    def _record_delta(self, found: Walk, recipe: str) -> FolderDelta:
        project = self.project.id
        with self.folder.database.reading() as db:
            states = files.file_states(db, project)
        delta = folder_delta(found.files, states)
        racy_since = max(self.project.began_ns - RACY_NS, 0) or self.began_ns
        with self.folder.database.writing() as db:
            files.mark_due(db, project, recipe=recipe, racy_since=racy_since)
            files.delete_files(db, project, delta.deleted)
            files.rename_files(db, project, delta.renamed)
            files.change_files(db, project, delta.changed)
            files.add_files(db, project, delta.new)
        return delta

    def _due_files(self) -> Sequence[DueFile]:
        with self.folder.database.reading() as db:
            return files.due_files(db, self.project.id)

    async def _read_all(self, writer: SummaryWriter, due: Sequence[DueFile], tally: _Tally) -> None:
        rove = self.folder.rove
        with Extractor(rove.clock, rove.plugins.extractors) as extractor:
            reader = FileReader(
                Path(str(self.project.folder_path)), extractor, self.folder.database, writer.recipe
            )
            for batch in _batches(due, writer.batch):
                self._keep_lease(tally.read, len(due))
                read = await self._read_batch(reader, writer, batch, tally)
                await asyncio.to_thread(self._record, list(read.values()))
                tally.read += len(batch)
                waiting = [] if not tally.paused else [each for each in read.values() if each.due]
                tally.remaining -= len(batch) - len(waiting)
                tally.skipped += sum(each.kind == "skipped" for each in read.values())
                tally.same += sum(
                    each.id in read and each.sha256 == read[each.id].sha256 != "" for each in batch
                )
                self.on_progress(tally.read, len(due))

    async def _read_batch(
        self, reader: FileReader, writer: SummaryWriter, batch: Sequence[DueFile], tally: _Tally
    ) -> Mapping[str, ReadFile]:
        """Return what to record of some files, by the id of their rows.

        When the month's tokens run out, files are summarised in their own words meanwhile.
        """
        prepared = await asyncio.to_thread(reader.prepare, batch)
        made: Mapping[str, ReadFile] = {}
        try:
            if not tally.paused:
                self.folder.check_quota(0, asks_model=writer.asks_model)
                made = await writer.write([each for each in prepared if each.is_open])
        except QuotaExceeded as exceeded:
            _LOG.warning("%s", exceeded.message)
            tally.paused = True
            # What was paid for before that is stored by now.
            prepared = await asyncio.to_thread(reader.prepare, batch)
        if tally.paused:
            made = {each.due.id: summary_meanwhile(each) for each in prepared if each.is_open}
        read = [made.get(each.due.id, each.recorded) for each in prepared]
        return {each.id: each for each in read if each}

    def _record(self, read: Sequence[ReadFile]) -> None:
        with self.folder.database.writing() as db:
            files.record_files(db, read, self.folder.now)

    def _keep_lease(self, done: int, total: int) -> None:
        with self.folder.database.writing() as db:
            is_renewed = projects.renew_lease(
                db, self.project.id, self.owner, self.folder.now, done=done, total=total
            )
        if not is_renewed:
            raise ScanCancelled


def _counts(found: Walk, delta: FolderDelta, tally: _Tally, spent: ModelSpending) -> ScanCounts:
    return ScanCounts(
        total=len(found.files),
        new=len(delta.new),
        changed=max(len(delta.changed) - tally.same, 0),
        renamed=len(delta.renamed),
        deleted=len(delta.deleted),
        read=tally.read,
        left=tally.remaining,
        asked=spent.questions,
        tokens=spent.tokens,
        skipped=tally.skipped,
        unsupported=dict(sorted(found.unsupported.items())),
        withheld=found.withheld,
        unnamed=found.unnamed,
        closed=found.closed,
        deep=found.deep,
        cancelled=tally.cancelled,
        paused=tally.paused,
    )


def _batches(due: Sequence[DueFile], size: int) -> Iterator[Sequence[DueFile]]:
    left = iter(due)
    while batch := list(islice(left, size)):
        yield batch
