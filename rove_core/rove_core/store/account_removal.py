"""Erase what a project's index has of an account beyond the quotes in documents."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rove_core.store.connection import open_for_reading, open_for_writing, typed_errors
from rove_core.store.items import FORGET_UNUSED

if TYPE_CHECKING:
    import sqlite3

_FORGET: Final = (
    "DELETE FROM document_items WHERE account = :account AND NOT kept",
    # Should the account be in use again, builds search it for all time, not only for news.
    "DELETE FROM document_queries WHERE account = :account",
    "DELETE FROM fetch_history WHERE source = :account",
    # Stored replies have only a digest of their request, so those of all accounts go.
    "DELETE FROM etags",
)


def forget_unquoted(path: Path, account: str) -> None:
    """Erase an account's items that no document quotes, also from free pages and the log.

    Args:
        path: The project's index; a missing one has none.
        account: The account.
    """
    if not path.exists() or not _has_content(path, account):
        return
    with closing(open_for_writing(path)) as db, typed_errors(path):
        db.execute("BEGIN IMMEDIATE")
        try:
            _forget(db, account)
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _has_content(path: Path, account: str) -> bool:
    with open_for_reading(path) as db:
        query = (
            "SELECT EXISTS (SELECT 1 FROM items WHERE account = ?) OR EXISTS (SELECT 1 FROM etags)"
        )
        return bool(db.execute(query, [account]).fetchone()[0])


def _forget(db: "sqlite3.Connection", account: str) -> None:
    for statement in _FORGET:
        db.execute(statement, {"account": account})
    forgotten = db.execute(FORGET_UNUSED).fetchall()
    db.executemany("DELETE FROM item_texts WHERE rowid = ?", forgotten)
    # The words of deleted rows stay in a full-text index until it is merged.
    db.execute("INSERT INTO item_texts (item_texts) VALUES ('optimize')")
