"""What the operations return, and how people see it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal

from attrs import field, frozen

from rove_core import PARTIAL, Outcome, clean
from rove_folder import phrases
from rove_folder.files.kinds import FileKind
from rove_folder.manifest import age, manifest_line
from rove_folder.scan import ScanCounts
from rove_folder.storage.files import ManifestFile
from rove_folder.storage.projects import ScanStatus


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
        done: How many files a running scan has read.
        total: How many it has to read.
        tokens_used: How many tokens summaries took this month.
        token_cap: How many they may take; -1 for no limit.
        file_cap: How many files the folder may have; -1 for no limit.
        as_of: When this was said.
    """

    linked: bool
    project_id: str
    folder_path: str = ""
    last_scanned_at: datetime | None = None
    last_scan_status: ScanStatus = "idle"
    total_files: int = 0
    error: str = ""
    done: int = 0
    total: int = 0
    tokens_used: int = 0
    token_cap: int = -1
    file_cap: int = -1
    as_of: datetime

    def show(self) -> str:
        """Return the status for people."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if not self.linked:
            yield "No folder is linked. Link one with: rove folder link FOLDER"
            return
        scanned = self.last_scanned_at
        when = age(int(scanned.timestamp() * 1_000) if scanned else None, self.as_of)
        yield clean(self.folder_path)
        if self.last_scan_status == "scanning":
            yield f"indexing {self.done}/{self.total}"
        else:
            yield f"{self.total_files} files, scanned {when}"
        if self.error:
            yield f"Scan failed: {clean(self.error)}"
        cap = "no limit" if self.token_cap < 0 else f"of {self.token_cap}"
        if self.tokens_used or self.token_cap >= 0:
            yield f"Tokens this month: {self.tokens_used} ({cap})"


@frozen(kw_only=True)
class FolderScanned(Outcome):
    """What a scan found and did.

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
        unsupported: How many files have an ending that is not read, by ending.
        withheld: How many were left alone because of their names, which promise secrets.
        status: What became of the scan.
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
    status: Literal["completed", "cancelled", "quota_exceeded", "not_due"] = "completed"

    @classmethod
    def of(cls, counts: ScanCounts) -> "FolderScanned":
        """Return what an operation says of a scan."""
        status: Literal["completed", "cancelled", "quota_exceeded"] = "completed"
        if counts.paused or counts.cancelled:
            status = "quota_exceeded" if counts.paused else "cancelled"
        return cls(
            total=counts.total,
            new=counts.new,
            changed=counts.changed,
            renamed=counts.renamed,
            deleted=counts.deleted,
            read=counts.read,
            left=counts.left,
            asked=counts.asked,
            tokens=counts.tokens,
            skipped=counts.skipped,
            unsupported=counts.unsupported,
            withheld=counts.withheld,
            status=status,
        )

    def show(self) -> str:
        """Return the counts for people."""
        return "\n".join(self._lines())

    @property
    def exit_code(self) -> int:
        """Return 5 when the scan did not come to its end."""
        return 0 if self.status in {"completed", "not_due"} else PARTIAL

    def _lines(self) -> Iterator[str]:
        if self.status == "not_due":
            yield "Nothing is due."
            return
        changes = {
            "new": self.new,
            "changed": self.changed,
            "renamed": self.renamed,
            "deleted": self.deleted,
        }
        told = ", ".join(f"{count} {name}" for name, count in changes.items() if count)
        yield f"{self.total} files: {told or 'nothing new'}"
        if self.skipped:
            yield f"{self.skipped} could not be read; rove folder files says why"
        if self.unsupported:
            kinds = ", ".join(
                f"{count} {clean(suffix) or 'without an ending'}"
                for suffix, count in self.unsupported.items()
            )
            yield f"Not supported: {kinds}"
        if self.withheld:
            yield f"{self.withheld} left alone: their names promise secrets"
        if self.asked:
            yield f"The model was asked {self.asked} times, {self.tokens} tokens"
        if self.status == "quota_exceeded":
            yield phrases.PAUSED
        if self.left:
            yield f"{self.left} files have to be read by the next scan"


@frozen(kw_only=True)
class FolderFile:
    """A file of the manifest.

    Attributes:
        path: From the linked folder on.
        kind: What it is.
        size_bytes: How large it is.
        changed_at: When it changed.
        summary: What is in it, or why it was skipped; empty while nobody knows.
    """

    path: str
    kind: FileKind
    size_bytes: int
    changed_at: datetime
    summary: str

    @classmethod
    def of(cls, file: ManifestFile) -> "FolderFile":
        """Return what an operation says of a file."""
        changed = datetime.fromtimestamp(file.mtime_ms / 1_000, UTC)
        return cls(
            path=file.path,
            kind=file.kind,
            size_bytes=file.size,
            changed_at=changed,
            summary=file.summary or "",
        )


@frozen(kw_only=True)
class FolderFiles(Outcome):
    """The files of a project's folder.

    Attributes:
        files: The files, newest first.
        total: How many there are.
    """

    files: Sequence[FolderFile]
    total: int

    def show(self) -> str:
        """Return a line for each file."""
        lines = [
            manifest_line(
                ManifestFile(
                    path=each.path, kind=each.kind, size=0, mtime_ms=0, summary=each.summary
                )
            )
            for each in self.files
        ]
        more = self.total - len(lines)
        return "\n".join([*lines, f"… {more} more: --limit"] if more > 0 else lines)


@frozen(kw_only=True)
class FolderText(Outcome):
    """The content of a file.

    Attributes:
        path: The file, from the linked folder on.
        kind: What it is.
        content: Its text; the bytes of an image in base64.
        encoding: Which of the two.
        truncated: Whether it is only the beginning.
    """

    path: str
    kind: FileKind
    content: str
    encoding: Literal["text", "base64"] = "text"
    truncated: bool = False

    def show(self) -> str:
        """Return the content."""
        return self.content
