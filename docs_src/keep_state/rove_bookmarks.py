"""Keep bookmarks of a project in a database of this package's own."""

from typing import Annotated, Final

from rove_core import (
    DatabaseFiles,
    Operation,
    PackageDatabase,
    Project,
    hookimpl,
    state_folder,
)

#: Never change a script that was released: add another one.
MIGRATIONS: Final = (
    "CREATE TABLE bookmarks (ticket TEXT PRIMARY KEY, note TEXT NOT NULL);",
    "ALTER TABLE bookmarks ADD COLUMN stars INTEGER NOT NULL DEFAULT 0;",
)


def bookmarks_of(rove: Project) -> PackageDatabase:
    """Return the database of a project; nobody could rebuild it, so it is durable."""
    folder = state_folder("bookmarks", project=rove.places, durable=True)
    return PackageDatabase(folder / "bookmarks.db", MIGRATIONS, durable=True)


async def bookmark(
    rove: Project,
    *,
    ticket: Annotated[str, "The ticket's id."],
    note: Annotated[str, "Why it matters."] = "",
) -> tuple[str, ...]:
    """Bookmark a ticket, and list all bookmarks."""
    database = bookmarks_of(rove)
    with database.writing() as db:
        db.execute("INSERT OR REPLACE INTO bookmarks (ticket, note) VALUES (?, ?)", [ticket, note])
    with database.reading() as db:
        rows = db.execute("SELECT ticket FROM bookmarks ORDER BY ticket").fetchall()
    return tuple(ticket for (ticket,) in rows)


@hookimpl
def rove_operations() -> tuple[Operation, ...]:
    """Bring ``rove bookmark``."""
    return (Operation(bookmark, changes=True, show="\n".join),)


@hookimpl
def rove_databases() -> tuple[DatabaseFiles, ...]:
    """Let ``rove doctor`` check the bookmarks."""
    return (DatabaseFiles(files="bookmarks.db", migrations=f"{__name__}:MIGRATIONS"),)
