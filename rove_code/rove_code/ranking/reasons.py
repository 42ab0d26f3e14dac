"""Reasons for a hit, in words for people."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from rove_code.ranking import bm25f
from rove_code.ranking.arrays import Ints
from rove_code.ranking.combine import Scores
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.question_terms import QuestionTerms
from rove_code.ranking.text_scores import Occurrences

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
    corpus: CodeCorpus, asked: QuestionTerms, scores: Scores, entries: Ints
) -> Iterator[str]:
    """Yield what speaks for each of some entries."""
    names = [name for name in scores.parts if name in _SAID]
    parts = np.stack([scores.parts[name][entries] for name in names])
    strongest = np.argsort(-parts, axis=0, kind="stable")[:_REASONS].T.tolist()
    words = _words(corpus, asked, scores.found, corpus.entries[0][entries])
    for at, (chosen, said) in enumerate(zip(strongest, words, strict=True)):
        told = [_SAID[names[part]] for part in chosen if parts[part, at] >= _LEAST]
        yield "; ".join([", ".join(said), *told] if said else told)


def _words(
    corpus: CodeCorpus, asked: QuestionTerms, hits: Sequence[Occurrences], rows: Ints
) -> Sequence[Sequence[str]]:
    """Return the most telling words of the question that each row has."""
    own, each = np.unique(rows, return_inverse=True)
    found: list[dict[str, float]] = [{} for _ in own]
    place = np.full(corpus.rows, -1)
    place[own] = np.arange(own.size)
    tells = bm25f.tells(corpus, hits, asked.words)
    for hit in hits:
        at = place[hit.rows]
        kept = at >= 0
        for word, row in zip(hit.which[kept].tolist(), at[kept].tolist(), strict=True):
            spelled = asked.spelled[int(asked.words.terms[word])]
            found[row][spelled] = max(found[row].get(spelled, 0.0), float(tells[word]))
    best = [sorted(words, key=lambda word: (-words[word], word))[:_WORDS] for words in found]
    return [best[number] for number in each.tolist()]
