"""The server's side of a session: batches of files in, summaries out, nothing stored.

Of a file its summary is stored by the digest of its content, so that nothing is paid twice; the
content itself is never stored.
"""

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from attrs import frozen

from rove_core import JSON, QuotaExceeded, RoveError
from rove_folder.device.frames import (
    ClientFrame,
    FileBatch,
    SentFile,
    SessionCancel,
    SessionStart,
    WrongFrame,
    file_fault,
    file_result,
    read_frame,
    session_done,
    session_progress,
)
from rove_folder.extract.content import ExtractedContent, UnreadableContent
from rove_folder.extract.image import read_image
from rove_folder.extract.plain import read_text
from rove_folder.files.kinds import MOST_BYTES, MOST_IMAGE_BYTES, FileKind
from rove_folder.project_folder import ProjectFolder
from rove_folder.storage import sessions
from rove_folder.storage.files import DueFile
from rove_folder.storage.summaries import find_summary
from rove_folder.summary.preparation import PreparedFile, cache_key
from rove_folder.summary.writers import summary_writer

Frames = list[Mapping[str, JSON]]

_EXCEEDED: Final = "quota_exceeded"
_FAILED: Final = "The model gave no summary"


@frozen
class DeviceConnection:
    """One connection of a client.

    Attributes:
        folder: The project whose database, settings and model are used.
        id: What tells the connection from others.
    """

    folder: ProjectFolder
    id: str

    async def receive(self, data: bytes) -> Frames:
        """Return the frames that answer a message, whatever it is."""
        try:
            return await self._answer(read_frame(data))
        except WrongFrame as wrong:
            self._end(wrong.session)
            return [{**session_done(wrong.session, "error"), "error": str(wrong)}]
        except RoveError as error:
            return [{**session_done("", "error"), "error": error.message}]

    def drop(self) -> None:
        """Abandon the sessions of a connection that has ended."""
        with self.folder.database.writing() as db:
            sessions.drop_connection(db, self.id)

    async def _answer(self, frame: ClientFrame) -> Frames:
        match frame:
            case SessionStart():
                return self._start(frame)
            case SessionCancel(session=session):
                was_open = self._end(session)
                return [session_done(session, "cancelled" if was_open else "error")]
            case FileBatch():
                return await self._batch(frame)

    def _start(self, frame: SessionStart) -> Frames:
        """Open a session, or report the progress of an open one."""
        try:
            asks = summary_writer(self.folder).asks_model
            self.folder.check_quota(frame.total, asks_model=asks)
        except QuotaExceeded as exceeded:
            return [{**session_done(frame.session, "quota_exceeded"), "error": exceeded.message}]
        with self.folder.database.writing() as db:
            sessions.open_session(
                db,
                self.id,
                frame.session,
                project=frame.project,
                total=frame.total,
                now=self.folder.now,
            )
        return self._progress(frame.session)

    async def _batch(self, frame: FileBatch) -> Frames:
        with self.folder.database.reading() as db:
            if sessions.progress_of(db, self.id, frame.session) is None:
                raise WrongFrame("no such session is open", frame.session)
        answers = await asyncio.gather(*(self._result(frame.session, each) for each in frame.files))
        exceeded = any(answer.get("error") == _EXCEEDED for answer in answers)
        with self.folder.database.writing() as db:
            done = [
                str(answer["relPath"]) for answer in answers if answer.get("error") != _EXCEEDED
            ]
            sessions.record_files(db, self.id, frame.session, done)
        frames = [*answers, *self._progress(frame.session)]
        if exceeded:
            self._end(frame.session)
            frames = [*answers, session_done(frame.session, "quota_exceeded")]
        return frames

    def _progress(self, session: str) -> Frames:
        """Return how far a session is; after its last file it is done."""
        with self.folder.database.reading() as db:
            progress = sessions.progress_of(db, self.id, session)
        if progress is None:
            return []
        processed, total = progress
        frames: Frames = [session_progress(session, processed, total)]
        if processed >= total:
            self._end(session)
            frames.append(session_done(session, "completed"))
        return frames

    def _end(self, session: str) -> bool:
        with self.folder.database.writing() as db:
            return sessions.close_session(db, self.id, session)

    async def _result(self, session: str, file: SentFile) -> Mapping[str, JSON]:
        """Return the frame about a file."""
        if file.fault:
            return file_fault(session, file.path, file.fault)
        data = file.image if file.kind == "image" else str(file.text).encode("utf-8", "replace")
        if why := _too_large(file, data):
            return file_fault(session, file.path, why)
        try:
            content = _content(file, data)
        except UnreadableContent as unreadable:
            return file_fault(session, file.path, str(unreadable))
        try:
            return await self._summarise(session, file.path, content, data)
        except QuotaExceeded:
            return file_fault(session, file.path, _EXCEEDED)
        except RoveError as error:
            return file_fault(session, file.path, error.message)

    async def _summarise(
        self, session: str, path: str, content: ExtractedContent, data: bytes
    ) -> Mapping[str, JSON]:
        digest, writer = sha256(data).hexdigest(), summary_writer(self.folder)
        with self.folder.database.reading() as db:
            stored = find_summary(db, digest, cache_key(writer.recipe, path, content.kind))
        if stored:
            return file_result(session, path, stored.summary or "", 0)
        due = DueFile(id=path, path=path, sha256="", recipe="", summary=None)
        prepared = PreparedFile(due=due, digest=digest, data=data, content=content)
        made = (await writer.write([prepared]))[path]
        if made.summary is None:
            return file_fault(session, path, _FAILED, writer.spent.tokens)
        return file_result(session, path, made.summary, writer.spent.tokens)


def _too_large(file: SentFile, data: bytes) -> str:
    most = MOST_IMAGE_BYTES if file.kind == "image" else MOST_BYTES
    return f"Larger than {most >> 20} MB" if len(data) > most else ""


def _content(file: SentFile, data: bytes) -> ExtractedContent:
    """Return the content of a file that a client has taken the text out of."""
    if file.kind == "image":
        return read_image(file.path, data)
    kind: FileKind = "pdf" if file.kind == "pdf" else "docx" if file.kind == "docx" else "text"
    if kind == "text":
        return read_text(file.path.rpartition("/")[2], data)
    return ExtractedContent(kind=kind, text=str(file.text), form="prose")


def session_frames(frames: Sequence[Mapping[str, JSON]]) -> list[JSON]:
    """Return frames as plain JSON data."""
    return [dict(each) for each in frames]
