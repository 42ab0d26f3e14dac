"""How well the words of a question fit the parts of what can be found."""

import numpy as np

from rove_code.ranking.arrays import Floats
from rove_code.ranking.corpus import Corpus
from rove_code.ranking.scoring import LONG, SHORT, Found, Sizes, Words, fit, rarity, scores


def bodies(corpus: Corpus, words: Words) -> Found:
    """Return which rows' texts have the words."""
    return Found(*corpus.find("body", words.terms))


def by_row(corpus: Corpus, found: Found, words: Words) -> Floats:
    """Return how well each row's text fits."""
    return scores(found, words, Sizes(corpus.lengths["body"], corpus.alive), LONG)


def part(corpus: Corpus, name: str, words: Words) -> Floats:
    """Return how well a part of each row fits: its ``names``, its ``containers``."""
    found = Found(*corpus.find(name, words.terms))
    return scores(found, words, Sizes(corpus.lengths[name], corpus.alive), SHORT)


def paths(corpus: Corpus, words: Words) -> Floats:
    """Return how well each file's path fits."""
    lengths = np.bincount(corpus.paths.rows, corpus.paths.counts, len(corpus.files))
    return fit(corpus.paths, words, lengths)


def tells(corpus: Corpus, found: Found, words: Words) -> Floats:
    """Return how much it says that a text has each word."""
    return words.weights * rarity(found, words, int(np.count_nonzero(corpus.alive)))


def by_document(corpus: Corpus, found: Found, words: Words) -> Floats:
    """Return how well each whole document's text fits."""
    documents = corpus.starts.size - 1
    places = found.which * documents + corpus.document_of[found.rows]
    totals = np.bincount(places, found.counts)
    there = np.flatnonzero(totals)
    merged = Found(there // max(1, documents), there % max(1, documents), totals[there])
    alive = np.zeros(documents, np.bool_)
    alive[corpus.document] = True
    lengths = np.bincount(corpus.document_of, corpus.lengths["body"], documents)
    return scores(merged, words, Sizes(lengths, alive), LONG)
