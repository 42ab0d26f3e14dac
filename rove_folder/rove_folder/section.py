"""The section of a ticket's document about the linked folder: the files that may help."""

import asyncio
from collections.abc import Sequence
from typing import Final

from rove_core import ContextItem, Section, escape_markdown, estimated_tokens
from rove_folder.file_choice import fitting_lines
from rove_folder.manifest import manifest_line
from rove_folder.project_folder import ProjectFolder
from rove_folder.storage.files import manifest_files

_HEADING: Final = "Linked folder"
_INTRODUCTION: Final = "Files that may help; read one with: rove folder read PATH"
_MOST_FILES: Final = 5
#: The newest files alone are looked at: a document must not wait for a large manifest.
_LOOKED_AT: Final = 2_000
_WIDTH: Final = 200
_DESCRIPTION: Final = 500


async def sections(ticket: ContextItem, budget: int, linked: ProjectFolder) -> Sequence[Section]:
    """Return the files whose lines in the manifest are about a ticket; nothing if none is.

    Args:
        ticket: The ticket.
        budget: How many tokens the section may take.
        linked: The project's linked folder.
    """
    content = await asyncio.to_thread(_content, ticket, budget, linked)
    return [Section(heading=_HEADING, content=content)] if content else []


def _content(ticket: ContextItem, budget: int, linked: ProjectFolder) -> str:
    if not linked.database.path.exists() or linked.find() is None:
        return ""
    with linked.database.reading() as db:
        files = {each.path: each for each in manifest_files(db, linked.id, limit=_LOOKED_AT)}
    readable = {path: each for path, each in files.items() if each.kind not in ("skipped", "error")}
    found = fitting_lines(
        ticket.title,
        ticket.content[:_DESCRIPTION],
        {path: manifest_line(each) for path, each in readable.items()},
        names=[ticket.ref.id],
    )
    lines: list[str] = []
    room = budget - estimated_tokens(f"{_INTRODUCTION}\n\n")
    for path in found[:_MOST_FILES]:
        line = f"- {escape_markdown(manifest_line(readable[path], _WIDTH).removeprefix('- '))}"
        room -= estimated_tokens(f"{line}\n")
        if room < 0:
            break
        lines.append(line)
    return "\n".join([_INTRODUCTION, "", *lines]) if lines else ""
