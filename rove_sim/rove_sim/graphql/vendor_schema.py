"""A vendor's schema, and the queries sent to it."""

from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from rove_core import JSON
from rove_sim import parameters
from rove_sim.graphql.answers import Node
from rove_sim.parameters import MalformedError, Parameters
from rove_sim.routes import RoutedRequest

if TYPE_CHECKING:
    from rove_sim.graphql.engine import FittingQuery, QueryEngine


class VendorSchema:
    """What one vendor can be asked; read when the first query comes.

    Args:
        name: Of the vendor, as in the name of the file with its schema.
    """

    def __init__(self, name: str) -> None:
        self._file = f"{name}.graphql"

    @property
    def body(self) -> Parameters:
        """Return the parameters of a request: a valid query with its variables."""
        return parameters.taking(
            "query",
            query=self._checked,
            variables=_object,
            operationName=_name,
            extensions=_object,
        )

    def query(self, call: RoutedRequest, root: Node) -> "FittingQuery":
        """Return the query of a parsed request, to execute on a root value.

        Raises:
            InputError: It names no operation of the query, or its variables do not fit.
        """
        values = call.request.json().get("variables")
        return self._engine.query(
            call.text("query"),
            root,
            variables=values if isinstance(values, Mapping) else {},
            operation=call.text("operationName"),
        )

    @cached_property
    def _engine(self) -> "QueryEngine":
        from rove_sim.graphql.engine import QueryEngine  # noqa: PLC0415  # it is slow to import

        return QueryEngine(files("rove_sim").joinpath(self._file).read_text("utf-8"))

    def _checked(self, value: JSON) -> str:
        text = parameters.text(value)
        self._engine.document(text)
        return text


def _object(value: JSON) -> str:
    """Read an object; its text is not needed, as the query reads it again."""
    if value is None or isinstance(value, Mapping):
        return ""
    raise MalformedError("expected an object")


def _name(value: JSON) -> str:
    return "" if value is None else parameters.text(value)
