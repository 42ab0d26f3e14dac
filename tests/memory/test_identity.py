"""One memory a project, however and wherever it is checked out."""

import shutil
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.memory.conftest import Checkout

from rove_core import StoreUnusable
from rove_core.operations import finish
from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.memory.exchange_operations import memory_import
from rove_memory.memory.recall_operations import memory_list
from rove_memory.memory.store_operation import memory_store
from rove_memory.sessions.start_operation import session_start
from rove_memory.store import ProjectStore
from rove_memory.store.registry import registered_projects


def commit(folder: Path, message: str = "Begin") -> None:
    """Commit nothing, as somebody."""
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@acme.example"]
    words = ["commit", "-q", "--allow-empty", "-m", message]
    subprocess.run(["git", "-C", folder, *who, *words], check=True)  # noqa: S603, S607  # the test's own repository


def _store(folder: Path) -> ProjectStore:
    return ProjectStore.of(LocalProject.at(folder, VirtualClock()))


def _id(folder: Path) -> str:
    """Return the id of a folder's project, after something was stored."""
    with _store(folder).writing() as db:
        return ProjectStore.project_id(db)


@pytest.mark.parametrize(
    "other",
    [
        "https://github.com/Acme/API.git",
        "ssh://git@github.com/acme/api",
        "https://token@github.com/acme/api/",
    ],
)
def test_every_spelling_of_a_remote_is_one_project(checkout: Checkout, other: str) -> None:
    """Clones by ssh, by https and in capitals share a memory."""
    one = checkout("one", origin="git@github.com:acme/api.git")

    assert _id(one) == _id(checkout("two", origin=other))


def test_a_fork_shares_the_memory_of_its_upstream(checkout: Checkout) -> None:
    """A clone of a fork that names the original as another remote is the same project."""
    original = checkout("one", origin="git@github.com:acme/api")
    fork = checkout("two", origin="git@github.com:kim/api", upstream="git@github.com:acme/api")

    assert _id(original) == _id(fork)


def test_other_remotes_are_other_projects(checkout: Checkout) -> None:
    """Two repositories have two memories, both in the registry."""
    ids = {_id(checkout(name, origin=f"git@host:acme/{name}")) for name in ("api", "web")}

    assert ids == {each.id for each in registered_projects()}
    assert len(ids) == 2


def test_a_folder_that_was_moved(checkout: Checkout) -> None:
    """Without a remote, the mark in the folder leads to its memory."""
    before = checkout("before")
    first = _id(before)
    after = before.rename(before.with_name("after"))

    assert _id(after) == first


def test_a_remote_that_was_renamed(checkout: Checkout) -> None:
    """A new address of the repository changes nothing where it is checked out."""
    folder = checkout("api", origin="git@github.com:acme/api")
    first = _id(folder)
    url = "git@github.com:acme/backend"
    subprocess.run(["git", "-C", folder, "remote", "set-url", "origin", url], check=True)  # noqa: S603, S607  # the test's own repository

    assert _id(folder) == first
    assert _id(checkout("fresh", origin=url)) == first


def test_a_copy_of_a_folder_is_another_project(checkout: Checkout) -> None:
    """A project that begins as a copy of another one has a memory of its own."""
    template = checkout("template")
    first = _id(template)
    copy = template.with_name("copy")
    shutil.copytree(template, copy)

    assert _id(copy) != first
    assert _id(template) == first


def test_a_new_repository_at_the_path_of_a_deleted_one(checkout: Checkout) -> None:
    """Its memory is empty; its first session says how to copy the earlier one."""
    folder = checkout("api")
    first = _id(folder)
    rove = LocalProject.at(folder, VirtualClock())
    finish(memory_store(rove, key="old", content="kept apart", memory_type="decision"))
    shutil.rmtree(folder)
    rove = LocalProject.at(checkout("api"), VirtualClock())

    (note, *_) = finish(session_start(rove)).warnings
    file = note.rpartition("rove memory import ")[2]

    assert _id(folder) != first
    assert finish(memory_list(rove)) == ()
    assert finish(memory_import(rove, file=file)).added["memory"] == 1
    assert [each.key for each in finish(memory_list(rove))] == ["old"]
    assert finish(session_start(rove, agent="another")).warnings == ()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_checkout_that_lost_its_mark(checkout: Checkout, when: str) -> None:
    """A repository is known again by a commit, made before or after its memory began."""
    folder = checkout("api")
    if when == "after":
        first = _id(folder)
    commit(folder)
    if when == "before":
        first = _id(folder)
    assert _id(folder) == first
    shutil.rmtree(folder / ".rove")

    assert _id(folder) == first


def test_a_project_that_several_begin_at_once(checkout: Checkout) -> None:
    """Whoever comes first, all of them store in one memory."""
    folder = checkout("api")
    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(_id, [folder] * 8))

    assert len(ids) == 1


def test_a_new_repository_with_other_commits(checkout: Checkout) -> None:
    """Commits of another repository at the same path do not lead to its memory."""
    folder = checkout("api")
    commit(folder)
    first = _id(folder)
    shutil.rmtree(folder)
    commit(checkout("api"), message="Begin again")

    assert _id(folder) != first


def test_a_new_folder_where_another_one_was_moved_away(checkout: Checkout) -> None:
    """The moved project takes its memory along; the new one at its old path has its own."""
    folder = checkout("api")
    first = _id(folder)
    folder.rename(folder.with_name("moved"))

    assert _id(checkout("api")) != first
    assert _id(folder.with_name("moved")) == first


def test_a_project_that_cannot_be_written_is_known_by_its_path(checkout: Checkout) -> None:
    """Without a remote and without a mark, the path is all there is."""
    folder = checkout("api")
    (folder / ".rove" / "state").mkdir(parents=True)
    (folder / ".rove" / "state" / "memory").write_text("no folder")
    first = _id(folder)

    assert _id(folder) == first


def test_a_mark_that_came_with_a_clone_leads_nowhere(checkout: Checkout) -> None:
    """Nobody can name the memory of another project in a file of a repository."""
    secret = _id(checkout("one", origin="git@host:acme/one"))
    clone = checkout("clone")
    mark = clone / ".rove" / "state" / "memory" / "checkout"
    mark.parent.mkdir(parents=True)
    mark.write_text(secret)

    assert _id(clone) != secret


def test_reading_first_sees_nothing_and_writes_nothing(checkout: Checkout, data_dir: Path) -> None:
    """A project without a memory reads as empty, and stays unknown."""
    with _store(checkout("api")).reading() as db:
        rows = db.execute("SELECT count(*) FROM memory").fetchone()[0]

    assert (rows, registered_projects(), list(data_dir.rglob("*.db"))) == (0, (), [])


def test_a_database_of_a_newer_rove_is_refused(store: ProjectStore) -> None:
    """The file stays as it is, and nobody is told to remove it."""
    with store.writing():
        pass
    known = store.registered()
    assert known
    path = store.database(known).path
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()

    with pytest.raises(StoreUnusable, match="newer") as caught, store.writing():
        pass
    assert "Remove" not in caught.value.hint
    assert path.read_bytes() == before
