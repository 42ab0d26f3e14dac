"""Find the installed plugins and load them one at a time: what one of them does costs only itself."""

import contextlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeVar

import pluggy
from attrs import field, frozen

from rove_core import hookspecs
from rove_core.contract import check_package, unknown_hooks
from rove_core.errors import PluginFailed
from rove_core.hookspecs import SourceHooks
from rove_core.operations import Operation
from rove_core.sources import AnySourceKind, SourceKind

if TYPE_CHECKING:
    from importlib_metadata import EntryPoint

#: The entry-point group in which every plugin announces itself.
GROUP: Final = "rove"

Thing = TypeVar("Thing")


@frozen
class Plugin:
    """An installed package that extends Rove.

    Attributes:
        name: Its entry point's name.
        distribution: The distribution that brings it (``rove-jira``).
        version: That distribution's version.
        kinds: The kinds of source it brings.
        operations: What it lets Rove do.
        notes: What one should know of it, though it works.
    """

    name: str
    distribution: str
    version: str
    kinds: tuple[AnySourceKind, ...] = ()
    operations: tuple[Operation, ...] = ()
    notes: tuple[str, ...] = ()


@frozen
class BrokenPlugin:
    """An installed package that cannot be used, and why.

    Attributes:
        name: Its entry point's name.
        distribution: The distribution that brings it.
        version: That distribution's version.
        error: What is wrong, in one line.
    """

    name: str
    distribution: str
    version: str
    error: str


@frozen
class Plugins:
    """What is installed: the plugins that work, those that do not, and pluggy's manager of them."""

    manager: pluggy.PluginManager
    working: tuple[Plugin, ...] = ()
    broken: tuple[BrokenPlugin, ...] = ()
    kinds: dict[str, AnySourceKind] = field(factory=dict)

    def kind(self, name: str) -> AnySourceKind:
        """Return a kind of source by its name."""
        if name not in self.kinds:
            known = ", ".join(sorted(self.kinds)) or "none"
            raise PluginFailed(
                f"no installed plugin brings the source {name!r}; there are: {known}",
                hint=f"Install it with: pip install rove-{name}",
            )
        return self.kinds[name]


def load_plugins() -> Plugins:
    """Load every installed plugin, or those that ``ROVE_LOAD_PLUGINS=a,b`` names."""
    from importlib_metadata import entry_points  # noqa: PLC0415  # 40 ms that only this pays

    return _load(
        (point.name, *_home(point), point.load)
        for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)
        if _wanted(point.name)
    )


def use_plugins(modules: Iterable[ModuleType]) -> Plugins:
    """Load just these modules: for a program that brings its own."""
    return _load(
        (module.__name__, module.__name__, "", lambda module=module: module) for module in modules
    )


def _wanted(name: str) -> bool:
    limit = os.environ.get("ROVE_LOAD_PLUGINS")
    return limit is None or name in {part.strip() for part in limit.split(",")}


def _home(point: "EntryPoint") -> tuple[str, str]:
    return (point.dist.name, point.dist.version) if point.dist else ("", "")


def _load(found: Iterable[tuple[str, str, str, Callable[[], object]]]) -> Plugins:
    manager = pluggy.PluginManager("rove")
    manager.add_hookspecs(hookspecs)
    manager.add_hookspecs(SourceHooks)
    working: list[Plugin] = []
    broken: list[BrokenPlugin] = []
    taken: dict[str, str] = {}
    for name, distribution, version, load in found:
        try:
            module = _quietly(load)
            plugin = _register(manager, module, Plugin(name, distribution, version))
            _claim(plugin, taken)
        except PluginFailed as error:
            if manager.has_plugin(f"{distribution}/{name}"):
                manager.unregister(name=f"{distribution}/{name}")
            broken.append(BrokenPlugin(name, distribution, version, error.message))
        else:
            working.append(plugin)
    kinds = {kind.name: kind for plugin in working for kind in plugin.kinds}
    return Plugins(manager, tuple(working), tuple(broken), kinds)


def _quietly(load: Callable[[], object]) -> ModuleType:
    """Import a plugin; standard output is for results, so whoever prints there is broken."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            module = load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  # sys.exit() at import must not end Rove
        raise PluginFailed(f"{_doing(error)} at import: {_line(error)}") from error
    if said.getvalue():
        raise PluginFailed(f"prints at import: {said.getvalue().strip()[:80]!r}")
    if not isinstance(module, ModuleType):
        raise PluginFailed(f"its entry point names a {type(module).__name__}, not a module")
    return module


def _register(manager: pluggy.PluginManager, module: ModuleType, plugin: Plugin) -> Plugin:
    check_package(module)
    try:
        manager.register(module, f"{plugin.distribution}/{plugin.name}")
    except (ValueError, pluggy.PluginValidationError) as error:
        raise PluginFailed(_line(error)) from error
    notes = tuple(f"{name}: made for a newer rove-core" for name in unknown_hooks(module))
    return Plugin(
        plugin.name,
        plugin.distribution,
        plugin.version,
        tuple(_ask(manager, module, "rove_sources", SourceKind)),
        tuple(_ask(manager, module, "rove_operations", Operation)),
        notes,
    )


def _ask(
    manager: pluggy.PluginManager, module: ModuleType, hook: str, wanted: type[Thing]
) -> Iterator[Thing]:
    """Call a hook for one plugin alone and check each thing it gives."""
    everyone = getattr(manager.hook, hook).get_hookimpls()
    others = {impl.plugin for impl in everyone} - {module}
    try:
        answers = manager.subset_hook_caller(hook, others)()
    except Exception as error:
        raise PluginFailed(f"{hook} raises {_line(error)}") from error
    for answer in answers:
        if not isinstance(answer, Sequence) or isinstance(answer, str):
            raise PluginFailed(f"{hook} gives a {type(answer).__name__}, it must give a list")
        for thing in answer:
            if not isinstance(thing, wanted):
                raise PluginFailed(
                    f"{hook} gives a {type(thing).__name__}, it must give {wanted.__name__} objects"
                )
            yield thing


def _claim(plugin: Plugin, taken: dict[str, str]) -> None:
    """Refuse a name that another plugin, or this one, has already brought."""
    names = [f"the source {kind.name!r}" for kind in plugin.kinds]
    names += [f"the operation {operation.name!r}" for operation in plugin.operations]
    claimed: dict[str, str] = {}
    for name in names:
        if owner := (taken | claimed).get(name):
            raise PluginFailed(f"brings {name} that {owner} already brings")
        claimed[name] = plugin.distribution
    taken |= claimed


def _doing(error: BaseException) -> str:
    return "exits" if isinstance(error, SystemExit) else "raises"


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
