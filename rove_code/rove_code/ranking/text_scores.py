"""BM25 over texts in postings."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from attrs import frozen

from rove_code.ranking.arrays import Flags, Floats, Ints
from rove_code.ranking.postings import Postings

#: How soon more of the same word says no more.
_SATURATION: Final = 1.2
#: How much longer text must say a word more often: bodies, and the short names of things.
LONG: Final = 0.75
SHORT: Final = 0.3


@frozen(eq=False)
class QueryWords:
    """The words of a question.

    Attributes:
        terms: Them, as numbers.
        weights: How much each counts.
    """

    terms: Ints
    weights: Floats


@frozen(eq=False)
class Occurrences:
    """Occurrences of words in rows.

    Attributes:
        which: The place of each among those of the question.
        rows: Where it is.
        counts: How often.
    """

    which: Ints
    rows: Ints
    counts: Ints | Floats


@frozen(eq=False)
class Sizes:
    """Sizes of the searched texts.

    Attributes:
        lengths: How long each row is.
        alive: Whether it is there at all.
    """

    lengths: Ints | Floats
    alive: Flags

    @property
    def count(self) -> int:
        """Number of rows."""
        return int(np.count_nonzero(self.alive))

    @property
    def mean(self) -> float:
        """Mean length."""
        total = np.sum(self.lengths, where=self.alive, dtype=np.float64)
        return float(total) / max(1, self.count) or 1.0


def fit(postings: Postings, words: QueryWords, lengths: Ints | Floats) -> Floats:
    """Return how well short texts fit, all of which are there."""
    found = [Occurrences(*postings.find(words.terms))]
    return scores(found, words, Sizes(lengths, np.ones(lengths.size, np.bool_)), SHORT)


def rarity(found: Sequence[Occurrences], words: QueryWords, count: int) -> Floats:
    """Return how much each word tells among so many rows."""
    have = np.zeros(words.terms.size, np.int64)
    for each in found:
        have += np.bincount(each.which, minlength=have.size)
    return np.asarray(np.log(1 + (count - have + 0.5) / (have + 0.5)), np.float64)


def scores(found: Sequence[Occurrences], words: QueryWords, sizes: Sizes, long: float) -> Floats:
    """Return how well each row fits; no row is in two parts of what was found."""
    tells = words.weights * rarity(found, words, sizes.count)
    expected = _SATURATION * (1 - long + long * (sizes.lengths / sizes.mean))
    fits = np.zeros(sizes.lengths.size)
    for each in found:
        heard = each.counts + expected[each.rows]
        fit = tells[each.which] * each.counts * (_SATURATION + 1) / heard
        fits += np.bincount(each.rows, fit, fits.size)
    return fits
