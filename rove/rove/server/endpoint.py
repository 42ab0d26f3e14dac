"""A server endpoint and its parsed request."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import parse_qsl, unquote

from attrs import define, frozen

from rove_core.errors import WrongCall
from rove_core.http.server.door import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from rove.server.served_project import ServedProject
    from rove_core.wire.schema import Schema

_MOST_FIELDS: Final = 9
_SHOWN: Final = 80
#: Text that says something.
WORDS: Final[Mapping[str, object]] = {"type": "string", "minLength": 1}


@frozen(kw_only=True)
class QueryParameter:
    """A parameter in the query of an endpoint: text, one of some words, or a whole number.

    Attributes:
        name: Its name.
        required: Whether it must be there, and say something.
        choices: The words it may be, with commas between several; empty for any text.
        least: The least number; None if it is not a number.
        most: The highest number.
        default: The number when it is not there.
    """

    name: str
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int = 0
    default: int = 0

    @property
    def schema(self) -> "Schema":
        """The JSON Schema of its value."""
        if self.choices:
            return {"enum": list(self.choices)}
        if self.least is not None:
            return {"type": "integer", "minimum": self.least, "maximum": self.most}
        return {"type": "string", "minLength": 1, "pattern": r"\S"} if self.required else _TEXT

    def number(self, text: str | None) -> int:
        """Return the number that a query says; raise WrongCall if it is none that fits."""
        if text is None or self.least is None:
            return self.default
        is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(self.most))
        if not is_number or not self.least <= int(text) <= self.most:
            what = f"a whole number from {self.least} to {self.most} is expected"
            raise WrongCall(f"{self.name}={text[:_SHOWN]!r}: {what}")
        return int(text)


@define(eq=False, kw_only=True)
class ServerEndpoint:
    """One of the server's own endpoints.

    Attributes:
        method: Its method.
        path: With the names of its parameters in braces.
        title: What it does.
        gives: The type of a successful response.
        handler: Answers a request; None if a worker does, which has all plugins.
        status: The status of a successful response.
        failures: The statuses of errors, with what each means.
        failure_bodies: The types of error responses with more fields than an error.
        query: The parameters in the query; others are refused.
        takes: The type of the request's body.
    """

    method: str
    path: str
    title: str
    gives: object
    handler: "Callable[[EndpointRequest], Awaitable[HttpResponse]] | None" = None
    status: int = 200
    failures: Mapping[int, str] = {}
    failure_bodies: Mapping[int, type] = {}
    query: tuple[QueryParameter, ...] = ()
    takes: type | None = None

    @cached_property
    def words(self) -> Sequence[str]:
        """The words of its path."""
        return self.path.split("/")[1:]

    @property
    def shape(self) -> tuple[str, int]:
        """The first word of its path, and how many there are."""
        return self.words[0], len(self.words)

    def fits(self, words: Sequence[str]) -> bool:
        """Return whether a path with the same number of parts matches this route."""
        pairs = zip(self.words, words, strict=True)
        return all(word if own.startswith("{") else own == word for own, word in pairs)


@define(eq=False)
class EndpointRequest:
    """A request, as its endpoint reads it.

    Attributes:
        request: As it came.
        served: The project that is served.
        path: The parameters of its path, decoded.
        query: Those of its query.
    """

    request: HttpRequest
    served: "ServedProject"
    path: Mapping[str, str]
    query: Mapping[str, str]
    _endpoint: ServerEndpoint

    @classmethod
    def of(cls, endpoint: ServerEndpoint, request: HttpRequest, served: "ServedProject") -> Self:
        """Return a request that an endpoint answers; raise WrongCall if its query does not fit."""
        words = request.path.split("/")[1:]
        pairs = zip(endpoint.words, words, strict=True)
        path = {own.strip("{}"): unquote(word) for own, word in pairs if own.startswith("{")}
        query = _parameters(request.query, [each.name for each in endpoint.query])
        for each in endpoint.query:
            if each.required and not query.get(each.name, "").strip():
                hint = f"Ask for: {endpoint.path}?{each.name}=..."
                raise WrongCall(f"{each.name} is missing", hint=hint)
        return cls(request, served, path, query, endpoint)

    def number(self, name: str) -> int:
        """Return a number of the query, or its default."""
        parameter = next(each for each in self._endpoint.query if each.name == name)
        return parameter.number(self.query.get(name))


_TEXT: Final[Mapping[str, str]] = {"type": "string"}


def _parameters(query: str, valid_names: Sequence[str]) -> Mapping[str, str]:
    """Return the parameters of a query; duplicate and unknown ones are refused."""
    if not query:
        return {}
    try:
        pairs = parse_qsl(
            query, keep_blank_values=True, strict_parsing=True, max_num_fields=_MOST_FIELDS
        )
    except ValueError as error:
        raise WrongCall(f"the query {query[:_SHOWN]!r} cannot be read: {error}") from error
    names = [name for name, _ in pairs]
    for name in names:
        if name not in valid_names:
            hint = f"There are: {', '.join(valid_names) or 'none'}"
            raise WrongCall(f"no such parameter: {name[:_SHOWN]!r}", hint=hint)
        if names.count(name) > 1:
            raise WrongCall(f"{name} is given twice")
    return dict(pairs)
