"""Learn from a project's own links: hide them, rank, and compare.

People who name a ticket say that what they wrote belongs to it. These are the only labels: nothing
leaves the machine, and no texts of other projects are needed.
"""

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from hashlib import sha256
from itertools import chain
from statistics import fmean
from typing import Final

import attrs
from attrs import frozen

from rove_core.build.gather.candidates import Candidate, Key, RankedItem, key_of
from rove_core.build.rank.cutoff import believed, enough
from rove_core.build.rank.ranking import rank, ticket_signals
from rove_core.build.rank.regression import Example, fit
from rove_core.build.rank.signals import TicketSignals
from rove_core.build.rank.weights import RankWeights
from rove_core.items import ContextItem

#: The minimum number of tickets to learn from, and the maximum.
FEWEST: Final = 10
MOST: Final = 120
#: Minimum links of a useful ticket: with hardly any, most of what belongs to it would count as not
#: belonging.
_LINKS: Final = 2
#: How many examples the prior weights count for.
_STRENGTH: Final = 10.0
_FOLDS: Final = 5
#: How many of the best candidates are all examples; of the others, one in this many is.
_LOOKED_AT: Final = 60
_ONE_OF: Final = 8
_ROUNDS: Final = 500
_SURE: Final = 0.95


@frozen(kw_only=True)
class Lesson:
    """A ticket with its candidates, of which the linked ones are known."""

    ticket: ContextItem
    candidates: tuple[Candidate, ...]

    @property
    def linked(self) -> frozenset[Key]:
        """The items that name the ticket or are named by it."""
        return frozenset(each.key for each in self.candidates if each.is_linked)

    @property
    def is_useful(self) -> bool:
        """Return whether the ticket has enough links to learn from."""
        return is_useful(len(self.linked))


@frozen(kw_only=True)
class LessonSignals:
    """Signals of a ticket's candidates with links hidden, before weighting.

    Attributes:
        name: The key of the ticket.
        linked: The positions of the candidates linked to it.
        hidden: The positions of those in the half that is hidden.
        half: The signals with that half of the links hidden.
        all_hidden: The signals with all links hidden.
    """

    name: Key
    linked: frozenset[int]
    hidden: frozenset[int]
    half: TicketSignals
    all_hidden: TicketSignals

    @classmethod
    def of(cls, lesson: Lesson) -> "LessonSignals":
        """Return the signals of a lesson."""
        lesson = attrs.evolve(
            lesson, candidates=tuple(each for each in lesson.candidates if not each.is_bare)
        )
        linked = [at for at, each in enumerate(lesson.candidates) if each.is_linked]
        return cls(
            name=key_of(lesson.ticket.ref),
            linked=frozenset(linked),
            hidden=frozenset(at for at in linked if _is_in_half(lesson.candidates[at])),
            half=ticket_signals(lesson.ticket, _hide_links(lesson, _is_in_half)),
            all_hidden=ticket_signals(lesson.ticket, _hide_links(lesson, _always)),
        )

    def examples(self) -> Iterator[Example]:
        """Yield examples: with half of the links hidden, and with all links."""
        return chain(
            examples_of(self.half, self.linked, sure=self.linked - self.hidden),
            examples_of(self.all_hidden, self.linked),
        )

    def score(self, weights: RankWeights) -> "Score":
        """Return how well the linked items are found with half of the links hidden."""
        ranked = self.half.ranked(weights)
        top = ranked[: believed([score for _, score in ranked])]
        hits = sum(place in self.linked for place, _ in top)
        precision = hits / len(top) if top else 0.0
        recall = hits / len(self.linked) if self.linked else 0.0
        both = precision + recall
        return Score(
            precision=precision, recall=recall, f1=2 * precision * recall / both if both else 0.0
        )


@frozen(kw_only=True)
class Score:
    """Mean retrieval quality over tickets.

    Attributes:
        precision: The share of believed items that belong to the ticket.
        recall: The share of its items that are believed.
        f1: The harmonic mean of both.
    """

    precision: float
    recall: float
    f1: float


@frozen(kw_only=True)
class Gain:
    """An improvement with its confidence interval.

    Attributes:
        mean: The mean over tickets.
        low: The lower end of the 95 % confidence interval.
        high: The upper end.
    """

    mean: float
    low: float
    high: float


@frozen(kw_only=True)
class LearnedLessons:
    """The result of learning.

    Attributes:
        weights: The weights to use.
        tickets: The number of tickets they were learned from; 0 for the general ones.
        general: The score of the general weights on these tickets.
        own: The score of weights learned from other tickets of the project.
        gain: The gain in F1 from the learned ones.
    """

    weights: RankWeights
    tickets: int
    general: Score
    own: Score
    gain: Gain


def is_useful(links: int) -> bool:
    """Return whether a ticket with this many links is a useful lesson."""
    return links >= _LINKS


def learn(lessons: Sequence[Lesson], prior: RankWeights) -> LearnedLessons | None:
    """Return the weights learned from lessons, or None if there are too few lessons.

    Args:
        lessons: The lessons; of too many, always the same ones are used.
        prior: The weights to start from.
    """
    usable = sorted((each for each in lessons if each.is_useful), key=_lot)[:MOST]
    return learn_from([LessonSignals.of(each) for each in usable], prior)


def learn_from(lessons: Sequence[LessonSignals], prior: RankWeights) -> LearnedLessons | None:
    """Return the weights learned from lessons, or None if there are too few lessons.

    Each ticket is scored with weights that were learned without it. The general weights stay
    unless these are significantly better.

    Args:
        lessons: The signals of the lessons.
        prior: The weights to start from.
    """
    if len(lessons) < FEWEST:
        return None
    examples = [list(each.examples()) for each in lessons]
    before = [each.score(prior) for each in lessons]
    after: list[Score] = []
    for fold in range(_FOLDS):
        others = [one for at, own in enumerate(examples) if at % _FOLDS != fold for one in own]
        weights = fit(others, prior, strength=_STRENGTH)
        after += [each.score(weights) for each in lessons[fold::_FOLDS]]
    order = [at for fold in range(_FOLDS) for at in range(fold, len(lessons), _FOLDS)]
    gain = _interval([own.f1 - before[at].f1 for own, at in zip(after, order, strict=True)])
    keeps = gain.low > 0
    every = [one for own in examples for one in own]
    return LearnedLessons(
        weights=fit(every, prior, strength=_STRENGTH) if keeps else prior,
        tickets=len(lessons) if keeps else 0,
        general=mean(before),
        own=mean(after),
        gain=gain,
    )


def examples_of(
    signals: TicketSignals,
    belonging: Collection[int],
    *,
    sure: Collection[int] = (),
    unclear: Collection[int] = (),
) -> Iterator[Example]:
    """Yield labelled examples: all of the best candidates, and some of the others.

    Args:
        signals: The signals of the candidates.
        belonging: The positions of candidates that belong to the ticket.
        sure: The positions of visibly linked candidates, which teach nothing.
        unclear: The positions of candidates that are no clear case.
    """
    open_ones = [each for each in signals.best if each.place not in sure]
    for at, each in enumerate(open_ones):
        if each.place in unclear:
            continue
        belongs = each.place in belonging
        if belongs or at < _LOOKED_AT:
            yield Example(each.values, belongs)
        elif at % _ONE_OF == 0:
            yield Example(each.values, belongs, count=_ONE_OF)


def score(lesson: Lesson, weights: RankWeights) -> Score:
    """Return how well a ticket's linked items are found with half of the links hidden."""
    return LessonSignals.of(lesson).score(weights)


def missed(lesson: Lesson, weights: RankWeights) -> tuple[RankedItem, ...]:
    """Return the linked items that are not believed once half of the links are hidden."""
    ranked = rank(lesson.ticket, _hide_links(lesson, _is_in_half), weights)
    return tuple(each for each in ranked[enough(ranked) :] if each.candidate.key in lesson.linked)


def mean(scores: Sequence[Score]) -> Score:
    """Return the mean of scores."""
    return Score(
        precision=fmean(each.precision for each in scores),
        recall=fmean(each.recall for each in scores),
        f1=fmean(each.f1 for each in scores),
    )


def _hide_links(lesson: Lesson, hides: Callable[[Candidate], bool]) -> tuple[Candidate, ...]:
    return tuple(
        _without_links(each) if each.is_linked and hides(each) else each
        for each in lesson.candidates
    )


def _without_links(candidate: Candidate) -> Candidate:
    return attrs.evolve(
        candidate, traces=tuple(trace for trace in candidate.traces if trace.way != "link")
    )


def _is_in_half(candidate: Candidate) -> bool:
    """Return whether a candidate is in the hidden half, which is always the same."""
    return _number(candidate.key) % 2 == 0


def _always(_: Candidate) -> bool:
    return True


def _lot(lesson: Lesson) -> int:
    return _number(key_of(lesson.ticket.ref))


def _number(key: Key) -> int:
    return int.from_bytes(sha256("\n".join(key).encode()).digest()[:8])


def _interval(gains: Sequence[float]) -> Gain:
    """Return a mean and its bootstrap interval."""
    chance = random.Random(0)  # noqa: S311  # it draws samples, no secrets
    means = sorted(fmean(chance.choices(gains, k=len(gains))) for _ in range(_ROUNDS))
    outside = int(_ROUNDS * (1 - _SURE) / 2)
    return Gain(mean=fmean(gains), low=means[outside], high=means[-1 - outside])
