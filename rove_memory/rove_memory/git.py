"""Run git in a checkout without running anything that its configuration names."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_TIMEOUT: Final = 10.0
#: How variables begin that a repository, or a program that it names, has no business with.
_NOT_GITS: Final = ("GIT_", "ROVE_")
#: A repository may name programs in its own settings; none of them is run.
_SAFE: Final = (
    "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
)  # fmt: skip


def changed_files(checkout: Path, commit: str) -> list[str]:
    """Return the paths of tracked files that differ from a commit, committed or not.

    To compare a file with what is committed git runs the filters that a repository names; here
    each of them is switched off by its name.
    """
    named = git_lines(checkout, "config", "--name-only", "--get-regexp", r"^filter\..*\.")
    filters = dict.fromkeys(name.rpartition(".")[0] for name in named)
    settings = [
        (f"{each}.{key}", value)
        for each in filters
        for key, value in (("clean", ""), ("process", ""), ("required", "false"))
    ]
    return git_lines(
        checkout, "diff", "--name-only", "--no-ext-diff", "--no-textconv", commit, settings=settings
    )


def git_lines(
    checkout: Path, *arguments: str, settings: Sequence[tuple[str, str]] = ()
) -> list[str]:
    """Return the lines that git prints in a checkout; none when it fails or is not there.

    Args:
        checkout: The checkout.
        arguments: What git is asked.
        settings: Settings of git that hold for this call, and not those of the repository.
    """
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(_NOT_GITS)},
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
        "GIT_CONFIG_COUNT": str(len(settings)),
    }
    for number, (key, value) in enumerate(settings):
        environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
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
