"""Files changed by past commits with similar messages."""

from typing import Final

import numpy as np

from rove_code.ranking.arrays import Floats
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.text_scores import Occurrences, QueryWords, fit, scores

#: Of so many changes it is looked at what they changed.
_MOST: Final = 400
#: The best of them count much more than the others.
_SHARPLY: Final = 3


def alike(corpus: CodeCorpus, words: QueryWords) -> Floats:
    """Return how much each file was changed for words like these; the best messages count."""
    found = np.zeros(len(corpus.files))
    for past, touched in zip(corpus.pasts, corpus.touched, strict=True):
        fits = fit(past.words, words, past.sizes)
        best = np.argsort(-fits, kind="stable")[:_MOST]
        says = (fits[best] / (fits.max(initial=0.0) or 1.0)) ** _SHARPLY * past.shares[best]
        each, files = touched.by(best)
        found += np.bincount(files, says[each], found.size)
    return found


def message_scores(corpus: CodeCorpus, words: QueryWords) -> Floats:
    """Return how well the messages of each file's changes fit, taken as one text."""
    count = len(corpus.files)
    sums = np.zeros(words.terms.size * count)
    for past, touched in zip(corpus.pasts, corpus.touched, strict=True):
        which, changes, counts = past.words.find(words.terms)
        each, files = touched.by(changes)
        says = (counts * past.shares[changes])[each]
        sums += np.bincount(which[each] * count + files, says, sums.size)
    there = np.flatnonzero(sums)
    found = Occurrences(there // max(1, count), there % max(1, count), sums[there])
    return scores([found], words, corpus.message_sizes)
