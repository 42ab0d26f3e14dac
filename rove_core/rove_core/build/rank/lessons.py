"""Learn from a project's own links: hide them, rank, and compare.

Whoever names a ticket says that what they wrote belongs to it. These are the only labels: nothing
of it leaves the machine, and texts of other projects are not needed.
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
from rove_core.build.rank.regression import Example, fit
from rove_core.build.rank.score import rank, ticket_signals
from rove_core.build.rank.signals import TicketSignals
from rove_core.build.rank.weights import RankWeights
from rove_core.items import ContextItem

#: From how many tickets on something is learned, and of how many at most.
FEWEST: Final = 10
MOST: Final = 120
#: So many things name a ticket, or are named by it, before it teaches anything: of one that hardly
#: anybody has linked, most of what belongs to it would be taken for what does not.
_LINKS: Final = 2
#: How many examples the weights that are known before count for.
_STRENGTH: Final = 10.0
_FOLDS: Final = 5
#: The best are all looked at; of the others one of so many.
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
        """Return whether so much is linked that something can be learned from the rest."""
        return is_useful(len(self.linked))


@frozen(kw_only=True)
class LessonSignals:
    """Signals of a ticket's candidates with links hidden, before weighting.

    Attributes:
        name: The ticket.
        linked: The places of what names it, or is named by it.
        hidden: Those of them that are in the half that is hidden.
        half: What is known with that half hidden.
        all_hidden: What is known with all names hidden.
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
        """Return how well half of what names the ticket is found again when that is hidden."""
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
        precision: How much of what is believed belongs to the ticket.
        recall: How much of what belongs to it is believed.
        f1: Both in one.
    """

    precision: float
    recall: float
    f1: float


@frozen(kw_only=True)
class Gain:
    """By how much something is better.

    Attributes:
        mean: The mean over tickets.
        low: The lower end of the interval in which it lies in 95 of 100 samples like this one.
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
        tickets: How many tickets they were learned from; 0 for the general ones.
        general: How good the general weights are on these tickets.
        own: How good those learned from other tickets of the project are.
        gain: By how much F1 is better by the learned ones.
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
    """Return what lessons teach, or None if there are too few.

    Args:
        lessons: What is known; more than enough are thinned out, always to the same.
        prior: The weights to start from.
    """
    usable = sorted((each for each in lessons if each.is_useful), key=_lot)[:MOST]
    return learn_from([LessonSignals.of(each) for each in usable], prior)


def learn_from(lessons: Sequence[LessonSignals], prior: RankWeights) -> LearnedLessons | None:
    """Return what lessons teach, or None if there are too few.

    Each ticket is judged by weights that were learned without it. Unless these are better than
    the general ones beyond chance, the general ones stay.

    Args:
        lessons: What is known.
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
        signals: What is known of what was found.
        belonging: The places of what belongs to the ticket.
        sure: The places of what is linked: these teach nothing.
        unclear: The places of what neither belongs nor does not.
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
    """Return how well half of what names a ticket is found again when that is hidden."""
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
    """Return whether something is in the half that is hidden: always the same half."""
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
