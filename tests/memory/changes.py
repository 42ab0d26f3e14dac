"""Random changes of a project's memory."""

from tests.changes import VendorChanges

from rove_core.testing import VirtualClock
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Memories
from rove_memory.store import ProjectStore


def memory_changes(store: ProjectStore, clock: VirtualClock) -> VendorChanges:
    """Return what changes the memories of a project."""

    def put(key: str, words: str) -> str:
        with store.writing() as db:
            draft = MemoryDraft(key=key, content=words, memory_type="decision")
            return Memories(db=db, store=store).put(draft).id

    def edit(identifier: str, words: str) -> None:
        with store.reading() as db:
            key = Memories(db=db, store=store).named(identifier).key
        put(key, words)

    def delete(identifier: str) -> None:
        """Forget a memory, or put it aside: neither is found any more."""
        with store.writing() as db:
            memories = Memories(db=db, store=store)
            item = memories.named(identifier)
            if item.id.endswith(tuple("02468acegikmoqsuwy")):
                memories.forget(item)
            else:
                memories.archive(item)

    return VendorChanges(
        clock=clock,
        add=lambda number, words: put(f"memory-{number}", words),
        edit=edit,
        delete=delete,
    )
