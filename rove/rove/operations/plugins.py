"""List the installed plugins: what they provide, and why some cannot be used."""

from typing import TYPE_CHECKING, Annotated, Any

from attrs import asdict, frozen

from rove_core.errors import PluginFailed
from rove_core.operations import Operation
from rove_core.terminal.tables import columns, page
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.plugins.installed_plugins import Plugin
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class PluginShown:
    """One installed plugin.

    Attributes:
        name: Its entry point's name.
        distribution: The distribution that brings it.
        version: That distribution's version.
        state: ``works`` or ``broken``.
        reason: What is wrong with it, if anything is.
        sources: The kinds of source it brings.
        notes: What one should know of it, though it works.
        api: The number of the plugin API it is made for; null when it does not say.
    """

    name: str
    distribution: str
    version: str
    state: str
    reason: str
    sources: tuple[str, ...]
    notes: tuple[str, ...]
    api: int | None = None


async def sources_plugins(rove: "LocalProject") -> tuple[PluginShown, ...]:
    """List the installed plugins and their sources."""
    return (None if rove.kept_off else cached_list()) or _fresh_list(rove)


def cached_list() -> tuple[PluginShown, ...] | None:
    """Return the list as it was last made; None if it may have changed."""
    from rove.manifest import installation_stamp  # noqa: PLC0415  # agents ask for the schema alone
    from rove.plugin_list import cached_plugins  # noqa: PLC0415  # the same

    rows = cached_plugins(installation_stamp())
    try:
        return tuple(_row(**row) for row in rows) if rows else None
    except TypeError:  # An older Rove kept it.
        return None


def _row(*, sources: list[str], notes: list[str], **others: Any) -> PluginShown:  # noqa: ANN401  # JSON
    return PluginShown(sources=tuple(sources), notes=tuple(notes), **others)


def _fresh_list(rove: "LocalProject") -> tuple[PluginShown, ...]:
    """Load and inspect all plugins, and keep the list if they are Rove's own and work."""
    shown = [_inspect(plugin) for plugin in rove.plugins.working]
    shown += [
        PluginShown(
            name=broken.name,
            distribution=broken.distribution,
            version=broken.version,
            state="broken",
            reason=broken.error,
            sources=broken.kinds,
            notes=(),
        )
        for broken in rove.plugins.broken
    ]
    listed = tuple(sorted(shown, key=lambda plugin: (plugin.name, plugin.distribution)))
    if not rove.kept_off:
        _keep(rove, listed)
    return listed


def _keep(rove: "LocalProject", listed: tuple[PluginShown, ...]) -> None:
    from rove.manifest import installation_stamp  # noqa: PLC0415  # see kept_list
    from rove.plugin_list import keep_plugins  # noqa: PLC0415  # the same
    from rove_core.plugins.shipped_packages import SHIPPED  # noqa: PLC0415  # the same

    if all(each.distribution in SHIPPED and each.state == "works" for each in listed):
        packages = [plugin.module for plugin in rove.plugins.working]
        keep_plugins(installation_stamp(), packages, [asdict(each) for each in listed])


async def sources_schema(
    rove: "LocalProject", *, kind: Annotated[str, "The kind of source (jira)."]
) -> JSON:
    """Show what a kind of source lets you set, as JSON Schema."""
    from rove_core.wire.parameters import parameters_of  # noqa: PLC0415  # a list needs none
    from rove_core.wire.schema import input_schema  # noqa: PLC0415  # the same

    return input_schema(parameters_of(rove.plugins.kind(kind.lower()).settings))


def _inspect(plugin: "Plugin") -> PluginShown:
    """Look at the sources a plugin makes too: a wrong one shows only when it is connected."""
    from rove_core.plugins.loader import inspect_kind  # noqa: PLC0415  # it loads every plugin

    reason = ""
    for kind in plugin.kinds:
        try:
            inspect_kind(kind)
        except PluginFailed as error:
            reason = reason or error.message
    return PluginShown(
        name=plugin.name,
        distribution=plugin.distribution,
        version=plugin.version,
        state="broken" if reason else "works",
        reason=reason,
        sources=tuple(kind.name for kind in plugin.kinds),
        notes=plugin.notes,
        api=plugin.api,
    )


def _show(plugins: tuple[PluginShown, ...]) -> str:
    rows = columns(
        (
            plugin.name,
            f"{plugin.distribution} {plugin.version}",
            plugin.state,
            _sources_of(plugin),
            plugin.reason,
        )
        for plugin in plugins
    )
    lines: list[str] = []
    for row, plugin in zip(rows, plugins, strict=True):
        lines += [row, *(f"    note: {note}" for note in plugin.notes)]
    return page(lines) or "no plugin is installed; try: pip install 'rove[all]'"


def _sources_of(plugin: PluginShown) -> str:
    names = ", ".join(plugin.sources)
    return names and f"source{'s' if len(plugin.sources) > 1 else ''}: {names}"


PLUGINS = Operation(sources_plugins, command="sources plugins", offline=True, show=_show)
SCHEMA = Operation(sources_schema, command="sources schema", offline=True)
