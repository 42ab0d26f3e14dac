"""Put together decisions that people stated more than once, in other words.

Nothing is dropped: a repetition stands beside the decision, and one of what no longer holds among
what the decision replaced.
"""

import re
from collections.abc import Sequence
from typing import Final

import attrs

from rove_core.build.compose.changes import differs
from rove_core.build.compose.claims import Claims, SentenceClaim
from rove_core.build.compose.outline import StandingDecision, Statement

#: Sentences this similar that take the same side, or give the same number, state one decision.
_THE_SAME: Final = 0.33
#: So many words they must share besides numbers and units.
_FEWEST_WORDS: Final = 2
#: A sentence this similar to one that was replaced was replaced with it.
_ENDED: Final = 0.5
_ADDRESS: Final = re.compile(r"https?://\S+|\b[A-Z][A-Z0-9]+-\d+\b")
#: Names of things: with a letter that no ordinary word has, or in capitals.
_NAME: Final = re.compile(r"\b(?:\w*_\w+|[A-Z]\w*[A-Z]\w*|[a-z]+[A-Z]\w*)\b")
_NEGATION: Final = re.compile(r"\b(?:not|never|nobody|cannot)\b|n['’]t\b", re.IGNORECASE)  # noqa: RUF001  # people type both apostrophes


def put_together(decisions: Sequence[StandingDecision], claims: Claims) -> list[StandingDecision]:
    """Return each decision once, with its repetitions and all that it replaced.

    Args:
        decisions: Decisions, most important first.
        claims: The sentences of the document.
    """
    comparison = _Comparison(claims)
    left: list[StandingDecision] = []
    for each in decisions:
        for at, other in enumerate(left):
            if merged := comparison.merged(other, each) or comparison.merged(each, other):
                left[at] = merged
                break
        else:
            left.append(each)
    return left


class _Comparison:
    def __init__(self, claims: Claims) -> None:
        self._claims = claims
        self._by_text = {(each.of.key, each.text): each for each in claims.all}

    def merged(self, one: StandingDecision, other: StandingDecision) -> StandingDecision | None:
        """Return a decision with another that it states, or has replaced; None if it has not."""
        if self._is_ended(one, other.statement):
            return attrs.evolve(
                one,
                replaced=_distinct(
                    (*one.replaced, other.statement, *other.repeated, *other.replaced)
                ),
            )
        if self._is_same(one.statement, other.statement):
            return attrs.evolve(
                one,
                repeated=_distinct((*one.repeated, other.statement, *other.repeated)),
                replaced=_distinct((*one.replaced, *other.replaced)),
            )
        return None

    def _is_same(self, one: Statement, other: Statement) -> bool:
        """Return whether two sentences state one decision."""
        first, second = self._claim(one), self._claim(other)
        return first is not None and second is not None and self._agree(first, second, _THE_SAME)

    def _is_ended(self, decision: StandingDecision, other: Statement) -> bool:
        """Return whether a decision ended another one, as it ended one that says the same."""
        now, then = self._claim(decision.statement), self._claim(other)
        if not now or not then or then.when >= now.when or not differs(then, now):
            return False
        if self._claims.sentence_likeness(now, then) < _THE_SAME:
            return False
        ended = filter(None, map(self._claim, decision.replaced))
        return any(self._agree(each, then, _ENDED) for each in ended)

    def _agree(self, one: SentenceClaim, other: SentenceClaim, least: float) -> bool:
        """Return whether two sentences are alike, and take one side or give one number."""
        if differs(one, other) or differs(other, one) or _name_others(one, other):
            return False
        same_side = one.sides & other.sides and _is_negated(one) == _is_negated(other)
        units = one.amounts.keys() & other.amounts.keys()
        same_number = any(one.amounts[unit] & other.amounts[unit] for unit in units)
        if not (same_side or same_number):
            return False
        shared = {each for each in one.words & other.words if each.isalpha()} - units
        likeness = self._claims.sentence_likeness(one, other)
        return len(shared) >= _FEWEST_WORDS and likeness >= least

    def _claim(self, statement: Statement) -> SentenceClaim | None:
        """Return the sentence of a statement, if the document has it."""
        return self._by_text.get((statement.key, statement.text))


def _distinct(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return statements without further sentences of the same ones."""
    return tuple({each.key: each for each in reversed(statements)}.values())[::-1]


def _name_others(one: SentenceClaim, other: SentenceClaim) -> bool:
    """Return whether both sentences name things, and none in common."""
    names, others = _names(one), _names(other)
    return bool(names and others) and not names & others


def _names(claim: SentenceClaim) -> frozenset[str]:
    return frozenset(map(str.lower, _NAME.findall(_ADDRESS.sub(" ", claim.text))))


def _is_negated(claim: SentenceClaim) -> bool:
    return bool(_NEGATION.search(claim.text))
