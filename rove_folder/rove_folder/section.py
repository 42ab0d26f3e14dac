"""A document's section about the linked folder: the files that may help."""

import asyncio
from collections.abc import Sequence
from typing import Final

from rove_core import ContextItem, Section, escape_markdown, estimated_tokens
from rove_folder.file_choice import fitting_lines
from rove_folder.manifest import manifest_line
from rove_folder.project_folder import ProjectFolder, is_gone
from rove_folder.storage.files import manifest_files

_HEADING: Final = "Linked folder"
_INTRODUCTION: Final = "Files that may help; read one with: rove folder read PATH"
_MOST_FILES: Final = 5
#: The newest files alone are looked at: a document must not wait for a large manifest.
_LOOKED_AT: Final = 2_000
_WIDTH: Final = 200
_DESCRIPTION: Final = 500


async def sections(ticket: ContextItem, budget: int, linked: ProjectFolder) -> Sequence[Section]:
    """Return the files whose manifest lines fit a ticket; nothing if none does.

    Args:
        ticket: The ticket.
        budget: How many tokens the section may take.
        linked: The project's linked folder.
    """
    content = await asyncio.to_thread(_content, ticket, budget, linked)
    return [Section(heading=_HEADING, content=content)] if content else []


def _content(ticket: ContextItem, budget: int, linked: ProjectFolder) -> str:
    project = linked.find() if linked.database.path.exists() else None
    if project is None or is_gone(project):
        return ""
    with linked.database.reading() as db:
        files = {each.path: each for each in manifest_files(db, linked.id, limit=_LOOKED_AT)}
    readable = {path: each for path, each in files.items() if each.kind not in ("skipped", "error")}
    found = fitting_lines(
        ticket.title,
        ticket.content[:_DESCRIPTION],
        {path: manifest_line(path, it.kind, it.summary) for path, it in readable.items()},
        names=[ticket.ref.id],
    )
    lines: list[str] = []
    room = budget - estimated_tokens(f"{_INTRODUCTION}\n\n")
    for path in found[:_MOST_FILES]:
        file = readable[path]
        line = manifest_line(path, file.kind, file.summary, _WIDTH)
        line = f"- {escape_markdown(line.removeprefix('- '))}"
        room -= estimated_tokens(f"{line}\n")
        if room < 0:
            break
        lines.append(line)
    return "\n".join([_INTRODUCTION, "", *lines]) if lines else ""
