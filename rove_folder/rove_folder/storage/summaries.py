"""Summaries by content, so that renamed or touched files cost nothing."""

import sqlite3

from attrs import frozen

from rove_folder.files.kinds import FileKind


@frozen(kw_only=True)
class StoredSummary:
    """A summary of some content.

    Attributes:
        kind: What the content is.
        summary: The summary, or why the content was skipped.
    """

    kind: FileKind
    summary: str | None


def find_summary(db: sqlite3.Connection, sha256: str, recipe: str) -> StoredSummary | None:
    """Return the summary that was made of this content in this way; None if there is none."""
    row = db.execute(
        "SELECT kind, summary FROM summaries WHERE sha256 = ? AND recipe = ?", [sha256, recipe]
    ).fetchone()
    return StoredSummary(kind=row[0], summary=row[1]) if row else None


def keep_summary(  # noqa: PLR0913  # the columns of the row
    db: sqlite3.Connection,
    sha256: str,
    recipe: str,
    made: StoredSummary,
    *,
    now: int,
    tokens: int = 0,
) -> None:
    """Store a summary; the first one of the same content and recipe stays."""
    db.execute(
        "INSERT OR IGNORE INTO summaries (sha256, recipe, kind, summary, tokens, made_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [sha256, recipe, made.kind, made.summary, tokens, now],
    )
