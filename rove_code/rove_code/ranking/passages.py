"""How well parts of a chunk fit a question."""

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from rove_code.ranking.text_scores import LONG, SATURATION
from rove_code.ranking.words import counted

#: How many terms a declaration has, roughly: a longer one must repeat a word more often.
_USUAL: Final = 150
#: How much a word of a name counts, beside words of the text, which count 1.
_NAME: Final = 0.5


@frozen(eq=False)
class PassageScores:
    """Scores declarations of one chunk, by BM25 over their texts.

    Attributes:
        term_weights: How much each of the question's terms tells.
    """

    term_weights: Mapping[int, float]

    def __call__(self, text: str, names: Sequence[str]) -> float:
        """Return the score of a text that declares some names; 0 if none of the words is in it."""
        counts = counted([text])
        length = sum(counts.values())
        expected = SATURATION * (1 - LONG + LONG * length / _USUAL)
        found = sorted(counts.keys() & self.term_weights.keys())
        return sum(
            self.term_weights[term] * counts[term] * (SATURATION + 1) / (counts[term] + expected)
            for term in found
        ) + _NAME * sum(self.term_weights.get(term, 0.0) for term in sorted(counted(names).keys()))
