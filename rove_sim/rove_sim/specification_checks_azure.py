"""Check recorded requests against Azure DevOps' specification.

Requests alone: what it says of replies is known to be wrong. Of the parts that it does not
describe nothing can be said either.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from rove_core import JSON
from rove_sim.vendor import RecordedExchange

_FILE: Final = "azure-devops.trimmed.json.gz"
#: Where a path has a place that the vendor's own documentation says may be left out.
_LEFT_OUT: Final = ("/{project}/{team}/", "/{project}/")


def request_problems(folder: Path, exchange: RecordedExchange) -> list[str]:
    """Return the problems of a request.

    Args:
        folder: Where the vendors' descriptions lie.
        exchange: The request, and its reply.
    """
    if exchange.route is None or not exchange.taken:
        return []
    operations = _operations(folder).get(
        (exchange.request.method, _unnamed(exchange.route.path)), ()
    )
    findings = [[*_problems(folder, each, exchange)] for each in operations]
    # Some are described several times, by their queries.
    best = min(findings, key=len, default=[])
    return [f"{exchange.request.method} {exchange.request.path}: {each}" for each in best]


def is_described(folder: Path, method: str, path: str) -> bool:
    """Return whether something is described that a simulator answers."""
    return (method, _unnamed(path)) in _operations(folder)


def _problems(
    folder: Path, operation: Mapping[str, JSON], exchange: RecordedExchange
) -> Iterator[str]:
    parameters = [*_parameters(folder, operation)]
    query = {str(each["name"]): each for each in parameters if each["in"] == "query"}
    arguments = exchange.request.query
    for name, each in query.items():
        if each.get("required") and name not in arguments:
            yield f"lacks {name}"
    for name, value in arguments.items():
        choices = query.get(name, {}).get("enum")
        if name not in query:
            yield f"takes no {name}"
        elif isinstance(choices, list) and value.lower() not in map(str.lower, map(str, choices)):
            yield f"{name} cannot be {value!r}"
    media = operation.get("consumes")
    if exchange.request.body and isinstance(media, list) and exchange.request.media not in media:
        yield f"takes {media}, not {exchange.request.media}"
    yield from _body_problems(folder, parameters, exchange)


def _body_problems(
    folder: Path, parameters: list[Mapping[str, JSON]], exchange: RecordedExchange
) -> Iterator[str]:
    for each in parameters:
        schema = each.get("schema") if each["in"] == "body" else None
        shape = _followed(folder, schema).get("properties")
        if isinstance(shape, Mapping):
            yield from (
                f"the body takes no {name}" for name in exchange.request.json() if name not in shape
            )


def _parameters(folder: Path, operation: Mapping[str, JSON]) -> Iterator[Mapping[str, JSON]]:
    parameters = operation.get("parameters")
    for each in parameters if isinstance(parameters, list) else ():
        yield _followed(folder, each)


def _followed(folder: Path, value: JSON) -> Mapping[str, JSON]:
    found = value if isinstance(value, Mapping) else {}
    target = found.get("$ref")
    if not isinstance(target, str):
        return found
    _, kind, name = target.split("/", 2)
    for part in _descriptions(folder).values():
        if name in part.get(kind, {}):
            return _followed(folder, part[kind][name])
    return {}


@cache
def _descriptions(folder: Path) -> Mapping[str, Mapping[str, Mapping[str, JSON]]]:
    content: Mapping[str, Mapping[str, Mapping[str, JSON]]] = json.loads(
        gzip.decompress((folder / _FILE).read_bytes())
    )
    return {name: part for name, part in content.items() if name.endswith("-7.1")}


@cache
def _operations(folder: Path) -> Mapping[tuple[str, str], tuple[Mapping[str, JSON], ...]]:
    found: dict[tuple[str, str], tuple[Mapping[str, JSON], ...]] = {}
    for part in _descriptions(folder).values():
        for path, methods in (*part["paths"].items(), *part.get("x-ms-paths", {}).items()):
            for method, operation in methods.items() if isinstance(methods, Mapping) else ():
                if isinstance(operation, Mapping):
                    for name in _names(path):
                        own = method.upper(), name
                        found[own] = (*found.get(own, ()), operation)
    return found


def _names(path: str) -> Iterator[str]:
    """Yield a path as routes have it, with and without its project."""
    plain = path.partition("?")[0]
    yield _unnamed(plain)
    for place in _LEFT_OUT:
        if place in plain:
            yield _unnamed(plain.replace(place, "/", 1))


def _unnamed(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path).lower()
