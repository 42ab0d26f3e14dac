"""What else is known of a project when its first session starts."""

from typing import TYPE_CHECKING

from rove_memory.store.registry import find_earlier_project

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    from rove_memory.store import ProjectStore


def import_before_first(db: "Connection", store: "ProjectStore") -> "Sequence[str]":
    """Import the data of Semfora PM before the first session of a project; say so in one line.

    Nothing is imported where Rove is used as a library.
    """
    if store.places.is_alone or db.execute("SELECT 1 FROM sessions LIMIT 1").fetchone():
        return ()
    from rove_memory.memory.semfora_import import import_semfora  # noqa: PLC0415  # once a project

    return import_semfora(db, store)


def earlier_project_notes(store: "ProjectStore") -> "Sequence[str]":
    """Return a note if another project without a remote was at this path; it has the command."""
    project = store.registered()
    earlier = find_earlier_project(project) if project and not store.places.is_alone else None
    if earlier is None:
        return ()
    path = store.database(earlier).path
    if not path.exists():
        return ()
    from shlex import quote  # noqa: PLC0415  # few projects have had another one

    day, file = earlier.last_accessed[:10], quote(str(path))
    note = f"Another project was at this path until {day}; its memory is not shown here."
    return (f"{note} To copy it: rove memory import {file}",)
