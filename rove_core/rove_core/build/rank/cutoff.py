"""Where to cut the ranking: doubtful items make a document worse."""

from collections.abc import Sequence
from itertools import accumulate

from rove_core.build.gather.candidates import RankedItem
from rove_core.build.rank.evidence import LINKED


def enough(ranked: Sequence[RankedItem]) -> int:
    """Return how many of the best are believed.

    Args:
        ranked: What there is, best first.
    """
    return believed([each.score for each in ranked])


def believed(scores: Sequence[float]) -> int:
    """Return how many of the best are believed.

    A score is a probability: so many of the best are taken that the balance of what is right among
    them and what is missed (F1) can be expected to be best. What is linked is always believed, and
    where nothing is, the best guess is better than none.

    Args:
        scores: How much each matters, best first.
    """
    if not scores:
        return 0
    expected = sum(scores)
    balance = [2 * hits / (count + expected) for count, hits in enumerate(accumulate(scores), 1)]
    linked = sum(score >= LINKED for score in scores)
    return max(linked, balance.index(max(balance)) + 1)
