"""The server's OpenAPI document: endpoints, operations and plugin routes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rove.server.endpoint import WORDS, ServerEndpoint
from rove.server.endpoints import ENDPOINTS
from rove_core.http.server.door import Route
from rove_core.http.server.websocket import WEBSOCKET
from rove_core.operations import Failure, Operation
from rove_core.wire.json_types import JSON
from rove_core.wire.parameters import parameters_of
from rove_core.wire.schema import Schema, input_schema, output_schema

_JSON: Final = "application/json"
_OWN: Final = "#/$defs/"
_SHARED: Final = "#/components/schemas/"


def openapi(
    operations: Iterable[Operation], routes: Iterable[Route], *, version: str
) -> Mapping[str, JSON]:
    """Return the OpenAPI 3.1 document of a server.

    Args:
        operations: What can be done; what only a person may do is left out.
        routes: What plugins answer themselves.
        version: The version of Rove.
    """
    book = _Book()
    paths: dict[str, Any] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = book.endpoint(endpoint)
    for operation in operations:
        if not operation.terminal_only:
            paths[f"/operations/{operation.name}"] = {
                "get": book.plain(f"Describe {operation.name}."),
                "post": book.operation(operation),
            }
    paths["/operations"] = {"get": book.plain("List the operations.")}
    paths["/openapi.json"] = {"get": book.plain("Describe all of this.")}
    for route in (each for each in routes if each.method != WEBSOCKET):
        paths.setdefault(route.path, {})[route.method.lower()] = book.route(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Rove", "version": version, "license": {"name": "MIT"}},
        "servers": [{"url": "http://localhost", "description": "Over the socket .rove/api.sock"}],
        "paths": paths,
        "components": {"schemas": book.schemas},
    }


class _Book:
    """Describes requests for the document, and collects their shared schemas."""

    def __init__(self) -> None:
        self.schemas: dict[str, JSON] = {}
        self._error = self._with_shared_definitions("Error", output_schema(Failure))

    def endpoint(self, endpoint: ServerEndpoint) -> Mapping[str, Any]:
        """Return the description of one of the server's own endpoints."""
        name = _name(endpoint)
        schema = self._with_shared_definitions(name, output_schema(endpoint.gives))
        bad = {status: self._bad(text) for status, text in endpoint.failures.items()}
        for status, body in endpoint.failure_bodies.items():
            bad[status]["content"][_JSON]["schema"] = self._with_shared_definitions(
                body.__name__, output_schema(body)
            )
        description: dict[str, Any] = {
            "operationId": name,
            "summary": endpoint.title,
            "parameters": [*_in_path(endpoint.path), *_in_query(endpoint)],
            "responses": self._responses(endpoint.status, schema, bad),
        }
        if endpoint.takes:
            taken = input_schema(parameters_of(endpoint.takes))
            description["requestBody"] = _body(self._with_shared_definitions(f"{name}_body", taken))
        return description

    def operation(self, operation: Operation) -> Mapping[str, Any]:
        """Return the description of an operation."""
        schema = self._with_shared_definitions(operation.name, operation.output_schema())
        return {
            "operationId": operation.name,
            "summary": operation.title,
            "description": operation.description,
            "tags": [operation.toolset or "rove"],
            "requestBody": _body(
                self._with_shared_definitions(f"{operation.name}_input", operation.input_schema())
            ),
            "responses": self._responses(200, schema, {}),
        }

    def plain(self, title: str) -> Mapping[str, Any]:
        """Return the description of a request whose answer needs no schema."""
        return {"summary": title, "responses": self._responses(200, {}, {})}

    def route(self, route: Route) -> Mapping[str, Any]:
        """Return the description of a plugin's route, whose format is documented elsewhere."""
        return {"summary": route.title, "responses": {"default": {"description": "Its own."}}}

    def _responses(self, status: int, schema: JSON, bad: Mapping[int, JSON]) -> Mapping[str, Any]:
        good = {"description": "Done.", "content": {_JSON: {"schema": schema}}}
        others = {str(code): response for code, response in bad.items()}
        return {
            str(status): good,
            **others,
            "default": self._bad("Why it failed."),
        }

    def _bad(self, text: str) -> dict[str, Any]:
        return {"description": text, "content": {_JSON: {"schema": self._error}}}

    def _with_shared_definitions(self, name: str, schema: Schema) -> JSON:
        """Return a schema whose definitions moved to the document, under unique names."""
        own = {key: value for key, value in schema.items() if key not in {"$schema", "$defs"}}
        definitions = schema.get("$defs", {})
        if isinstance(definitions, Mapping):
            for key, value in definitions.items():
                self.schemas[f"{name}.{key}"] = _rename_definitions(value, name)
        return _rename_definitions(own, name)


def _rename_definitions(schema: JSON, name: str) -> JSON:
    match schema:
        case Mapping():
            return {key: _redirect_reference(key, value, name) for key, value in schema.items()}
        case list():
            return [_rename_definitions(each, name) for each in schema]
        case _:
            return schema


def _redirect_reference(key: str, value: JSON, name: str) -> JSON:
    """Return a value with its references pointing to the moved definitions."""
    if key == "$ref" and isinstance(value, str) and value.startswith(_OWN):
        return f"{_SHARED}{name}.{value.removeprefix(_OWN)}"
    return _rename_definitions(value, name)


def _name(endpoint: ServerEndpoint) -> str:
    words = [word.strip("{}") for word in endpoint.path.split("/") if word]
    return "_".join([endpoint.method.lower(), *words])


def _in_path(path: str) -> Iterator[Mapping[str, Any]]:
    for word in path.split("/"):
        if word.startswith("{"):
            yield {"name": word.strip("{}"), "in": "path", "required": True, "schema": WORDS}


def _in_query(endpoint: ServerEndpoint) -> Iterator[Mapping[str, Any]]:
    for each in endpoint.query:
        yield {
            "name": each.name,
            "in": "query",
            "required": each.required,
            "schema": each.schema,
        }


def _body(schema: JSON) -> Mapping[str, Any]:
    return {"required": True, "content": {_JSON: {"schema": schema}}}
