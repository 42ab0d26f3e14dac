"""Parse and evaluate WIQL queries."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from html import unescape
from typing import Final, TypeAlias

from attrs import define, frozen

from rove_core import JSON

Fields: TypeAlias = Mapping[str, JSON]
Condition: TypeAlias = Callable[[Fields], bool]

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<field>\[[\w.]+\])|(?P<text>'(?:[^']|'')*')|(?P<sign><>|<=|>=|[=<>(),])"
    r"|(?P<word>@?[A-Za-z]+|-?\d+))"
)
_TAG: Final = re.compile(r"<[^>]*>")
_SORT: Final = re.compile(r"\[([\w.]+)\](?:\s+(ASC|DESC))?", re.IGNORECASE)
_QUERY: Final = re.compile(
    r"\s*SELECT\s+\[System\.Id\]\s+FROM\s+WorkItems(?:\s+WHERE\s+(?P<where>.*?))?"
    r"(?:\s+ORDER\s+BY\s+(?P<order>(?:[^']|'')*))?\s*",
    re.IGNORECASE | re.DOTALL,
)
#: Long texts, of which only whole words can be found.
_LONG: Final = frozenset({"System.Description", "System.History"})
_KNOWN: Final = frozenset(
    {
        "System.Id",
        "System.Title",
        "System.State",
        "System.Tags",
        "System.TeamProject",
        "System.WorkItemType",
        "System.ChangedDate",
        "System.CreatedDate",
        "System.CreatedBy",
        "System.AssignedTo",
        "System.HyperLinkCount",
        "System.Description",
        "System.History",
        "Microsoft.VSTS.Common.AcceptanceCriteria",
        "Microsoft.VSTS.TCM.ReproSteps",
    }
)


class WiqlError(ValueError):
    """A query that is none."""


@frozen
class ParsedWiql:
    """A query.

    Attributes:
        holds: Tells whether it is true for a work item.
        order: The fields that it sorts by, each with whether the greatest comes first.
    """

    holds: Condition
    order: tuple[tuple[str, bool], ...]


def parse(query: str, *, me: str, precise: bool) -> ParsedWiql:
    """Read a query.

    Args:
        query: The query.
        me: Who asks, as Azure names people.
        precise: Whether times are compared, and not days.
    """
    found = _QUERY.fullmatch(query)
    if found is None:
        raise WiqlError("Expecting SELECT [System.Id] FROM WorkItems.")
    reader = _WiqlReader(_tokens(found["where"] or ""), me, precise)
    holds = reader.either() if found["where"] else _always
    reader.end()
    order = [(name, way.upper() == "DESC") for name, way in _SORT.findall(found["order"] or "")]
    return ParsedWiql(holds, tuple(order))


def _always(_: Fields) -> bool:
    return True


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at = 0
    while text[at:].strip():
        token = _TOKEN.match(text, at)
        if token is None:
            raise WiqlError(f"The query is not valid near {text[at : at + 20]!r}.")
        found.append(token[0].strip())
        at = token.end()
    return found


@define
class _WiqlReader:
    """Reads a condition, token by token."""

    tokens: Sequence[str]
    me: str
    precise: bool
    at: int = 0

    def either(self) -> Condition:
        """Read conditions with ORs between."""
        ways = [self._all()]
        while self._takes("OR"):
            ways.append(self._all())
        return lambda fields: any(way(fields) for way in ways)

    def end(self) -> None:
        """Refuse what follows the condition."""
        if self.at < len(self.tokens):
            raise WiqlError(f"Unexpected {self.tokens[self.at]!r}.")

    def _all(self) -> Condition:
        parts = [self._one()]
        while self._takes("AND"):
            parts.append(self._one())
        return lambda fields: all(part(fields) for part in parts)

    def _one(self) -> Condition:
        if self._takes("("):
            inner = self.either()
            self._need(")")
            return inner
        token = self._next()
        name = token.strip("[]")
        if not token.startswith("["):
            raise WiqlError(f"Expecting a field, not {token!r}.")
        if name not in _KNOWN and not name.startswith("Custom."):
            raise WiqlError(f"TF51005: The query references a field that does not exist: {name}.")
        if self._takes("IN"):
            return self._among(name)
        if self._takes("CONTAINS"):
            return self._containing(name)
        sign = self._next()
        return self._compared(name, sign, self._value())

    def _among(self, name: str) -> Condition:
        self._need("(")
        values = [self._value()]
        while self._takes(","):
            values.append(self._value())
        self._need(")")
        choices = {each.lower() for each in values}
        return lambda fields: _text(fields.get(name)).lower() in choices

    def _containing(self, name: str) -> Condition:
        whole = self._takes("WORDS")
        term = self._value().lower()
        if name in _LONG and not whole:
            raise WiqlError(f"The operator CONTAINS cannot be used with the field {name}.")
        if name == "System.Tags":
            return lambda fields: term in _text(fields.get(name)).lower().split("; ")
        if not whole:
            return lambda fields: term in _text(fields.get(name)).lower()
        words = re.findall(r"\w+", term)
        return lambda fields: (
            set(words)
            <= set(re.findall(r"\w+", unescape(_TAG.sub(" ", _text(fields.get(name)))).lower()))
        )

    def _compared(self, name: str, sign: str, value: str) -> Condition:
        signs: Mapping[str, Callable[[int], bool]] = {
            "=": lambda order: order == 0,
            "<>": lambda order: order != 0,
            "<": lambda order: order < 0,
            "<=": lambda order: order <= 0,
            ">": lambda order: order > 0,
            ">=": lambda order: order >= 0,
        }
        if sign not in signs:
            raise WiqlError(f"Unexpected {sign!r}.")
        if name.endswith("Date"):
            return lambda fields: signs[sign](self._later(_text(fields.get(name)), value))
        return lambda fields: signs[sign](_order(_text(fields.get(name)), value))

    def _later(self, at: str, value: str) -> int:
        """Compare two times, or their days when the query has no time in it."""
        if not self.precise and "T" in value:
            raise WiqlError(
                "VS402320: You cannot supply a time with the date when running a query using "
                "date precision."
            )
        one, other = datetime.fromisoformat(at), datetime.fromisoformat(value)
        if self.precise:
            return (one > other) - (one < other)
        return (one.date() - other.date()) // timedelta(days=1)

    def _value(self) -> str:
        token = self._next()
        if token.lower() == "@me":
            return self.me
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if token.lstrip("-").isdecimal():
            return token
        raise WiqlError(f"Expecting a value, not {token!r}.")

    def _takes(self, token: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at].upper() == token:
            self.at += 1
            return True
        return False

    def _need(self, token: str) -> None:
        if not self._takes(token):
            raise WiqlError(f"Expecting {token!r}.")

    def _next(self) -> str:
        if self.at >= len(self.tokens):
            raise WiqlError("The query ends too early.")
        self.at += 1
        return self.tokens[self.at - 1]


def _text(value: JSON) -> str:
    if isinstance(value, Mapping):
        return str(value.get("uniqueName", ""))
    return "" if value is None else str(value)


def _order(one: str, other: str) -> int:
    if one.isdecimal() and other.isdecimal():
        return (int(one) > int(other)) - (int(one) < int(other))
    a, b = one.lower(), other.lower()
    return (a > b) - (a < b)
