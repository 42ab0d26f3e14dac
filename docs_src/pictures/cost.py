"""What code retrieval costs as a repository grows, as the page's own table of measurements says."""

import re
from pathlib import Path
from typing import Final

from docs_src.pictures.svg import picture, text

_PAGE: Final = "docs/explanation/code-retrieval.md"
_WIDTH: Final = 760
_PANEL: Final = 240
_LEFT: Final = 60
_FULL: Final = 110
_ROW: Final = 24
_MEASURED: Final = re.compile(
    r"^\| (?P<size>\d+ MB) \| [\d,]+ \| (?P<index>[\d.]+) s \|.*\| (?P<question>\d+) ms \|"
    r" \d+ ms \| (?P<memory>\d+) MB \|",
    re.MULTILINE,
)
_PANELS: Final = (
    ("index", "s", "first index"),
    ("question", "ms", "a question, in the middle"),
    ("memory", "MB", "memory"),
)


def draw(root: Path) -> str:
    """Return the picture; raise ValueError when the page has no such table any more."""
    rows = [*_MEASURED.finditer((root / _PAGE).read_text("utf-8"))]
    if not rows:
        raise ValueError(f"{_PAGE} has no table of how costs grow")
    parts: list[str] = []
    for number, (key, unit, name) in enumerate(_PANELS):
        x, most = 16 + number * _PANEL, max(float(row[key]) for row in rows)
        parts.append(text(x, 24, name, "bold"))
        for at, row in enumerate(rows):
            y, width = 40 + at * _ROW, _FULL * float(row[key]) / most
            parts.append(text(x + _LEFT - 8, y + 12, row["size"], "dim end"))
            parts.append(
                f'<rect x="{x + _LEFT}" y="{y}" width="{max(width, 1):.0f}" height="15"'
                ' class="bar"/>'
            )
            parts.append(text(x + _LEFT + width + 6, y + 12, f"{row[key]} {unit}"))
    about = "; ".join(
        f"{row['size']} of source: first index {row['index']} s, a question {row['question']} ms, "
        f"memory {row['memory']} MB"
        for row in rows
    )
    height = 48 + len(rows) * _ROW
    return picture(_WIDTH, height, *parts, title="Cost by the size of the source", about=about)
