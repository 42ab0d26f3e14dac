"""Suggest similar names for an unknown one."""

from collections.abc import Iterable


def near_matches(name: str, names: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names with similar spelling, best first."""
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    return get_close_matches(name, list(names), n=most)


def did_you_mean(name: str, names: Iterable[str], most: int = 3) -> str:
    """Return the end of a message that suggests similar names; empty if there are none."""
    near = near_matches(name, names, most)
    return f"; did you mean {' or '.join(near)}?" if near else ""
