"""Routes of a simulated vendor: methods, paths and handlers."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar
from urllib.parse import unquote

from attrs import frozen

from rove_core import JSON
from rove_sim.parameters import NOTHING, Parameters, Value
from rove_sim.server import Request, Response

_Value = TypeVar("_Value", str, int, bool)


@frozen
class RoutedRequest:
    """A request that found its route.

    Attributes:
        request: As it came.
        path: What stood in the open places of the route's path, decoded.
        values: The parameters of query and body, read.
    """

    request: Request
    path: Mapping[str, str]
    values: Mapping[str, Value]

    def text(self, name: str, default: str = "") -> str:
        """Return a parameter that is a text."""
        return _typed(self.values.get(name), default)

    def number(self, name: str, default: int = 0) -> int:
        """Return a parameter that is a number."""
        return _typed(self.values.get(name), default)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a parameter that is true or false."""
        return _typed(self.values.get(name), default)

    def words(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return a parameter that is several words."""
        value = self.values.get(name, default)
        return value if isinstance(value, tuple) else default


class RefusedError(Exception):
    """Raised anywhere below a route to answer something else.

    Attributes:
        wrong: What was wrong with the request, where its parameters alone do not tell.
    """

    def __init__(self, response: Response, *, wrong: str = "") -> None:
        super().__init__(str(response.value))
        self.response = response
        self.wrong = wrong


@frozen(kw_only=True, slots=False)
class VendorRoute:
    """One thing that can be asked.

    Attributes:
        method: ``GET`` or ``POST``; several with a ``|`` between.
        path: With open places, like ``/repos/{owner}/{name}``; each takes one segment.
        answer: Who answers.
        query: What may stand in the query.
        body: What may stand in the body; nothing when not given.
        open: Whether it answers without a login.
        form: Whether its body is a form, where the vendor takes JSON elsewhere.
    """

    method: str
    path: str
    answer: Callable[[RoutedRequest], Response]
    query: Parameters = NOTHING
    body: Parameters = NOTHING
    open: bool = False
    form: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The path as a pattern."""
        return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(self.path)))


def find(
    routes: Sequence[VendorRoute], request: Request
) -> list[tuple[VendorRoute, dict[str, str]]]:
    """Return the routes of a path, whatever their method, with what stood in the open places."""
    return [
        (route, {name: unquote(value) for name, value in match.groupdict().items()})
        for route in routes
        if (match := route.pattern.fullmatch(request.path))
    ]


def _typed(value: JSON, default: _Value) -> _Value:
    return value if isinstance(value, type(default)) else default
