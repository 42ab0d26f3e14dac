"""List the installed plugins: what they provide, and why some cannot be used."""

from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove_core.errors import PluginFailed
from rove_core.operations import Operation
from rove_core.plugins.installed_plugins import Plugin
from rove_core.plugins.loader import inspect_kind
from rove_core.terminal.tables import columns, page
from rove_core.wire.json_types import JSON
from rove_core.wire.parameters import parameters_of
from rove_core.wire.schema import input_schema

if TYPE_CHECKING:
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
    return tuple(sorted(shown, key=lambda plugin: (plugin.name, plugin.distribution)))


async def sources_schema(
    rove: "LocalProject", *, kind: Annotated[str, "The kind of source (jira)."]
) -> JSON:
    """Show what a kind of source lets you set, as JSON Schema."""
    return input_schema(parameters_of(rove.plugins.kind(kind.lower()).settings))


def _inspect(plugin: Plugin) -> PluginShown:
    """Look at the sources a plugin makes too: a wrong one shows only when it is connected."""
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
            ", ".join(plugin.sources),
            plugin.reason,
        )
        for plugin in plugins
    )
    lines: list[str] = []
    for row, plugin in zip(rows, plugins, strict=True):
        lines += [row, *(f"    note: {note}" for note in plugin.notes)]
    return page(lines) or "no plugin is installed; try: pip install 'rove[all]'"


PLUGINS = Operation(sources_plugins, command="sources plugins", offline=True, show=_show)
SCHEMA = Operation(sources_schema, command="sources schema", offline=True)
