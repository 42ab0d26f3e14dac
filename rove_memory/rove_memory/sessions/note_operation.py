"""The operation that notes something in a session: agents call it often, so it loads little."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final

from rove_core import JSON, Operation
from rove_memory.argument_help import PROJECT_PATH, SESSION_ID
from rove_memory.session_settings import SESSION
from rove_memory.sessions.event_model import EventImportance, EventType
from rove_memory.sessions.events import add_event, fold_events
from rove_memory.sessions.session_rows import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject


async def session_note(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    event_type: Annotated[EventType, "What kind of note it is."],
    content: Annotated[str, "What to note."],
    session_id: Annotated[str, SESSION_ID] = "",
    importance: Annotated[EventImportance, "high keeps the note after the session."] = "medium",
    context: Annotated[
        Mapping[str, JSON] | None, "files, symbols, related_items or code_snippet, as JSON."
    ] = None,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    agent: Annotated[str, "The agent's name; needed if several agents share a checkout."] = "",
) -> None:
    """Note a decision, a discovery, progress, a blocker or an error of a session."""
    store, place = ProjectStore.of(rove, project_path), workplace(rove, project_path, agent)
    settings = rove.settings.section(SESSION)

    def work() -> None:
        with store.writing() as db:
            sessions = Sessions(db=db, store=store, settings=settings)
            row = sessions.named_or_active(session_id, place)
            add_event(
                db,
                store,
                sessions.open_row(row["id"])["id"],
                event_type=event_type,
                content=content,
                importance=importance,
                context=context,
            )
            fold_events(db, row["id"], settings.max_events_before_compaction)

    await in_thread(work)


NOTE: Final = Operation(
    session_note,
    command="session note",
    changes=True,
    toolset="sessions",
    offline=True,
    stdin="content",
    show=lambda _: "noted",
)
