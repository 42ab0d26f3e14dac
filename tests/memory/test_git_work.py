"""What git says of the work in a checkout, without running what the repository names."""

import subprocess
from pathlib import Path

import pytest

from rove_memory.git import head_commit
from rove_memory.sessions.git_work import work_since


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)  # noqa: S603, S607  # our own words


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with one commit."""
    _git(tmp_path, "init", "--quiet")
    (tmp_path / "a.txt").write_text("one\n")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "one")
    return tmp_path


@pytest.mark.parametrize("name", ["evil", "ev.il", "e=vil"])
@pytest.mark.parametrize("kind", ["clean", "process"])
def test_filters_of_a_repository_are_not_run(checkout: Path, name: str, kind: str) -> None:
    """A changed file is named without the program that the repository's settings name for it."""
    before, mark = head_commit(checkout), checkout / "ran"
    (checkout / ".git" / "info" / "attributes").write_text(f"* filter={name}\n")
    settings = checkout / ".git" / "config"
    program = f'[filter "{name}"]\n\t{kind} = touch {mark}; cat\n\trequired = true\n'
    settings.write_text(settings.read_text("utf-8") + program)
    (checkout / "a.txt").write_text("two\n")

    assert work_since(checkout, before).files == ("a.txt",)
    assert not mark.exists()
