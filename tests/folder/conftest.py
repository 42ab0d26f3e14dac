"""A project with a folder to link, and what a test does with it."""

import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import rove_folder
import rove_folder.scan as scanning
from rove_core import MemoryStore, Project, open_project
from rove_folder.project_folder import ProjectFolder
from rove_folder.scan import ScanCounts, scan
from rove_folder.storage.files import ManifestFile, manifest_files

Write = Callable[..., Path]
Opened = Callable[[], AbstractAsyncContextManager[Project]]


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder to link, still empty."""
    path = tmp_path / "linked"
    path.mkdir()
    return path


@pytest.fixture
def write(folder: Path) -> Write:
    """Return what writes a file that was last changed on a day of December 2024."""

    def write(name: str, content: str | bytes = "Notes.", *, day: int = 1) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        changed = datetime(2024, 12, day, tzinfo=UTC).timestamp()
        os.utime(path, (changed, changed))
        return path

    return write


@pytest.fixture(autouse=True)
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files that a test has just written count as old enough not to be looked at twice."""
    monkeypatch.setattr(scanning, "RACY_NS", 0)


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """Return what opens a project with this package alone, and nothing of the user's."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Project]:
        project = tmp_path / "project"
        project.mkdir(exist_ok=True)
        async with open_project(
            project, accounts=(), plugins=[rove_folder], credentials=MemoryStore()
        ) as rove:
            yield rove

    return opened


@pytest.fixture
async def rove(opened: Opened) -> AsyncIterator[Project]:
    """Give an open project."""
    async with opened() as project:
        yield project


@pytest.fixture
def linked(rove: Project, folder: Path) -> ProjectFolder:
    """Return the project's folder, linked."""
    found = ProjectFolder.of(rove)
    found.link(str(folder), relative_to=folder)
    return found


@pytest.fixture
def scanned(linked: ProjectFolder) -> Callable[..., Coroutine[Any, Any, ScanCounts]]:
    """Return what scans the folder."""
    return lambda **options: scan(linked, **options)


@pytest.fixture
def manifest(linked: ProjectFolder) -> Callable[[], dict[str, ManifestFile]]:
    """Return what reads the manifest, by path."""

    def manifest() -> dict[str, ManifestFile]:
        with linked.database.reading() as db:
            return {each.path: each for each in manifest_files(db, linked.id)}

    return manifest
