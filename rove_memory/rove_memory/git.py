"""Run git in a checkout without running anything that its configuration names."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rove_core import commit_of, git_obstacle

_TIMEOUT: Final = 10.0
#: Prefixes of variables that git must not see.
_NOT_GITS: Final = ("GIT_", "ROVE_")
#: A repository may name programs in its own settings; none of them is run.
_SAFE: Final = (
    "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
)  # fmt: skip


def head_commit(checkout: Path) -> str:
    """Return the commit a checkout is at; empty without git or before the first commit."""
    # To start git takes longer than all else that starts a session.
    if (commit := commit_of(checkout)) is not None:
        return commit
    return next(iter(git_lines(checkout, "rev-parse", "--verify", "-q", "HEAD")), "")


def has_commit(checkout: Path, commit: str) -> bool:
    """Return whether the repository of a checkout has a commit."""
    return bool(git_lines(checkout, "rev-parse", "--verify", "-q", f"{commit}^{{commit}}"))


def changed_files(checkout: Path, commit: str) -> list[str]:
    """Return the paths of tracked files that differ from a commit, committed or not.

    git runs the repository's filters to compare a file with its committed version, so each of
    them is switched off by name.
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
    """Return the lines that git prints in a checkout; none if git fails or is not installed.

    Args:
        checkout: The checkout.
        arguments: The arguments of git.
        settings: Git settings for this call, which override those of the repository.
    """
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(_NOT_GITS)},
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
        "GIT_CONFIG_COUNT": str(len(settings)),
    }
    for number, (key, value) in enumerate(settings):
        environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    if git_obstacle(str(checkout)):
        return []
    import subprocess  # noqa: PLC0415  # outside of a repository nothing is run

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
