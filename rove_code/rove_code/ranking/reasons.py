"""Reasons for a hit, in words for people."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from rove_code.ranking.arrays import Ints
from rove_code.ranking.combine import Scores
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.question_terms import QuestionTerms

#: So many words, and so many reasons, are said of each.
_WORDS: Final = 4
_REASONS: Final = 2
#: What adds less than this to a score is no reason for it.
_LEAST: Final = 0.05
_SAID: Final = {
    "names": "its name fits",
    "containers": "its parent fits",
    "path": "its path fits",
    "whole": "its file fits",
    "declared": "the question names it",
    "quoted": "prints what the question quotes",
    "framed": "a traceback leads here",
    "mentioned": "the question names its file",
    "alike": "its file was changed for similar reasons",
    "told": "its commit messages match",
    "often": "its file is changed often",
    "near": "related by references",
    "linked": "linked from a result",
    "using": "refers to a result",
    "meaning": "similar meaning",
    "answering": "matches the name in the question",
}


def reasons(
    corpus: CodeCorpus, question: QuestionTerms, scores: Scores, entries: Ints
) -> Iterator[str]:
    """Yield the reasons for some entries."""
    names = [name for name in scores.parts if name in _SAID]
    parts = np.stack([scores.parts[name][entries] for name in names])
    strongest = np.argsort(-parts, axis=0, kind="stable")[:_REASONS].T.tolist()
    words = _words(corpus, question, scores, corpus.entries[0][entries])
    for at, (chosen, matches) in enumerate(zip(strongest, words, strict=True)):
        phrases = [_SAID[names[part]] for part in chosen if parts[part, at] >= _LEAST]
        yield "; ".join([", ".join(matches), *phrases] if matches else phrases)


def _words(
    corpus: CodeCorpus, query: QuestionTerms, scores: Scores, rows: Ints
) -> Sequence[Sequence[str]]:
    """Return the most telling words of the question that each row has."""
    own, each = np.unique(rows, return_inverse=True)
    place = np.full(corpus.rows, -1)
    place[own] = np.arange(own.size)
    tells = scores.word_weights.tolist()
    spelled = [query.spelled[term] for term in query.words.terms.tolist()]
    order = sorted(range(len(tells)), key=lambda word: (-tells[word], spelled[word]))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    keys = [
        place[hit.rows[mask]] * len(order) + ranks[hit.which[mask]]
        for hit in scores.found
        if (mask := place[hit.rows] >= 0).any()
    ]
    found: list[list[str]] = [[] for _ in own]
    for row, word in _first_words(keys, [spelled[at] for at in order]):
        found[row].append(word)
    return [found[number] for number in each.tolist()]


def _first_words(keys: Sequence[Ints], ranked: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the rows and their first few different words.

    Args:
        keys: A row's number times the number of words, and a word's rank.
        ranked: The words by rank; one that is found by several terms is there as often.
    """
    count = max(len(ranked), 1)
    every = np.sort(np.concatenate([np.zeros(0, np.int64), *keys]))
    rows, ranks = every // count, every % count
    places = {word: place for place, word in enumerate(ranked)}
    same = np.array([places[word] for word in ranked], np.int64)
    firsts = np.sort(np.unique(rows * count + same[ranks], return_index=True)[1])
    rows, ranks = rows[firsts], ranks[firsts]
    is_early = np.arange(rows.size) - np.searchsorted(rows, rows) < _WORDS
    for row, rank in zip(rows[is_early].tolist(), ranks[is_early].tolist(), strict=True):
        yield row, ranked[rank]
