"""Decisions in force, each with what it replaced."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from rove_core.build.compose.changes import ends, replacements
from rove_core.build.compose.claims import Claims, SentenceClaim
from rove_core.build.compose.outline import OpenQuestion, StandingDecision, Statement
from rove_core.build.compose.repetitions import put_together
from rove_core.build.gather.candidates import Key
from rove_core.build.rank.words import stems
from rove_core.items import ContextItem

#: Maximum decisions at the top of a document.
MOST: Final = 6
#: Minimum importance; lesser decisions are not repeated at the top.
_MATTERS: Final = 0.3
#: Factor for a decision that shares no word with the ticket.
_AT_LEAST: Final = 0.2
#: Fewer words do not say what was decided.
_FEWEST_WORDS: Final = 4


def decisions(
    ticket: ContextItem, statements: Sequence[Statement], questions: Sequence[OpenQuestion]
) -> tuple[StandingDecision, ...]:
    """Return the decisions in a document that hold, most important first.

    Those that replaced something come first: a reader who knows only the old one gets it wrong.

    Args:
        ticket: The ticket.
        statements: The statements that the document quotes.
        questions: The document's questions, some of them about replaced statements.
    """
    replaced = list(_replacement_chain(ticket, statements, questions))
    ended = {each.statements[0].key for each in replaced}
    instead = {each.statements[-1].key: each.statements for each in replaced}
    found = [
        StandingDecision(
            statement=each.statements[-1], replaced=tuple(_predecessors(each, instead))
        )
        for each in replaced
        if each.statements[-1].key not in ended
    ]
    seen_keys = {each.key for each in found} | ended | ends(ticket, statements).keys()
    claims = Claims(statements)
    others = (each for each in _decision_sentences(ticket, claims) if each.key not in seen_keys)
    single = (StandingDecision(statement=each) for each in others)
    return tuple(put_together((*found, *single), claims)[:MOST])


def _replacement_chain(
    ticket: ContextItem, statements: Sequence[Statement], questions: Sequence[OpenQuestion]
) -> Iterator[OpenQuestion]:
    """Yield the replaced decisions, and the replacements of their replacements.

    The questions are limited to what people read; the end of a chain must not be cut.
    """
    further = dict(replacements(ticket, statements))
    queue = [each for each in questions if each.kind == "replaced"]
    for each in queue:
        further.pop(each.statements[0].key, None)
    while queue:
        each = queue.pop(0)
        yield each
        if more := further.pop(each.statements[-1].key, None):
            queue.append(more)


def _predecessors(
    question: OpenQuestion, instead: Mapping[Key, Sequence[Statement]]
) -> Iterator[Statement]:
    """Yield what held before a decision, and what held before that, latest first."""
    seen: set[Key] = set()
    statements: Sequence[Statement] | None = question.statements
    while statements and statements[-1].key not in seen:
        seen.add(statements[-1].key)
        yield statements[0]
        statements = instead.get(statements[0].key)


def _decision_sentences(ticket: ContextItem, claims: Claims) -> list[Statement]:
    """Return the sentence of each statement that best states the decision."""
    about = frozenset(stems(f"{ticket.title}\n{ticket.content}"))
    best: dict[Key, tuple[float, SentenceClaim]] = {}
    for claim in claims.all:
        if not _decides(claim):
            continue
        own = claim.of.whole.ref == ticket.ref
        close = 1.0 if own else _AT_LEAST + claims.closeness(claim, about)
        matter = claim.of.score * close
        if matter >= _MATTERS and matter > best.get(claim.of.key, (0.0, claim))[0]:
            best[claim.of.key] = matter, claim
    ordered = sorted(best.values(), key=lambda each: -each[0])
    return [attrs.evolve(claim.of, text=claim.text) for _, claim in ordered]


def _decides(claim: SentenceClaim) -> bool:
    part = claim.of.part
    if part.facts.robot or part.facts.history or part.role in {"change", "commit", "code"}:
        return False
    # A description of how something turned for the worse is a report and decides nothing.
    says = claim.decides or (claim.turns and part.role != "ticket")
    return says and not (claim.asks or claim.opens) and len(claim.words) >= _FEWEST_WORDS
