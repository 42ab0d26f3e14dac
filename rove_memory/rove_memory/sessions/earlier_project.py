"""A note about an earlier project at the same path, whose memory is separate."""

from shlex import quote
from typing import TYPE_CHECKING

from rove_memory.store.registry import find_earlier_project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_memory.store import ProjectStore


def earlier_project_notes(store: "ProjectStore") -> "Sequence[str]":
    """Return a note if another project without a remote was at this path; it has the command."""
    project = store.known()
    earlier = find_earlier_project(project) if project and not store.places.is_alone else None
    if earlier is None:
        return ()
    path = store.database(earlier).path
    if not path.exists():
        return ()
    day, file = earlier.last_accessed[:10], quote(str(path))
    note = f"Another project was at this path until {day}; its memory is not shown here."
    return (f"{note} To copy it: rove memory import {file}",)
