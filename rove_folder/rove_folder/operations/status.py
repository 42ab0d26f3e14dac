"""``rove folder status``: which folder is linked, and how its last scan ended."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import Operation, Outcome
from rove_folder import phrases
from rove_folder.project_folder import RELINK, ProjectFolder, is_gone
from rove_folder.storage.files import count_due
from rove_folder.storage.projects import ScanStatus
from rove_folder.storage.usage import TokenAccount, monthly_usage

if TYPE_CHECKING:
    from rove_core import LocalProject


@frozen(kw_only=True)
class FolderStatus(Outcome):
    """The linked folder of a project.

    Attributes:
        linked: Whether there is one.
        project_id: The project's id.
        folder_path: The folder.
        last_scanned_at: When it was last scanned.
        last_scan_status: What became of that scan.
        total_files: How many files its manifest has.
        error: Why the last scan failed.
        gone: Whether the folder is no longer there.
        done: How many files a running scan has read.
        total: How many it has to read.
        left: How many files the next scan has to read.
        tokens_used: How many tokens summaries took this month.
        token_cap: How many they may take; -1 for no limit.
        file_cap: How many files the folder may have; -1 for no limit.
        asks_model: Whether a model writes the summaries.
        as_of: When this was said.
    """

    linked: bool
    project_id: str
    folder_path: str = ""
    last_scanned_at: datetime | None = None
    last_scan_status: ScanStatus = "idle"
    total_files: int = 0
    error: str = ""
    gone: bool = False
    done: int = 0
    total: int = 0
    left: int = 0
    tokens_used: int = 0
    token_cap: int = -1
    file_cap: int = -1
    asks_model: bool = False
    as_of: datetime

    def show(self) -> str:
        """Return the status for people."""
        from rove_core import page  # noqa: PLC0415  # only people need it

        return page(self._lines())

    def _lines(self) -> Iterator[str]:
        if not self.linked:
            yield "No folder is linked. Link one with: rove folder link FOLDER"
            return
        from rove_core import clean, counted  # noqa: PLC0415  # without a folder there is nothing to clean
        from rove_folder.manifest import age  # noqa: PLC0415  # the same

        scanned = self.last_scanned_at
        when = age(int(scanned.timestamp() * 1_000) if scanned else None, self.as_of)
        yield clean(self.folder_path)
        if self.last_scan_status == "scanning":
            yield f"indexing {self.done}/{self.total}"
        else:
            yield f"{counted(self.total_files, 'file')}, scanned {when}"
        if self.left and self.last_scan_status != "scanning":
            yield f"{counted(self.left, 'file')} left to read: rove folder scan"
        elif not scanned and self.last_scan_status == "idle":
            yield "Read it with: rove folder scan"
        if self.gone:
            yield clean(phrases.folder_gone(self.folder_path))
            yield RELINK
        elif self.error:
            yield f"Scan failed: {clean(self.error)}"
        cap = "no limit" if self.token_cap < 0 else f"of {self.token_cap}"
        if self.tokens_used or (self.token_cap >= 0 and self.asks_model):
            yield f"Tokens this month: {self.tokens_used} ({cap})"


async def folder_status(rove: "LocalProject") -> FolderStatus:
    """Show the linked folder, and how its last scan ended."""
    return status_of(ProjectFolder.of(rove))


def status_of(linked: ProjectFolder) -> FolderStatus:
    """Return the state of a project's linked folder."""
    now, project = linked.rove.clock.now(), linked.find()
    if project is None:
        return FolderStatus(linked=False, project_id=linked.id, as_of=now)
    with linked.database.reading() as db:
        usage = monthly_usage(db, TokenAccount(), now)
        left = count_due(db, project.id)
    scanned = project.scanned_at
    return FolderStatus(
        linked=True,
        project_id=project.id,
        folder_path=project.folder_path or "",
        last_scanned_at=datetime.fromtimestamp(scanned / 1_000, UTC) if scanned else None,
        last_scan_status=project.status,
        total_files=project.total_files,
        error=project.error,
        gone=is_gone(project),
        done=project.done,
        total=project.total,
        left=left,
        tokens_used=usage.used,
        token_cap=linked.settings.token_cap,
        file_cap=linked.settings.file_cap,
        asks_model=linked.settings.summaries == "model",
        as_of=now,
    )


STATUS: Final = Operation(folder_status, command="folder status", toolset="folder", offline=True)
