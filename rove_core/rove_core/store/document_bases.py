"""Paths of the saved base of each document, by account and name."""

import json
from contextlib import suppress
from pathlib import Path

from rove_core.project.layout import ProjectPaths
from rove_core.store.files import read_file


def base_path(places: ProjectPaths, account: str, filename: str) -> Path:
    """Return the file that says what Rove last wrote into a document; it need not be there."""
    return places.bases / account / f"{filename}.json"


def next_base(base: Path) -> Path:
    """Return the path of the base that is about to become valid."""
    return base.with_suffix(".next")


def remembered_account(places: ProjectPaths, filename: str) -> str:
    """Return the account that a document's ticket is of; empty if that is not remembered."""
    bases = sorted(places.bases.glob(f"*/{filename}.json"))
    return bases[0].parent.name if len(bases) == 1 else ""


def taken_over_keys(path: Path) -> tuple[str, ...]:
    """Return the keys of what people have taken over in a document, from the file of its base.

    Only these are read: to load the entire base takes longer than all that explains a document.
    """
    with suppress(OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        blocks = json.loads(read_file(path))["base"]["blocks"]
        return tuple(key for key, block in blocks.items() if block.get("held"))
    return ()
