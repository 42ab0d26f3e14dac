"""Check recorded traffic against GitHub's specification.

It is taken as broadly as any client takes it: whatever may be there may also be null, and there
may be more. Errors that it does not describe have to look like all its errors.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rove_core import JSON
from rove_sim.routes import VendorRoute
from rove_sim.vendor import RecordedExchange

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_FILE: Final = "github-rest.trimmed.json.gz"
_TYPES: Final = frozenset({"object", "array", "string", "integer", "number", "boolean"})
_ERROR: Final[Mapping[str, JSON]] = {"$ref": "#/components/schemas/basic-error"}


@frozen
class GitHubDescription:
    """The description of GitHub's REST API.

    Attributes:
        folder: Where the vendors' specifications lie.
        undescribed: The routes met so far of which it says nothing.
    """

    folder: Path
    undescribed: set[str] = field(factory=set, init=False)

    def problems(self, exchange: RecordedExchange) -> list[str]:
        """Return the problems of a request and its reply."""
        if exchange.route is None or exchange.wrong:
            return []
        operation = self.operation(exchange.route)
        if operation is None:
            self.undescribed.add(f"{exchange.route.method} {exchange.route.path}")
            return []
        where = exchange.request.path
        found = [*self._request(operation, exchange), *self._reply(operation, exchange)]
        return [f"{where}: {each}" for each in found]

    def operation(self, route: VendorRoute) -> Mapping[str, JSON] | None:
        """Return the specification of a route, whatever its path parameters are called."""
        methods = _paths(self.folder).get(_unnamed(route.path), {})
        return _mapping(methods.get(route.method.lower())) or None

    def parameters(self, operation: Mapping[str, JSON]) -> dict[str, Mapping[str, JSON]]:
        """Return the query parameters, by name."""
        parameters = operation.get("parameters")
        followed = (
            [self._followed(each) for each in parameters] if isinstance(parameters, list) else []
        )
        return {str(each["name"]): each for each in followed if each["in"] == "query"}

    def _request(self, operation: Mapping[str, JSON], exchange: RecordedExchange) -> Iterator[str]:
        parameters = self.parameters(operation)
        arguments = exchange.request.query
        for name, each in parameters.items():
            if each.get("required") and name not in arguments:
                yield f"lacks {name}"
        for name, value in arguments.items():
            # A cursor is no parameter of the description: links bring it.
            if name not in parameters and name != "after":
                yield f"takes no {name}"
            elif name in parameters and not _fits(_mapping(parameters[name].get("schema")), value):
                yield f"{name} cannot be {value!r}"

    def _reply(self, operation: Mapping[str, JSON], exchange: RecordedExchange) -> Iterator[str]:
        response = exchange.response
        if response.status == 304:
            return
        replies = _mapping(operation["responses"])
        reply = self._followed(replies.get(str(response.status)))
        content = _mapping(_mapping(reply.get("content")).get("application/json"))
        if response.status < 300 and not content:
            yield f"describes no {response.status}"
            return
        schema = json.dumps(content.get("schema", _ERROR))
        for error in _validator(self.folder, schema).iter_errors(_plain(response.value)):
            yield f"{response.status} {error.json_path}: {error.message[:200]}"

    def _followed(self, value: JSON) -> Mapping[str, JSON]:
        found = _mapping(value)
        while isinstance(found.get("$ref"), str):
            steps = str(found["$ref"]).removeprefix("#/").split("/")
            found = _description(self.folder)
            for step in steps:
                found = _mapping(found[step])
        return found


@cache
def _description(folder: Path) -> Mapping[str, JSON]:
    return _mapping(_broad(json.loads(gzip.decompress((folder / _FILE).read_bytes()))))


@cache
def _paths(folder: Path) -> Mapping[str, Mapping[str, JSON]]:
    paths = _mapping(_description(folder)["paths"])
    return {_unnamed(path): _mapping(methods) for path, methods in paths.items()}


@cache
def _validator(folder: Path, schema: str) -> "Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415  # only who checks has it

    components = _description(folder)["components"]
    return Draft202012Validator({"allOf": [json.loads(schema)], "components": components})


def _unnamed(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path)


def _broad(value: JSON) -> JSON:
    """Return a description in which anything may be null, and anything more may be there."""
    if isinstance(value, list):
        return [_broad(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: _broad(each) for name, each in value.items()}
    kind, choices = found.get("type"), found.get("enum")
    if isinstance(kind, str) and kind in _TYPES:
        found["type"] = [kind, "null"]
        if isinstance(choices, list):
            found["enum"] = [*choices, None]
    # Broad alternatives overlap: what fits two of them fits.
    if "oneOf" in found:
        found["anyOf"] = found.pop("oneOf")
    if found.get("additionalProperties") is False:
        del found["additionalProperties"]
    return found


def _fits(schema: Mapping[str, JSON], value: str) -> bool:
    choices, kind = schema.get("enum"), schema.get("type")
    if isinstance(choices, list):
        return value in choices
    return not (isinstance(kind, list) and "integer" in kind) or value.isdecimal()


def _mapping(value: JSON) -> Mapping[str, JSON]:
    return value if isinstance(value, Mapping) else {}


def _plain(value: JSON) -> JSON:
    """Return JSON made of nothing but dictionaries and lists, as a client would read it."""
    read: JSON = json.loads(json.dumps(value))
    return read
