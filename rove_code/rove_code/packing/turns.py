"""The order in which chunks are shown."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rove_code.model import ScoredChunk

#: What is left of a chunk's score for each better one of its file: what is known of a file lifts
#: all its chunks, and would fill the answer with the file that happens to be first.
_LEFT: Final = 0.98


def in_turn(scored: Sequence[ScoredChunk]) -> Sequence[ScoredChunk]:
    """Return the best chunks first, where each counts a little less than the last of its file."""
    before: Counter[tuple[int, int]] = Counter()
    worth: dict[ScoredChunk, float] = {}
    for each in scored:
        file = (each.repository, each.file)
        worth[each] = each.score * _LEFT ** before[file]
        before[file] += 1
    return sorted(scored, key=worth.__getitem__, reverse=True)
