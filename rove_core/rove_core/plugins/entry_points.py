"""List the entry points of installed plugins, which also give plugins their names."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Final

from attrs import frozen

from rove_core.errors import PluginFailed

#: The entry-point group in which every plugin announces itself.
GROUP: Final = "rove"


@frozen
class EntryPoint:
    """A plugin's entry point.

    Attributes:
        name: Its name.
        distribution: The distribution that announces it.
        version: That distribution's version.
        load: Imports the plugin.
        module: The module that it names; empty if that is unknown.
    """

    name: str
    distribution: str
    version: str
    load: Callable[[], object]
    module: str = ""


def installed_entry_points() -> Iterator[EntryPoint]:
    """Yield the entry points of all plugins; a broken entry-point file hides only its own."""
    from importlib_metadata import distributions  # noqa: PLC0415  # 40 ms that only this pays

    seen: set[str] = set()
    for distribution in distributions():
        if f"[{GROUP}]" not in (distribution.read_text("entry_points.txt") or ""):
            continue
        home = distribution.name, distribution.version
        if home[0] in seen:  # A second copy, later on the path, is never imported.
            continue
        seen.add(home[0])
        try:
            points = distribution.entry_points.select(group=GROUP)
        except Exception as error:  # noqa: BLE001  # its reader raises whatever comes to it
            yield EntryPoint(home[0], *home, partial(_unreadable, error))
        else:
            yield from (
                EntryPoint(point.name, *home, point.load, point.module)
                for point in points
                if _is_enabled(point.name)
            )


def plugin_name(distribution: str, name: str) -> str:
    """Return the name of a plugin, made from its distribution and its entry point."""
    return f"{distribution}/{name}"


def _is_enabled(name: str) -> bool:
    limit = os.environ.get("ROVE_LOAD_PLUGINS")
    return limit is None or name in {part.strip() for part in limit.split(",")}


def _unreadable(error: Exception) -> ModuleType:
    from rove_core.plugins.calls import error_line  # noqa: PLC0415  # the server calls no plugin

    raise PluginFailed(f"its entry_points.txt cannot be read: {error_line(error)}") from error
