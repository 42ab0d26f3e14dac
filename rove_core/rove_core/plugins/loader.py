"""Find and load the installed plugins one by one, isolating failures."""

import contextlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Final, TypeVar

import pluggy
from attrs import field, frozen

from rove_core import hookspecs
from rove_core.errors import DiskTrouble, PluginFailed, WrongCall
from rove_core.hookspecs import SourceHooks, WorkItemHooks
from rove_core.http.server.door import Route
from rove_core.items import Account
from rove_core.operations import Operation
from rove_core.plugins.api_number import api_notes, api_number
from rove_core.plugins.calls import error_line
from rove_core.plugins.entry_points import EntryPoint, installed_entry_points, plugin_name
from rove_core.plugins.filter_evidence import FILTER, may_filter
from rove_core.plugins.hook_checks import (
    check_package,
    check_settings,
    check_source,
    make_source,
    unknown_hooks,
)
from rove_core.plugins.installed_plugins import BrokenPlugin, Plugin
from rove_core.plugins.kept_off import AllKeptOff, kept_off_plugin
from rove_core.plugins.kind_owners import refused_for_kinds
from rove_core.plugins.limits import MOST_BROUGHT
from rove_core.plugins.memory_limit import end_if_full
from rove_core.plugins.section_check import checked_section
from rove_core.plugins.shipped_packages import SHIPPED
from rove_core.plugins.watchdog import note_without_filter, running, running_hook, step
from rove_core.project.settings.ai_section import EXTRACTIVE
from rove_core.project.settings.plugin_section import AnySettingsSection, SettingsSection
from rove_core.sources import AnySourceKind, SourceKind
from rove_core.terminal.suggestion import did_you_mean

if TYPE_CHECKING:
    from rove_core.build.model.client import EngineKind
    from rove_core.plugins.database_files import DatabaseFiles
    from rove_core.plugins.text_extractor import TextExtractor

#: A reserved name that no request ever reaches.
_NOWHERE: Final = "https://nowhere.invalid"

Thing = TypeVar("Thing")


@frozen
class Plugins:
    """The installed plugins, working and broken, and their pluggy manager."""

    manager: pluggy.PluginManager
    working: tuple[Plugin, ...] = ()
    broken: tuple[BrokenPlugin, ...] = ()
    kinds: dict[str, AnySourceKind] = field(factory=dict)

    @property
    def sections(self) -> tuple[AnySettingsSection, ...]:
        """The settings sections that packages provide."""
        return tuple(chain.from_iterable(plugin.settings for plugin in self.working))

    @property
    def engines(self) -> "dict[str, EngineKind]":
        """The model engines, by name."""
        return {each.name: each for plugin in self.working for each in plugin.engines}

    @property
    def extractors(self) -> "tuple[TextExtractor, ...]":
        """The text extractors."""
        return tuple(chain.from_iterable(plugin.extractors for plugin in self.working))

    def kind(self, name: str) -> AnySourceKind:
        """Return a kind of source by its name."""
        if name in self.kinds:
            return self.kinds[name]
        for plugin in self.broken:
            if name == plugin.name or name in plugin.kinds:
                raise PluginFailed(f"the plugin {plugin.name!r} is broken: {plugin.error}")
        guess = did_you_mean(name, self.kinds)
        package = f"rove-{name}"
        hint = (
            f"Install it with: pip install {package}"
            if package in SHIPPED
            else f"Write your own plugin: rove plugins new {name}"
        )
        names = ", ".join(sorted(self.kinds)) or "none"
        raise WrongCall(
            f"no installed plugin provides the source {name!r}; available: {names}{guess}",
            hint="See what there is: rove --source-plugins" if guess else hint,
        )

    def closed_filters(self) -> Mapping[str, str]:
        """Return the broken plugins that may filter, with errors: without them nothing passes."""
        names = {plugin_name(each.distribution, each.name): each for each in self.broken}
        return {
            name: f"{name}: {each.error}"
            for name, each in names.items()
            if (may_filter(name) if each.has_filter is None else each.has_filter)
        }

    def distribution_of(self, kind: str) -> str:
        """Return the distribution that provides a kind of source; empty if none does."""
        for plugin in self.working:
            if kind in [each.name for each in plugin.kinds]:
                return plugin.distribution
        return ""


def load_plugins(
    *,
    kept_off: AllKeptOff = MappingProxyType({}),
    owners: Mapping[str, str] | None = None,
) -> Plugins:
    """Load every installed plugin, or those that ``ROVE_LOAD_PLUGINS=a,b`` names.

    Args:
        kept_off: The plugins not to load, each with the reason.
        owners: The owner of each kind of source; by default as recorded in the user's accounts.
    """
    installed = installed_entry_points()
    # Rove's own packages come first, so that no plugin takes an operation from them.
    first = sorted(installed, key=lambda each: (each.distribution not in SHIPPED, each.name))
    return _load(first, kept_off, _owners() if owners is None else owners)


def _owners() -> Mapping[str, str]:
    """Return the recorded owner of each kind; empty without a home folder."""
    from rove_core.auth.accounts import kind_owners  # noqa: PLC0415  # it reads settings' files
    from rove_core.project.paths import data_dir  # noqa: PLC0415  # the same

    with suppress(DiskTrouble):
        return kind_owners(Path(data_dir()))
    return {}


def use_plugins(modules: Iterable[ModuleType]) -> Plugins:
    """Load only these modules, for a program with its own plugins."""
    return _load(
        (
            EntryPoint(module.__name__, module.__name__, "", partial(_itself, module))
            for module in modules
        ),
        {},
        {},
    )


def inspect_kind(kind: AnySourceKind) -> None:
    """Raise :class:`PluginFailed` unless a kind's sources keep the contract.

    This connects an account that does not exist, which takes too long for a build, but not for a
    listing of plugins.
    """
    from rove_core.http import Http  # noqa: PLC0415  # only who inspects pays for it

    check_settings(kind)
    account = Account(name=kind.name, kind=kind.name, settings=kind.settings(), base_url=_NOWHERE)
    check_source(make_source(kind, account, Http(account=kind.name, base_url=_NOWHERE)))


def _itself(module: ModuleType) -> ModuleType:
    return module


def _load(
    announced: Iterable[EntryPoint], kept_off: AllKeptOff, owners: Mapping[str, str]
) -> Plugins:
    manager = pluggy.PluginManager("rove")
    manager.add_hookspecs(hookspecs)
    manager.add_hookspecs(SourceHooks)
    manager.add_hookspecs(WorkItemHooks)
    working: list[Plugin] = []
    broken: list[BrokenPlugin] = []
    taken: dict[str, str] = {}
    for found in announced:
        loaded = _load_plugin(manager, found, kept_off, taken)
        if isinstance(loaded, Plugin):
            working.append(loaded)
        else:
            broken.append(loaded)
    refused = refused_for_kinds(working, broken, owners)
    for each in refused:
        manager.unregister(name=plugin_name(each.distribution, each.name))
    gone = {(each.distribution, each.name) for each in refused}
    left = tuple(each for each in working if (each.distribution, each.name) not in gone)
    kinds = {kind.name: kind for plugin in left for kind in plugin.kinds}
    return Plugins(manager, left, (*broken, *refused), kinds)


def _load_plugin(
    manager: pluggy.PluginManager, found: EntryPoint, kept_off: AllKeptOff, taken: dict[str, str]
) -> Plugin | BrokenPlugin:
    """Import a plugin and collect what it provides."""
    broken = partial(BrokenPlugin, found.name, found.distribution, found.version)
    if there := kept_off_plugin(kept_off, found.distribution, found.name):
        # Whether its filter may be missing was decided when it was disabled.
        return broken(there.why, has_filter=there.filters)
    with step(plugin_name(found.distribution, found.name)):
        try:
            module = _quietly(found.load)
        except PluginFailed as error:
            return broken(error.message)
        try:
            with _all_or_nothing(manager, module):
                plugin = _register(manager, module, found)
                _claim(plugin, taken)
        except PluginFailed as error:
            return broken(error.message, has_filter=FILTER in vars(module))
    return plugin


@contextlib.contextmanager
def _all_or_nothing(manager: pluggy.PluginManager, module: ModuleType) -> Iterator[None]:
    """Unregister a plugin that turns out to be broken, unless it was registered before."""
    was_present = manager.is_registered(module)
    try:
        yield
    except PluginFailed:
        if not was_present and manager.is_registered(module):
            manager.unregister(module)
        raise


def _quietly(load: Callable[[], object]) -> ModuleType:
    """Import a plugin; printing to standard output counts as an error."""
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output), _restored_environment():
            module = load()
    except (KeyboardInterrupt, PluginFailed):
        raise
    except BaseException as error:  # sys.exit() at import must not end Rove
        raise PluginFailed(f"{_import_error_text(error)} at import: {error_line(error)}") from error
    if output.getvalue():
        raise PluginFailed(f"prints at import: {output.getvalue().strip()[:80]!r}")
    if not isinstance(module, ModuleType):
        raise PluginFailed(f"its entry point names a {type(module).__name__}, not a module")
    return module


def _register(manager: pluggy.PluginManager, module: ModuleType, found: EntryPoint) -> Plugin:
    check_package(module)
    api = api_number(module)
    try:
        manager.register(module, plugin_name(found.distribution, found.name))
    except Exception as error:
        raise PluginFailed(error_line(error)) from error
    if not any(each.plugin is module for each in manager.hook.rove_filter_item.get_hookimpls()):
        note_without_filter(plugin_name(found.distribution, found.name))
    return Plugin(
        found.name,
        found.distribution,
        found.version,
        tuple(_ask(manager, module, "rove_sources", SourceKind)),
        tuple(map(_callable, _ask(manager, module, "rove_operations", Operation))),
        tuple(map(checked_section, _ask(manager, module, "rove_settings", SettingsSection))),
        tuple(_engines(manager, module)),
        tuple(_ask(manager, module, "rove_routes", Route)),
        tuple(_extractors(manager, module)),
        (
            *(f"{name}: made for a newer rove-core" for name in unknown_hooks(module)),
            *api_notes(api),
        ),
        module.__name__,
        api,
        tuple(_databases(manager, module)),
    )


def _ask(
    manager: pluggy.PluginManager, module: ModuleType, hook: str, expected: type[Thing]
) -> Iterator[Thing]:
    """Call a hook for one plugin alone and check each of its results."""
    everyone = getattr(manager.hook, hook).get_hookimpls()
    others = {impl.plugin for impl in everyone} - {module}
    try:
        answers = [_list(hook, answer) for answer in manager.subset_hook_caller(hook, others)()]
    except PluginFailed:
        raise
    except (Exception, SystemExit) as error:
        raise PluginFailed(f"{hook} {_import_error_text(error)}: {error_line(error)}") from error
    for thing in chain.from_iterable(answers):
        if not isinstance(thing, expected):
            raise PluginFailed(
                f"{hook} gives a {type(thing).__name__}, expected {expected.__name__} objects"
            )
        yield thing


def _engines(manager: pluggy.PluginManager, module: ModuleType) -> "Iterator[EngineKind]":
    if "rove_engines" not in vars(module):
        return
    from rove_core.build.model.client import EngineKind  # noqa: PLC0415  # few plugins need it

    for engine in _ask(manager, module, "rove_engines", EngineKind):
        if engine.name == EXTRACTIVE:
            raise PluginFailed(
                f"the engine {engine.name!r} is one of Rove's own: choose another name"
            )
        yield engine


def _extractors(manager: pluggy.PluginManager, module: ModuleType) -> "Iterator[TextExtractor]":
    if "rove_extractors" not in vars(module):
        return
    from rove_core.plugins.text_extractor import TextExtractor  # noqa: PLC0415  # few plugins need it

    yield from _ask(manager, module, "rove_extractors", TextExtractor)


def _databases(manager: pluggy.PluginManager, module: ModuleType) -> "Iterator[DatabaseFiles]":
    if "rove_databases" not in vars(module):
        return
    from rove_core.plugins.database_files import DatabaseFiles  # noqa: PLC0415  # few plugins need it

    yield from _ask(manager, module, "rove_databases", DatabaseFiles)


def _callable(operation: Operation) -> Operation:
    """Return an operation if its arguments and results can be converted to JSON."""
    try:
        operation.input_schema()
    except TypeError as error:
        raise PluginFailed(f"the operation {operation.name!r}: {error}") from error
    return operation


def _list(hook: str, answer: object) -> list[object]:
    if not isinstance(answer, Sequence) or isinstance(answer, str):
        raise PluginFailed(f"{hook} gives a {type(answer).__name__}, expected a list")
    brought = list(islice(answer, MOST_BROUGHT + 1))
    if len(brought) > MOST_BROUGHT:
        raise PluginFailed(f"{hook} gives more than {MOST_BROUGHT}")
    return brought


def _claim(plugin: Plugin, taken: dict[str, str]) -> None:
    """Refuse a name that is already taken.

    The owner of a kind of source is decided only when all plugins are known.
    """
    kinds = [kind.name for kind in plugin.kinds]
    for name in kinds:
        if kinds.count(name) > 1:
            raise PluginFailed(
                f"provides the source {name!r} that {plugin.distribution} already provides"
            )
    names = [f"the operation {operation.name!r}" for operation in plugin.operations]
    names += [f"the command {operation.command!r}" for operation in plugin.operations]
    names += [f"the settings [{section.name}]" for section in plugin.settings]
    names += [f"the engine {engine.name!r}" for engine in plugin.engines]
    names += [f"the route {route.method} {route.path}" for route in plugin.routes]
    names += [f"files {suffix}" for each in plugin.extractors for suffix in each.suffixes]
    claimed: dict[str, str] = {}
    for name in names:
        if owner := (taken | claimed).get(name):
            raise PluginFailed(f"provides {name} that {owner} already provides")
        claimed[name] = plugin.distribution
    taken |= claimed


@contextlib.contextmanager
def _restored_environment() -> Iterator[None]:
    """Restore environment variables that an import removes or changes."""
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.update(before)


def _import_error_text(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        end_if_full(running(), running_hook())
    return "exits" if isinstance(error, SystemExit) else "raises"
