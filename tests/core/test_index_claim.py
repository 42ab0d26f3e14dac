"""An index that somebody else made plans nothing, and names no file of another place."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from tests.core.tracked import track

from rove_core import open_project
from rove_core.build.write.base import DocumentBase, is_written_by, save_base
from rove_core.errors import StoreUnusable
from rove_core.project.index_claim import user_key
from rove_core.project.layout import ProjectPaths
from rove_core.project.local import LocalProject
from rove_core.store.document_bases import base_path

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
    """Its tasks are gone before anything runs, and so are documents that came with a clone."""
    with monkeypatch.context() as stranger:
        stranger.setenv("ROVE_DATA_DIR", str(tmp_path / "their-data"))
        places = await _opened(tmp_path / "clone")
        _plan(places.index)
    track(places, "TB-1_a.md")
    await _opened(tmp_path / "clone")

    assert _counts(places.index) == {"tasks": 0, "context_files": 0, "owner": 1}


async def test_documents_that_their_user_wrote_stay(tmp_path: Path) -> None:
    """An index that another user's Rove has taken over meanwhile keeps what this one wrote."""
    places = await _opened(tmp_path / "shared")
    _plan(places.index)
    path = base_path(places, "jira", "TB-1_a.md")
    path.parent.mkdir(parents=True)
    save_base(path, DocumentBase(), user_key(places))
    track(places, "TB-1_a.md")
    with closing(sqlite3.connect(places.index)) as db, db:
        db.execute("DELETE FROM owner")
    await _opened(tmp_path / "shared")

    assert _counts(places.index) == {"tasks": 0, "context_files": 1, "owner": 1}


@pytest.mark.parametrize("change", [b'"blocks":{}', b'"mark":"'])
async def test_a_base_that_somebody_changed_is_not_ones_own(tmp_path: Path, change: bytes) -> None:
    """Nobody without the user's key can write what counts as theirs."""
    places = await _opened(tmp_path / "shared")
    path = base_path(places, "jira", "TB-1_a.md")
    path.parent.mkdir(parents=True)
    key = user_key(places)
    save_base(path, DocumentBase(), key)
    assert is_written_by(key, places.bases, "TB-1_a.md")
    other = b'"blocks":{"a":{"words":"b"}}' if b"blocks" in change else b'"mark":"0'
    path.write_bytes(path.read_bytes().replace(change, other))

    assert not is_written_by(key, places.bases, "TB-1_a.md")


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
