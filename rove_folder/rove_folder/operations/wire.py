"""Results for agents, with the published names."""

from datetime import datetime
from typing import Literal

from attrs import frozen

from rove_folder.files.kinds import FileKind


@frozen(kw_only=True)
class ManifestEntry:
    """A file of a manifest.

    Attributes:
        relPath: Its path, from the linked folder on.
        kind: What it is.
        summary: What is in it, or why it was skipped; None while nobody knows.
    """

    relPath: str
    kind: FileKind
    summary: str | None


@frozen(kw_only=True)
class AgentManifest:
    """The files of a linked folder.

    Attributes:
        folderPath: The folder; None when none is linked.
        lastScannedAt: When it was last scanned.
        files: Its files, newest first.
        more: How many files come after them: ask again with ``offset``.
        error: Why there is no manifest.
    """

    folderPath: str | None = None
    lastScannedAt: datetime | None = None
    files: tuple[ManifestEntry, ...] = ()
    more: int = 0
    error: str = ""


@frozen(kw_only=True)
class AgentProject:
    """A project with a linked folder.

    Attributes:
        projectId: Its id.
        projectName: What people call it.
        folderPath: The folder.
        lastScannedAt: When it was last scanned.
        files: Its newest files.
        error: Why there are none.
    """

    projectId: str
    projectName: str
    folderPath: str | None
    lastScannedAt: datetime | None
    files: tuple[ManifestEntry, ...]
    error: str = ""


@frozen(kw_only=True)
class AgentFile:
    """The content of a file, or why there is none.

    Attributes:
        content: The text, the base64 of an image, or the answer that says why there is neither.
        kind: What the file is.
        encoding: Whether the content is a text or base64.
        truncated: Whether it is only the beginning.
        error: Whether the content is such an answer.
    """

    content: str
    kind: FileKind = "text"
    encoding: Literal["text", "base64"] = "text"
    truncated: bool = False
    error: bool = False
