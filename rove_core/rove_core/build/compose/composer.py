"""Compose the outline of a document, and record the outcome of each item."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final, Protocol, TypeVar

import attrs
from attrs import field, frozen

from rove_core.build.compose.decisions import decisions
from rove_core.build.compose.outline import (
    ConsultedSource,
    OpenQuestion,
    Outline,
    StandingDecision,
    Statement,
    Topic,
)
from rove_core.build.compose.selection import Selection, needed, remembered, select
from rove_core.build.compose.statements import statements
from rove_core.build.compose.topics import CODE, PlacedTopic, arrange
from rove_core.build.engine import Engine
from rove_core.build.gather.candidates import Candidate, Key, RankedItem, key_of
from rove_core.build.rank.cutoff import enough
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.items import ContextItem, ItemRef, Section
from rove_core.time_windows import Window

_Part = TypeVar("_Part")

#: The shares of the budget for questions, and for decisions at the top.
QUESTIONS: Final = 0.2
DECISIONS: Final = 0.08
#: The share of the rest for headings of topics, whose number is known only afterwards.
_HEADINGS: Final = 0.05


class BlockCosts(Protocol):
    """Token costs of the document's parts."""

    def document(self, outline: Outline) -> int:
        """Return the cost of the whole document, with each definition counted once."""

    def frame(self) -> int:
        """Return the cost of an empty document."""

    def statement(self, statement: Statement) -> int:
        """Return the cost of a quote."""

    def question(self, question: OpenQuestion) -> int:
        """Return the cost of a question."""

    def decision(self, decision: StandingDecision) -> int:
        """Return the cost of a decision's line."""

    def listed(self, item: ContextItem) -> int:
        """Return the cost of a line that only names an item."""


@frozen(kw_only=True)
class Brief:
    """The input of one composition.

    Attributes:
        ticket: The ticket.
        candidates: Items that may belong in the document.
        window: The time window of statements.
        budget: The token budget of the document.
        own_words: What people wrote into the document themselves, which is not repeated.
        placed: The topics of the existing document.
        sections: The sections that plugins add.
        consulted: The accounts that were queried.
        gone: Items gone from their source, and when that was noticed.
        everywhere: Word frequencies across everything that could have been found.
    """

    ticket: ContextItem
    candidates: tuple[Candidate, ...]
    window: Window = field(factory=Window)
    budget: int
    own_words: Sequence[str] = ()
    placed: Sequence[PlacedTopic] = ()
    sections: Sequence[Section] = ()
    consulted: tuple[ConsultedSource, ...] = ()
    gone: Mapping[Key, datetime] = field(factory=dict)
    everywhere: WordFrequencies = UNKNOWN_FREQUENCIES


@frozen(kw_only=True)
class ItemOutcome:
    """The outcome for one candidate.

    Attributes:
        ranked: The candidate with its relevance.
        reason: Why it is in the document, or why not.
        tokens: The tokens it takes in the document.
        is_quoted: Whether the document quotes it.
        merged: Other items that say the same and are not quoted.
    """

    ranked: RankedItem
    reason: str
    tokens: int = 0
    is_quoted: bool = False
    merged: tuple[ItemRef, ...] = ()


@frozen(kw_only=True)
class Composition:
    """The document's content, and the outcome for every candidate, best first."""

    outline: Outline
    outcomes: tuple[ItemOutcome, ...]


async def compose(brief: Brief, engine: Engine, costs: BlockCosts) -> Composition:
    """Compose a document from everything that was gathered.

    Args:
        brief: Candidates, budget and the state of the document.
        engine: Answers the language questions.
        costs: The token costs of the document's parts.
    """
    ticket = brief.ticket
    candidates = [one for each in brief.candidates if (one := _part_within(brief.window, each))]
    ranked = await engine.relevance(ticket, candidates, brief.everywhere)
    believed = ranked[: enough(ranked)]
    quotes = statements(ticket, [each for each in believed if each.candidate.is_quotable])
    unique, doubles = _without_repeats(
        quotes, await engine.same([*brief.own_words, *_texts(quotes)]), brief.own_words
    )
    questions = tuple(
        _affordable(await engine.gaps(ticket, unique), brief.budget * QUESTIONS, costs.question)
    )
    room = brief.budget - costs.frame() - sum(map(costs.question, questions))
    choose = partial(
        select,
        ticket,
        unique,
        cost=remembered(costs.statement),
        line=costs.listed,
        needs=needed(ticket, unique, questions),
    )
    aside = room * _HEADINGS + brief.budget * DECISIONS
    chosen = choose(budget=int(room - aside))
    if chosen.is_full:
        spare = _spare_budget(brief, chosen, questions, costs) - aside
        chosen = choose(budget=int(room - aside + max(0.0, spare)))
    topics = arrange(ticket, chosen.statements, await _place_new(brief, chosen.statements, engine))
    outline = Outline(
        ticket=ticket,
        facts=tuple(each for each in chosen.statements if each.whole.ref == ticket.ref),
        topics=tuple(each for each in topics if each.statements[0].whole.role not in CODE),
        code=tuple(each for each in topics if each.statements[0].whole.role in CODE),
        decisions=tuple(
            _affordable(
                decisions(ticket, chosen.statements, questions),
                brief.budget * DECISIONS,
                costs.decision,
            )
        ),
        questions=questions,
        listed=chosen.listed,
        sections=brief.sections,
        consulted=brief.consulted,
        gone=brief.gone,
    )
    outcomes = _Outcomes(len(believed), brief.budget, chosen, doubles, costs)
    return Composition(
        outline=outline, outcomes=tuple(outcomes.of(at, each) for at, each in enumerate(ranked))
    )


def _spare_budget(
    brief: Brief, chosen: Selection, questions: tuple[OpenQuestion, ...], costs: BlockCosts
) -> int:
    """Return the rest of the budget after a choice; shared citations count once."""
    statements = [each for each in chosen.statements if each.whole.ref != brief.ticket.ref]
    flat = Outline(
        ticket=brief.ticket,
        facts=tuple(each for each in chosen.statements if each.whole.ref == brief.ticket.ref),
        topics=(Topic(key=("", ""), heading="", statements=tuple(statements)),),
        questions=questions,
        listed=chosen.listed,
        sections=brief.sections,
        consulted=brief.consulted,
        gone=brief.gone,
    )
    return brief.budget - costs.document(flat)


async def _place_new(
    brief: Brief, kept: Sequence[Statement], engine: Engine
) -> Sequence[PlacedTopic]:
    """Return the existing topics of the document, with the new statements sorted in."""
    members = {key for topic in brief.placed for key in topic.members}
    topics = arrange(brief.ticket, [each for each in kept if each.key in members], brief.placed)
    new = [
        each
        for each in kept
        if each.key not in members
        and each.whole.ref != brief.ticket.ref
        and each.whole.role not in CODE
    ]
    if not topics or not new:
        return brief.placed
    homes = dict(zip((each.key for each in new), await engine.place(new, topics), strict=True))
    return [
        attrs.evolve(
            placed,
            members=placed.members | {key for key, at in homes.items() if _is(topics, at, placed)},
        )
        for placed in brief.placed
    ]


def _is(topics: Sequence[Topic], at: int, placed: PlacedTopic) -> bool:
    return at < len(topics) and topics[at].key == placed.key


def _part_within(window: Window, candidate: Candidate) -> Candidate | None:
    """Return the part of a candidate within the time window; references are exempt."""
    if window == Window() or candidate.hop > 1:
        return candidate
    item = candidate.item
    thread = tuple(part for part in item.thread if window.covers(part.timestamp))
    if not thread and not window.covers(item.timestamp):
        return None
    return attrs.evolve(candidate, item=attrs.evolve(item, thread=thread))


def _texts(quotes: Sequence[Statement]) -> list[str]:
    return [each.text for each in quotes]


@frozen
class _Double:
    """A statement that is not quoted because another one says the same."""

    statement: Statement
    first: Statement


def _without_repeats(
    quotes: Sequence[Statement], same: Sequence[int | None], before: Sequence[str]
) -> tuple[tuple[Statement, ...], tuple[_Double, ...]]:
    """Return the unique statements, and those that repeat others.

    Args:
        quotes: The statements.
        same: For each text of ``before``, then of ``quotes``, the earlier one that says the same.
        before: What people wrote into the document themselves.
    """
    firsts = [None if at is None else at - len(before) for at in same[len(before) :]]
    originals, doubles = [], []
    for statement, first in zip(quotes, firsts, strict=True):
        if first is None or (first >= 0 and _are_tracked(quotes[first], statement)):
            originals.append(statement)
        elif first >= 0:
            doubles.append(_Double(statement, quotes[first]))
    copies: dict[Key, list[ContextItem]] = {}
    for each in doubles:
        copies.setdefault(each.first.key, []).append(each.statement.part)
    unique = (attrs.evolve(each, copies=tuple(copies.get(each.key, ()))) for each in originals)
    return tuple(unique), tuple(doubles)


def _are_tracked(*said: Statement) -> bool:
    """Return whether these are tickets or changes, which are kept apart however similar.

    Each has a state, people and a discussion of its own.
    """
    return all(
        each.part.ref == each.whole.ref and each.whole.role in {"ticket", "change"} for each in said
    )


def _affordable(
    parts: Sequence[_Part], budget: float, cost: Callable[[_Part], int]
) -> Iterator[_Part]:
    for each in parts:
        budget -= cost(each)
        if budget >= 0:
            yield each


class _Outcomes:
    """Determines the outcome of each candidate."""

    def __init__(
        self,
        believed: int,
        budget: int,
        chosen: Selection,
        doubles: Sequence[_Double],
        costs: BlockCosts,
    ) -> None:
        self._believed = believed
        self._budget = budget
        self._costs = costs
        self._doubles = doubles
        self._listed = {key_of(item.ref): item for item in chosen.listed}
        self._kept: dict[Key, list[Statement]] = {}
        for each in chosen.statements:
            self._kept.setdefault(key_of(each.whole.ref), []).append(each)

    def of(self, at: int, ranked: RankedItem) -> ItemOutcome:
        key, why = ranked.candidate.key, ranked.reason
        if quotes := self._kept.get(key):
            tokens = sum(map(self._costs.statement, quotes))
            merged = tuple(dict.fromkeys(self._merged_items(key)))
            return ItemOutcome(
                ranked=ranked, reason=why, tokens=tokens, is_quoted=True, merged=merged
            )
        if ranked.candidate.is_unread:
            return ItemOutcome(ranked=ranked, reason=_because("could not be read yet", why))
        if at >= self._believed:
            return ItemOutcome(ranked=ranked, reason=_because("low relevance", why))
        first = next((each.first for each in self._doubles if _is_of(each.statement, key)), None)
        if first is not None:
            return ItemOutcome(
                ranked=ranked, reason=f"says the same as {first.whole.ref.id}: {why}"
            )
        if key in self._listed:
            tokens = self._costs.listed(self._listed[key])
            reason = f"only named, for lack of space: {why}"
            return ItemOutcome(ranked=ranked, reason=reason, tokens=tokens)
        return ItemOutcome(
            ranked=ranked, reason=f"no part of it fits into {self._budget} tokens: {why}"
        )

    def _merged_items(self, key: Key) -> Iterator[ItemRef]:
        """Yield the items that are not quoted because this item says the same."""
        for each in self._doubles:
            whole = each.statement.whole.ref
            if _is_of(each.first, key) and key_of(whole) not in self._kept:
                yield whole


def _is_of(statement: Statement, key: Key) -> bool:
    return key_of(statement.whole.ref) == key


def _because(outcome: str, why: str) -> str:
    """Return the reason for an item's outcome; empty if no evidence supports it."""
    return f"{outcome}: {why}" if why else outcome
