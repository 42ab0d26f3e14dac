"""Labels of files in answers about several repositories."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from rove_code.model import Version


def labels(versions: Sequence[Version]) -> tuple[str, ...]:
    """Return the path prefixes of several versions; empty for a single one."""
    if len(versions) == 1:
        return ("",)
    names = [PurePath(each.repository).name for each in versions]
    dated = [f"{name}@{each.name[:12]}" for name, each in zip(names, versions, strict=True)]
    full = [f"{each.repository}@{each.name}" for each in versions]
    return tuple(
        f"{next((name for name, often in choice if often == 1), choice[-1][0])}:"
        for choice in zip(*(_counted(column) for column in (names, dated, full)), strict=True)
    )


def _counted(column: Sequence[str]) -> list[tuple[str, int]]:
    often = Counter(column)
    return [(name, often[name]) for name in column]
