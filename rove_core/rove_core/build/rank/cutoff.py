"""Where to cut the ranking: doubtful items make a document worse."""

from collections.abc import Sequence
from itertools import accumulate

from rove_core.build.gather.candidates import RankedItem
from rove_core.build.rank.evidence import LINKED


def enough(ranked: Sequence[RankedItem]) -> int:
    """Return how many of the best candidates are believed.

    Args:
        ranked: The candidates, best first.
    """
    return believed([each.score for each in ranked])


def believed(scores: Sequence[float]) -> int:
    """Return how many of the best scores are believed.

    Scores are probabilities, so the cut is where the expected F1 is highest. Linked items are
    always believed; if there are none, the best guess is better than nothing.

    Args:
        scores: The scores, best first.
    """
    if not scores:
        return 0
    expected = sum(scores)
    balance = [2 * hits / (count + expected) for count, hits in enumerate(accumulate(scores), 1)]
    linked = sum(score >= LINKED for score in scores)
    return max(linked, balance.index(max(balance)) + 1)
