"""Rename an account in a project's index."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rove_core.store.store import Store

_DOCUMENTS = "SELECT context_file_id FROM document_items WHERE account = :old"

# What an account of the new name left behind here gives way. Items hold references by the old
# name: what is made of them is asked for again, and all of it, not only the news.
_RENAME = (
    "DELETE FROM item_texts WHERE rowid IN (SELECT rowid FROM items WHERE account = :old)",
    "UPDATE OR REPLACE context_files SET account = :new WHERE account = :old",
    f"DELETE FROM fetch_history WHERE source = :old OR context_file_id IN ({_DOCUMENTS})",  # noqa: S608  # a constant
    f"DELETE FROM document_queries WHERE context_file_id IN ({_DOCUMENTS})",  # noqa: S608  # a constant
    f"DELETE FROM document_items WHERE context_file_id IN ({_DOCUMENTS})",  # noqa: S608  # a constant
    "DELETE FROM items WHERE account = :old",
    "DELETE FROM document_texts WHERE rowid NOT IN (SELECT id FROM context_files)",
)


async def rename_account(store: "Store", old: str, new: str) -> None:
    """Rename an account in the documents' records."""
    async with store.transaction() as db:
        for statement in _RENAME:
            await db.execute(statement, {"old": old, "new": new})
