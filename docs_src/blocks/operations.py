"""What Rove itself can do, as every door to it sees it."""

from typing import TYPE_CHECKING, Final, cast

from docs_src.blocks.markdown import code, prose, table
from rove.operations import own_operations
from rove_core.operations import Operation

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


def _entry(operation: Operation) -> str:
    facts = [
        f"`rove {operation.command}`",
        "changes something" if operation.changes else "changes nothing",
        "works without a network" if operation.offline else _PROJECT[operation.project],
        f"[input](schemas/{operation.name}.input.json)",
        f"[output](schemas/{operation.name}.output.json)",
    ]
    return "\n\n".join(
        filter(
            None,
            [
                f"## {operation.name}",
                prose(operation.description),
                " · ".join(facts),
                _parameters(operation),
            ],
        )
    )


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
    return str(schema.get("type", "anything"))
