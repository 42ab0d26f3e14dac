"""Suggest similar names for an unknown one."""

from collections.abc import Iterable


def near_matches(name: str, names: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names with similar spelling, best first."""
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    return get_close_matches(name, list(names), n=most)
