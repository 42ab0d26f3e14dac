"""The body of a GraphQL request over HTTP, read and checked."""

from collections.abc import Mapping
from functools import lru_cache, partial

from rove_core import JSON
from rove_sim import parameters
from rove_sim.graphql.check import problems
from rove_sim.graphql.nodes import GraphDocument
from rove_sim.graphql.parse import parse
from rove_sim.graphql.schema import Schema
from rove_sim.graphql.tokens import GraphQLSyntaxError
from rove_sim.parameters import MalformedError, Parameters
from rove_sim.routes import RoutedRequest


def body_of(schema: Schema) -> Parameters:
    """Return what a body may hold: a query that suits the schema, and what belongs to it."""
    return parameters.taking(
        "query",
        query=partial(_query, schema),
        variables=_object,
        operationName=_name,
        extensions=_object,
    )


def question(asked: RoutedRequest) -> tuple[GraphDocument, Mapping[str, JSON], str]:
    """Return the query of a request that was checked, its variables, and the operation's name."""
    variables = asked.request.json().get("variables")
    values = variables if isinstance(variables, Mapping) else {}
    return _parsed(asked.text("query")), values, asked.text("operationName")


@lru_cache(maxsize=256)
def _parsed(text: str) -> GraphDocument:
    return parse(text)


def _query(schema: Schema, value: JSON) -> str:
    text = parameters.text(value)
    try:
        found = problems(schema, _parsed(text))
    except GraphQLSyntaxError as error:
        raise MalformedError(str(error)) from None
    if found:
        raise MalformedError("\n".join(found))
    return text


def _object(value: JSON) -> str:
    """Read an object; its text is not needed, as :func:`question` reads it again."""
    if value is None or isinstance(value, Mapping):
        return ""
    raise MalformedError("expected an object")


def _name(value: JSON) -> str:
    return "" if value is None else parameters.text(value)
