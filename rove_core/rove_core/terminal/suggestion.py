"""Suggest what a mistyped name was meant to be, everywhere in the same words."""

from collections.abc import Iterable, Sequence
from typing import Final

#: A longer one is no slip of the finger, and to compare it takes its time.
_LONGEST: Final = 80


def did_you_mean(word: str, names: Iterable[str], *, most: int = 1) -> str:
    """Return the end of a message that suggests the nearest names; empty if none is near.

    Args:
        word: What was typed.
        names: What there is.
        most: How many names are suggested at most.
    """
    return suggested(near_names(word, names, most=most))


def suggested(names: Sequence[str]) -> str:
    """Return the end of a message that suggests names; empty without any."""
    return f"; did you mean {' or '.join(map(repr, names))}?" if names else ""


def near_names(word: str, names: Iterable[str], *, most: int = 1) -> Sequence[str]:
    """Return the names that are spelled much like a word, best first."""
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    spelled = {name.lower(): name for name in names}
    near = get_close_matches(word[:_LONGEST].lower(), spelled, n=most)
    return [spelled[name] for name in near]
