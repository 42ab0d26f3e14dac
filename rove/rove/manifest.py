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
from rove_core.files import private_folder, write_atomic
from rove_core.places import data_dir


def plugin_commands() -> Mapping[str, str]:
    """Return the commands that plugins bring, with their titles."""
    path = Path(data_dir()) / "plugin-commands.json"
    stamp = _stamp()
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(path.read_bytes())
        if kept["stamp"] == stamp:
            return dict(kept["commands"])
    commands = _loaded()
    # A folder that cannot be written only means that the next help page is as slow as this one.
    with suppress(RoveError):
        private_folder(path.parent)
        write_atomic(path, json.dumps({"stamp": stamp, "commands": commands}).encode())
    return commands


def _loaded() -> dict[str, str]:
    from rove_core.plugins import load_plugins  # noqa: PLC0415  # it loads every plugin

    return {
        operation.command: operation.title
        for plugin in load_plugins().working
        for operation in plugin.operations
    }


def _stamp() -> list[str]:
    """Return what changes when something is installed: the folders' times, and the limit."""
    limit = os.environ.get("ROVE_LOAD_PLUGINS", "*")
    # The first entry is the folder of whatever was started; nothing is installed there.
    folders = [folder for folder in map(Path, sys.path[1:]) if folder.is_dir()]
    return [limit, sys.executable, *(f"{f}:{f.stat().st_mtime_ns}" for f in folders)]
