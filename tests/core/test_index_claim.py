"""An index that somebody else made plans nothing, and names no file of another place."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from rove_core import open_project
from rove_core.errors import StoreUnusable
from rove_core.project.layout import ProjectPaths
from rove_core.project.local import LocalProject

pytestmark = pytest.mark.anyio

_TASK = (
    "INSERT INTO tasks (id, operation, arguments, key, state, created_at, due_at, attempt, owner,"
    " checkpoint, result, error) VALUES ('a1', 'purge', '{}', 'k', 'queued',"
    " '2026-11-23T00:00:00.000000Z', '2026-11-23T00:00:00.000000Z', 0, '', 'null', 'null', 'null')"
)
_DOCUMENT = (
    "INSERT INTO context_files (ticket_id, filename, keywords, last_updated, account, title, url)"
    " VALUES (?, ?, '[]', '2026-11-23T00:00:00Z', 'jira', 'A title', 'https://x.example')"
)


@pytest.fixture(autouse=True)
def _homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(tmp_path / "config"))


async def _opened(folder: Path) -> ProjectPaths:
    """Open a project once, as its user does."""
    folder.mkdir(exist_ok=True)  # noqa: ASYNC240  # it is but a moment
    async with open_project(folder, accounts=(), plugins=()) as project:
        return project.places


def _plan(index: Path) -> None:
    with closing(sqlite3.connect(index)) as db, db:
        db.execute(_TASK)
        db.execute(_DOCUMENT, ["TB-1", "TB-1_a.md"])
        db.execute(_DOCUMENT, ["TB-2", "../../secret.md"])


def _counts(index: Path) -> Mapping[str, int]:
    with closing(sqlite3.connect(index)) as db:
        return {
            table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608  # names
            for table in ("tasks", "context_files", "owner")
        }


async def test_an_index_of_somebody_else_plans_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tasks are gone before anything runs, and so is a document that is none of the project."""
    with monkeypatch.context() as stranger:
        stranger.setenv("ROVE_DATA_DIR", str(tmp_path / "their-data"))
        places = await _opened(tmp_path / "clone")
        _plan(places.index)
    await _opened(tmp_path / "clone")

    assert _counts(places.index) == {"tasks": 0, "context_files": 1, "owner": 1}


async def test_ones_own_index_stays_whole_wherever_it_is_moved(tmp_path: Path) -> None:
    """A project that its user moved or copied goes on with what it had planned."""
    places = await _opened(tmp_path / "before")
    _plan(places.index)
    shutil.move(tmp_path / "before", tmp_path / "after")
    await _opened(tmp_path / "after")

    assert _counts(tmp_path / "after" / ".rove" / "index.db")["tasks"] == 1


async def test_an_index_without_an_owner_is_taken_over(tmp_path: Path) -> None:
    """One of an earlier Rove has no mark: its documents stay, and what it planned is not done."""
    places = await _opened(tmp_path / "old")
    _plan(places.index)
    with closing(sqlite3.connect(places.index)) as db, db:
        db.execute("DELETE FROM owner")
    await _opened(tmp_path / "old")

    assert _counts(places.index) == {"tasks": 0, "context_files": 1, "owner": 1}


async def test_who_only_reads_is_led_nowhere_else(tmp_path: Path) -> None:
    """Until an index is taken over, a document outside of the project is damage."""
    places = await _opened(tmp_path / "clone")
    _plan(places.index)

    with pytest.raises(StoreUnusable, match="is not a document name"):
        await LocalProject.at(places.root).find("TB-2")
