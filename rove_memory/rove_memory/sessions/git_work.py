"""Git facts of a checkout: its commit, and changes since one."""

import re
from pathlib import Path
from typing import Final

from attrs import frozen

from rove_memory.git import changed_files, git_lines

_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}")
_MOST: Final = 500
#: Rove's own files are not the agent's work.
_OURS: Final = (".rove/", ".context/")


@frozen(kw_only=True)
class GitWork:
    """Files and commits of the work in a checkout.

    Attributes:
        files: Paths of changed files, committed or not.
        commits: Ids of commits, the newest first.
    """

    files: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()


def work_since(checkout: Path, commit: str) -> GitWork:
    """Return the commits after one, and the files changed in them or not yet committed."""
    if not _COMMIT.fullmatch(commit):
        return GitWork()
    commits = git_lines(checkout, "rev-list", f"--max-count={_MOST}", f"{commit}..HEAD")
    changed = changed_files(checkout, commit)
    new = git_lines(checkout, "ls-files", "--others", "--exclude-standard")
    files = [path for path in dict.fromkeys([*changed, *new]) if not path.startswith(_OURS)]
    return GitWork(files=tuple(files[:_MOST]), commits=tuple(commits))
