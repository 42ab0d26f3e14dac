"""The operation that stores a memory: agents call it often, so it loads little."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

from attrs import evolve

from rove_core import Operation, visible
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.memory.answer import answer_of
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import MemoryItem, MemoryType
from rove_memory.session_settings import SESSION
from rove_memory.sessions.session_rows import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.store import ProjectStore, in_thread
from rove_memory.store.values import time_text

if TYPE_CHECKING:
    from rove_core import LocalProject


async def memory_store(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    key: Annotated[str, "Its name, unique within its type: token-rotation."],
    content: Annotated[str, "What to remember."],
    memory_type: Annotated[MemoryType, "What it is about."],
    importance: Annotated[
        int | None, "From 1 (nice to know) to 5 (critical); 2 for a new memory."
    ] = None,
    summary: Annotated[str | None, "A short version of the content."] = None,
    tags: Annotated[tuple[str, ...] | None, "A tag; may be given again."] = None,
    related_items: Annotated[
        tuple[str, ...] | None, "A ticket or plan; may be given again."
    ] = None,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    expires_at: Annotated[datetime | None, "When it expires."] = None,
    supersedes: Annotated[str, "The key of a memory that this one replaces."] = "",
    contradicts: Annotated[str, "The key of a memory that this one contradicts."] = "",
    session_id: Annotated[str, "The session it comes from; default: the active session."] = "",
) -> MemoryItem:
    """Store a memory for this project; an existing key gets a new version.

    That version keeps the importance, tags, related items and expiry of the last one unless others
    are given, and the summary if the content is the same.
    """
    store, place = ProjectStore.of(rove, project_path), workplace(rove, project_path, "")
    settings = rove.settings.section(SESSION)

    def work() -> MemoryItem:
        with store.writing() as db:
            sessions = Sessions(db=db, store=store, settings=settings)
            row = sessions.row(session_id) if session_id else sessions.active(place)
            session = row["id"] if row else None
            memories = Memories(db=db, store=store)
            # What it refers to has to be there before it is, or it might refer to itself.
            old = memories.named(supersedes) if supersedes else None
            other = memories.named(contradicts) if contradicts else None
            draft = MemoryDraft(
                key=key,
                content=content,
                memory_type=memory_type,
                session_id=session,
            )
            if last := memories.current(key, memory_type):
                draft = draft.following(last)
            values = {
                "importance": importance,
                "summary": summary,
                "tags": tags,
                "related_items": related_items,
                "expires_at": time_text(expires_at) if expires_at else None,
            }
            item = memories.put(evolve(draft, **present(values)))
            if old:
                memories.supersede(old, item, session)
            if other:
                memories.contradict(item, other, session)
            if session:
                sessions.touch(session)
            return answer_of(memories.get(item.id))

    return await in_thread(work)


def present(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that were given."""
    return {name: value for name, value in given.items() if value is not None}


STORE: Final = Operation(
    memory_store,
    command="memory store",
    group="Store and recall what the project has learned.",
    changes=True,
    toolset="memory",
    offline=True,
    stdin="content",
    show=lambda item: f"{visible(item.key)} stored (version {item.version})",
)
