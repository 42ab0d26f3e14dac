"""Answer ``--version``, ``--find`` and ``--api-find`` with ``argv`` and SQLite alone.

It may only say yes. Whatever it does not fully understand, or does not find, it leaves to the
command line proper, which knows how to explain.
"""
# pathlib takes longer to import than the whole answer may take.

import os

from rove import __version__
from rove_core.project.paths import is_own_folder, project_root
from rove_core.store.last_use import record_use


def answer(arguments: list[str]) -> bytes | None:
    """Return what to print, or None to leave the question to Click."""
    if "_ROVE_COMPLETE" in os.environ:
        return None
    match arguments:
        case ["--version"]:
            return f"rove {__version__}\n".encode()
        case ["--find" | "--api-find" as flag, ticket] if not ticket.startswith("-"):
            return _find(flag, ticket)
        case [argument]:
            name, _, ticket = argument.partition("=")
            return _find(name, ticket) if name in {"--find", "--api-find"} else None
    return None


def _find(flag: str, ticket: str) -> bytes | None:
    if not ticket:
        return None
    from rove_core.store.lookup import find_filename  # noqa: PLC0415  # --version needs no SQLite

    try:
        root = project_root(os.getcwd())
    except OSError:
        return None
    if not is_own_folder(f"{root}/.rove") or not is_own_folder(f"{root}/.context"):
        return None
    name = find_filename(f"{root}/.rove/index.db", ticket)
    path = f"{root}/.context/{name}"
    if not name or not os.path.isfile(path):
        return None
    record_use(f"{root}/.rove", name)
    return os.fsencode(path if flag == "--find" else name) + b"\n"
