"""What git says of the work in a checkout: its commit, and what changed since one."""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

from attrs import frozen

_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}")
_TIMEOUT: Final = 10.0
_MOST: Final = 500
#: Rove's own files are no work of the agent's.
_OURS: Final = (".rove/", ".context/")
#: A repository may name programs in its own settings; none of them is run.
_SAFE: Final = (
    "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
)  # fmt: skip


@frozen(kw_only=True)
class GitWork:
    """What was done in a checkout.

    Attributes:
        files: Paths of changed files, committed or not.
        commits: Ids of commits, the newest first.
    """

    files: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()


def head_commit(checkout: Path) -> str:
    """Return the commit a checkout is at; empty without git or before the first commit."""
    return next(iter(_git(checkout, "rev-parse", "--verify", "-q", "HEAD")), "")


def work_since(checkout: Path, commit: str) -> GitWork:
    """Return the commits after one, and the files changed in them or not yet committed."""
    if not _COMMIT.fullmatch(commit):
        return GitWork()
    commits = _git(checkout, "rev-list", f"--max-count={_MOST}", f"{commit}..HEAD")
    changed = _git(checkout, "diff", "--name-only", "--no-ext-diff", "--no-textconv", commit)
    new = _git(checkout, "ls-files", "--others", "--exclude-standard")
    files = [path for path in dict.fromkeys([*changed, *new]) if not path.startswith(_OURS)]
    return GitWork(files=tuple(files[:_MOST]), commits=tuple(commits))


def _git(checkout: Path, *arguments: str) -> list[str]:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(  # noqa: S603  # no shell; a commit was checked
            ["git", "-C", str(checkout), *_SAFE, *arguments],  # noqa: S607  # the user's own git
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    if done.returncode:
        return []
    return [line for line in done.stdout.decode("utf-8", "replace").splitlines() if line]
