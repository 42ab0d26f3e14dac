"""The current checkout: its folder and branch, read without running git."""

from pathlib import Path
from typing import Final

from rove_core.project.paths import first_line, git_folder, own_git_folder, project_root

_REF: Final = "ref: refs/heads/"
#: The digits of a commit's id: SHA-1 or SHA-256.
_LENGTHS: Final = (40, 64)


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


def commit_of(checkout: Path) -> str | None:
    """Return the commit that a checkout is at; empty if there is none, None if only git knows.

    Git alone knows a branch that it has packed away or keeps in another format, and a repository
    that begins further up.
    """
    own, shared = own_git_folder(str(checkout)), git_folder(str(checkout))
    if own is None or shared is None:
        above = (checkout, *checkout.parents)
        is_below = any((each / name).exists() for each in above for name in (".git", "HEAD"))
        return None if is_below else ""
    head = first_line(f"{own}/HEAD")
    if _is_id(head):
        return head
    branch = head.removeprefix(_REF)
    if not head.startswith(_REF) or branch.startswith(".") or ".." in branch:
        return None
    commit = first_line(f"{shared}/refs/heads/{branch}")
    if _is_id(commit):
        return commit
    is_new = not commit and not Path(shared, "packed-refs").exists()
    return "" if is_new and Path(shared, "refs").is_dir() else None


def _is_id(text: str) -> bool:
    return len(text) in _LENGTHS and not set(text) - set("0123456789abcdef")
