"""Check recorded traffic against Asana's specification.

It is taken broadly: whatever may be there may also be null, and there may be more. Which fields
may be asked for it lists, and leaves few out.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from rove_core import JSON
from rove_sim.routes import VendorRoute
from rove_sim.vendor import RecordedExchange

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_FILE: Final = "asana.trimmed.json.gz"
_BASE: Final = "/api/1.0"
#: Fields that Asana gives though its description does not list them there.
_UNLISTED: Final = frozenset({"created_by.name"})
#: Where any field of what is found may be asked for.
_ANY_FIELD: Final = "/typeahead"
_KINDS: Final = frozenset({"array", "boolean", "integer", "number", "object", "string"})


@frozen
class AsanaDescription:
    """The description of Asana's API.

    Attributes:
        folder: Where the vendors' specifications lie.
        undescribed: The routes met so far of which it says nothing.
    """

    folder: Path
    undescribed: set[str] = field(factory=set, init=False)

    def problems(self, exchange: RecordedExchange) -> list[str]:
        """Return the problems of a request and its reply."""
        route = exchange.route
        if route is None or exchange.wrong or not exchange.taken:
            return []
        operation = self.operation(route)
        if not operation:
            self.undescribed.add(f"{route.method} {route.path}")
            return []
        where = f"{exchange.request.method} {exchange.request.path}"
        found = [
            *self._request_errors(operation, exchange),
            *self._response_errors(operation, exchange),
        ]
        return [f"{where}: {each}" for each in found]

    def operation(self, route: VendorRoute) -> Mapping[str, Any]:
        """Return the specification of a route; empty if there is none."""
        path = _unnamed(route.path.removeprefix(_BASE))
        found: Mapping[str, Any] = _paths(self.folder).get(path, {}).get(route.method.lower(), {})
        return found

    def _request_errors(
        self, operation: Mapping[str, Any], exchange: RecordedExchange
    ) -> Iterator[str]:
        parameters = self._parameters(operation, exchange)
        for name, value in exchange.request.query.items():
            if name not in parameters:
                yield f"takes no {name}"
            elif name == "opt_fields" and _ANY_FIELD not in exchange.request.path:
                listed = parameters[name]["schema"]["items"].get("enum", ())
                unlisted = set(value.split(",")) - {*listed} - _UNLISTED
                yield from (f"has no field {each}" for each in sorted(unlisted))
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content and exchange.request.body:
            schema = content["application/json"]["schema"]
            yield from self._misfits(schema, exchange.request.json())

    def _response_errors(
        self, operation: Mapping[str, Any], exchange: RecordedExchange
    ) -> Iterator[str]:
        response = exchange.response
        description = operation["responses"].get(str(response.status))
        if description is None:
            yield f"describes no {response.status}"
            return
        content = self._followed(description).get("content", {}).get("application/json", {})
        yield from self._misfits(content.get("schema", {}), response.value)

    def _parameters(
        self, operation: Mapping[str, Any], exchange: RecordedExchange
    ) -> dict[str, Mapping[str, Any]]:
        route = exchange.route
        path = _unnamed(route.path.removeprefix(_BASE)) if route else ""
        shared = _paths(self.folder)[path].get("parameters", [])
        found = map(self._followed, [*shared, *operation.get("parameters", [])])
        return {each["name"]: each for each in found if each["in"] == "query"}

    def _followed(self, value: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in value:
            found: Any = _description(self.folder)
            for step in str(value["$ref"]).removeprefix("#/").split("/"):
                found = found[step]
            value = found
        return value

    def _misfits(self, schema: Mapping[str, Any], value: JSON) -> Iterator[str]:
        plain = json.loads(json.dumps(value))
        for error in _validator(self.folder, json.dumps(schema)).iter_errors(plain):
            yield f"{error.json_path}: {error.message[:200]}"


@cache
def _description(folder: Path) -> Mapping[str, Any]:
    described: Mapping[str, Any] = _broad(
        json.loads(gzip.decompress((folder / _FILE).read_bytes()))
    )
    return described


@cache
def _paths(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    return {_unnamed(path): each for path, each in _description(folder)["paths"].items()}


@cache
def _validator(folder: Path, schema: str) -> "Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415  # only who checks has it

    components = _description(folder)["components"]
    return Draft202012Validator({"allOf": [json.loads(schema)], "components": components})


def _unnamed(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path)


def _broad(value: Any) -> Any:  # noqa: ANN401  # a description is any JSON, at every depth
    """Return a description in which anything may be null."""
    if isinstance(value, list):
        return [_broad(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: _broad(each) for name, each in value.items() if name != "readOnly"}
    kind, choices = found.get("type"), found.get("enum")
    if isinstance(kind, str) and kind in _KINDS:
        found["type"] = [kind, "null"]
        if isinstance(choices, list):
            found["enum"] = [*choices, None]
    return found
