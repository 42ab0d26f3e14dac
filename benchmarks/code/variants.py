"""Retrieval as it is, and without one part of it after the other."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Final

from attrs import evolve, field, fields, frozen

from benchmarks.context.patching import replaced
from rove_code.ranking import question_terms
from rove_code.ranking.combine import Weights

#: Without it nothing is put aside.
_OFF: Final = {"aside": 1.0}
#: How much vectors may count.
_MEANING: Final = (0.03, 0.1, 0.2, 0.4)
WHOLE: Final = "all"


@frozen
class Variant:
    """A way to rank.

    Attributes:
        name: What it is called.
        weights: How much each signal counts.
        applied: What else is done otherwise, as long as it is measured.
        sees_vectors: Whether what is near in meaning counts.
    """

    name: str
    weights: Weights = field(factory=Weights)
    applied: Callable[[], AbstractContextManager[object]] = nullcontext
    sees_vectors: bool = False


def variants(*, ablate: bool, vectors: bool) -> Iterator[Variant]:
    """Yield the ways to rank that are measured: the whole one first."""
    yield Variant(WHOLE)
    for weight in _MEANING if vectors else ():
        weights = evolve(Weights(), meaning=weight)
        yield Variant(f"with vectors, {weight:g}", weights, sees_vectors=True)
    if not ablate:
        return
    for each in (each for each in fields(Weights) if each.name != "meaning"):
        weights = evolve(Weights(), **{each.name: _OFF.get(each.name, 0.0)})
        yield Variant(f"without {each.name}", weights)
    yield Variant("without the title", applied=partial(replaced, question_terms, "_TITLE", 1.0))
    yield Variant(
        "without stop words", applied=partial(replaced, question_terms, "STOP", frozenset())
    )
