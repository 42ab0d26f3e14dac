"""Fitting texts and lists into a number of tokens."""

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from rove_core import estimated_tokens
from rove_memory.work_state import CriterionState

#: The JSON around a thing takes about so many tokens.
FRAME: Final = 60
_CRITERION: Final = 100


def shorten(text: str, max_tokens: int) -> str:
    """Return a text, cut where it is longer than a number of tokens."""
    longest = 3 * max_tokens
    return text if len(text) <= longest else f"{text[:longest]}..."


def fitting_criteria(
    criteria: Sequence[CriterionState], max_tokens: int
) -> tuple[CriterionState, ...]:
    """Return criteria within a number of tokens: first those that are not proven."""
    open_first = sorted(criteria, key=lambda one: one.status == "verified")
    kept, room = set(), max_tokens
    for one in open_first:
        room -= estimated_tokens(shorten(one.text, _CRITERION)) + FRAME
        if room < 0:
            break
        kept.add(one.id)
    return tuple(
        evolve(one, text=shorten(one.text, _CRITERION)) for one in criteria if one.id in kept
    )
