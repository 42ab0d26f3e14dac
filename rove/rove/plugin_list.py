"""The list of installed plugins, kept while the files of Rove's own plugins stay as they are.

It is kept only where all plugins are Rove's own: the author of another one gets a fresh look.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rove_core.errors import RoveError
from rove_core.project.paths import data_dir
from rove_core.store.files import private_folder, read_file, write_atomic

_ACCOUNTS: Final = "accounts.toml"


def cached_plugins(stamp: Sequence[str]) -> Sequence[Mapping[str, Any]] | None:
    """Return the rows of the list; None if there are none, or something changed since.

    Args:
        stamp: What changes when something is installed.
    """
    stored = _read_list(stamp)
    return stored.get("plugins") if stored else None


def is_unchanged(stamp: Sequence[str]) -> bool:
    """Return whether the plugins are Rove's own, and as they were when they were last loaded."""
    return _read_list(stamp) is not None


def keep_plugins(
    stamp: Sequence[str],
    packages: Iterable[str],
    rows: Sequence[Mapping[str, Any]] | None = None,
) -> None:
    """Keep the list, with the times of the modules that were loaded to make it.

    Args:
        stamp: What changes when something is installed.
        packages: The plugins' packages; all of them are Rove's own, and work.
        rows: The rows of the list, if it was made.
    """
    # No home, or a folder that cannot be written, only means that the next list takes as long.
    with suppress(RoveError):
        payload = {"stamp": list(stamp), "files": _times(_modules_of(packages)), "plugins": rows}
        private_folder(_place().parent)
        write_atomic(_place(), json.dumps(payload).encode())


def _read_list(stamp: Sequence[str]) -> Mapping[str, Any] | None:
    with suppress(RoveError, OSError, ValueError, KeyError, TypeError, RecursionError):
        stored = json.loads(read_file(_place()))
        files = dict(stored["files"])
        if stored["stamp"] == list(stamp) and files and files == _times(files):
            return dict(stored)
    return None


def _modules_of(packages: Iterable[str]) -> list[str]:
    """Return the files of the loaded modules of some packages, and the user's accounts."""
    tops = {package.partition(".")[0] for package in packages}
    files = [
        module.__file__
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in tops and getattr(module, "__file__", None)
    ]
    # Plugins are refused the kinds of accounts that another distribution made.
    return [*sorted(filter(None, files)), str(_place().with_name(_ACCOUNTS))]


def _times(files: Iterable[str]) -> dict[str, int]:
    return {file: _time_of(file) for file in files}


def _time_of(file: str) -> int:
    try:
        return os.stat(file).st_mtime_ns  # noqa: PTH116  # a Path for each is dear
    except OSError:
        return 0


def _place() -> Path:
    return Path(data_dir(), "plugin-list.json")
