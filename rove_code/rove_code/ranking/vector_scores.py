"""Add vector similarity: a small bonus for word hits, and a few new hits."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from rove_code.ranking.arrays import Floats

#: So many entries count that have none of the question's words.
_WITHOUT_WORDS: Final = 10
_WORDS: Final = ("body", "names", "containers", "path")


def meaning(nearness: Floats, parts: Mapping[str, Floats]) -> Floats:
    """Return how much nearer each entry is than most, 1 for the nearest of all.

    Args:
        nearness: That of each entry; NaN where it is not known.
        parts: What the other signals add.
    """
    mask = np.isfinite(nearness)
    if not mask.any():
        return np.zeros(nearness.size)
    above = np.where(mask, nearness - nearness[mask].mean(), 0.0).clip(min=0.0)
    has_words = np.any([parts[name] > 0 for name in _WORDS], axis=0)
    without = np.flatnonzero(~has_words)
    order = without[np.argsort(-above[without], kind="stable")]
    above[order[_WITHOUT_WORDS:]] = 0.0
    return above / (float(above.max(initial=0.0)) or 1.0)
