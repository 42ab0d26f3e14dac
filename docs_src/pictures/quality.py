"""How good the documents are, as the page's own table of measurements says."""

import re
from pathlib import Path
from typing import Final

from docs_src.pictures.svg import lines, picture, text

_WIDTH: Final = 760
_LEFT: Final = 300
_FULL: Final = 410
_ROW: Final = 58
_MEASURED: Final = re.compile(
    r"^\| (?P<name>[^|]+?) \| \.(?P<p>\d+) \| \.(?P<r>\d+) \| \.(?P<f1>\d+) \| \.(?P<ndcg>\d+) \|",
    re.MULTILINE,
)
_BARS: Final = (("p", "precision"), ("r", "recall"), ("ndcg", "nDCG@25"))


def draw(root: Path) -> str:
    """Return the picture; raise ValueError when the page has no such table any more."""
    page = (root / "docs/explanation/context-quality.md").read_text("utf-8")
    rows = [*_MEASURED.finditer(page)]
    if not rows:
        raise ValueError("docs/explanation/context-quality.md has no table of what was measured")
    height = 40 + len(rows) * _ROW
    parts = [text(_LEFT + _FULL, 22, "1.0", "dim end"), text(_LEFT, 22, "0", "dim")]
    for at, row in enumerate(rows):
        y = 40 + at * _ROW
        parts.append(lines(16, y + 24, [row["name"].replace("`", "")], "bold"))
        for below, (key, name) in enumerate(_BARS):
            share = int(row[key]) / 10 ** len(row[key])
            top = y + below * 16
            classes = "bar" if key == "ndcg" else "other"
            parts.append(
                f'<rect x="{_LEFT}" y="{top}" width="{_FULL * share:.0f}" height="11"'
                f' class="{classes}" opacity="{1 - below * 0.2 if key != "ndcg" else 1:.1f}"/>'
            )
            parts.append(text(_LEFT - 8, top + 10, name, "dim end"))
            parts.append(text(_LEFT + _FULL * share + 6, top + 10, f".{row[key]}"))
    about = "; ".join(f"{row['name']}: P .{row['p']}, R .{row['r']}" for row in rows)
    return picture(_WIDTH, height, *parts, title="Precision, recall and order", about=about)
