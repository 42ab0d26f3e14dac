"""The code that prints a message which a question quotes.

Nothing has to be recognised in the question as an error or a quotation: all its sequences of words
are looked for in string literals.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from rove_code.ranking.arrays import Floats
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.literals import WORDS, number, runs
from rove_code.ranking.question_terms import STOP, QuestionTerms
from rove_code.ranking.words import TOKEN

#: A message of more places than this is none that tells them apart.
_SHARED: Final = 20
#: Sequences of a question that are looked for: a longer one is a log.
_MOST: Final = 5_000
#: The doubt that is left by one sequence which a single place has.
_DOUBT: Final = 0.5


def quoted(corpus: CodeCorpus, question: QuestionTerms) -> Floats:
    """Return how surely each row prints what a question quotes, 0 to 1."""
    says = dict(islice(_spoken(f"{question.text}\n{question.earlier}"), _MOST))
    if not says:
        return np.zeros(corpus.rows)
    which, rows, _ = corpus.find("literals", np.array([*says], "<u4"))
    shared = np.bincount(which, minlength=len(says))
    weights = np.array([*says.values()], np.float64) / np.maximum(shared, 1)
    weights[shared > _SHARED] = 0.0
    return 1.0 - _DOUBT ** np.bincount(rows, weights[which], corpus.rows)


def _spoken(text: str) -> Iterator[tuple[int, float]]:
    """Yield the sequences of a question, with the share of their words that say something."""
    for line in text.split("\n"):
        words = TOKEN.findall(line.lower())
        for size in (WORDS, WORDS - 1):
            for run in runs(words, size):
                share = sum(len(word) > 2 and word not in STOP for word in run) / size
                if share > 1 / WORDS:
                    yield number(run), share
