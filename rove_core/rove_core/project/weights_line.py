"""One line about the weights in use; cheap to import."""

import json
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rove_core.build.rank.weights import fits_signals
from rove_core.store.files import read_file

if TYPE_CHECKING:
    from rove_core.project.layout import ProjectPaths

_GENERAL: Final = "general weights"


def weights_line(places: "ProjectPaths") -> str:
    """Return by which weights documents are made here, and how good they proved."""
    try:
        record = json.loads(read_file(places.weights_file).decode())
        tickets, day = int(record["tickets"]), datetime.fromisoformat(record["learned_at"]).date()
        is_usable = fits_signals(int(record["version"]), dict(record["values"]))
        before, after = float(record["general"]["f1"]), float(record["own"]["f1"])
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return _GENERAL
    if not is_usable:
        return f"{_GENERAL}: those learned here are for another version of Rove"
    if not tickets:
        return f"{_GENERAL}: learned ones were not better here on {day} (F1 {after:.2f})"
    return f"weights learned from {tickets} tickets on {day}: F1 {after:.2f}, before {before:.2f}"
