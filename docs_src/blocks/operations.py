"""The operations of Rove and of its packages, as programs and agents see them."""

from typing import TYPE_CHECKING, Final, cast

from docs_src.blocks.markdown import code, prose, table
from rove.operations import own_operations
from rove_core.operations import Operation
from rove_core.plugins.loader import load_plugins

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rove_core.wire.schema import Schema

#: What an operation does with its project, by the state in which it wants it.
_PROJECT: Final = {
    "open": "asks the accounts in use",
    "closed": "opens no project",
    "broken": "works where a project is broken, too",
}


def operations() -> str:
    """Return every operation with its parameters and its schemas."""
    return "\n\n".join(_entry(each) for each in sorted(own_operations(), key=lambda one: one.name))


def plugin_operations() -> str:
    """Return the operations of the shipped packages, with their parameters and results."""
    plugins = sorted(load_plugins().working, key=lambda plugin: plugin.distribution)
    return "\n\n".join(
        part
        for plugin in plugins
        if plugin.operations
        for part in (
            f"## {plugin.distribution}",
            *(_plugin_entry(each) for each in sorted(plugin.operations, key=lambda one: one.name)),
        )
    )


def _entry(operation: Operation) -> str:
    schemas = [
        f"[input](schemas/{operation.name}.input.json)",
        f"[output](schemas/{operation.name}.output.json)",
    ]
    parts = [
        f"## {operation.name}",
        prose(operation.description),
        " · ".join([*_facts(operation), *schemas]),
        _parameters(operation),
    ]
    return "\n\n".join(filter(None, parts))


def _plugin_entry(operation: Operation) -> str:
    parts = [
        f"### {operation.name}",
        prose(operation.description),
        " · ".join(_facts(operation)),
        _parameters(operation),
        _result(operation),
    ]
    return "\n\n".join(filter(None, parts))


def _facts(operation: Operation) -> list[str]:
    return [
        f"`rove {operation.command}`",
        "changes something" if operation.changes else "changes nothing",
        "works without a network" if operation.offline else _PROJECT[operation.project],
    ]


def _result(operation: Operation) -> str:
    """Return the fields of a result, or of each member of a list of them."""
    schema = operation.output_schema()
    named = cast("Mapping[str, Schema]", schema.get("$defs", {}))
    one = schema
    if one.get("type") == "array":
        one = cast("Schema", one["items"])
    if "$ref" in one:
        one = named[str(one["$ref"]).rpartition("/")[2]]
    fields = cast("Mapping[str, Schema]", one.get("properties", {}))
    rows = [
        [code(name), _type(field), prose(str(field.get("description", "")))]
        for name, field in fields.items()
    ]
    if not rows:
        return f"Result: {_type(schema)}."
    head = "Each member of the result" if one is not schema and "items" in schema else "Result"
    return table([head, "Type", "What it is"], rows)


def _parameters(operation: Operation) -> str:
    properties = cast("Mapping[str, Schema]", operation.input_schema()["properties"])
    rows = [
        [code(one.name), _type(properties[one.name]), "yes" if one.required else "", one.help]
        for one in operation.parameters
        if one.name in properties  # what only people may say is no part of an agent's operation
    ]
    return table(["Argument", "Type", "Required", "What it is"], rows) if rows else ""


def _type(schema: "Schema") -> str:
    if "anyOf" in schema:
        return " or ".join(map(_type, cast("Sequence[Schema]", schema["anyOf"])))
    if schema.get("type") == "array":
        return f"list of {_type(cast('Schema', schema['items']))}"
    if "enum" in schema:
        return "one of " + ", ".join(
            f"`{value}`" for value in cast("Sequence[str]", schema["enum"])
        )
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    return str(schema.get("type", "anything"))
