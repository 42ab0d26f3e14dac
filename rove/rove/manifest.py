"""What the installed plugins add to the command line, known without loading any of them.

The list is made once by loading them all, and kept until something is installed or removed.
"""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rove_core.errors import RoveError
from rove_core.project.paths import data_dir
from rove_core.store.files import private_folder, read_file, write_atomic


def plugin_commands(*, anew: bool = False) -> Mapping[str, str]:
    """Return the commands that plugins bring, with their titles.

    Args:
        anew: Whether to load the plugins: whoever works on one installs it only once.
    """
    stamp = _stamp()
    kept = None if anew else _kept(stamp)
    return _made(stamp) if kept is None else kept


def _kept(stamp: list[str]) -> Mapping[str, str] | None:
    """Return the list as it was kept; None if there is none, or not of what is installed now."""
    with suppress(RoveError, OSError, ValueError, KeyError, TypeError, RecursionError):
        kept = json.loads(read_file(_place()))
        if kept["stamp"] == stamp:
            return {str(command): str(title) for command, title in dict(kept["commands"]).items()}
    return None


def _made(stamp: list[str]) -> Mapping[str, str]:
    from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # it loads every plugin

    commands = {
        operation.command: operation.title
        for plugin in load_plugins().working
        for operation in plugin.operations
    }
    # A folder that cannot be written only means that the next help page is as slow as this one.
    with suppress(RoveError):
        private_folder(_place().parent)
        write_atomic(_place(), json.dumps({"stamp": stamp, "commands": commands}).encode())
    return commands


def _place() -> Path:
    return Path(data_dir(), "plugin-commands.json")


def _stamp() -> list[str]:
    """Return what changes when something is installed: the folders' times, and the limit."""
    limit = os.environ.get("ROVE_LOAD_PLUGINS", "*")
    # The first entry is the folder of whatever was started; nothing is installed there.
    return [limit, sys.executable, *map(_folder_stamp, sys.path[1:])]


def _folder_stamp(folder: str) -> str:
    try:
        return f"{folder}:{os.stat(folder).st_mtime_ns}"  # noqa: PTH116  # a Path for each is dear
    except OSError:
        return folder
