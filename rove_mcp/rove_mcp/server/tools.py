"""Operations as tools: descriptions and results."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, cast

from mcp_types import CallToolResult, ContentBlock, TextContent, Tool, ToolAnnotations

from rove_core import JSON, RoveError, WrongCall, harmless_output, json_text

if TYPE_CHECKING:
    from rove_core import OfferedOperation

#: The key of a result that is not an object: earlier protocols allow nothing else.
RESULT: Final = "result"
#: The key beside a text for the rest of a result: what a program needs, and a model does not.
RECORD: Final = "rove/record"
#: The key of a result whose text an agent reads instead of its JSON.
_TEXT: Final = "text"
_DEFINITIONS: Final = "#/$defs/"
#: How hints to a help page begin.
_EXPECTED: Final = WrongCall.advice.partition("rove ")[0]
#: What a schema says that costs tokens and tells a model nothing.
_NOISE: Final = frozenset({"$schema", "additionalProperties", "title"})
#: What JSON Schema calls the types of values.
_NAMES: Final = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def tool_of(operation: "OfferedOperation") -> Tool:
    """Return an operation as a tool."""
    return Tool(
        name=operation.name,
        description=operation.description,
        input_schema=input_of(operation.input),
        output_schema=None if _is_read(operation) else outline(operation.output),
        annotations=ToolAnnotations(read_only_hint=True)
        if not operation.changes
        else ToolAnnotations(destructive_hint=operation.destroys),
    )


def input_of(schema: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the schema of arguments without details that are useless to a model."""
    return cast("dict[str, JSON]", _without_noise(schema))


def outline(schema: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the first level of a result's schema: the names and their types.

    What a result holds is in it. The whole schema would cost more tokens than most results.
    """
    root = _resolve(schema, schema)
    if not _is_object(root):
        of_result = _type_of(root, schema)
        return {"type": "object", "properties": {RESULT: of_result}, "required": [RESULT]}
    properties = root.get("properties", {})
    if not isinstance(properties, Mapping):
        return {"type": "object"}
    return {
        "type": "object",
        "properties": {name: _type_of(each, schema) for name, each in properties.items()},
    }


def result_of(operation: "OfferedOperation", result: JSON) -> CallToolResult:
    """Return the result of a call, for programs and as text for a model.

    Agents show a model either of them, so that neither has a tag of an agent's protocol in it.
    """
    result = _harmless(result)
    content: list[ContentBlock] = [TextContent(text=_text_of(result))]
    if _is_read(operation) and isinstance(result, Mapping):
        # Agents show a model the structured content where there is any, and a text in JSON costs
        # 7 % more tokens than the text; so programs find the record beside it.
        record = {name: each for name, each in result.items() if name != _TEXT}
        return CallToolResult(content=content, _meta={RECORD: record})
    is_object = _is_object(_resolve(operation.output, operation.output))
    structured = result if is_object else {RESULT: result}
    return CallToolResult(content=content, structured_content=structured)


def error_of(error: RoveError) -> CallToolResult:
    """Return an error with the next step."""
    # Agents see what a tool takes, and no help page of a command.
    hint = "See the tool's input schema." if error.hint.startswith(_EXPECTED) else error.hint
    next_step = f"\nNext: {hint}" if hint else ""
    text = harmless_output(f"{error.message}{next_step}\n({error.code})", styled=False)
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def _is_read(operation: "OfferedOperation") -> bool:
    """Return whether the result of an operation is a text to read, as a document is."""
    properties = _resolve(operation.output, operation.output).get("properties")
    return isinstance(properties, Mapping) and _TEXT in properties


def _text_of(result: JSON) -> str:
    if isinstance(result, Mapping) and isinstance(text := result.get(_TEXT), str) and text:
        return text
    if isinstance(result, str):
        return result
    return json_text(result, compact=True)


def _harmless(value: JSON) -> JSON:
    """Return a result whose texts are inert for agents."""
    match value:
        case str():
            return harmless_output(value, styled=False)
        case Mapping():
            return {str(_harmless(key)): _harmless(each) for key, each in value.items()}
        case list() | tuple():
            return [_harmless(each) for each in value]
        case _:
            return value


def _without_noise(schema: JSON, *, is_names: bool = False) -> JSON:
    match schema:
        # Who may leave an argument out need not know that it may be null as well.
        case Mapping() if not is_names and (only := _not_null(schema)):
            return _without_noise(only)
        case Mapping():
            return {
                name: _without_noise(each, is_names=name in {"properties", "$defs"})
                for name, each in schema.items()
                if is_names or not (name in _NOISE or (name == "default" and not each))
            }
        case list():
            return [_without_noise(each) for each in schema]
        case _:
            return schema


def _not_null(schema: Mapping[str, JSON]) -> Mapping[str, JSON] | None:
    """Return the schema without null; None if it has no null or several alternatives."""
    match schema.get("anyOf"):
        case [Mapping() as only, {"type": "null"}]:
            others = {name: each for name, each in schema.items() if name != "anyOf"}
            return {**cast("Mapping[str, JSON]", only), **others}
        case _:
            return None


def _resolve(schema: JSON, whole: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return a schema, or the definition that it refers to."""
    if not isinstance(schema, Mapping):
        return {}
    reference = schema.get("$ref")
    definitions = whole.get("$defs")
    if not isinstance(reference, str) or not isinstance(definitions, Mapping):
        return schema
    found = definitions.get(reference.removeprefix(_DEFINITIONS))
    return found if isinstance(found, Mapping) else {}


def _is_object(schema: Mapping[str, JSON]) -> bool:
    return schema.get("type") == "object"


def _type_of(schema: JSON, whole: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the type of a property, or several."""
    found = list(dict.fromkeys(_types_of(schema, whole)))
    if len(found) > 1:  # Several names in one `type` are understood by fewer clients.
        return {"anyOf": [{"type": each} for each in found]}
    return {"type": found[0]} if found else {}


def _types_of(schema: JSON, whole: Mapping[str, JSON]) -> Iterator[str]:
    match _resolve(schema, whole):
        case {"type": str() as kind}:
            yield kind
        case {"anyOf": list() as others}:
            for other in others:
                yield from _types_of(other, whole)
        case {"enum": list() as values}:
            yield from (_NAMES[type(value)] for value in values)
