"""BM25F over the fields of code."""

from collections.abc import Sequence

import numpy as np

from rove_code.ranking.arrays import Floats
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.text_scores import (
    LONG,
    SHORT,
    Occurrences,
    QueryWords,
    Sizes,
    fit,
    rarity,
    scores,
)


def bodies(corpus: CodeCorpus, words: QueryWords) -> Sequence[Occurrences]:
    """Return which rows' texts have the words, segment by segment."""
    return _found(corpus, "body", words)


def by_row(corpus: CodeCorpus, found: Sequence[Occurrences], words: QueryWords) -> Floats:
    """Return how well each row's text fits."""
    return scores(found, words, Sizes(corpus.lengths["body"], corpus.alive), LONG)


def part(corpus: CodeCorpus, name: str, words: QueryWords) -> Floats:
    """Return how well a part of each row fits: its ``names``, its ``containers``."""
    found = _found(corpus, name, words)
    return scores(found, words, Sizes(corpus.lengths[name], corpus.alive), SHORT)


def paths(corpus: CodeCorpus, words: QueryWords) -> Floats:
    """Return how well each file's path fits."""
    lengths = np.bincount(corpus.paths.rows, corpus.paths.counts, len(corpus.files))
    return fit(corpus.paths, words, lengths)


def tells(corpus: CodeCorpus, found: Sequence[Occurrences], words: QueryWords) -> Floats:
    """Return how much it says that a text has each word."""
    return words.weights * rarity(found, words, int(np.count_nonzero(corpus.alive)))


def by_document(corpus: CodeCorpus, found: Sequence[Occurrences], words: QueryWords) -> Floats:
    """Return how well each whole document's text fits."""
    documents = corpus.starts.size - 1
    merged = [_by_document(corpus, each) for each in found]
    alive = np.zeros(documents, np.bool_)
    alive[corpus.document] = True
    lengths = np.bincount(corpus.document_of, corpus.lengths["body"], documents)
    return scores(merged, words, Sizes(lengths, alive), LONG)


def _by_document(corpus: CodeCorpus, found: Occurrences) -> Occurrences:
    """Return which documents have words, and how often: a document's rows stand together."""
    documents = corpus.document_of[found.rows]
    is_last = np.ones(documents.size, np.bool_)
    is_last[:-1] = (found.which[1:] != found.which[:-1]) | (documents[1:] != documents[:-1])
    counts = np.diff(np.cumsum(found.counts, dtype=np.int64)[is_last], prepend=0)
    return Occurrences(found.which[is_last], documents[is_last], counts)


def _found(corpus: CodeCorpus, name: str, words: QueryWords) -> Sequence[Occurrences]:
    return [Occurrences(*each) for each in corpus.find_by_segment(name, words.terms)]
