"""No command waits for a pipe, a socket or a broken link where Rove or git expects a file."""

import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core.project.layout import ProjectPaths

if TYPE_CHECKING:
    from tests.app.conftest import Rove

#: Files of a project that somebody may have packed into an archive in another form.
IN_PROJECT = (
    *(".git", ".git/HEAD", ".git/config", ".git/index", ".git/packed-refs", ".git/info/exclude"),
    *(".git/refs/heads/TB-123-x", ".git/commondir", ".gitignore", ".gitattributes"),
    *(".rove/index.db", ".rove/index.db-wal", ".rove/settings.toml", ".rove/.gitignore"),
    *(".rove/marks.key", ".rove/schedule.json", ".rove/weights.json", ".rove/code.db"),
    *(".rove/logs/error.log", ".rove/index.db.lock", ".context/{name}"),
    ".rove/documents/jira/{name}.json",
)
OF_USER = ("index.key", "plugin-commands.json", "accounts.toml", "state/memory/user/registry.db")
COMMANDS = (
    *(("prime",), ("doctor",), ("status",), ("list",), ("find", "TB-123"), ("show", "TB-123")),
    *(("search", "tokens"), ("session", "start"), ("code", "query", "tokens"), ("settings",)),
)


def _socket(path: Path) -> None:
    # The whole path may be longer than a socket's may be.
    with socket.socket(socket.AF_UNIX) as there, contextlib.chdir(path.parent):
        there.bind(path.name)


def _pipe(path: Path) -> None:
    os.mkfifo(path, 0o600)


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def _folder(path: Path) -> None:
    path.mkdir()


@pytest.fixture
def files(project: Path) -> list[Path]:
    """Put a project under git, and give all files that are looked at in it and beside it."""
    subprocess.run(["git", "init", "-q", "-b", "TB-123-x"], check=True)  # noqa: S607  # the user's
    name = next((project / ".context").glob("TB-123_*.md")).name
    data = ProjectPaths.at(project).data_dir
    data.mkdir(parents=True, exist_ok=True)
    inside = [project / each.format(name=name) for each in IN_PROJECT]
    return [*inside, *(data / each for each in OF_USER)]


def _replaced(path: Path, make: Callable[[Path], None]) -> Iterator[None]:
    """Put something else in a file's place for a while."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = path.with_name(f"{path.name}.kept")
    was_there = os.path.lexists(path)
    if was_there:
        path.rename(kept)
    make(path)
    yield
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    if was_there:
        kept.rename(path)


@pytest.mark.parametrize(
    ("make", "command"),
    [
        *((_pipe, command) for command in COMMANDS),
        *((make, command) for make in (_dangling, _socket, _folder) for command in COMMANDS[:3]),
    ],
)
def test_what_is_no_file(
    rove: "Rove", files: list[Path], command: tuple[str, ...], make: Callable[[Path], None]
) -> None:
    """The command ends, and never as a fault of Rove's own."""
    for path in files:
        for _ in _replaced(path, make):
            outcome = rove(*command)

            assert "ROVE-BUG" not in outcome.err, path
            assert outcome.code in {0, 1, 3, 5, 7}, (path, outcome)
