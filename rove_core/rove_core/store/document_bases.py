"""Where that lies which Rove remembers of each document: by the ticket's account, then by name."""

from pathlib import Path

from rove_core.project.layout import ProjectPaths


def base_path(places: ProjectPaths, account: str, filename: str) -> Path:
    """Return the file that says what Rove last wrote into a document; it need not be there."""
    return places.bases / account / f"{filename}.json"


def next_base(base: Path) -> Path:
    """Return the file that says what Rove is about to write, until the document is there."""
    return base.with_suffix(".next")


def remembered_account(places: ProjectPaths, filename: str) -> str:
    """Return the account that a document's ticket is of; empty if that is not remembered."""
    bases = sorted(places.bases.glob(f"*/{filename}.json"))
    return bases[0].parent.name if len(bases) == 1 else ""
