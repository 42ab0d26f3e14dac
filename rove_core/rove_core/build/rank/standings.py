"""Compare a ticket, by words and by time, with others of its kind that could explain an item."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp, log, log1p
from operator import itemgetter
from typing import Final

from attrs import define, frozen

from rove_core.build.free_text import is_of_words
from rove_core.build.gather.candidates import Candidate
from rove_core.build.rank.closeness import UNKNOWN, Span, span_of
from rove_core.build.rank.corpus import Bag, TicketCorpus
from rove_core.build.rank.rivals import TextWeights, index_words
from rove_core.build.rank.sampled_tickets import Likenesses
from rove_core.items import ContextItem

#: The likeness that one e-fold of closeness in time is worth, and the finest closeness in days.
#: Chosen from 0, .03 and .06 by the ranking in four projects.
_TIME: Final = 0.03
_FINEST: Final = 0.05
#: The worth of no time difference at all.
_AT_ONCE: Final = -_TIME * log(_FINEST)
#: How many of a text's heaviest words are compared. With 16, 32 or all of them F1 differs by
#: .002 in ``half`` and .007 in ``hard``; comparing all takes many times as long.
_HEAVIEST: Final = 32

#: The roles of tickets: pull requests are a project's tickets if it has no other tracker.
COMPARED_ROLES: Final = frozenset({"ticket", "change"})


@frozen(kw_only=True)
class TicketStanding:
    """How a ticket compares with the others that could explain an item.

    Attributes:
        lead: The item's likeness to the ticket, minus that to the most similar other ticket.
        behind: The logarithm of one plus the number of tickets that are closer to the item in
            words and time.
    """

    lead: float
    behind: float


#: How many of the best candidates are compared: hardly any document quotes more.
_COMPARED: Final = 60
#: If no other ticket is known: the mean over the candidates of four projects.
_AVERAGE: Final = TicketStanding(lead=-0.28, behind=3.6)
#: If the ticket is not compared: as if no other ticket were closer.
UNCOMPARED: Final = TicketStanding(lead=0.0, behind=0.0)


def standings(
    ticket: ContextItem,
    corpus: TicketCorpus,
    candidates: Sequence[Candidate],
    places: Sequence[int],
) -> list[TicketStanding]:
    """Return how a ticket stands against others of its kind, for each of some candidates.

    Only the first are compared; the others count as no better than the worst of these.
    A ticket that is linked to this one is not a rival: what concerns one may well concern both.

    Args:
        ticket: The ticket.
        corpus: The words of the ticket and of the candidates.
        candidates: All candidates.
        places: The positions of those to compare, most promising first.
    """
    others = [
        at
        for at, each in enumerate(candidates)
        if each.item.role == ticket.role and not each.is_linked
    ]
    unfound = corpus.others.tickets
    if not (others or unfound) or ticket.role not in COMPARED_ROLES or is_of_words(ticket.ref.id):
        return [_AVERAGE for _ in places]
    compared = places[:_COMPARED]
    weights = TextWeights(corpus)
    texts = {at: weights.of(corpus.bags[at], _HEAVIEST) for at in {*others, *compared}}
    spans = {at: span_of(candidates[at].item) for at in others}
    spans |= corpus.others.spans
    rivals = _Rivals(
        own=weights.of(corpus.own, _HEAVIEST),
        span=span_of(ticket),
        words=index_words({at: texts[at] for at in others}),
        spans=spans,
        times=corpus.others.times,
        moments=sorted((moment, at) for at, span in spans.items() for moment in span),
    )
    beyond = corpus.others.likenesses({at: texts[at] for at in compared})
    found = [
        rivals.standing(at, texts[at], span_of(candidates[at].item), beyond[at]) for at in compared
    ]
    worst = TicketStanding(
        lead=min((each.lead for each in found), default=0.0),
        behind=max((each.behind for each in found), default=0.0),
    )
    return [*found, *(worst for _ in places[_COMPARED:])]


@define(kw_only=True)
class _Rivals:
    """The ticket and its rivals: their words, and when each was written and last changed.

    Rivals that were not found have negative numbers, and each counts several times.
    """

    own: Bag
    span: Span
    words: Mapping[str, Sequence[tuple[int, float]]]
    spans: Mapping[int, Span]
    moments: Sequence[tuple[float, int]]
    times: float

    def standing(self, at: int, words: Bag, span: Span, beyond: Likenesses) -> TicketStanding:
        """Return the ticket's standing for one item; an item is never its own rival.

        Args:
            at: The position of the item.
            words: Its heaviest words.
            span: When it was written and last changed.
            beyond: How like it the rivals are that were not found.
        """
        likeness: dict[int, float] = defaultdict(float)
        for word, weight in words.items():
            for rival, theirs in self.words.get(word, ()):
                likeness[rival] += weight * theirs
        likeness.pop(at, None)
        likeness.update(beyond)
        to_own = sum(weight * self.own[word] for word, weight in words.items() if word in self.own)
        start = span[0] if span else None
        least = to_own + _closeness(start, self.span)
        spans, enough = self.spans, least - _AT_ONCE
        closer = [
            rival
            for rival, like in likeness.items()
            if like > enough and like + _closeness(start, spans[rival]) > least
        ]
        closer += self._near(start, least).difference(likeness, (at,))
        unfound = sum(rival < 0 for rival in closer)
        return TicketStanding(
            lead=to_own - max(likeness.values(), default=0.0),
            behind=log1p(len(closer) + unfound * (self.times - 1)),
        )

    def _near(self, start: float | None, least: float) -> set[int]:
        """Return the tickets that are closer to an item than the ticket is, by time alone."""
        distance = exp(-least / _TIME) - _FINEST
        if start is None or distance <= 0:
            return set()
        first = bisect_right(self.moments, start - distance, key=itemgetter(0))
        last = bisect_left(self.moments, start + distance, key=itemgetter(0))
        return {at for _, at in self.moments[first:last]}


def _closeness(start: float | None, span: Span) -> float:
    """Return the worth of the time between an item's start and a ticket."""
    distance = UNKNOWN
    if start is not None and span:
        distance = min(abs(start - span[0]), abs(start - span[1]))
    return -_TIME * log(distance + _FINEST)
