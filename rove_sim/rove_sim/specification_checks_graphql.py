"""Check recorded GraphQL queries against the vendors' schemas."""

import gzip
from functools import cache
from pathlib import Path

import graphql
from graphql.execution import get_variable_values

from rove_sim.vendor import RecordedExchange


def query_problems(folder: Path, vendor: str, exchange: RecordedExchange) -> list[str]:
    """Return the problems of a query that was not refused.

    Args:
        folder: Where the vendors' specifications lie.
        vendor: The name of the simulator.
        exchange: What passed.
    """
    if exchange.wrong or exchange.route is None or not exchange.route.path.endswith("/graphql"):
        return []
    body = exchange.request.json()
    schema, document = vendor_schema(folder, vendor), graphql.parse(str(body["query"]))
    if errors := graphql.validate(schema, document):
        return [error.message for error in errors]
    variables = body.get("variables")
    operation = graphql.get_operation_ast(document, _name(body.get("operationName")))
    if operation is None:
        return ["there is no operation of that name"]
    inputs = dict(variables) if isinstance(variables, dict) else {}
    values = get_variable_values(schema, operation.variable_definitions or (), inputs)
    return [error.message for error in values] if isinstance(values, list) else []


@cache
def vendor_schema(folder: Path, vendor: str) -> graphql.GraphQLSchema:
    """Return the schema of a vendor, which takes a second or two to read."""
    text = gzip.decompress((folder / f"{vendor}-schema.graphql.gz").read_bytes()).decode()
    return graphql.build_schema(text, assume_valid=True)


def _name(value: object) -> str | None:
    return value if isinstance(value, str) else None
