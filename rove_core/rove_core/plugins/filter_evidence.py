"""Find out whether an unloadable plugin may have a filter, without running its code."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from rove_core.plugins.entry_points import installed_entry_points, plugin_name

FILTER: Final = "rove_filter_item"

#: A plugin names its hook, or imports it from another module along with all other names.
_SIGNS: Final = (FILTER.encode(), b"import *")
_SUFFIXES: Final = frozenset({".py", ".pyc", ".pyd", ".so"})
#: Reading more would delay the process that starts the next build.
_MOST_FILES: Final = 2_000
_MOST_BYTES: Final = 32 * 2**20


def may_filter(name: str) -> bool:
    """Return whether an installed plugin may have a filter.

    Its files are searched for the name of the hook. A plugin that cannot be read counts as having
    one; a plugin that is no longer installed has none.

    Args:
        name: The plugin's name: its distribution and its entry point.
    """
    for point in installed_entry_points():
        if plugin_name(point.distribution, point.name) == name:
            return _mentions_filter(point.module)
    return False


def _mentions_filter(module: str) -> bool:
    package = module.partition(".")[0]
    # A broken installation may make the import system raise anything.
    with suppress(Exception):
        files = [*islice(_files(package), _MOST_FILES + 1)]
        if files and len(files) <= _MOST_FILES and _size(files) <= _MOST_BYTES:
            return any(sign in file.read_bytes() for file in files for sign in _SIGNS)
    return True


def _files(package: str) -> Iterator[Path]:
    """Yield the files with code of a top-level module, without importing it."""
    from importlib.util import find_spec  # noqa: PLC0415  # rarely needed

    spec = find_spec(package)
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        yield Path(spec.origin or "")
    for folder in spec.submodule_search_locations or ():
        yield from (each for each in Path(folder).rglob("*") if each.suffix in _SUFFIXES)


def _size(files: list[Path]) -> int:
    return sum(each.stat().st_size for each in files)
