"""Folders and files that are not as Rove needs them: one message, the next step, exit code 7."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Outcome, Rove, Spawn

READ_INDEX = [
    "",
    "--status",
    "--find TB-123",
    "--api-find TB-123",
    "--search x",
    "--api-search TB-123",
]
READ_NONE = ["--help", "--version", "--source-plugins", "sources list", "sources schema jira"]
WRITE = ["--ticket TB-123", "--add-source notes"]
EVERYWHERE = ["--help", "--version"]


def _file_as_folder(project: Path) -> None:
    (project / ".rove").rename(project / "before")
    (project / ".rove").touch()


def _folder_as_index(project: Path) -> None:
    for path in (project / ".rove").glob("index.db*"):
        path.unlink()
    (project / ".rove" / "index.db").mkdir()


def _damaged_index(project: Path) -> None:
    (project / ".rove" / "index.db").write_bytes(b"not a database" * 100)


def _linked_index(project: Path) -> None:
    (project / ".rove" / "index.db").rename(project / "index.db")
    (project / ".rove" / "index.db").symlink_to(project / "index.db")


def _refused(outcome: "Outcome") -> bool:
    """Tell whether there is one message, its next step, and the exit code for it."""
    first, second = outcome.err.splitlines()
    told = first.startswith("rove: ") and first.endswith("]") and second.startswith("      ")
    return told and outcome.code == 7


@pytest.mark.parametrize("damage", [_folder_as_index, _damaged_index, _linked_index])
@pytest.mark.parametrize("command", [*READ_INDEX, *WRITE])
def test_an_index_that_is_none(
    rove: "Rove", project: Path, damage: Callable[[Path], None], command: str
) -> None:
    """Whoever needs the index is told what is wrong with it."""
    damage(project)

    outcome = rove(*command.split())

    assert _refused(outcome)
    assert "index.db" in outcome.err


@pytest.mark.parametrize("command", READ_NONE)
def test_who_needs_no_index_works_without(rove: "Rove", project: Path, command: str) -> None:
    """A broken index stops only who needs it."""
    _folder_as_index(project)

    assert rove(*command.split()).code == 0


@pytest.mark.parametrize("command", [*READ_INDEX, *READ_NONE[2:], *WRITE])
def test_a_rove_that_is_a_file(rove: "Rove", project: Path, command: str) -> None:
    """What is not a folder is refused by every command of a project."""
    _file_as_folder(project)

    assert _refused(rove(*command.split()))


@pytest.mark.parametrize("command", EVERYWHERE)
def test_help_works_everywhere(rove: "Rove", project: Path, command: str) -> None:
    """Whoever asks for help gets it, whatever else is wrong."""
    _file_as_folder(project)

    assert rove(*command.split()).code == 0


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", READ_INDEX + EVERYWHERE)
def test_no_home_at_all(rove: "Rove", monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Help needs no home folder; what does says which variables to set."""
    for name in ("HOME", "ROVE_DATA_DIR", "ROVE_CONFIG_DIR"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(os, "getuid", lambda: 987_654_321)

    outcome = rove(*command.split())

    if command in EVERYWHERE:
        assert outcome.code == 0
    elif "find" not in command:
        assert _refused(outcome)
        assert "Set HOME" in outcome.err


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", [*READ_INDEX, *READ_NONE])
def test_a_home_where_nothing_can_be_written(
    rove: "Rove", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """What only reads needs no place to write."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "file" / "data"))

    assert rove(*command.split()).code == 0


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", WRITE)
def test_a_home_where_logins_cannot_be_written(
    rove: "Rove", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """What must write there says where it cannot."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "file" / "data"))

    outcome = rove(*command.split())

    assert _refused(outcome)
    assert "file/data" in outcome.err


@pytest.mark.parametrize("command", [*READ_INDEX, *READ_NONE, *WRITE])
def test_a_folder_that_is_gone(rove: "Rove", empty: Path, command: str) -> None:
    """Who works in a folder that somebody removed is told to leave it."""
    empty.rmdir()

    outcome = rove(*command.split())

    if command in EVERYWHERE:
        assert outcome.code == 0
    else:
        assert _refused(outcome)
        assert "the current folder is gone" in outcome.err


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("blocks", [0, 8])
def test_a_disk_that_is_full(spawn: "Spawn", blocks: int) -> None:
    """A file that cannot be written is named; nothing is half done."""
    run = spawn("--demo", "sample", line=f'ulimit -f {blocks}; exec "$@"')

    out, err = run.communicate()

    assert (run.returncode, out) == (7, "")
    assert "cannot be" in err
    assert "Traceback" not in err


def test_python_without_docstrings(spawn: "Spawn") -> None:
    """Where Python leaves out docstrings, as ``-OO`` has it, commands still work."""
    run = spawn("search", "words", line='exec env PYTHONOPTIMIZE=2 "$@"')

    said = "rove: no document matches 'words'\n"
    assert (*run.communicate(timeout=180), run.returncode) == ("", said, 0)
