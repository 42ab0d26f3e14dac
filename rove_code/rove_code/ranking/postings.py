"""Postings: the rows that contain each term."""

from collections.abc import Mapping, Sequence
from typing import Final, Self

import numpy as np
from attrs import frozen

from rove_code.ranking.arrays import Ints
from rove_code.ranking.features import MOST, FieldTerms

#: A count is a byte; above it, in the same number, is the row.
_ROW: Final = np.uint32(8)
#: So many files at a time are put in their place: all of them once more would be much.
_AT_ONCE: Final = 500


@frozen(eq=False)
class Postings:
    """The rows of each term.

    Attributes:
        terms: Each term once, the smallest first.
        starts: Where the rows of each term begin, and where those of the last one end.
        rows: The rows of all terms, those of one term in order.
        counts: How often the term is in each of them, or bits that tell how.
    """

    terms: Ints
    starts: Ints
    rows: Ints
    counts: Ints

    @classmethod
    def of(cls, terms: Ints, rows: Ints, counts: Ints) -> Self:
        """Return postings from term, row and count, in any order."""
        return cls._sorted(_keys(terms, rows, counts))

    @classmethod
    def of_fields(cls, fields: Sequence[FieldTerms]) -> Self:
        """Return postings of one part of several files, with chunks as rows."""
        keys = np.empty((sum(field.terms.size for field in fields), 2), "<u4")
        done = row = 0
        for start in range(0, len(fields), _AT_ONCE):
            terms, rows, counts = spread(fields[start : start + _AT_ONCE])
            keys[done : done + terms.size] = _keys(terms, rows + np.uint32(row), counts)
            done += terms.size
            row += sum(field.sizes.size for field in fields[start : start + _AT_ONCE])
        return cls._sorted(keys)

    @classmethod
    def _sorted(cls, keys: Ints) -> Self:
        # One number each, since numbers are sorted many times quicker than an order is found.
        keys.reshape(-1).view("<u8").sort()
        low, terms = keys[:, 0], keys[:, 1]
        changes = np.flatnonzero(terms[1:] != terms[:-1]) + 1
        starts = np.concatenate([np.zeros(min(1, terms.size), np.int64), changes])
        return cls(
            terms=terms[starts],
            starts=np.append(starts, terms.size).astype("<u4"),
            rows=low >> _ROW,
            counts=low.astype("<u1"),
        )

    @classmethod
    def of_counts(cls, texts: Sequence[Mapping[int, int]]) -> Self:
        """Make them from how often each term is in texts, which are the rows."""
        return cls.of(
            np.array([term for each in texts for term in each], "<u4"),
            np.repeat(np.arange(len(texts)), [len(each) for each in texts]).astype("<u4"),
            np.array([min(n, MOST) for each in texts for n in each.values()], "<u1"),
        )

    def find(self, terms: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the occurrences of terms: position among the terms, row and count."""
        if not self.terms.size:
            return self.rows[:0], self.rows[:0], self.counts[:0]
        at = np.minimum(np.searchsorted(self.terms, terms), self.terms.size - 1)
        there = np.flatnonzero(self.terms[at] == terms)
        which, places = gathered(self.starts[at[there]], self.starts[at[there] + 1])
        return there[which], self.rows[places], self.counts[places]


def gathered(starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return all positions of some spans, preceded by the number of each one's span."""
    sizes = ends.astype(np.int64) - starts
    which = np.repeat(np.arange(sizes.size), sizes)
    before = np.cumsum(sizes) - sizes
    return which, np.arange(which.size) + np.repeat(starts - before, sizes)


def spread(fields: Sequence[FieldTerms]) -> tuple[Ints, Ints, Ints]:
    """Return the terms, rows and counts of one part of several files."""
    sizes = joint([field.sizes for field in fields], "<u4")
    rows = np.repeat(np.arange(sizes.size, dtype="<u4"), sizes)
    terms = joint([field.terms for field in fields], "<u4")
    return terms, rows, joint([field.counts for field in fields], "<u1")


def joint(arrays: Sequence[Ints], kind: str) -> Ints:
    """Return arrays one after the other."""
    return np.concatenate([np.zeros(0, kind), *arrays])


def _keys(terms: Ints, rows: Ints, counts: Ints) -> Ints:
    """Return sortable keys with term, row and count."""
    keys = np.empty((terms.size, 2), "<u4")
    np.left_shift(rows, _ROW, out=keys[:, 0], casting="unsafe")
    keys[:, 0] |= counts
    keys[:, 1] = terms
    return keys
