"""The current checkout: its folder and branch, read without running git."""

from pathlib import Path
from typing import Final

from rove_core.project.paths import first_line, own_git_folder, project_root

_REF: Final = "ref: refs/heads/"


def checkout_of(project: Path, start: Path | None = None) -> Path:
    """Return the checkout that contains a folder: the main one, or a worktree.

    Args:
        project: The project's folder.
        start: The folder; the current one unless given. Outside of the project, the project
            itself is meant.
    """
    here = Path.cwd() if start is None else start
    if Path(project_root(str(here))) != project:
        return project
    return next((each for each in (here, *here.parents) if (each / ".git").exists()), project)


def branch_of(checkout: Path) -> str:
    """Return the branch that a checkout is on; empty without git, and between branches."""
    git = own_git_folder(str(checkout))
    head = first_line(f"{git}/HEAD") if git else ""
    return head.removeprefix(_REF) if head.startswith(_REF) else ""
