"""A copy with a damaged page costs no document: its account is searched instead."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.core.mirrored import Wiki
from tests.core.test_mirror_builds import copied, in_project, wiki

from rove_core import Project, StoreUnusable
from rove_core.events import Event
from rove_core.mirror.mirror import Mirror


def large_wiki() -> Wiki:
    """Return a wiki with more pages than a page of a database holds."""
    source = wiki()
    for number in range(100, 400):
        source.write(f"OPS-{number}", f"Dish {number} of the long menu", container="OPS")
    return source


def damage(mirror: Mirror) -> None:
    """Overwrite a page of a mirror with items, and none that tells its state."""
    with closing(mirror.database.open()) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = db.execute("PRAGMA page_size").fetchone()
    whole = mirror.path.read_bytes()
    for start in range(size, len(whole), size):
        mirror.path.write_bytes(whole[:start] + bytes(size) + whole[start + size :])
        if _has_state(mirror.path) and not _has_items(mirror.path):
            return
    raise AssertionError("no page has items alone")


def _has_state(path: Path) -> bool:
    return _can_be_read(path, "SELECT * FROM facts", "SELECT * FROM containers")


def _has_items(path: Path) -> bool:
    return _can_be_read(path, "SELECT * FROM items")


def _can_be_read(path: Path, *queries: str) -> bool:
    try:
        with closing(sqlite3.connect(path)) as db:
            for query in queries:
                db.execute(query).fetchall()
    except sqlite3.DatabaseError:
        return False
    return True


def test_a_build_goes_on_with_the_vendor(tmp_path: Path) -> None:
    """It says so, and from then on the copy counts as damaged."""
    told = list[Event]()

    async def work(project: Project) -> str:
        await copied(project)
        damage(project.mirror("wiki"))
        project.tasks.on_event = told.append
        built = await project.build("DOC-1")
        with pytest.raises(StoreUnusable, match="is damaged"):
            project.mirror("wiki").state()
        return built.document.path.read_text("utf-8")

    document = in_project(tmp_path, large_wiki(), work)

    assert "local copy" not in document
    assert [each.note for each in told if each.stage == "copy"] == [
        "its copy is damaged, so the account is searched: rove mirror status"
    ]


def test_a_new_copy_is_whole(tmp_path: Path) -> None:
    """After the damaged one was dropped."""

    async def work(project: Project) -> bool:
        await copied(project)
        mirror = project.mirror("wiki")
        damage(mirror)
        await project.build("DOC-1")
        mirror.drop()
        await copied(project)
        return mirror.is_damaged or mirror.state() is None

    assert not in_project(tmp_path, large_wiki(), work)
