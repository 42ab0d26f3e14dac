"""Rank the results of a question, with reasons."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np
from attrs import frozen

from rove_code.model import CodeQuestion, DeclarationSite, Ranking, ScoredChunk, SignatureLine
from rove_code.ranking.arrays import Floats, Ints
from rove_code.ranking.combine import Scores, Weights, combined
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.file_reader import Files
from rove_code.ranking.passages import PassageScores
from rove_code.ranking.question_terms import QuestionTerms
from rove_code.ranking.reasons import reasons
from rove_code.ranking.words import TOKEN, terms

#: Few answers have room for more: a chunk, and a further file, for so many characters.
_CHUNK: Final = 100
_LINE: Final = 250
_FEWEST_CHUNKS: Final = 50
_FEWEST_LINES: Final = 15
#: Scores that differ by less are equal: it is the rounding of sums that tells them apart.
_DIGITS: Final = 6
#: With less evidence nothing is shown, nor with less than this share of what speaks for the best.
_EVIDENCE: Final = 0.05
_OF_BEST: Final = 0.15
#: A further file takes a line alone, so less has to speak for it.
_OF_BEST_FURTHER: Final = 0.05


def rank(
    corpus: CodeCorpus,
    question: CodeQuestion,
    weights: Weights | None = None,
    *,
    near: Floats | None = None,
) -> Ranking:
    """Return what may answer a question.

    Args:
        corpus: Where to look.
        question: What is asked.
        weights: How much each signal counts.
        near: How near each row is in meaning, 1 at most and NaN where that is not known; None
            for words alone.
    """
    query = QuestionTerms.of(question)
    scores = combined(corpus, query, weights or Weights(), near)
    order = _best(corpus, scores, _FEWEST_CHUNKS + question.budget // _CHUNK)
    telling = dict(zip(query.words.terms.tolist(), scores.word_weights.tolist(), strict=True))
    files = Files(corpus)
    further = _best_of_files(corpus, scores, _FEWEST_LINES + question.budget // _LINE)
    found = tuple(_scored(corpus, query, scores, order))
    return Ranking(
        versions=corpus.versions,
        scored=found,
        signatures=_Further(lambda: _scored(corpus, query, scores, further), files, telling),
        parsed=files.parsed,
        declaring=files.declaring,
        relevance=lambda lines: [_relevance(line, telling) for line in lines],
        passage_score=PassageScores(telling),
    )


def _best(corpus: CodeCorpus, scores: Scores, count: int) -> Ints:
    """Return the best entries that the question is evidence for.

    Equal ones come by path, so that the order is always the same.
    """
    rounded = np.where(scores.evidence >= _floor(scores), np.round(scores.total, _DIGITS), 0.0)
    least = np.partition(rounded, -count)[-count] if rounded.size > count else -np.inf
    return _ordered(corpus, rounded, np.flatnonzero((rounded >= least) & (rounded > 0)))[:count]


def _best_of_files(corpus: CodeCorpus, scores: Scores, count: int) -> Ints:
    """Return the best entry of each file that declares something, the best file first.

    There are none where nothing has enough evidence to be shown.
    """
    rows, files, _ = corpus.entries
    best = float(scores.evidence.max(initial=0.0))
    is_near = (best >= _EVIDENCE) & (scores.evidence >= _OF_BEST_FURTHER * best)
    declares = corpus.lengths["names"][rows] > 0
    rounded = np.where(is_near & declares, np.round(scores.total, _DIGITS), 0.0)
    of_file = np.zeros(len(corpus.files))
    np.maximum.at(of_file, files, rounded)
    least = np.partition(of_file, -count)[-count] if of_file.size > count else 0.0
    is_first = (rounded > 0) & (rounded >= least) & (rounded == of_file[files])
    order = _ordered(corpus, rounded, np.flatnonzero(is_first))
    _, first = np.unique(files[order], return_index=True)
    return order[np.sort(first)[:count]]


def _ordered(corpus: CodeCorpus, rounded: Floats, entries: Ints) -> Ints:
    """Return entries with the best first, equal ones by path and place."""
    _, files, chunks = corpus.entries
    order = np.lexsort((chunks[entries], corpus.path_order[files[entries]], -rounded[entries]))
    return entries[order]


def _floor(scores: Scores) -> float:
    """Return the least evidence that is worth room in an answer."""
    return max(_EVIDENCE, _OF_BEST * float(scores.evidence.max(initial=0.0)))


def _scored(
    corpus: CodeCorpus, query: QuestionTerms, scores: Scores, order: Ints
) -> Iterator[ScoredChunk]:
    _, files, chunks = corpus.entries
    total = np.round(scores.total[order], _DIGITS).tolist()
    places = zip(files[order].tolist(), chunks[order].tolist(), total, strict=True)
    texts = reasons(corpus, query, scores, order)
    for (number, chunk, score), reason in zip(places, texts, strict=True):
        repository, file, _ = corpus.files[number]
        yield ScoredChunk(repository, file, chunk, score, reason)


@frozen(eq=False)
class _Further:
    """The most telling declaration of each file's best chunk that declares something.

    To find one out, a file has to be read: that is left for when it is come to.
    """

    best: Callable[[], Iterator[ScoredChunk]]
    files: Files
    term_weights: Mapping[int, float]

    def __iter__(self) -> Iterator[SignatureLine]:
        for each in self.best():
            place = (each.repository, each.file)
            declared = self.files.parsed(*place).chunks[each.chunk].declarations
            best = max(declared, key=lambda at: (self._relevance(place, at), -at))
            yield SignatureLine(DeclarationSite(*place, best), each.score, each.reason)

    def _relevance(self, place: tuple[int, int], at: int) -> float:
        return _relevance(self.files.parsed(*place).declarations[at].name, self.term_weights)


def _relevance(text: str, telling: Mapping[int, float]) -> float:
    found = {term for token in TOKEN.findall(text) for term in terms(token)}
    return sum(telling.get(term, 0.0) for term in sorted(found))
