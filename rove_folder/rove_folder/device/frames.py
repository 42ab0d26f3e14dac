"""The six frames of a session, with the published fields.

A frame is a JSON object whose ``type`` is the frame's name, with its fields beside it.
"""

import json
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rove_core import JSON
from rove_folder.files.kinds import is_secret
from rove_folder.phrases import DENIED

SessionStatus: TypeAlias = Literal["completed", "cancelled", "quota_exceeded", "error"]

#: How many files a batch has at most.
BATCH: Final = 5
_LONGEST_ID: Final = 200
_LONGEST_PATH: Final = 4_096
_MOST_FILES: Final = 1_000_000
_TYPES: Final = frozenset({"index_session_start", "index_session_cancel", "index_file_batch"})


class WrongFrame(Exception):  # noqa: N818  # it is answered
    """A frame that is not one of the design's.

    Attributes:
        session: The session it names, if it names one.
    """

    def __init__(self, message: str, session: str = "") -> None:
        super().__init__(message)
        self.session = session


@frozen(kw_only=True)
class SessionStart:
    """``index_session_start``: a client has files to send."""

    session: str
    project: str
    total: int


@frozen(kw_only=True)
class SessionCancel:
    """``index_session_cancel``: a client cancels its session."""

    session: str


@frozen(kw_only=True)
class SentFile:
    """A file of a batch.

    Attributes:
        path: Its path in the client's folder.
        kind: What the client says it is.
        text: Its text; None for an image.
        image: The bytes of an image.
        fault: What is wrong with it; empty if nothing is.
    """

    path: str
    kind: str = "text"
    text: str | None = None
    image: bytes = b""
    fault: str = ""


@frozen(kw_only=True)
class FileBatch:
    """``index_file_batch``: up to five files."""

    session: str
    files: tuple[SentFile, ...]


ClientFrame: TypeAlias = SessionStart | SessionCancel | FileBatch


def read_frame(data: bytes) -> ClientFrame:
    """Return the frame that a message is.

    Raises:
        WrongFrame: It is none.
    """
    try:
        frame = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise WrongFrame("not JSON") from error
    if not isinstance(frame, dict):
        raise WrongFrame("not a JSON object")
    session = frame.get("sessionId")
    if not isinstance(frame.get("type"), str) or frame["type"] not in _TYPES:
        session_id = session if isinstance(session, str) else ""
        raise WrongFrame(
            f"no such frame: {str(frame.get('type'))[:40]!r}", session_id[:_LONGEST_ID]
        )
    if not (isinstance(session, str) and 0 < len(session) <= _LONGEST_ID):
        raise WrongFrame("sessionId is missing")
    match frame.get("type"):
        case "index_session_start":
            project, total = frame.get("projectId"), frame.get("totalFiles")
            if not isinstance(project, str) or not project or len(project) > _LONGEST_ID:
                raise WrongFrame("projectId is missing", session)
            return SessionStart(session=session, project=project, total=_count(total, session))
        case "index_session_cancel":
            return SessionCancel(session=session)
        case _:
            return FileBatch(session=session, files=_files(frame.get("files"), session))


def file_result(session: str, path: str, summary: str, tokens: int) -> Mapping[str, JSON]:
    """Return ``index_file_result`` for a file with a summary."""
    return {
        "type": "index_file_result",
        "sessionId": session,
        "relPath": path,
        "summary": summary,
        "tokensUsed": tokens,
    }


def file_fault(session: str, path: str, error: str, tokens: int = 0) -> Mapping[str, JSON]:
    """Return ``index_file_result`` for a file without a summary."""
    return {**file_result(session, path, "", tokens), "error": error}


def session_progress(session: str, processed: int, total: int) -> Mapping[str, JSON]:
    """Return ``index_session_progress``."""
    return {
        "type": "index_session_progress",
        "sessionId": session,
        "processed": processed,
        "total": total,
    }


def session_done(session: str, status: SessionStatus) -> Mapping[str, JSON]:
    """Return ``index_session_done``."""
    return {"type": "index_session_done", "sessionId": session, "status": status}


def _count(value: object, session: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_FILES:
        raise WrongFrame("totalFiles is not a number of files", session)
    return value


def _files(value: object, session: str) -> tuple[SentFile, ...]:
    if not isinstance(value, list) or not value:
        raise WrongFrame("files is not a list of files", session)
    if len(value) > BATCH:
        raise WrongFrame(f"{len(value)} files in a batch, at most {BATCH} are allowed", session)
    return tuple(_file(each, session) for each in value)


def _file(value: object, session: str) -> SentFile:
    if not isinstance(value, dict):
        raise WrongFrame("a file is not a JSON object", session)
    path, kind = value.get("relPath"), value.get("kind")
    if not isinstance(path, str) or not 0 < len(path) <= _LONGEST_PATH:
        raise WrongFrame("relPath is missing", session)
    if _leads_away(path) or is_secret(path.rpartition("/")[2]):
        return SentFile(path=path, fault=DENIED)
    if not isinstance(kind, str) or kind not in {"text", "image", "pdf", "docx"}:
        return SentFile(path=path, fault="kind is not text, image, pdf or docx")
    for name in ("sizeBytes", "mtimeMs"):
        if isinstance(value.get(name), bool) or not isinstance(value.get(name), int | float):
            return SentFile(path=path, fault=f"{name} is not a number")
    return _with_content(path, kind, value)


def _leads_away(path: str) -> bool:
    """Return whether a path is none below a folder."""
    return path.startswith("/") or ".." in path.split("/") or "\0" in path


def _with_content(path: str, kind: str, value: Mapping[str, object]) -> SentFile:
    name = "imageB64" if kind == "image" else "content"
    content = value.get(name)
    if not isinstance(content, str):
        return SentFile(path=path, fault=f"{name} is missing")
    if kind != "image":
        return SentFile(path=path, kind=kind, text=content)
    try:
        return SentFile(path=path, kind=kind, image=b64decode(content, validate=True))
    except (NotBase64, ValueError):
        return SentFile(path=path, fault="imageB64 is not base64")
