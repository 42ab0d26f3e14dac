"""Reasons why files are not read, as messages for people."""

import stat
from os import stat_result
from typing import Final

#: A file of more bytes is data, or was made by a machine.
LARGEST: Final = 1 << 20
_BINARY_WITHIN: Final = 8192
#: A folder deeper than this is nobody's work; each costs an open file.
DEEPEST: Final = 100

BINARY: Final = "binary"
DEEP: Final = "too deep"
GONE: Final = "changed or gone while it was read"
HIDDEN: Final = "hidden"
INSTALLED: Final = "installed or built here, not written"
LINK: Final = "a link"
NAME: Final = "a name that is not UTF-8"
NESTED: Final = "a repository of its own"
SPECIAL: Final = "no ordinary file"
SUBMODULE: Final = "a submodule"
TOO_LARGE: Final = "too large"
UNREADABLE: Final = "cannot be read"

_INSTALLED: Final = frozenset(
    {
        ".rove",
        "__pycache__",
        "bower_components",
        "node_modules",
        "site-packages",
        "venv",
        "virtualenv",
    }
)


def installed_folder(path: str) -> str:
    """Return the outermost folder in a path that holds what tools put there; empty for none."""
    folders = path.split("/")[:-1]
    for number, folder in enumerate(folders, 1):
        if folder in _INSTALLED:
            return "/".join(folders[:number])
    return ""


def why_not(status: stat_result) -> str:
    """Return why a path is not read; empty if it is."""
    if stat.S_ISLNK(status.st_mode):
        return LINK
    if not stat.S_ISREG(status.st_mode):
        return SPECIAL
    return TOO_LARGE if status.st_size > LARGEST else ""


def is_binary(data: bytes) -> bool:
    """Return whether a file is not a text, as git does."""
    return b"\0" in data[:_BINARY_WITHIN]
