"""What the installed plugins add to the command line, known without loading any of them.

The list is made once by loading them all, and kept until something is installed or removed.
"""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rove.isolation import isolated
from rove_core.errors import RoveError
from rove_core.project.paths import data_dir
from rove_core.store.files import private_folder, read_file, write_atomic


class PluginCommands(NamedTuple):
    """The commands that plugins bring.

    Attributes:
        titles: Their titles, by their words.
        served: Those that a running server does.
    """

    titles: Mapping[str, str]
    served: frozenset[str]


def plugin_commands(*, anew: bool = False) -> Mapping[str, str]:
    """Return the commands that plugins bring, with their titles.

    Args:
        anew: Whether to load the plugins: whoever works on one installs it only once.
    """
    return _commands(anew=anew).titles


def is_served(command: str) -> bool:
    """Return whether a running server does a command."""
    return command in _commands(anew=False).served


def _commands(*, anew: bool) -> PluginCommands:
    stamp = _stamp()
    kept = None if anew else _kept(stamp)
    return _made(stamp) if kept is None else kept


def _kept(stamp: list[str]) -> PluginCommands | None:
    """Return the list as it was kept; None if there is none, or not of what is installed now."""
    with suppress(RoveError, OSError, ValueError, KeyError, TypeError, RecursionError):
        kept = json.loads(read_file(_place()))
        if kept["stamp"] == stamp:
            titles = {str(words): str(title) for words, title in dict(kept["commands"]).items()}
            return PluginCommands(titles, frozenset(map(str, kept["served"])))
    return None


def _made(stamp: list[str]) -> PluginCommands:
    from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # it loads every plugin

    working = load_plugins(kept_off=isolated()).working
    operations = [each for plugin in working for each in plugin.operations]
    commands = {operation.command: operation.title for operation in operations}
    served = sorted(operation.command for operation in operations if operation.served)
    # A folder that cannot be written only means that the next help page is as slow as this one.
    with suppress(RoveError):
        private_folder(_place().parent)
        listed = {"stamp": stamp, "commands": commands, "served": served}
        write_atomic(_place(), json.dumps(listed).encode())
    return PluginCommands(commands, frozenset(served))


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
