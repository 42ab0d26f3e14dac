"""One memory a project, however and wherever it is checked out."""

import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from tests.memory.conftest import Checkout

from rove_core import StoreUnusable
from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.store import ProjectStore
from rove_memory.store.registry import known_projects


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

    assert ids == {each.id for each in known_projects()}
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

    assert (rows, known_projects(), list(data_dir.rglob("*.db"))) == (0, (), [])


def test_a_database_of_a_newer_rove_is_refused(store: ProjectStore) -> None:
    """The file stays as it is, and nobody is told to remove it."""
    with store.writing():
        pass
    known = store.known()
    assert known
    path = store.database(known).path
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()

    with pytest.raises(StoreUnusable, match="newer") as caught, store.writing():
        pass
    assert "Remove" not in caught.value.hint
    assert path.read_bytes() == before
