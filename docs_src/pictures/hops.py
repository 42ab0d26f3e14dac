"""How Rove gets from a ticket to what was said elsewhere: the hops of the demo's build."""

import re
from pathlib import Path
from typing import Final

from docs_src.pictures.svg import arrow, box, lines, picture, text

_WIDTH: Final = 760
_ROW: Final = 34
_TOP: Final = 44
_FOUND: Final = re.compile(r"^\S+\s+(?P<account>\w+)\s+(?P<said>\d+ found.*)$", re.MULTILINE)
_HOP: Final = re.compile(r"^\S+\s+hop\s+(?P<deep>\d) of \d: (?P<ids>.*)$", re.MULTILINE)


def draw(root: Path) -> str:
    """Return the picture, from the progress that the demo printed."""
    progress = (root / "docs_src/first_document/progress.txt").read_text("utf-8")
    found = [(match["account"], match["said"]) for match in _FOUND.finditer(progress)]
    hops = {match["deep"]: match["ids"].split(", ") for match in _HOP.finditer(progress)}
    rows = max(len(found), *map(len, hops.values()))
    height = _TOP + 8 + rows * _ROW
    middle = _TOP + (rows * _ROW) / 2
    parts = [box(16, middle - 18, 80, 36), text(56, middle + 5, "TB-123", "bold middle")]
    for at, (account, result) in enumerate(found):
        y = _TOP + at * _ROW
        parts += [arrow(98, middle, 152, y + 14), box(156, y, 194, 28)]
        parts.append(lines(166, y + 19, [f"{account}: {result}"]))
    parts.append(text(156, 24, "Hop 1: each source is searched", "dim"))
    for x, width, deep, label in (
        (400, 120, "2", "Hop 2: what that names"),
        (574, 172, "3", "Hop 3: what those name"),
    ):
        parts += [text(x, 24, label, "dim"), arrow(x - 40, middle, x - 8, middle)]
        for at, name in enumerate(hops[deep]):
            top = middle + (at - len(hops[deep]) / 2) * _ROW
            parts += [box(x, top, width, 28), text(x + 10, top + 19, name)]
    about = "; ".join([f"{name}: {result}" for name, result in found] + [progress.splitlines()[1]])
    return picture(_WIDTH, height, *parts, title="The hops of a build", about=about)
