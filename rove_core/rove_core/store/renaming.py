"""Giving an account another name in a project's index."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rove_core.store.store import Store

# What an account of the new name left behind here gives way. Items hold references by the old
# name, and are fetched again.
_RENAME = (
    "UPDATE OR REPLACE context_files SET account = :new WHERE account = :old",
    "UPDATE OR REPLACE fetch_history SET source = :new WHERE source = :old",
    "DELETE FROM items WHERE account = :old",
)


async def rename_account(store: "Store", old: str, new: str) -> None:
    """Let the documents of an account be of the same account by its new name."""
    async with store.transaction() as db:
        for statement in _RENAME:
            await db.execute(statement, {"old": old, "new": new})
