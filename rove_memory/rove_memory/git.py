"""Asking git about a checkout, without running what the repository names in its settings."""

import os
import subprocess
from pathlib import Path
from typing import Final

_TIMEOUT: Final = 10.0
#: A repository may name programs in its own settings; none of them is run.
_SAFE: Final = (
    "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
)  # fmt: skip


def git_lines(checkout: Path, *arguments: str) -> list[str]:
    """Return the lines that git prints in a checkout; none when it fails or is not there."""
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
