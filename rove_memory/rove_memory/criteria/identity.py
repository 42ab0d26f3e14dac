"""Match criteria across edits of a ticket, so that evidence survives."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

from attrs import field, frozen

from rove_memory.criteria.words import compared

#: From this likeness on, one text is an edit of the other; measured on edits by hand and machine.
_SAME: Final = 0.6
#: A criterion that stands where it stood needs less.
_SAME_IN_PLACE: Final = 0.5


@frozen
class Edit:
    """The effect of a ticket's edit on its criteria.

    Attributes:
        matches: By the place of the known criterion, the place of its text in the new version.
        changed: Which of the kept ones say something else than before.
        gone: The places of the known criteria that the new version no longer has.
        added: The places of the texts that are new.
    """

    matches: Mapping[int, int] = field(factory=dict)
    changed: frozenset[int] = frozenset()
    gone: tuple[int, ...] = ()
    added: tuple[int, ...] = ()


def compare(texts_before: Sequence[str], found: Sequence[str]) -> Edit:
    """Compare known criteria with those in the new text.

    Equal texts are the same criterion wherever they stand; of the others, the most alike are.

    Args:
        texts_before: The texts before, in their order.
        found: The texts after, in theirs.
    """
    before, after = [*map(compared, texts_before)], [*map(compared, found)]
    pairs = dict(_equal(before, after))
    taken = set(pairs.values())
    for at, to in _alike(before, after, pairs, taken):
        if at not in pairs and to not in taken:
            pairs[at] = to
            taken.add(to)
    return Edit(
        matches=dict(sorted(pairs.items())),
        changed=frozenset(at for at, to in pairs.items() if before[at] != after[to]),
        gone=tuple(at for at in range(len(before)) if at not in pairs),
        added=tuple(to for to in range(len(after)) if to not in taken),
    )


def _equal(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of equal texts; of several equal ones the first with the first."""
    places: dict[str, list[int]] = {}
    for to, text in enumerate(after):
        places.setdefault(text, []).append(to)
    for at, text in enumerate(before):
        if places.get(text):
            yield at, places[text].pop(0)


def _alike(
    before: Sequence[str], after: Sequence[str], pairs: Mapping[int, int], taken: set[int]
) -> list[tuple[int, int]]:
    """Return the pairs that are alike enough, the most alike and nearest first."""
    scored = []
    left = [at for at in range(len(before)) if at not in pairs]
    right = [to for to in range(len(after)) if to not in taken]
    for at in left:
        for to in right:
            score = likeness(before[at], after[to])
            if score >= (_SAME_IN_PLACE if left.index(at) == right.index(to) else _SAME):
                scored.append((-score, abs(at - to), at, to))
    return [(at, to) for _, _, at, to in sorted(scored)]


def likeness(one: str, other: str) -> float:
    """Return how much two texts have in common, from 0 to 1, word by word and by characters."""
    words, others = one.split(), other.split()
    if not words or not others:
        return 0.0
    by_words = SequenceMatcher(None, words, others, autojunk=False).ratio()
    if by_words >= 1:
        return 1.0
    shared = len(set(words) & set(others)) / min(len(set(words)), len(set(others)))
    by_characters = SequenceMatcher(None, one, other, autojunk=False).ratio()
    # One text within the other, and enough of it: somebody added or took away words.
    return max(by_words, 0.5 * (by_words + by_characters), 0.8 * shared if len(words) > 2 else 0)
