"""BM25 over texts in postings."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, Self

import numpy as np
from attrs import frozen

from rove_code.ranking.arrays import Flags, Floats, Ints
from rove_code.ranking.postings import Postings

#: How soon more of the same word says no more.
SATURATION: Final = 1.2
#: How much longer text must say a word more often: bodies, the short names of things, and all that
#: was said of a file's changes.
LONG: Final = 0.75
SHORT: Final = 0.3
TOLD: Final = 0.5


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


@frozen(eq=False, slots=False)
class Sizes:
    """Sizes of the searched texts. They are the same for each question, so they are kept.

    Attributes:
        lengths: How long each row is.
        alive: Whether it is there at all.
        long: How much longer text must say a word more often.
    """

    lengths: Ints | Floats
    alive: Flags
    long: float

    @classmethod
    def of_all(cls, lengths: Ints | Floats, long: float = SHORT) -> Self:
        """Return the sizes of texts all of which are there."""
        return cls(lengths, np.ones(lengths.size, np.bool_), long)

    @cached_property
    def count(self) -> int:
        """Number of rows."""
        return int(np.count_nonzero(self.alive))

    @cached_property
    def expected(self) -> Floats:
        """How often each row may say a word before more says no more."""
        total = np.sum(self.lengths, where=self.alive, dtype=np.float64)
        mean = float(total) / max(1, self.count) or 1.0
        shares = 1 - self.long + self.long * (self.lengths / mean)
        return np.asarray(SATURATION * shares, np.float64)


def fit(postings: Postings, words: QueryWords, sizes: Sizes) -> Floats:
    """Return the scores of short texts that contain all words."""
    return scores([Occurrences(*postings.find(words.terms))], words, sizes)


def rarity(found: Sequence[Occurrences], words: QueryWords, count: int) -> Floats:
    """Return the information content of words over a number of rows."""
    have = np.zeros(words.terms.size, np.int64)
    for each in found:
        have += np.bincount(each.which, minlength=have.size)
    return np.asarray(np.log(1 + (count - have + 0.5) / (have + 0.5)), np.float64)


def scores(found: Sequence[Occurrences], words: QueryWords, sizes: Sizes) -> Floats:
    """Return the scores of rows; the parts of the postings have no row in common."""
    tells = words.weights * rarity(found, words, sizes.count)
    fits = np.zeros(sizes.lengths.size)
    for each in found:
        heard = each.counts + sizes.expected[each.rows]
        fit = tells[each.which] * each.counts * (SATURATION + 1) / heard
        fits += np.bincount(each.rows, fit, fits.size)
    return fits
