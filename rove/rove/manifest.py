"""Commands and settings of installed plugins, cached so that plugins are not loaded.

The list is made once by loading them all, and kept until something is installed or removed.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from rove.isolation import isolated
from rove_core.errors import RoveError
from rove_core.project.paths import data_dir
from rove_core.store.files import private_folder, read_file, write_atomic

if TYPE_CHECKING:
    from rove_core.operations import Operation
    from rove_core.plugins.installed_plugins import Plugin
    from rove_core.plugins.kept_off import AllKeptOff
    from rove_core.project.local import LocalProject
    from rove_core.project.settings import Settings
    from rove_core.project.settings.plugin_section import AnySettingsSection
    from rove_core.sources import AnySourceKind


class PluginHome(NamedTuple):
    """The module and distribution of an operation."""

    module: str
    distribution: str


class PluginManifest(NamedTuple):
    """Additions of plugins.

    Attributes:
        titles: The titles of their commands, by the commands' words.
        groups: What the commands that begin with a word are for.
        homes: Where the operation of each command is.
        served: The commands that a running server does.
        settings: The modules that bring settings.
        kinds: The module that brings each kind of source.
        is_own: Whether all installed plugins are among those that Rove is made of.
        has_broken: Whether a plugin failed, whose commands are not listed.
    """

    titles: Mapping[str, str]
    groups: Mapping[str, str]
    homes: Mapping[str, PluginHome]
    served: frozenset[str]
    settings: Sequence[str]
    kinds: Mapping[str, str]
    is_own: bool
    has_broken: bool = False


def plugin_commands(*, anew: bool = False) -> Mapping[str, str]:
    """Return the commands of plugins, with their titles.

    Args:
        anew: Whether to load the plugins: whoever works on one installs it only once.
    """
    return _manifest(anew=anew).titles


def plugin_groups() -> Mapping[str, str]:
    """Return the help texts of plugins' command groups."""
    return _manifest(anew=False).groups


def is_served(command: str) -> bool:
    """Return whether a running server does a command."""
    return command in _manifest(anew=False).served


def isolated_from_others() -> "AllKeptOff":
    """Run the plugins in a child, as :func:`isolated` does, unless Rove's own are all there are.

    A child costs more than most of the commands that need a plugin's settings or lines.
    """
    return {} if _manifest(anew=False).is_own else isolated()


def has_broken_plugin() -> bool:
    """Return whether a plugin failed, whose commands are missing."""
    return _manifest(anew=False).has_broken


def plugin_operation(command: str) -> "tuple[Operation, str] | None":
    """Return the operation of a plugin's command, and the plugin's distribution.

    Only the module that defines it is imported. None if no plugin brings the command, or if this
    one fails: whoever loads all plugins names the failure.
    """
    home = _manifest(anew=False).homes.get(command)
    if home is None:
        return None
    # Standard output is for the result, even while a plugin is imported.
    with suppress(Exception), redirect_stdout(sys.stderr):
        operations = _operations_in(import_module(home.module))
        found = next((each for each in operations if each.command == command), None)
        return (found, home.distribution) if found else None
    return None


def plugin_kind(name: str) -> "AnySourceKind | None":
    """Return a kind of source; only its plugin is imported. None if that fails, as above."""
    home = _manifest(anew=False).kinds.get(name)
    with suppress(Exception), redirect_stdout(sys.stderr):
        brought: Sequence[AnySourceKind] = import_module(home).rove_sources() if home else ()
        return next((each for each in brought if each.name == name), None)
    return None


def kind_of(rove: "LocalProject", name: str) -> "AnySourceKind | None":
    """Return a kind of source; all plugins are loaded only if the list of them lacks it."""
    kind = None if rove.kept_off else plugin_kind(name)
    return kind or rove.plugins.kinds.get(name)


def plugin_sections(*, anew: bool = False) -> "tuple[AnySettingsSection, ...]":
    """Return the settings sections of plugins, importing only plugins that have one.

    Args:
        anew: Whether to load all plugins, as above.
    """
    kept_off = isolated() if anew else isolated_from_others()
    if not anew and not kept_off:
        # What fails now is named by whoever loads the plugins.
        with suppress(Exception):
            modules = [import_module(name) for name in _manifest(anew=False).settings]
            return tuple(chain.from_iterable(module.rove_settings() for module in modules))
    from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # it loads every plugin

    return load_plugins(kept_off=kept_off).sections


def full_settings(project: "LocalProject") -> "Settings":
    """Return the settings of a project, including the sections of plugins."""
    from rove_core.project.settings import load_settings  # noqa: PLC0415  # few commands need it

    settings = load_settings(project.places, sections=plugin_sections())
    if settings.has_unread_sections:
        # The author of a plugin installs it only once, in editable mode.
        settings = load_settings(project.places, sections=plugin_sections(anew=True))
    return settings


def _manifest(*, anew: bool) -> PluginManifest:
    stamp = installation_stamp()
    manifest = None if anew and not _is_unchanged(stamp) else _cached(stamp)
    if manifest is None or (anew and manifest.has_broken):
        return _build_manifest(stamp)
    return manifest


def _is_unchanged(stamp: list[str]) -> bool:
    """Return whether loading the plugins again would show what the manifest says."""
    from rove.plugin_list import is_unchanged  # noqa: PLC0415  # only a mistake needs it

    return is_unchanged(stamp)


def _cached(stamp: list[str]) -> PluginManifest | None:
    """Return the cached manifest; None if it is missing or out of date."""
    with suppress(RoveError, OSError, ValueError, KeyError, TypeError, RecursionError):
        stored = json.loads(read_file(_place()))
        if stored["stamp"] == stamp:
            titles = {str(words): str(title) for words, title in dict(stored["commands"]).items()}
            groups = {str(word): str(about) for word, about in dict(stored["groups"]).items()}
            homes = {
                str(words): PluginHome(str(module), str(distribution))
                for words, (module, distribution) in dict(stored["homes"]).items()
            }
            served = frozenset(map(str, stored["served"]))
            settings = [str(name) for name in stored["settings"]]
            kinds = {str(kind): str(module) for kind, module in dict(stored["kinds"]).items()}
            is_own = bool(stored["is_own"])
            has_broken = bool(stored["has_broken"])
            return PluginManifest(
                titles, groups, homes, served, settings, kinds, is_own, has_broken
            )
    return None


def _build_manifest(stamp: list[str]) -> PluginManifest:
    from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # it loads every plugin
    from rove_core.plugins.shipped_packages import SHIPPED  # noqa: PLC0415  # a list that is kept needs none

    loaded = load_plugins(kept_off=isolated())
    working = loaded.working
    installed = {each.distribution for each in working}
    installed |= {each.distribution for each in loaded.broken}
    is_own = installed <= SHIPPED
    operations = [each for plugin in working for each in plugin.operations]
    settings = [plugin.module for plugin in working if plugin.settings]
    commands = {operation.command: operation.title for operation in operations}
    groups = {each.command.partition(" ")[0]: each.group for each in operations if each.group}
    homes = {
        operation.command: PluginHome(_home_of(operation, plugin), plugin.distribution)
        for plugin in working
        for operation in plugin.operations
    }
    kinds = {kind.name: plugin.module for plugin in working for kind in plugin.kinds}
    served = sorted(operation.command for operation in operations if operation.served)
    # A folder that cannot be written only means that the next help page is as slow as this one.
    with suppress(RoveError):
        private_folder(_place().parent)
        listed = {
            "stamp": stamp,
            "commands": commands,
            "groups": groups,
            "homes": homes,
            "served": served,
            "settings": settings,
            "kinds": kinds,
            "is_own": is_own,
            "has_broken": bool(loaded.broken),
        }
        write_atomic(_place(), json.dumps(listed).encode())
    if is_own and not loaded.broken:
        from rove.plugin_list import keep_plugins  # noqa: PLC0415  # a list that is kept needs none

        keep_plugins(stamp, [plugin.module for plugin in working])
    return PluginManifest(
        commands,
        groups,
        homes,
        frozenset(served),
        settings,
        kinds,
        is_own,
        bool(loaded.broken),
    )


def _home_of(operation: "Operation", plugin: "Plugin") -> str:
    """Return the module that defines an operation, else the plugin's: one module loads faster."""
    beside = sys.modules.get(operation.function.__module__)
    is_there = beside is not None and operation in _operations_in(beside)
    return beside.__name__ if beside and is_there else plugin.module


def _operations_in(module: ModuleType) -> "Sequence[Operation]":
    """Return the operations that a plugin provides, or that one of its modules defines."""
    if bring := getattr(module, "rove_operations", None):
        return tuple(bring())
    from rove_core.operations import Operation  # noqa: PLC0415  # Rove's own commands need no list

    defined = vars(module).values()
    listed = chain.from_iterable(each for each in defined if isinstance(each, tuple))
    return [each for each in chain(defined, listed) if isinstance(each, Operation)]


def _place() -> Path:
    return Path(data_dir(), "plugin-commands.json")


def installation_stamp() -> list[str]:
    """Return what changes when something is installed: the folders' times, and the limit."""
    limit = os.environ.get("ROVE_LOAD_PLUGINS", "*")
    # The first entry is the folder of whatever was started; nothing is installed there.
    return [limit, sys.executable, *map(_folder_stamp, sys.path[1:])]


def _folder_stamp(folder: str) -> str:
    try:
        return f"{folder}:{os.stat(folder).st_mtime_ns}"  # noqa: PTH116  # a Path for each is dear
    except OSError:
        return folder
