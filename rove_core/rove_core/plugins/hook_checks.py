"""Check hook implementations beyond what pluggy does."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from types import ModuleType
from typing import TYPE_CHECKING, Final

import attrs

from rove_core import hookspecs
from rove_core.errors import PluginFailed
from rove_core.hookspecs import SourceHooks, WorkItemHooks
from rove_core.plugins.calls import blame
from rove_core.plugins.watchdog import step
from rove_core.project.settings.declarations import declare
from rove_core.terminal.suggestion import suggested

if TYPE_CHECKING:
    from rove_core.http import Http
    from rove_core.items import AnyAccount
    from rove_core.sources import AnySourceKind

#: The hooks that a package may implement, and those of its sources.
PACKAGE_HOOKS: Final = tuple(name for name in vars(hookspecs) if name.startswith("rove_"))
SOURCE_HOOKS: Final = {
    name: hook
    for protocol in (SourceHooks, WorkItemHooks)
    for name, hook in vars(protocol).items()
    if name.startswith("rove_")
}
#: Minimum similarity of a name to a hook's to count as misspelt.
_NEAR: Final = 0.88


def make_source(kind: "AnySourceKind", account: "AnyAccount", http: "Http") -> SourceHooks:
    """Return the source of an account, or raise an error that names the account."""
    try:
        with step(account.name, "connect"):
            return kind.connect(account, http)
    except (Exception, SystemExit) as error:
        raise blame(account.name, error) from error


def has_hook(source: object, hook: str) -> bool:
    """Return whether a source implements one of :data:`SOURCE_HOOKS`."""
    return getattr(type(source), hook, None) not in (None, SOURCE_HOOKS[hook])


def check_source(source: object) -> None:
    """Raise :class:`PluginFailed` unless Rove can call each hook of a source."""
    kind = type(source)
    if kind.__hash__ is not object.__hash__:
        raise PluginFailed(f"{kind.__name__} compares by value; accounts need identity: eq=False")
    _refuse_misspelt(kind.__name__, kind, [*SOURCE_HOOKS])
    if not any(has_hook(source, name) for name in SOURCE_HOOKS):
        raise PluginFailed(f"connect gives a {kind.__name__}, which implements no hook")
    for name, specified in SOURCE_HOOKS.items():
        if has_hook(source, name):
            if _options(getattr(kind, name)).get("wrapper"):
                raise PluginFailed(
                    f"{kind.__name__}.{name} is a wrapper: only a package may have one"
                )
            _check(f"{kind.__name__}.{name}", getattr(kind, name), specified)


def check_settings(kind: "AnySourceKind") -> None:
    """Raise :class:`PluginFailed` unless all settings of a kind are optional."""
    settings: object = kind.settings
    if not (isinstance(settings, type) and attrs.has(settings)):
        type_name = getattr(settings, "__name__", type(settings).__name__)
        raise PluginFailed(f"the settings of {kind.name!r} are {type_name}, not an attrs class")
    try:
        kind.settings()
    except (Exception, SystemExit) as error:
        raise PluginFailed(f"the settings of {kind.name!r} lack a default: {error}") from error
    try:
        declare(settings, (kind.name,), safe=())
    except (NameError, TypeError) as error:
        raise PluginFailed(f"the settings of {kind.name!r}: {error}") from error


def check_package(module: ModuleType) -> None:
    """Raise :class:`PluginFailed` unless Rove can call each hook of a package."""
    _refuse_misspelt(module.__name__, module, (*PACKAGE_HOOKS, *SOURCE_HOOKS))
    for name in PACKAGE_HOOKS:
        if hook := vars(module).get(name):
            _check(f"{module.__name__}.{name}", hook, getattr(hookspecs, name))
    for name in SOURCE_HOOKS:
        hook = vars(module).get(name)
        if hook is not None and not _options(hook).get("wrapper"):
            raise PluginFailed(
                f"{module.__name__}.{name} belongs on a source, not on the package; "
                "a package may only wrap it"
            )


def unknown_hooks(plugin: object) -> Iterator[str]:
    """Yield the marked hooks that this version of Rove lacks; a newer one may have them."""
    owner = plugin if isinstance(plugin, ModuleType | type) else type(plugin)
    for name in dir(owner):
        is_hook = name in PACKAGE_HOOKS or name in SOURCE_HOOKS
        if name.startswith("rove_") and not is_hook and _options(getattr(owner, name)):
            yield name


def _refuse_misspelt(where: str, owner: object, hooks: Sequence[str]) -> None:
    """Raise :class:`PluginFailed` if a marked hook is almost one of Rove's."""
    for name in unknown_hooks(owner):
        if near := get_close_matches(name, hooks, n=1, cutoff=_NEAR):
            raise PluginFailed(f"{where}.{name} is not a hook{suggested(near)}")


def _check(where: str, hook: object, specified: Callable[..., object]) -> None:
    if not inspect.isroutine(hook):  # pluggy passes over whatever else is marked.
        raise PluginFailed(f"{where} is not a function")
    if not _options(hook):
        raise PluginFailed(f"{where} lacks @hookimpl")
    if _options(hook).get("wrapper"):
        return
    if (actual := _shape(hook)) != (expected := _shape(specified)):
        raise PluginFailed(f"{where} is {actual}, expected {expected}")
    strange = _arguments(hook) - _arguments(specified)
    if strange:
        raise PluginFailed(
            f"{where} takes {', '.join(sorted(strange))}, "
            f"the hook takes {', '.join(sorted(_arguments(specified))) or 'no arguments'}"
        )


def _options(hook: object) -> dict[str, object]:
    options = getattr(hook, "rove_impl", None)
    return options if isinstance(options, dict) else {}


def _arguments(function: Callable[..., object]) -> set[str]:
    return {
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name != "self" and parameter.default is parameter.empty
    }


def _shape(function: Callable[..., object]) -> str:
    if inspect.iscoroutinefunction(function):
        return "a coroutine function"
    returns = str(getattr(function, "__annotations__", {}).get("return", ""))
    if inspect.isasyncgenfunction(function) or "AsyncIterator" in returns:
        return "an async generator function"
    return "a plain function"
