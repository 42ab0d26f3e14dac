"""Fit a document into its token budget."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import Final, TypeAlias, TypeVar

import attrs
from attrs import frozen

from rove_core.build.compose.outline import (
    OpenQuestion,
    Outline,
    StandingDecision,
    Statement,
    Topic,
)
from rove_core.build.compose.selection import needed
from rove_core.build.gather.candidates import Key
from rove_core.build.write.base import DocumentBase
from rove_core.build.write.citations import Citation, Citations, marks
from rove_core.build.write.first_lines import POINTER
from rove_core.build.write.merge import KeyedBlock
from rove_core.build.write.renderer import DocumentRenderer
from rove_core.build.write.token_count import tokens
from rove_core.items import ContextItem

_Part = TypeVar("_Part")
_Unit: TypeAlias = Statement | OpenQuestion

_HEADINGS: Final = (
    "## In Force\n\n## The Change\n\n## People\n\n## Open Questions\n\n## Quoted Below\n\n"
    "## The Ticket\n\n"
    "## Related Discussions\n\n## Related Code\n\n## Replaced\n\n## Also Found\n\n"
)
#: A time whose line is as long as that of any other.
_NOW: Final = datetime(2024, 12, 31, tzinfo=UTC)
#: The highest citation number of a document if it is unknown.
_LAST: Final = 99
#: A citation takes more tokens than this: its mark, and a definition with URL and title.
_LEAST_CITATION: Final = 15
_SHORTEST: Final = 200


@frozen(kw_only=True)
class TokenCosts:
    """Upper token costs of document parts, with their citations.

    A document never takes more than the sum over its parts and its frame, as long as no citation
    has a longer number than the one after ``last``. The lines that only sum up parts (*The Change*,
    *People*, *Quoted Below*) come on top; :func:`shortened` makes room for them.

    Attributes:
        outline: The document; what it already says does not count.
        hosts: Hosts that links in quotes may point to.
        last: The highest citation number that it may have, see :func:`last_number`.
    """

    outline: Outline
    hosts: Collection[str] = ()
    last: int = _LAST

    def document(self, outline: Outline) -> int:
        """Return the cost of the whole document, with each definition counted once."""
        return self._cost(lambda write: write.document(outline, _NOW))

    def frame(self) -> int:
        """Return the cost of an empty document with the sections of plugins."""
        empty = attrs.evolve(
            self.outline, facts=(), topics=(), code=(), decisions=(), questions=(), listed=()
        )
        return tokens(_HEADINGS) + self.document(empty)

    def statement(self, statement: Statement) -> int:
        """Return the cost of a quote with its attribution."""
        return self._cost(lambda write: write.statement(statement))

    def topic(self, topic: Topic) -> int:
        """Return the cost of a topic's heading."""
        return self._cost(lambda write: list(write.topic(topic))[:1])

    def code(self, topic: Topic) -> int:
        """Return the cost of the heading of a pull request or commit."""
        return self._cost(lambda write: list(write.code(topic))[:1])

    def question(self, question: OpenQuestion) -> int:
        """Return the cost of a question with the sentences that raise it."""
        return self._cost(lambda write: write.question(question))

    def decision(self, decision: StandingDecision) -> int:
        """Return the cost of a decision's line."""
        return self._cost(lambda write: write.decision(decision))

    def listed(self, item: ContextItem) -> int:
        """Return the cost of a line that only names an item."""
        return self._cost(lambda write: write.listed(item))

    def pointers(self, outline: Outline) -> Sequence[int]:
        """Return the cost of each line under *Quoted Below*, without the definition it cites."""
        citations = Citations({}, {})
        write = DocumentRenderer(
            citations=citations, ticket=outline.ticket, hosts=self.hosts, gone=outline.gone
        )
        blocks = write.document(outline, _NOW)
        return [tokens(f"{each.text}\n") for each in blocks if each.key.startswith(POINTER)]

    def _cost(self, write: Callable[[DocumentRenderer], Iterable[KeyedBlock]]) -> int:
        titles = {row.account: row.title for row in self.outline.consulted}
        citations = Citations({self.last: Citation(self.last, "")}, titles)
        gone, ticket = self.outline.gone, self.outline.ticket
        blocks = write(
            DocumentRenderer(citations=citations, ticket=ticket, hosts=self.hosts, gone=gone)
        )
        texts = [block.text for block in blocks]
        cited = citations.references.keys() - {self.last}
        return sum(tokens(f"{text}\n\n") for text in texts) + sum(
            tokens(f"{block.text}\n\n") for block in citations.definitions(cited)
        )


def last_number(text: str | None, base: DocumentBase | None, budget: int) -> int:
    """Return the highest number that a citation of a document can get.

    Args:
        text: The document as it is; None if there is none. People may use numbers in it, too.
        base: Its saved base.
        budget: Token budget of Rove's part.
    """
    numbers = [each.number for each in base.references] if base else []
    return max((*marks([text or ""]), *numbers), default=0) + budget // _LEAST_CITATION


def shortened(outline: Outline, over: int, hosts: Collection[str] = ()) -> Outline:
    """Return a shorter outline; the same one if there is nothing to leave out.

    Lines under *Quoted Below* go first, since they only name what follows, then items that are only
    named, then the sections of plugins, then what matters least. No answer stays without its
    question, and no replaced statement without its replacement.

    Args:
        outline: The outline that is too long.
        over: The number of tokens to save.
        hosts: Hosts that links in quotes may point to.
    """
    costs = TokenCosts(outline=outline, hosts=hosts)
    if over <= 0:
        return outline
    if fewer := _with_fewer_names(outline, over, costs):
        return fewer
    if outline.sections:
        return attrs.evolve(outline, sections=outline.sections[:-1])
    needs = _needs(outline)
    worth = _worth(outline, needs)
    if units := sorted(_units(outline), key=lambda unit: _score(unit, worth)):
        count = _enough(units, lambda unit: _unit_cost(unit, costs), over)
        return _without(outline, units[:count], _with_needy(units[:count], needs))
    if outline.decisions:
        return attrs.evolve(outline, decisions=outline.decisions[:-1])
    return attrs.evolve(outline, facts=_fewer(outline.facts)) if outline.facts else outline


def _with_fewer_names(outline: Outline, over: int, costs: TokenCosts) -> Outline | None:
    """Return an outline with fewer lines that only name something; None if it has none."""
    if pointers := costs.pointers(outline):
        count = _enough(pointers[::-1], int, over)
        return attrs.evolve(outline, pointers=len(pointers) - count)
    if outline.listed:
        count = _enough(outline.listed[::-1], costs.listed, over)
        return attrs.evolve(outline, listed=outline.listed[:-count])
    return None


def _enough(parts: Sequence[_Part], cost: Callable[[_Part], int], over: int) -> int:
    """Return how many of the parts must go to save that many tokens."""
    saved = accumulate(map(cost, parts))
    return next((count for count, sum_ in enumerate(saved, 1) if sum_ >= over), len(parts))


def _units(outline: Outline) -> Iterator[_Unit]:
    yield from _quoted_statements(outline)
    yield from outline.questions


def _quoted_statements(outline: Outline) -> Iterator[Statement]:
    for topic in (*outline.topics, *outline.code):
        yield from topic.statements


def _needs(outline: Outline) -> Mapping[Key, Key]:
    """Return, by key, the quote without which each quote must not stay."""
    quoted = tuple(_quoted_statements(outline))
    needs = needed(outline.ticket, (*outline.facts, *quoted), outline.questions)
    keys = {each.key for each in quoted}
    return {key: other for key, other in needs.items() if key in keys and other in keys}


def _worth(outline: Outline, needs: Mapping[Key, Key]) -> Mapping[Key, float]:
    """Return the worth of each quote, no less than that of quotes that depend on it."""
    scores = {each.key: each.score for each in _quoted_statements(outline)}
    worth = dict(scores)
    for key, score in scores.items():
        seen = {key}
        while (key := needs.get(key, key)) not in seen:
            seen.add(key)
            worth[key] = max(worth[key], score)
    return worth


def _score(unit: _Unit, worth: Mapping[Key, float]) -> float:
    if isinstance(unit, Statement):
        return worth[unit.key]
    return max(statement.score for statement in unit.statements)


def _with_needy(units: Iterable[_Unit], needs: Mapping[Key, Key]) -> Collection[Key]:
    """Return the keys of quotes that are among some units, or depend on one of them."""
    keys = {each.key for each in units if isinstance(each, Statement)}
    while more := {key for key, other in needs.items() if other in keys} - keys:
        keys |= more
    return keys


def _unit_cost(unit: _Unit, costs: TokenCosts) -> int:
    return costs.statement(unit) if isinstance(unit, Statement) else costs.question(unit)


def _without(outline: Outline, left: Collection[_Unit], keys: Collection[Key]) -> Outline:
    dropped = {id(each) for each in left}

    def remaining_topics(topics: Iterable[Topic]) -> Iterator[Topic]:
        for topic in topics:
            statements = tuple(each for each in topic.statements if each.key not in keys)
            if statements:
                yield attrs.evolve(topic, statements=statements)

    return attrs.evolve(
        outline,
        topics=tuple(remaining_topics(outline.topics)),
        code=tuple(remaining_topics(outline.code)),
        questions=tuple(each for each in outline.questions if id(each) not in dropped),
    )


def _fewer(facts: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Return the ticket's statements without the least one; the description is last, and halved."""
    if len(facts) > 1:
        least = min(range(1, len(facts)), key=lambda number: facts[number].score)
        return (*facts[:least], *facts[least + 1 :])
    text = facts[0].text
    half = f"{text[: len(text) // 2].rstrip()} …"
    return (attrs.evolve(facts[0], text=half),) if len(text) > _SHORTEST else ()
