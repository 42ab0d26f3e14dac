"""Combine all signals into one score; the only place that weighs them."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from attrs import field, frozen

from rove_code.file_filter import allows
from rove_code.model import EVERY_FILE, Filter
from rove_code.ranking import bm25f, graph, mentions, precedents
from rove_code.ranking.arrays import Flags, Floats
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.paths import Kind
from rove_code.ranking.question_terms import QuestionTerms
from rove_code.ranking.quotations import quoted
from rove_code.ranking.structure import NameQuestion, answering
from rove_code.ranking.text_scores import Occurrences
from rove_code.ranking.vector_scores import meaning

#: Rows so near the top are what the graph starts from.
_SEEDS: Final = 15
#: The best of them count much more than the others.
_SHARPLY: Final = 3
#: Less than this is the rounding of a sum.
_LEAST: Final = 1e-6
_TESTS: Final = re.compile(
    r"\b(tests? (for|of|that|which|cover\w*|in)|(unit|integration|regression|which) tests?"
    r"|(flaky|failing) tests?|test suite|tested)\b",
    re.IGNORECASE,
)
_DOCUMENTS: Final = re.compile(r"\b(docs?|documentation|readme|changelog|guide)\b", re.IGNORECASE)
_LIFTING: Final = {Kind.TEST: _TESTS, Kind.DOCUMENT: _DOCUMENTS}
#: What is left of tests and texts when a question speaks of such: it may do so by the way.
_LIFTED: Final = 0.6


@frozen(kw_only=True)
class Weights:
    """Weights of the signals, chosen on the development set (``python -m benchmarks code``).

    Attributes:
        names: Words of what a chunk declares, beside words of its text, which count 1: a name is
            the shortest summary of a declaration.
        containers: Words of what it stands in: methods rarely say what their class is about.
        path: Words of the file's path, for the same reason.
        whole: Words of the whole file, since a fix is where many of them meet.
        declared: Names in the question that a chunk declares: the reporter knows the code.
        quoted: Messages in the question that a chunk prints: where one is made is rarely far from
            what is wrong.
        framed: Places of tracebacks: where it happened is near what is wrong.
        mentioned: Files that the question speaks of.
        alike: Files that were changed for words like these: what was said of code in the past.
        told: Files of whose changes such words were said more than of others: those that change
            for anything gain nothing.
        often: Files that are changed often, since they will be again.
        near: What is near the best by references (PageRank): weak, it settles ties.
        using: What refers to the best itself: a fix is often where something is used.
        linked: Texts that the best link to: what is said goes on there.
        meaning: What is near in meaning, where vectors are wanted: far less telling than words.
        answering: What answers a question about who calls, uses or implements a name: exact.
        bare: What a chunk loses that declares nothing, unless a file begins with it.
        aside: What is left of a test, an example, a text or others' code when code is asked for.
    """

    names: float = 0.2
    containers: float = 1.0
    path: float = 1.5
    whole: float = 0.4
    declared: float = 0.3
    quoted: float = 0.5
    framed: float = 0.5
    mentioned: float = 0.2
    alike: float = 0.2
    told: float = 0.25
    often: float = 0.15
    near: float = 0.1
    using: float = 0.4
    linked: float = 0.4
    meaning: float = 0.1
    answering: float = 3.0
    bare: float = 0.2
    aside: float = 0.3


@frozen(eq=False)
class Scores:
    """Scores of a corpus's entries.

    Attributes:
        total: That.
        evidence: How much of it the question itself is evidence for: 0 where only habits speak.
        found: Which rows' texts have the words that are asked for.
        word_weights: How much it says that a text has each of these words.
        parts: What each signal adds to it, by the name of its weight; words of texts are ``body``.
    """

    total: Floats
    evidence: Floats
    found: Sequence[Occurrences]
    word_weights: Floats
    parts: Mapping[str, Floats] = field(repr=False)


def combined(
    corpus: CodeCorpus, question: QuestionTerms, weights: Weights, nearness: Floats | None = None
) -> Scores:
    """Combine all signals, semantic nearness included if known."""
    rows, _, _ = corpus.entries
    left = _without_aside(corpus, question, weights)
    found = bm25f.bodies(corpus, question.words)
    every = _parts(corpus, question, weights, found)
    if nearness is not None:
        every["meaning"] = weights.meaning * meaning(nearness[rows], every)
    parts = {name: part * left for name, part in every.items()}
    before = np.sum(list(parts.values()), axis=0) if parts else np.zeros(rows.size)
    evidence = before - parts["often"]
    near, using, linked = _around(corpus, np.where(evidence > _LEAST, before, 0.0))
    parts["near"] = weights.near * near * left
    parts["using"] = weights.using * using * left
    parts["linked"] = weights.linked * linked * left * _is_text(corpus)
    around = parts["near"] + parts["using"] + parts["linked"]
    tells = bm25f.word_weights(corpus, found, question.words)
    return Scores(before + around, evidence + around, found, tells, parts)


def _parts(
    corpus: CodeCorpus, query: QuestionTerms, weights: Weights, found: Sequence[Occurrences]
) -> dict[str, Floats]:
    rows, files, _ = corpus.entries
    by_document = bm25f.by_document(corpus, found, query.words)
    words = {
        "body": bm25f.by_row(corpus, found, query.words)[rows],
        "names": weights.names * bm25f.part(corpus, "names", query.words)[rows],
        "containers": weights.containers * bm25f.part(corpus, "containers", query.words)[rows],
        "path": weights.path * bm25f.paths(corpus, query.words)[files],
    }
    most = float(np.max(np.sum(list(words.values()), axis=0), initial=0.0)) or 1.0
    parts = {name: part / most for name, part in words.items()}
    parts["whole"] = weights.whole * _relative(by_document)[corpus.document][files]
    parts["declared"] = weights.declared * mentions.declared(corpus, query)[rows]
    parts["quoted"] = weights.quoted * quoted(corpus, query)[rows]
    parts["framed"] = weights.framed * mentions.framed(corpus, query)
    parts["mentioned"] = weights.mentioned * mentions.mentioned_files(corpus, query)[files]
    parts["alike"] = weights.alike * _relative(precedents.alike(corpus, query.words))[files]
    parts["told"] = weights.told * _relative(precedents.message_scores(corpus, query.words))[files]
    parts["often"] = weights.often * _relative(np.log1p(corpus.often))[files]
    if query.structural:
        parts["answering"] = weights.answering * answering(corpus, query.structural)[rows]
    return parts


def _is_text(corpus: CodeCorpus) -> Floats:
    """Return 1 for each entry of a text about code, and 0 for code: code is linked by imports."""
    texts = np.array([kind is Kind.DOCUMENT for kind in Kind], np.float64)
    return texts[corpus.kind_numbers][corpus.entries[1]]


def _around(corpus: CodeCorpus, scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Return how near each entry is to the best by references, uses them, and is linked there."""
    rows, _, _ = corpus.entries
    by_row = np.zeros(corpus.rows)
    np.maximum.at(by_row, rows, scores)
    least = np.partition(by_row, -_SEEDS)[-_SEEDS] if by_row.size > _SEEDS else 0.0
    best = np.flatnonzero((by_row >= least) & (by_row > 0))
    nodes, near = graph.near(corpus, best, by_row[best] ** _SHARPLY)
    found = np.zeros(corpus.rows)
    found[nodes] = np.sqrt(near)
    using = graph.using(corpus, best, by_row[best])
    return found[rows], using[rows], graph.linked(corpus, best, by_row[best])[rows]


def _without_aside(corpus: CodeCorpus, query: QuestionTerms, weights: Weights) -> Floats:
    """Return each entry without the parts used elsewhere."""
    rows, files, chunks = corpus.entries
    left = np.array([_share(kind, query, weights) for kind in Kind])[corpus.kind_numbers][files]
    if query.only != EVERY_FILE:
        left = np.where(_allowed(corpus, query.only), 1.0 if query.only.kinds else left, 0.0)
    is_bare = (corpus.lengths["names"][rows] == 0) & (chunks > 0)
    return left * np.where(is_bare, 1.0 - weights.bare, 1.0)


def _allowed(corpus: CodeCorpus, only: Filter) -> Flags:
    """Return for each entry whether a filter lets its file answer."""
    places = zip(corpus.names, corpus.kinds, strict=True)
    files = np.array([allows(only, path, kind) for (_, path), kind in places], np.bool_)
    return files[corpus.entries[1]]


def _share(kind: Kind, query: QuestionTerms, weights: Weights) -> float:
    """Return the remaining weight of a kind of files when code is wanted."""
    sets = query.structural is not None and query.structural.sought is NameQuestion.SETTING
    if kind is Kind.SOURCE or (kind is Kind.DATA and sets):
        return 1.0
    is_spoken_of = kind in _LIFTING and _LIFTING[kind].search(query.headline)
    return max(weights.aside, _LIFTED) if is_spoken_of else weights.aside


def _relative(values: Floats) -> Floats:
    return values / (float(np.max(values, initial=0.0)) or 1.0)
