"""Walk the reference graph from the hits of a question.

Nothing is linked up beforehand. Names are followed from the rows that matter, a few steps far, so
that a changed file costs nothing, and a large repository no more than a small one.
"""

from typing import Final

import numpy as np
from attrs import frozen

from rove_code.ranking.arrays import Flags, Floats, Ints
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.features import KINDS

#: How much each kind of reference says.
_SAYS: Final = dict(zip(KINDS, (0.5, 1.0, 1.0, 0.5, 1.0), strict=True))
_BY_BITS: Final = np.array(
    [
        max((_SAYS[kind] for at, kind in enumerate(KINDS) if bits >> at & 1), default=0.0)
        for bits in range(1 << len(KINDS))
    ]
)
_LINK: Final = 1 << KINDS.index("link")
#: What more things declare than this may be any of them; what more use than this says nothing.
_DECLARED: Final = 8
_USED: Final = 40
#: Callers matter too, less than what is called.
_BACK: Final = 0.4
#: What differs by less is equal: it is the rounding of sums that tells it apart.
_DIGITS: Final = 9
_STEPS: Final = 2
_FOLLOWED: Final = 80
_STAYS: Final = 0.4
_ROUNDS: Final = 12


@frozen(eq=False)
class Edges:
    """References from rows to declaring rows, with weights."""

    origins: Ints
    targets: Ints
    weights: Floats


def used(corpus: CodeCorpus, rows: Ints) -> Edges:
    """Return what rows refer to."""
    origins, names, bits = corpus.named("uses_of", rows)
    unique_names, place = np.unique(names, return_inverse=True)
    which, declaring, _ = corpus.find("declared", unique_names)
    linking, linked = corpus.linked(unique_names)
    which = np.concatenate([which, linking])
    declaring = np.concatenate([declaring, linked])
    count = np.bincount(which, minlength=unique_names.size)
    # Pairs of a name that much declares and much uses would fill the memory.
    telling = count[which] <= _DECLARED
    each, targets = _joined(place, which[telling], declaring[telling])
    weights = _BY_BITS[bits[each]] / count[place[each]]
    mask = rows[origins[each]] != targets
    return Edges(rows[origins[each]][mask], targets[mask], weights[mask])


def users(corpus: CodeCorpus, rows: Ints) -> Edges:
    """Return what refers to rows."""
    targets, names, _ = corpus.named("declared_in", rows)
    linked, links = corpus.links_to(rows)
    targets, names = np.concatenate([targets, linked]), np.concatenate([names, links])
    unique_names, place = np.unique(names, return_inverse=True)
    which, using, bits = corpus.find("uses", unique_names)
    declaring, _, _ = corpus.find("declared", unique_names)
    declaring = np.concatenate([declaring, corpus.linked(unique_names)[0]])
    count = np.bincount(which, minlength=unique_names.size)
    shared = np.bincount(declaring, minlength=unique_names.size)
    telling = (count[which] <= _USED) & (shared[which] <= _DECLARED)
    which, using, bits = which[telling], using[telling], bits[telling]
    each, numbers = _joined(place, which, np.arange(which.size))
    weights = _BY_BITS[bits[numbers]] / np.maximum(shared[place[each]], 1)
    mask = rows[targets[each]] != using[numbers]
    return Edges(using[numbers][mask], rows[targets[each]][mask], weights[mask])


def near(corpus: CodeCorpus, rows: Ints, weights: Floats) -> tuple[Ints, Floats]:
    """Return the rows near some that matter, and how near (a personalised PageRank of 0 to 1)."""
    edges: list[Edges] = []
    seen = front = rows
    for _ in range(_STEPS):
        found = (used(corpus, front), users(corpus, front))
        edges.extend(found)
        reached = np.concatenate([found[0].targets, found[1].origins])
        says = np.concatenate([found[0].weights, found[1].weights])
        fresh, place = np.unique(reached, return_inverse=True)
        front = np.setdiff1d(fresh[_best(np.bincount(place, says, fresh.size))], seen)
        seen = np.union1d(seen, fresh)
    return seen, _ranked(seen, edges, _start(seen, rows, weights))


def using(corpus: CodeCorpus, rows: Ints, weights: Floats) -> Floats:
    """Return how much each row refers to some that matter, 0 to 1."""
    edges = users(corpus, rows)
    says = (weights / (weights.sum() or 1.0))[np.searchsorted(rows, edges.targets)]
    found = np.bincount(edges.origins, says * edges.weights, corpus.rows)
    return np.minimum(found, 1.0)


def linked(corpus: CodeCorpus, rows: Ints, weights: Floats) -> Floats:
    """Return how much each row is what texts that matter link to, 0 to 1."""
    origins, names, bits = corpus.named("uses_of", rows)
    is_link = (bits & _LINK) > 0
    which, targets = corpus.linked(names[is_link])
    shared = np.bincount(which, minlength=int(is_link.sum()))[which]
    says = (weights / (weights.max(initial=0.0) or 1.0))[origins[is_link][which]]
    mask = shared <= _DECLARED
    found = np.zeros(corpus.rows)
    np.maximum.at(found, targets[mask], (says / np.maximum(shared, 1))[mask])
    found[rows] = 0.0
    return found


def _best(says: Floats | Ints) -> Flags:
    """Return the edges to follow: a limited number, ties all or none.

    Which of two rows comes first depends on what was asked before, and no answer may.
    """
    if says.size <= _FOLLOWED:
        return np.ones(says.size, np.bool_)
    rounded = np.round(says, _DIGITS)
    stands_out: Flags = rounded > np.partition(rounded, -_FOLLOWED - 1)[-_FOLLOWED - 1]
    return stands_out


def _ranked(nodes: Ints, edges: list[Edges], start: Floats) -> Floats:
    """Walk along the references again and again, at times back to the start."""
    origins = np.searchsorted(nodes, np.concatenate([each.origins for each in edges]))
    targets = np.searchsorted(nodes, np.concatenate([each.targets for each in edges]))
    says = np.concatenate([each.weights for each in edges])
    one = np.concatenate([origins, targets])
    other = np.concatenate([targets, origins])
    weights = np.concatenate([says, _BACK * says])
    weights = weights / np.bincount(one, weights, nodes.size)[one]
    there = start
    for _ in range(_ROUNDS):
        moved = np.bincount(other, weights * there[one], nodes.size)
        there = _STAYS * start + (1 - _STAYS) * moved
    return there / (there.max(initial=0.0) or 1.0)


def _start(nodes: Ints, rows: Ints, weights: Floats) -> Floats:
    start = np.zeros(nodes.size)
    start[np.searchsorted(nodes, rows)] = weights / (weights.sum() or 1.0)
    return start


def _joined(place: Ints, which: Ints, values: Ints) -> tuple[Ints, Ints]:
    """Pair the number of each of some places with all values that are at it."""
    order = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[order], place)
    ends = np.searchsorted(which[order], place, side="right")
    sizes = ends - starts
    each = np.repeat(np.arange(place.size), sizes)
    at = np.arange(each.size) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return each, values[order][at]
