"""Fit texts and lists into a token budget."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from attrs import evolve

from rove_core import estimated_tokens, json_text

if TYPE_CHECKING:
    from rove_memory.work_state import CriterionState

Listed = TypeVar("Listed")

#: What the answer of a tool may take.
ANSWER: Final = 8_000
#: How long the texts of a list are cut, in tokens: the longest with which all of it fits.
_WIDTHS: Final = (2_000, 500, 150, 50)
#: The JSON around a thing takes about so many tokens.
FRAME: Final = 60
_CRITERION: Final = 100


def shorten(text: str, max_tokens: int) -> str:
    """Return a text, shortened to a number of tokens."""
    longest = 3 * max_tokens
    return text if len(text) <= longest else f"{text[:longest]}..."


def first_part(text: str, max_tokens: int) -> str:
    """Return as much of the beginning of a text as a number of tokens has room for."""
    max_tokens = max(0, max_tokens)
    part = text[: 4 * max_tokens]
    # Short words and figures take more tokens than long ones.
    while text_tokens(part) > max_tokens:
        part = part[: len(part) * 9 // 10]
    return part


def fitting_criteria(
    criteria: "Sequence[CriterionState]", max_tokens: int
) -> "tuple[CriterionState, ...]":
    """Return criteria within a number of tokens: first those that are not proven."""
    short = [
        evolve(
            one,
            text=shorten(one.text, _CRITERION),
            failed_reason=shorten(one.failed_reason, _CRITERION // 2),
        )
        for one in criteria
    ]
    shown_ids, room = set(), max_tokens
    for one in sorted(short, key=lambda one: one.status == "verified"):
        room -= estimated_tokens(one.text) + estimated_tokens(one.failed_reason) + FRAME
        if room < 0:
            break
        shown_ids.add(one.id)
    return tuple(one for one in short if one.id in shown_ids)


def fitting_list(
    items: Sequence[Listed], cut: Callable[[Listed, int], Listed], max_tokens: int = ANSWER
) -> tuple[Listed, ...]:
    """Return a list within a number of tokens: its texts are cut first, then its end is left out.

    Args:
        items: What is listed.
        cut: Returns one of them with texts of at most so many tokens.
        max_tokens: How many tokens the list may take.
    """
    costs = [tokens_of(each) for each in items]
    result = list(items)
    for width in _WIDTHS:
        if sum(costs) <= max_tokens:
            return tuple(result)
        result = [cut(each, width) for each in items]
        costs = [tokens_of(each) for each in result]
    while len(result) > 1 and sum(costs[: len(result)]) > max_tokens:
        result.pop()
    return tuple(result)


def tokens_of(value: object) -> int:
    """Return about how many tokens an answer takes as JSON."""
    # Python shows it without the quotes around names: that is at most an eighth. A backslash is
    # there already where JSON has one.
    return text_tokens(str(value).replace("\\", "/")) * 9 // 8


def text_tokens(text: str) -> int:
    """Return how many tokens a text takes as JSON, where it has escapes."""
    return estimated_tokens(json_text(text))
