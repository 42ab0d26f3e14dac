"""The syntax tree of JQL."""

from collections.abc import Sequence
from typing import TypeAlias

from attrs import frozen

from rove_sim.jira.jql_tokens import GRAMMAR, JqlError, JqlToken, tokens

_SIGNS = ("=", "!=", "~", "!~", "<=", ">=", "<", ">")
_MOST_SORTS = 7


@frozen
class Call:
    """A function of JQL, like ``currentUser()``."""

    name: str
    arguments: tuple[str, ...]


Operand: TypeAlias = str | Call | None


@frozen
class Clause:
    """A field, an operator and its values; None for EMPTY."""

    field: str
    operator: str
    values: tuple[Operand, ...]


@frozen
class Both:
    """Clauses that all hold (``and``), or of which one does (``or``)."""

    word: str
    parts: tuple["Node", ...]


@frozen
class NegatedClause:
    """A clause that does not hold."""

    part: "Node"


Node: TypeAlias = Clause | Both | NegatedClause


@frozen
class Sort:
    """A field to sort by."""

    field: str
    descending: bool


@frozen
class Jql:
    """A query: what must hold, if anything, and the order."""

    where: Node | None
    sorts: tuple[Sort, ...]


def parse(query: str) -> Jql:
    """Read a query, or raise :class:`JqlError`."""
    return _Parser(tokens(query)).query()


class _Parser:
    def __init__(self, found: Sequence[JqlToken]) -> None:
        self._tokens = found
        self._at = 0

    def query(self) -> Jql:
        where = None if self._now.means("order") or self._now.kind == "end" else self._either()
        sorts = self._sorts() if self._take("order") else ()
        if self._now.kind != "end":
            raise self._expected("either 'OR' or 'AND'")
        return Jql(where, sorts)

    @property
    def _now(self) -> JqlToken:
        return self._tokens[self._at]

    def _take(self, *words: str) -> bool:
        if not self._now.means(*words):
            return False
        self._at += 1
        return True

    def _need(self, word: str) -> None:
        if not self._take(word):
            raise self._expected(f"'{word.upper()}'")

    def _next(self) -> JqlToken:
        token = self._now
        self._at += 1
        return token

    def _either(self) -> Node:
        parts = [self._all()]
        while self._take("or", "||", "|"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else Both("or", tuple(parts))

    def _all(self) -> Node:
        parts = [self._one()]
        while self._take("and", "&&", "&"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Both("and", tuple(parts))

    def _one(self) -> Node:
        if self._take("not", "!"):
            return NegatedClause(self._one())
        if self._take("("):
            inside = self._either()
            self._need(")")
            return inside
        return self._clause()

    def _clause(self) -> Clause:
        field = self._name("a field name")
        if self._take("is"):
            operator = "is not" if self._take("not") else "is"
            if not self._take("empty", "null"):
                raise self._expected("'EMPTY' or 'NULL'")
            return Clause(field, operator, (None,))
        if self._take("not"):
            self._need("in")
            return Clause(field, "not in", self._list())
        if self._take("in"):
            return Clause(field, "in", self._list())
        if self._now.kind == "sign" and self._now.text in _SIGNS:
            return Clause(field, self._next().text, (self._operand(),))
        raise self._expected("operator")

    def _name(self, what: str) -> str:
        token = self._next()
        grammar = token.kind == "word" and token.text.lower() in GRAMMAR
        if token.kind in ("sign", "end") or grammar:
            self._at -= 1
            raise self._expected(what)
        return token.text

    def _list(self) -> tuple[Operand, ...]:
        if self._now.kind == "word" and self._tokens[self._at + 1].means("("):
            return (self._operand(),)
        self._need("(")
        values = [self._operand()]
        while self._take(","):
            values.append(self._operand())
        self._need(")")
        return tuple(values)

    def _operand(self) -> Operand:
        if self._take("empty", "null"):
            return None
        quoted = self._now.kind == "quoted"
        text = self._name("either a value, list or function")
        if quoted or not self._take("("):
            return text
        arguments: list[str] = []
        while not self._take(")"):
            arguments.append(self._name("an argument"))
            self._take(",")
        return Call(text, tuple(arguments))

    def _sorts(self) -> tuple[Sort, ...]:
        self._need("by")
        sorts = [self._sort()]
        while self._take(","):
            sorts.append(self._sort())
        if len(sorts) > _MOST_SORTS:
            raise JqlError(f"The maximum number of fields to order by is {_MOST_SORTS}.")
        return tuple(sorts)

    def _sort(self) -> Sort:
        field = self._name("a field name")
        descending = self._take("desc")
        if not descending:
            self._take("asc")
        return Sort(field, descending)

    def _expected(self, what: str) -> JqlError:
        token = self._now
        place = f"(line 1, character {token.at})"
        if token.kind == "end":
            return JqlError(
                f"Error in the JQL Query: Expecting {what} before the end of the query."
            )
        found = f"Expecting {what} but got '{token.text}'."
        return JqlError(f"Error in the JQL Query: {found} {place}")
