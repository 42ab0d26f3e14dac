"""BM25F over the fields of code."""

from collections.abc import Sequence

import numpy as np

from rove_code.ranking.arrays import Floats
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.text_scores import Occurrences, QueryWords, fit, rarity, scores


def bodies(corpus: CodeCorpus, words: QueryWords) -> Sequence[Occurrences]:
    """Return which rows' texts have the words, segment by segment."""
    return _found(corpus, "body", words)


def by_row(corpus: CodeCorpus, found: Sequence[Occurrences], words: QueryWords) -> Floats:
    """Return how well each row's text fits."""
    return scores(found, words, corpus.sizes["body"])


def part(corpus: CodeCorpus, name: str, words: QueryWords) -> Floats:
    """Return how well a part of each row fits: its ``names``, its ``containers``."""
    found = _found(corpus, name, words)
    return scores(found, words, corpus.sizes[name])


def paths(corpus: CodeCorpus, words: QueryWords) -> Floats:
    """Return how well each file's path fits."""
    return fit(corpus.paths, words, corpus.path_sizes)


def word_weights(corpus: CodeCorpus, found: Sequence[Occurrences], words: QueryWords) -> Floats:
    """Return how much it says that a text has each word."""
    return words.weights * rarity(found, words, corpus.sizes["body"].count)


def by_document(corpus: CodeCorpus, found: Sequence[Occurrences], words: QueryWords) -> Floats:
    """Return how well each whole document's text fits."""
    return scores([_by_document(corpus, each) for each in found], words, corpus.document_sizes)


def _by_document(corpus: CodeCorpus, found: Occurrences) -> Occurrences:
    """Return the documents with the words, and their counts."""
    documents = corpus.document_of[found.rows]
    is_last = np.ones(documents.size, np.bool_)
    is_last[:-1] = (found.which[1:] != found.which[:-1]) | (documents[1:] != documents[:-1])
    counts = np.diff(np.cumsum(found.counts, dtype=np.int64)[is_last], prepend=0)
    return Occurrences(found.which[is_last], documents[is_last], counts)


def _found(corpus: CodeCorpus, name: str, words: QueryWords) -> Sequence[Occurrences]:
    return [Occurrences(*each) for each in corpus.find_by_segment(name, words.terms)]
