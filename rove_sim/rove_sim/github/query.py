"""GitHub's search syntax: words, phrases and qualifiers with AND, OR and NOT."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from rove_sim.github.hub import plain_words

_MOST_OPERATORS: Final = 5
_LONGEST: Final = 256
_TOKEN: Final = re.compile(
    r"""\s*(?:
        (?P<mark>[()])
      | (?P<not>-)(?=[\w"(])
      | (?P<name>[a-z][a-z-]*):(?P<value>"[^"]*"|[^\s()"]+)
      | "(?P<phrase>[^"]*)"
      | (?P<word>[^\s()"]+)
      | (?P<stray>")
    )""",
    re.VERBOSE,
)


class WrongQueryError(ValueError):
    """A query cannot be run; the sentence is GitHub's."""


@frozen
class SearchWords:
    """A word or a phrase, as :func:`rove_sim.github.hub.plain_words`."""

    text: str


@frozen
class Qualifier:
    """A condition like ``author:sarah``."""

    name: str
    value: str


@frozen
class Negation:
    """What must not hold."""

    of: "Expression"


@frozen
class AllOf:
    """What must hold together."""

    of: "tuple[Expression, ...]"


@frozen
class AnyOf:
    """What may hold instead of each other."""

    of: "tuple[Expression, ...]"


Expression: TypeAlias = SearchWords | Qualifier | Negation | AllOf | AnyOf


def read(query: str, qualifiers: frozenset[str]) -> Expression:
    """Read a query; what looks like a qualifier but is none is a word.

    Raises:
        WrongQueryError: When it is too long, has too many operators or unbalanced brackets.
    """
    tokens = list(_tokens(query, qualifiers))
    if sum(each in _OPERATORS for each in tokens) > _MOST_OPERATORS:
        raise WrongQueryError("More than five AND / OR / NOT operators were used.")
    if sum(len(each.text) for each in tokens if isinstance(each, SearchWords)) > _LONGEST:
        raise WrongQueryError(f"The search is longer than {_LONGEST} characters.")
    if not tokens:
        raise WrongQueryError("None of the search qualifiers apply to this search type.")
    reader = _QueryReader(tokens)
    found = reader.any_of()
    if reader.remaining:
        raise WrongQueryError("The search has a bracket that does not belong to another one.")
    return found


def with_alternatives(expression: Expression, names: frozenset[str]) -> Expression:
    """Return a query in GitHub's old syntax, where some qualifiers are alternatives.

    Args:
        expression: The query.
        names: The conditions that are alternatives when they are repeated (``repo``).
    """
    if not isinstance(expression, AllOf):
        return expression
    repeated = {
        name: AnyOf(tuple(each for each in expression.of if _is_called(each, name)))
        for name in sorted(names)
    }
    others = (each for each in expression.of if not any(_is_called(each, name) for name in names))
    return AllOf((*others, *(each for each in repeated.values() if each.of)))


def _is_called(expression: Expression, name: str) -> bool:
    return isinstance(expression, Qualifier) and expression.name == name


def qualifiers(expression: Expression) -> Iterator[Qualifier]:
    """Yield all qualifiers of a query."""
    match expression:
        case Qualifier():
            yield expression
        case Negation(of=inner):
            yield from qualifiers(inner)
        case AllOf(of=several) | AnyOf(of=several):
            for each in several:
                yield from qualifiers(each)


def words(expression: Expression) -> Iterator[str]:
    """Yield the words and phrases that are looked for."""
    match expression:
        case SearchWords(text=text):
            yield text
        case AllOf(of=several) | AnyOf(of=several):
            for each in several:
                yield from words(each)


_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})
_Token: TypeAlias = str | SearchWords | Qualifier


def _tokens(query: str, names: frozenset[str]) -> Iterator[_Token]:
    for match in _TOKEN.finditer(query):
        kind, text = match.lastgroup, match[0].strip()
        if kind == "mark" or text in _OPERATORS:
            yield text
        elif kind == "not":
            yield "-"
        elif kind == "value" and match["name"] in names:
            yield Qualifier(match["name"], match["value"].strip('"'))
        elif kind != "stray" and plain_words(text).strip():
            yield SearchWords(plain_words(text))


class _QueryReader:
    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.remaining = list(reversed(tokens))

    def any_of(self) -> Expression:
        found = [self._all_of()]
        while self._skip("OR"):
            found.append(self._all_of())
        return found[0] if len(found) == 1 else AnyOf(tuple(found))

    def _all_of(self) -> Expression:
        found: list[Expression] = []
        while self.remaining and self.remaining[-1] not in (")", "OR"):
            if not self._skip("AND"):
                found.append(self._one())
        return found[0] if len(found) == 1 else AllOf(tuple(found))

    def _one(self) -> Expression:
        if self._skip("NOT") or self._skip("-"):
            return Negation(self._one())
        if self._skip("("):
            inner = self.any_of()
            if not self._skip(")"):
                raise WrongQueryError("The search has a bracket that is never closed.")
            return inner
        if not self.remaining or isinstance(self.remaining[-1], str):
            raise WrongQueryError("The search ends where a word is expected.")
        token = self.remaining.pop()
        return token if isinstance(token, SearchWords | Qualifier) else AllOf(())

    def _skip(self, token: str) -> bool:
        found = bool(self.remaining) and self.remaining[-1] == token
        if found:
            self.remaining.pop()
        return found
