"""The order in which chunks and their pieces are shown."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rove_code.model import ScoredChunk
from rove_code.packing.pieces import Piece

#: How much the score of a piece within its chunk counts, as a power: the chunk's score, which knows
#: the file and its history, says more than the words of a few lines.
_WITHIN: Final = 0.4

#: What remains of a piece's worth for each better one of its file: what is known about a file
#: speaks for all of its chunks, and would fill the answer with the file that happens to be first.
_LEFT: Final = 0.98

#: How much the length of a piece counts, as a power, above a few lines: of two pieces that fit
#: equally well, the shorter one leaves more room for others.
_LENGTH: Final = 0.07
_FEW_CHARACTERS: Final = 150


def chunks_in_turn(found: Sequence[ScoredChunk]) -> Sequence[ScoredChunk]:
    """Return the best chunks first, where each counts a little less than the last of its file."""
    better: Counter[tuple[int, int]] = Counter()
    worth: dict[ScoredChunk, float] = {}
    for each in found:
        file = (each.repository, each.file)
        worth[each] = each.score * _LEFT ** better[file]
        better[file] += 1
    return sorted(found, key=worth.__getitem__, reverse=True)


def in_turn(pieces: Iterable[Piece]) -> Sequence[Piece]:
    """Return the pieces, those first that are worth most for the room they take."""
    better: Counter[tuple[int, int]] = Counter()
    worth: dict[Piece, float] = {}
    for each in sorted(pieces, key=_fit, reverse=True):
        length = max(each.size, _FEW_CHARACTERS) / _FEW_CHARACTERS
        worth[each] = _fit(each) * _LEFT ** better[each.file] / length**_LENGTH
        better[each.file] += 1
    return sorted(worth, key=worth.__getitem__, reverse=True)


def _fit(piece: Piece) -> float:
    within: float = piece.share**_WITHIN
    return piece.scored.score * within
