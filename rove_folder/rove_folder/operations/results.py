"""Results of the operations, and their terminal output."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, Literal

from attrs import field, frozen

from rove_core import PARTIAL, Outcome, clean, counted, page
from rove_folder import phrases
from rove_folder.files.kinds import FileKind
from rove_folder.manifest import manifest_line
from rove_folder.scan import ScanCounts
from rove_folder.storage.files import ManifestFile

#: What people are told where nothing was scanned.
_WITHOUT_COUNTS: Final = {
    "not_due": "Nothing is due.",
    "stopping": "The scan stops after the files it is reading now.",
    "not_running": "No scan is running.",
}
#: Why a file was skipped that the operating system did not open.
_UNREADABLE: Final = "It cannot be opened: check its permissions"


@frozen(kw_only=True)
class FolderScanned(Outcome):
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
    unnamed: int = 0
    closed: int = 0
    deep: int = 0
    status: Literal[
        "completed", "cancelled", "quota_exceeded", "not_due", "stopping", "not_running"
    ] = "completed"

    @classmethod
    def of(cls, counts: ScanCounts) -> "FolderScanned":
        """Return the view of a scan."""
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
            unnamed=counts.unnamed,
            closed=counts.closed,
            deep=counts.deep,
            status=status,
        )

    def show(self) -> str:
        """Return the counts for people."""
        return page(self._lines())

    @property
    def exit_code(self) -> int:
        """Return 5 when the scan did not come to its end."""
        return PARTIAL if self.status in {"cancelled", "quota_exceeded"} else 0

    def _lines(self) -> Iterator[str]:
        if without_counts := _WITHOUT_COUNTS.get(self.status):
            yield without_counts
            return
        changes = {
            "new": self.new,
            "changed": self.changed,
            "renamed": self.renamed,
            "deleted": self.deleted,
        }
        counts = ", ".join(f"{count} {name}" for name, count in changes.items() if count)
        yield f"{counted(self.total, 'file')}: {counts or 'nothing new'}"
        if self.skipped:
            yield f"{self.skipped} could not be read; see why with: rove folder files"
        if self.unsupported:
            kinds = ", ".join(
                f"{count} {clean(suffix) or 'without an ending'}"
                for suffix, count in self.unsupported.items()
            )
            yield f"Not supported: {kinds}"
        alone = {
            f"{self.withheld} skipped: their names suggest secrets": self.withheld,
            f"{self.unnamed} skipped: their names are not text": self.unnamed,
            f"{counted(self.deep, 'folder')} skipped: too deep": self.deep,
            f"{counted(self.closed, 'folder')} could not be opened: check the permissions": (
                self.closed
            ),
        }
        yield from (line for line, count in alone.items() if count)
        if self.asked:
            yield f"The model was asked {self.asked} times, {self.tokens} tokens"
        if self.status == "quota_exceeded":
            yield phrases.PAUSED
        if self.left:
            yield f"{counted(self.left, 'file')} left for the next scan to read"


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
        """Return the view of a file."""
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
        lines = [manifest_line(each.path, each.kind, _summary_of(each)) for each in self.files]
        more = self.total - len(lines)
        return page([*lines, f"… {more} more: --limit"] if more > 0 else lines)


def _summary_of(file: FolderFile) -> str:
    """Return a file's summary; of one that the user may not read the published design has none."""
    return _UNREADABLE if file.kind == "skipped" and not file.summary else file.summary


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
        """Return the content, and whether it is all there is."""
        if not self.truncated:
            return self.content
        return page([self.content.rstrip("\n"), "… the rest is not shown: the file is too large"])
