"""A folder of notes, and an account of it."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rove_core import Account
from rove_notes.settings import NotesSettings
from rove_notes.source import NotesSource


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of notes, still empty."""
    path = tmp_path / "notes"
    path.mkdir()
    return path


@pytest.fixture
def write(folder: Path) -> Callable[..., Path]:
    """Return what writes a note that was last changed on a day of December 2024."""

    def write(name: str, text: str | bytes = "OAuth2 it is.", *, day: int = 1) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        changed = datetime(2024, 12, day, tzinfo=UTC).timestamp()
        os.utime(path, (changed, changed))
        return path

    return write


@pytest.fixture
def notes(folder: Path) -> NotesSource:
    """Return the source of that folder."""
    settings = NotesSettings(folder=str(folder))
    return NotesSource(Account(name="notes", kind="notes", settings=settings))
