"""The operation that archives unused memories."""

from typing import TYPE_CHECKING, Annotated, Final

from rove_core import Operation
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.memory.decay import DecayReport, decay
from rove_memory.memory.memories import Memories
from rove_memory.memory.terminal_text import print_decay
from rove_memory.memory_settings import MEMORY
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject


async def memory_decay(
    rove: "LocalProject",
    *,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    dry_run: Annotated[bool, "Only list what would be archived."] = True,
) -> DecayReport:
    """Archive memories that nobody has used for a long time; nothing is deleted."""
    store, settings = ProjectStore.of(rove, project_path), rove.settings.section(MEMORY)

    def work() -> DecayReport:
        with store.reading() if dry_run else store.writing() as db:
            return decay(Memories(db=db, store=store), settings, dry_run=dry_run)

    return await in_thread(work)


DECAY: Final = Operation(
    memory_decay,
    command="memory decay",
    changes=True,
    toolset="memory",
    offline=True,
    show=print_decay,
)
