"""The operation that starts a session: agents call it first, so it loads little."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.criteria.text_reader import read_automatically
from rove_memory.session_settings import SESSION
from rove_memory.sessions.context import info_of
from rove_memory.sessions.earlier_project import earlier_project_notes, import_before_first
from rove_memory.sessions.model import SessionInfo
from rove_memory.sessions.session_rows import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.sessions.sync_triggers import is_pull_due
from rove_memory.sessions.terminal_text import print_info
from rove_memory.settings import SYNC
from rove_memory.store import ProjectStore, in_thread
from rove_memory.tickets.table import ensure_ticket

if TYPE_CHECKING:
    from rove_core import LocalProject


async def session_start(
    rove: "LocalProject",
    *,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    external_item_id: Annotated[str | None, "The ticket it is about, like TB-123."] = None,
    resume_last: Annotated[bool, "Resume the last session that was not ended."] = False,
    agent: Annotated[str, "The agent's name; needed if several agents share a checkout."] = "",
) -> SessionInfo:
    """Start or resume a session, and show what is known. Run this first.

    Each agent has one active session per checkout, which survives a crash.
    """
    store, place = ProjectStore.of(rove, project_path), workplace(rove, project_path, agent)
    settings, syncing = rove.settings.section(SESSION), rove.settings.section(SYNC)

    # Which sources another project uses is not known here.
    own_settings = rove.settings if project_path is None else None

    def work() -> SessionInfo:
        with store.opened() as (db, transaction):
            sessions = Sessions(db=db, store=store, settings=settings)
            with transaction():
                # Before the ticket is stored by its name alone: the import may know more about it.
                imported = import_before_first(db, store)
                ticket = ensure_ticket(db, store, external_item_id) if external_item_id else None
                if ticket:
                    read_automatically(db, store, ticket, rove.settings)
                started = sessions.start(place, ticket, resume_last=resume_last)
            info = info_of(sessions, started.row, settings=own_settings)
            notes = earlier_project_notes(store) if sessions.is_first(info.session_id) else ()
        if project_path is None and is_pull_due(syncing, info.sync_status, rove.clock.now()):
            rove.run_soon("sync_now")
        warnings = (*imported, *started.warnings, *notes, *info.warnings)
        return evolve(info, resumed=started.resumed, warnings=warnings)

    return await in_thread(work)


START: Final = Operation(
    session_start,
    command="session start",
    group="Start and end an agent's working sessions, and take notes.",
    changes=True,
    toolset="sessions",
    offline=True,
    bare="external_item_id",
    show=print_info,
)
