"""A small GraphQL for the simulators: it reads, checks and answers queries over a schema."""

from rove_sim.graphql.check import problems
from rove_sim.graphql.execute import (
    Answer,
    Arguments,
    FieldError,
    GraphOutcome,
    Node,
    execute,
    operation_named,
)
from rove_sim.graphql.parse import parse
from rove_sim.graphql.schema import Schema
from rove_sim.graphql.sdl import read_schema
from rove_sim.graphql.tokens import GraphQLSyntaxError
from rove_sim.graphql.variables import InputError

__all__ = [
    "Answer",
    "Arguments",
    "FieldError",
    "GraphOutcome",
    "GraphQLSyntaxError",
    "InputError",
    "Node",
    "Schema",
    "execute",
    "operation_named",
    "parse",
    "problems",
    "read_schema",
]
