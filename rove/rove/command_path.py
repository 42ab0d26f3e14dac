"""Find this installation's ``rove`` command, and check PATH."""

import shutil
import sys
from pathlib import Path
from shlex import quote


def command_path() -> Path:
    """Return where this installation has its command."""
    return Path(sys.executable).with_name("rove")


def command_folder() -> Path:
    """Return the folder that belongs on PATH.

    ``uv tool`` and ``pipx`` keep the command in an environment of its own, and link to it from a
    folder that PATH may name: whoever typed the link is shown that folder.
    """
    own, typed = command_path(), Path(sys.argv[0]).absolute()
    is_link = typed.name == own.name and own.exists() and typed.exists() and typed.samefile(own)
    return typed.parent if is_link else own.parent


def typed_command() -> str:
    """Return the command that runs this installation: ``rove``, or its path."""
    return "rove" if shutil.which("rove") else quote(str(command_path()))


def path_note() -> str:
    """Return what to do when no shell finds ``rove``; empty if one does."""
    if shutil.which("rove"):
        return ""
    return (
        "rove is not on PATH, so your agent cannot call it. Install it for your shell with "
        f"uv tool or pipx, or add this folder to PATH: {command_folder()}"
    )
