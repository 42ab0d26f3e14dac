"""What happens when a source is connected: who asks whom, and where the login stays."""

from pathlib import Path
from typing import Final

from docs_src.pictures.svg import arrow, box, picture, text

_WIDTH: Final = 760
_COLUMNS: Final = {"You": 80, "Rove": 290, "Vendor": 500, "Keychain": 680}
_STEP: Final = 40
_STEPS: Final = (
    ("You", "Rove", "rove --add-source jira"),
    ("Rove", "Vendor", "opens the page to log in"),
    ("You", "Vendor", "log in there, and agree"),
    ("Vendor", "Rove", "a token, to 127.0.0.1"),
    ("Rove", "Keychain", "kept, once for all projects"),
    ("Rove", "Vendor", "renewed before it ends"),
)


def draw(root: Path) -> str:  # noqa: ARG001  # every picture is drawn from the checkout
    """Return the picture."""
    height = 60 + len(_STEPS) * _STEP
    parts = []
    for name, x in _COLUMNS.items():
        parts += [
            f'<line x1="{x}" y1="44" x2="{x}" y2="{height - 12}"/>',
            box(x - 55, 14, 110, 30),
            text(x, 34, name, "bold middle"),
        ]
    for at, (who, whom, what) in enumerate(_STEPS):
        y = 84 + at * _STEP
        begin, end = _COLUMNS[who], _COLUMNS[whom]
        parts += [arrow(begin, y, end, y), text((begin + end) / 2, y - 7, what, "middle")]
    about = "; ".join(f"{who} to {whom}: {what}" for who, whom, what in _STEPS)
    return picture(_WIDTH, height, *parts, title="Connecting a source", about=about)
