"""``rove prime``: an agent learns which ticket it is on, and where its document is."""

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.app.conftest import Rove


def checkout(folder: Path, branch: str) -> None:
    """Make a repository of a folder, on a branch."""
    subprocess.run(["git", "init", "-q", "-b", branch, folder], check=True)  # noqa: S603, S607  # git itself


@pytest.mark.parametrize(
    "branch", ["TB-123", "feature/tb-123-enterprise-login", "ann/tb-123_login"]
)
def test_the_ticket_of_the_branch_is_named(branch: str, project: Path, rove: "Rove") -> None:
    """However the branch spells it; the path of its document stands on a line of its own."""
    checkout(project, branch)
    outcome = rove("prime")
    (document,) = (project / ".context").glob("TB-123_*.md")

    assert outcome.code == 0
    assert outcome.out.startswith("This branch is about TB-123.")
    assert str(document) in outcome.out.splitlines()


@pytest.mark.parametrize("branch", ["main", "feature/tb-1234", "release-1.2"])
def test_another_branch_prints_nothing(branch: str, project: Path, rove: "Rove") -> None:
    """A session that is about no known ticket is told nothing, and nothing failed."""
    checkout(project, branch)
    outcome = rove("prime")

    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")


def test_a_ticket_may_be_named(project: Path, rove: "Rove") -> None:
    """Its document is found whatever the branch is about."""
    checkout(project, "main")
    outcome = rove("prime", "TB-123")
    (document,) = (project / ".context").glob("TB-123_*.md")

    assert outcome.out.startswith("The ticket is TB-123.")
    assert str(document) in outcome.out.splitlines()


def test_without_git_nothing_is_printed(empty: Path, rove: "Rove") -> None:  # noqa: ARG001  # it is the project
    """A folder need not be a repository."""
    outcome = rove("prime")

    assert (outcome.code, outcome.out) == (0, "")


def test_a_ticket_without_a_document_can_be_built(tracking: Path, rove: "Rove") -> None:
    """Where a source is in use, the command that gathers what was said is named."""
    checkout(tracking, "fix/TR-7-crash")
    outcome = rove("prime")

    assert "rove --ticket TR-7" in outcome.out


def test_a_worktree_has_its_own_branch(
    project: Path, tmp_path: Path, rove: "Rove", monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document is that of the main worktree's project, the branch is that of this one."""
    checkout(project, "main")
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    for command in (
        [*who, "commit", "-q", "--allow-empty", "-m", "Begin"],
        ["worktree", "add", "-q", "-b", "TB-123-login", str(tmp_path / "worktree")],
    ):
        subprocess.run(["git", *command], cwd=project, check=True)  # noqa: S603, S607  # git itself
    monkeypatch.chdir(tmp_path / "worktree")
    outcome = rove("prime")

    assert str(project / ".context") in outcome.out


def test_the_linked_folder_is_listed_on_request(
    project: Path, rove: "Rove", tmp_path: Path
) -> None:
    """With --folder the files of the linked folder follow, whatever the branch names."""
    files = tmp_path / "files"
    files.mkdir()
    (files / "brief.md").write_text("# Kickoff\n\nThe shop opens on 3 May.\n")
    checkout(project, "main")
    rove("folder", "link", str(files))
    rove("folder", "scan")

    assert rove("prime").out == ""
    assert rove("prime", "--folder").out.splitlines()[-2:] == [
        "- /brief.md [text] Kickoff. The shop opens on 3 May",
        "</linked_folder>",
    ]
