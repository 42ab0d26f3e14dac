"""The operation that shows an agent what it needs in the middle of a session."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation, WrongCall
from rove_memory.argument_help import PROJECT_PATH, SESSION_ID
from rove_memory.session_settings import SESSION
from rove_memory.sessions.context import context_of
from rove_memory.sessions.full_context import SessionContext
from rove_memory.sessions.session_rows import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.sessions.terminal_text import print_context
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject


async def get_session_context(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    session_id: Annotated[str, SESSION_ID] = "",
    include_events: Annotated[bool, "Its notes."] = True,
    include_memory: Annotated[bool, "Include related memories."] = True,
    include_ac: Annotated[bool, "Include the criteria of its ticket."] = True,
    events_limit: Annotated[int, "How many of the latest notes."] = 50,
    max_tokens: Annotated[int, "How many tokens the answer may take."] = 8_000,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    agent: Annotated[str, "The agent's name; needed if several agents share a checkout."] = "",
) -> SessionContext:
    """Show everything an agent needs in the middle of a session."""
    if events_limit < 0 or max_tokens < 200:
        raise WrongCall("give an events_limit of 0 or more, and at least 200 max_tokens")
    store, place = ProjectStore.of(rove, project_path), workplace(rove, project_path, agent)
    settings = rove.settings.section(SESSION)

    def work() -> SessionContext:
        with store.reading() as db:
            sessions = Sessions(db=db, store=store, settings=settings)
            row = sessions.named_or_active(session_id, place)
            found = context_of(sessions, row, events_limit=events_limit, max_tokens=max_tokens)
        return evolve(
            found,
            events=found.events if include_events else (),
            memory=found.memory if include_memory else (),
            acceptance_criteria=found.acceptance_criteria if include_ac else (),
        )

    return await in_thread(work)


CONTEXT: Final = Operation(
    get_session_context,
    command="session context",
    toolset="sessions",
    offline=True,
    bare="session_id",
    show=print_context,
)
