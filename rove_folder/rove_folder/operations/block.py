"""The block about a linked folder; whoever starts a session loads nothing else of this package."""

from typing import TYPE_CHECKING, Final

from rove_core import Operation
from rove_folder.manifest import gone_folder_block, linked_folder_block
from rove_folder.project_folder import ProjectFolder, is_gone
from rove_folder.storage.files import manifest_files

if TYPE_CHECKING:
    from rove_core import LocalProject


async def folder_block(rove: "LocalProject") -> str:
    """Print the block about the linked folder for an agent; nothing when none is linked."""
    folder = ProjectFolder.of(rove)
    project = folder.find()
    if project is None:
        return ""
    if is_gone(project):
        return gone_folder_block(project)
    with folder.database.reading() as db:
        files = tuple(manifest_files(db, project.id))
    return linked_folder_block(project, files, rove.clock.now())


BLOCK: Final = Operation(
    folder_block,
    command="folder block",
    toolset="folder",
    project="closed",
    show=str,
    verbatim=True,
)
