"""Numeric signals of a candidate, alone and relative to the others."""

from bisect import bisect_left
from collections.abc import Sequence
from math import log

from attrs import frozen

from rove_core.build.gather.candidates import Candidate
from rove_core.build.rank.evidence import CandidateEvidence, Credit
from rove_core.build.rank.standings import TicketStanding
from rove_core.build.rank.weights import RankWeights


@frozen(kw_only=True)
class CandidateSignals:
    """The signals of a candidate.

    Attributes:
        place: Its position among the candidates.
        values: The signals, in the order of the weights.
        credit: The bonuses and penalties besides the signals.
    """

    place: int
    values: Sequence[float]
    credit: Credit

    def score(self, weights: RankWeights) -> float:
        """Return the score with the given weights."""
        return self.credit.scored(self.credit.joined(weights.likelihood(self.values)))


@frozen(kw_only=True)
class TicketSignals:
    """The signals of all candidates of a ticket.

    Attributes:
        best: The candidates that may be believed, best first by the rule of thumb.
        others: The positions of the others, with low scores that do not depend on the weights.
    """

    best: Sequence[CandidateSignals]
    others: Sequence[tuple[int, float]]

    def ranked(self, weights: RankWeights) -> list[tuple[int, float]]:
        """Return the position and score of each candidate, best first."""
        scores = [*self.others, *((each.place, each.score(weights)) for each in self.best)]
        return sorted(scores, key=lambda pair: (-pair[1], pair[0]))


def signals_of(
    candidates: Sequence[Candidate],
    evidence: Sequence[CandidateEvidence],
    standings: Sequence[TicketStanding],
    *,
    best: int,
) -> list[tuple[float, ...]]:
    """Return the signals of each candidate, in the order of the weights.

    Args:
        candidates: The candidates, the best by the rule of thumb first.
        evidence: The evidence for each of them.
        standings: The ticket's standing against other tickets for each of them.
        best: How many of the first are among the best of everything, found or not: only these have
            a place by words and by time that others can be behind.
    """
    sure = sum(each.is_linked for each in evidence)
    open_ones = [each for each in evidence if not each.is_linked]
    most = max((each.words for each in open_ones), default=0.0) or 1.0
    linked, some = log(1 + sure), float(sure > 0)
    by_impression = _places([each.score for each in evidence])
    by_words = _places([each.words for each in evidence], best)
    by_time = _places([each.time for each in evidence], best)
    return [
        (
            1.0,
            each.words,
            each.words**2,
            each.time,
            each.people,
            each.words * each.people,
            each.lead,
            linked,
            log(1 + max(0, by_impression[at] - sure)),
            float(role == "ticket"),
            each.time * (role == "ticket"),
            float(role == "change"),
            float(role == "commit"),
            float(role == "talk"),
            min(1.0, each.words / most),
            log(1 + by_words[at]),
            log(1 + by_time[at]),
            some,
            each.words * each.time,
            each.time * each.people,
            min(1.0, each.words),
            standing.lead,
            standing.behind,
        )
        for at, (each, role, standing) in enumerate(
            zip(
                evidence,
                (candidate.item.role for candidate in candidates),
                standings,
                strict=True,
            )
        )
    ]


def _places(values: Sequence[float], best: int | None = None) -> list[int]:
    """Return each value's rank among the first ones, from 0; equal values share one.

    Args:
        values: The values.
        best: How many of the first values are counted; None for all.
    """
    counted = sorted(-value for value in values[:best])
    return [bisect_left(counted, -value) for value in values]
