"""The operation that removes a project's whole memory."""

from contextlib import closing
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove_core import ConsentNeeded, Operation, counted, visible
from rove_memory.memory.text_index import rebuild_index
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject

#: What is counted for the person who is asked, by table.
_COUNTED: Final = {
    "sessions": "session",
    "memory": "memory",
    "local_plans": "plan",
    "external_items": "ticket",
    "pending_changes": "edit",
}
_PLURALS: Final = {"memory": "memories"}


@frozen(kw_only=True)
class MemoryPurged:
    """The removed rows of a project's memory.

    Attributes:
        removed: How many of each kind there were, in words; nothing where nothing was stored.
    """

    removed: tuple[str, ...]


async def memory_purge(
    rove: "LocalProject", *, yes: Annotated[bool, "Do not ask for confirmation."] = False
) -> MemoryPurged:
    """Remove this project's whole memory: sessions, memories, plans, and tickets read for them.

    Edits that were not sent to their tracker are lost. Clones and worktrees of a repository share
    one memory. Documents, settings and logins stay.
    """
    store = ProjectStore.of(rove)

    def work() -> MemoryPurged:
        with store.reading() as db:
            found = tuple(_counts(db))
        if found and not yes:
            raise ConsentNeeded(
                "removing this project's memory needs your confirmation",
                notice=f"to be removed, for good: {', '.join(found)}",
                question="Remove it?",
                hint="Keep a copy first: rove memory export --format json --output FILE. "
                "To remove it, run the same command with: --yes",
            )
        if found:
            _remove(store)
        return MemoryPurged(removed=found)

    return await in_thread(work)


def _counts(db: Connection) -> list[str]:
    found = []
    for table, name in _COUNTED.items():
        (count,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608  # constants
        if count:
            found.append(counted(count, name, _PLURALS.get(name, "")))
    return found


def _remove(store: ProjectStore) -> None:
    """Empty the database: another process may have it open, so its file stays."""
    with store.writing() as db:
        db.execute("DELETE FROM projects")  # All other rows belong to one, and go with it.
        rebuild_index(db)
    known = store.registered()
    assert known  # noqa: S101  # written just now
    database = store.database(known)
    with closing(database.open()) as db, database.errors():
        db.execute("VACUUM")  # SQLite leaves the text of deleted rows in the file.
    for copy in database.path.parent.glob(f"{database.path.name}.before-*"):
        copy.unlink(missing_ok=True)


def _show(purged: MemoryPurged) -> str:
    removed = ", ".join(map(visible, purged.removed))
    return f"removed: {removed}" if removed else "nothing is stored here"


PURGE: Final = Operation(
    memory_purge,
    command="memory purge",
    changes=True,
    destroys=True,
    terminal_only=True,
    offline=True,
    show=_show,
)
