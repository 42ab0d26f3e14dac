"""``rove folder ...``: link a folder, scan it, list its files, read one."""

import asyncio
import shlex
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Final, Literal

from rove_core import (
    Event,
    ItemNotFound,
    Operation,
    UnsafePlace,
    WrongCall,
    WrongSetting,
    clean,
    counted,
)
from rove_folder import phrases
from rove_folder.extract.extractor import Extractor
from rove_folder.file_reader import FileContent, read_below
from rove_folder.files.guard import AccessDeniedError
from rove_folder.manifest import plain_name
from rove_folder.operations.results import (
    FolderFile,
    FolderFiles,
    FolderScanned,
    FolderText,
)
from rove_folder.operations.status import STATUS, FolderStatus, status_of
from rove_folder.project_folder import RELINK, ProjectFolder, is_gone
from rove_folder.scan import Progress, scan
from rove_folder.storage import projects
from rove_folder.storage.files import file_kind, manifest_files
from rove_folder.storage.projects import LinkedProject

if TYPE_CHECKING:
    from rove_core import LocalProject, Project

_STALE: Final = timedelta(hours=24)
#: How often a scan says at most how far it is.
_TOLD: Final = 10


async def folder_link(
    rove: "LocalProject",
    *,
    folder: Annotated[str, "The folder; a path from the project's own folder on, or from /."],
) -> FolderStatus:
    """Link a folder to this project, in place of the one that is linked.

    Nothing is read yet: rove folder scan does that.
    """
    linked = ProjectFolder.of(rove)
    await asyncio.to_thread(linked.link, folder, relative_to=rove.places.root)
    return status_of(linked)


async def folder_unlink(rove: "LocalProject") -> FolderStatus:
    """Forget the linked folder and its manifest; the files stay as they are."""
    linked = ProjectFolder.of(rove)
    linked.unlink()
    return status_of(linked)


async def folder_scan(
    rove: "Project",
    *,
    cancel: Annotated[bool, "Stop the scan that is running."] = False,
) -> FolderScanned:
    """Scan the linked folder: find what changed, and summarise it."""
    linked = ProjectFolder.of(rove)
    if cancel:
        running = linked.linked().status == "scanning"
        if running:
            with linked.database.writing() as db:
                running = projects.cancel_scan(db, linked.id, linked.now)
        return FolderScanned(status="stopping" if running else "not_running")
    return FolderScanned.of(await scan(linked, on_progress=_progress_for(rove)))


async def folder_rescan(rove: "Project") -> FolderScanned:
    """Scan the linked folder if it was not read to its end within the last day."""
    linked = ProjectFolder.of(rove)
    project = linked.find()
    if project is None or project.status == "scanning":
        return FolderScanned(status="not_due")
    # Agents that ask for the manifest bring it up to date, too, but leave what a model reads.
    scanned = datetime.fromtimestamp(project.whole_scan_at / 1_000, UTC)
    # A time that is still to come was written before the clock was put back.
    is_recent = timedelta(0) <= rove.clock.now() - scanned < _STALE
    if project.status == "idle" and is_recent:
        return FolderScanned(status="not_due")
    return FolderScanned.of(await scan(linked, on_progress=_progress_for(rove)))


async def folder_files(
    rove: "LocalProject",
    *,
    kind: Annotated[
        Literal["all", "text", "images", "pdf", "skipped"], "Only files of this kind."
    ] = "all",
    limit: Annotated[int, "The maximum number, newest first."] = 100,
) -> FolderFiles:
    """List the files of the linked folder with their summaries."""
    if limit < 1:
        raise WrongCall(f"--limit {limit}: give 1 or more")
    linked = ProjectFolder.of(rove)
    project = linked.linked()
    if is_gone(project):
        raise WrongSetting(phrases.folder_gone(str(project.folder_path)), hint=RELINK)
    shown = {
        "text": ("text", "docx"),
        "images": ("image",),
        "pdf": ("pdf",),
        "skipped": ("skipped", "error"),
    }.get(kind)
    with linked.database.reading() as db:
        found = [each for each in manifest_files(db, linked.id) if not shown or each.kind in shown]
    return FolderFiles(files=[FolderFile.of(each) for each in found[:limit]], total=len(found))


async def folder_read(
    rove: "LocalProject",
    *,
    path: Annotated[str, "The file, from the linked folder on."],
) -> FolderText:
    """Print a file of the linked folder as text; an image as base64."""
    linked = ProjectFolder.of(rove)
    project = linked.linked()
    hint = "List the files with: rove folder files"
    try:
        read = await asyncio.to_thread(file_text, linked, project, path)
    except AccessDeniedError as error:
        raise UnsafePlace(f"{phrases.DENIED}: {clean(path)}", hint=hint) from error
    except PermissionError as error:
        file = shlex.quote(clean(f"{project.folder_path}/{path}"))
        chmod = f"Make it readable: chmod u+r {file}"
        raise UnsafePlace(phrases.closed(clean(path)), hint=chmod) from error
    except OSError as error:
        raise ItemNotFound(phrases.file_gone(clean(path)), hint=hint) from error
    if read.kind == "skipped":
        raise ItemNotFound(f"{clean(path)}: {read.content}", hint=hint)
    return read


def file_text(linked: ProjectFolder, project: LinkedProject, path: str) -> FolderText:
    """Return the content of a file of a project's folder as an agent can read it.

    Raises:
        WrongSetting: The folder is gone.
        AccessDeniedError: The path leads elsewhere, or to what is never read.
        OSError: The file is gone, or the user may not read it.
    """
    path = _true_path(linked, project, path.removeprefix("./"))
    with linked.reading(project) as folder:
        content = read_below(folder, path)
    if content.kind == "image" and not content.is_whole:
        return FolderText(path=path, kind="skipped", content=phrases.too_large(content.kind))
    if content.kind == "image":
        return FolderText(
            path=path,
            kind="image",
            content=b64encode(content.data).decode(),
            encoding="base64",
        )
    return _extract(linked, path, content)


def _true_path(linked: ProjectFolder, project: LinkedProject, path: str) -> str:
    """Return the relative path that is meant, which may be copied from a list.

    A list spells it with a slash at its front, and without the characters of a name that could be
    taken for something else. It is meant only where the manifest has such a file; any other path
    that begins with a slash is absolute.
    """
    bare = path.removeprefix("/")
    with linked.database.reading() as db:
        if file_kind(db, project.id, bare):
            return bare
        shown = [each.path for each in manifest_files(db, project.id) if each.path != bare]
    meant = [each for each in shown if plain_name(each) == bare]
    return meant[0] if len(meant) == 1 else path


def _extract(linked: ProjectFolder, path: str, content: FileContent) -> FolderText:
    rove = linked.rove
    with Extractor(rove.clock, rove.plugins.extractors) as extractor:
        found = extractor.read(path.rpartition("/")[2], content.data)
    if isinstance(found, str):
        return FolderText(path=path, kind="skipped", content=found)
    return FolderText(
        path=path, kind=found.kind, content=clean(found.text), truncated=not content.is_whole
    )


def _progress_for(rove: "Project") -> Progress:
    """Return a callback that reports a scan's progress to listeners, at most ten times."""
    last_step = 0

    def report(done: int, total: int) -> None:
        nonlocal last_step
        if done * _TOLD // total == last_step:
            return
        last_step = done * _TOLD // total
        note = f"{done} of {counted(total, 'file')} read"
        now = rove.clock.now()
        rove.tasks.on_event(
            Event(task="", at=now, stage="folder", note=note, done=done, total=total)
        )

    return report


FOLDER_OPERATIONS: Final = (
    Operation(
        folder_link,
        command="folder link",
        group="Link a folder with files that no tracker has.",
        changes=True,
        toolset="folder",
        project="closed",
        terminal_only=True,
    ),
    Operation(
        folder_unlink,
        command="folder unlink",
        changes=True,
        toolset="folder",
        project="closed",
        terminal_only=True,
    ),
    STATUS,
    Operation(folder_scan, command="folder scan", changes=True, toolset="folder"),
    Operation(folder_rescan, command="folder rescan", changes=True, toolset="folder", every="1h"),
    Operation(folder_files, command="folder files", toolset="folder", project="closed"),
    Operation(
        folder_read, command="folder read", toolset="folder", project="closed", verbatim=True
    ),
)
