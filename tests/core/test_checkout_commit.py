"""The commit of a checkout, read without running git."""

from pathlib import Path

import pytest

from rove_core import commit_of

ID = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout on a branch without a commit."""
    git = tmp_path / "checkout" / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    return tmp_path / "checkout"


def test_of_a_branch(checkout: Path) -> None:
    """The commit of a branch is in the branch's file."""
    (checkout / ".git" / "refs" / "heads" / "main").write_text(f"{ID}\n", "utf-8")

    assert commit_of(checkout) == ID


def test_between_branches(checkout: Path) -> None:
    """A checkout on no branch is at the commit that HEAD names."""
    (checkout / ".git" / "HEAD").write_text(f"{ID}\n", "utf-8")

    assert commit_of(checkout) == ID


def test_of_a_worktree(checkout: Path, tmp_path: Path) -> None:
    """A worktree has a HEAD of its own, and shares the branches."""
    own = checkout / ".git" / "worktrees" / "other"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/other\n", "utf-8")
    (own / "commondir").write_text("../..\n", "utf-8")
    (checkout / ".git" / "refs" / "heads" / "other").write_text(f"{ID}\n", "utf-8")
    worktree = tmp_path / "other"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {own}\n", "utf-8")

    assert commit_of(worktree) == ID


def test_of_a_new_branch(checkout: Path) -> None:
    """A branch without a commit has none."""
    assert commit_of(checkout) == ""


def test_without_git(tmp_path: Path) -> None:
    """A folder that is in no repository has no commit."""
    assert commit_of(tmp_path) == ""


@pytest.mark.parametrize("name", [".git", "HEAD"])
def test_below_a_repository(tmp_path: Path, name: str) -> None:
    """What is below a repository, or in a bare one, is left to git."""
    (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()

    assert commit_of(tmp_path / "folder") is None


@pytest.mark.parametrize(
    "head",
    ["ref: refs/heads/.invalid", "ref: refs/heads/../../secret", "ref: refs/bisect/bad", "main"],
)
def test_what_only_git_knows(checkout: Path, head: str) -> None:
    """A HEAD of another form is left to git."""
    (checkout / ".git" / "HEAD").write_text(f"{head}\n", "utf-8")

    assert commit_of(checkout) is None


def test_a_packed_branch(checkout: Path) -> None:
    """A branch that git may have packed away is left to git."""
    (checkout / ".git" / "packed-refs").write_text(f"{ID} refs/heads/main\n", "utf-8")

    assert commit_of(checkout) is None


def test_no_commit_in_a_branch(checkout: Path) -> None:
    """What is no id in a branch's file is left to git."""
    (checkout / ".git" / "refs" / "heads" / "main").write_text("ref: refs/heads/x\n", "utf-8")

    assert commit_of(checkout) is None
