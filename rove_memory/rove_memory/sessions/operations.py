"""Operations on sessions, with the published names and arguments."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation, WrongCall
from rove_memory.argument_help import PROJECT_PATH, SESSION_ID
from rove_memory.criteria.text_reader import read_automatically
from rove_memory.memory.redaction import clean_text
from rove_memory.session_settings import SESSION
from rove_memory.sessions.context import context_of, info_of
from rove_memory.sessions.earlier_project import earlier_project_notes, import_before_first
from rove_memory.sessions.events import events_of
from rove_memory.sessions.git_work import GitWork
from rove_memory.sessions.model import SessionContext, SessionInfo
from rove_memory.sessions.note_operation import NOTE
from rove_memory.sessions.session_rows import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.sessions.summaries import SessionOutcome, SessionSummary
from rove_memory.sessions.sync_triggers import edits_wait, is_pull_due
from rove_memory.sessions.terminal_text import (
    print_context,
    print_info,
    print_summary,
)
from rove_memory.settings import CRITERIA, MEMORY, SYNC
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
    settings, criteria = rove.settings.section(SESSION), rove.settings.section(CRITERIA)
    syncing = rove.settings.section(SYNC)
    # Which sources another project uses is not known here.
    accounts = rove.settings.sources.use if project_path is None else None

    def work() -> SessionInfo:
        with store.writing() as db:
            # Before the ticket is stored by its name alone: the import may know more about it.
            imported = import_before_first(db, store)
            ticket = ensure_ticket(db, store, external_item_id) if external_item_id else None
            if ticket:
                read_automatically(db, store, ticket, criteria)
            sessions = Sessions(db=db, store=store, settings=settings)
            started = sessions.start(place, ticket, resume_last=resume_last)
        with store.reading() as db:
            sessions = Sessions(db=db, store=store, settings=settings)
            info = info_of(sessions, started.row, accounts=accounts)
            notes = earlier_project_notes(store) if sessions.is_first(info.session_id) else ()
        if project_path is None and is_pull_due(syncing, info.sync_status, rove.clock.now()):
            rove.run_soon("sync_now")
        warnings = (*imported, *started.warnings, *notes, *info.warnings)
        return evolve(info, resumed=started.resumed, warnings=warnings)

    return await in_thread(work)


async def session_end(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    session_id: Annotated[str, SESSION_ID] = "",
    summary: Annotated[str | None, "The result; default: a summary of the notes."] = None,
    outcome: Annotated[SessionOutcome, "How it ended."] = "success",
    outcome_notes: Annotated[str | None, "More about the outcome."] = None,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    agent: Annotated[str, "The agent's name; needed if several agents share a checkout."] = "",
) -> SessionSummary:
    """End a session, and keep its summary, important notes and commits.

    Without a summary, Rove makes one from the notes, without a model. Plans and criteria that a
    note says are done (``p-7k2f9 done``, ``TB-123#2 verified``, ``TB-123#3 failed``) are
    closed. Claims of the session are released.
    """
    store, place = ProjectStore.of(rove, project_path), workplace(rove, project_path, agent)
    settings, remembering = rove.settings.section(SESSION), rove.settings.section(MEMORY)
    criteria, syncing = rove.settings.section(CRITERIA), rove.settings.section(SYNC)
    own_summary = clean_text(summary, "summary") if summary else ""
    summarise = settings.auto_generate_summary
    notes = clean_text(outcome_notes, "outcome notes") if outcome_notes else ""

    from rove_memory.memory.decay import decay  # noqa: PLC0415  # only an end needs it
    from rove_memory.memory.memories import Memories  # noqa: PLC0415  # the same
    from rove_memory.plans.claims import release_claims  # noqa: PLC0415  # the same
    from rove_memory.sessions.compaction import remember_events  # noqa: PLC0415  # the same
    from rove_memory.sessions.item_closer import close_items  # noqa: PLC0415  # the same

    def work() -> SessionSummary:
        with store.reading() as db:
            sessions = Sessions(db=db, store=store, settings=settings)
            row = sessions.named_or_active(session_id, place)
            done = sessions.work(row)  # git may take its time: not within the transaction
        with store.writing() as db:
            sessions = Sessions(db=db, store=store, settings=settings)
            row = sessions.open_row(row["id"])
            memories = Memories(db=db, store=store)
            closed = close_items(db, store, row, criteria)
            remember_events(memories, row, least=remembering.importance_threshold)
            final_text = own_summary or (_summary(sessions, row["id"], done) if summarise else "")
            ended = sessions.end(
                row["id"], summary=final_text, outcome=outcome, notes=notes, work=done
            )
            if remembering.auto_decay_on_session_end:
                decay(memories, remembering, dry_run=False)
            released, is_waiting = release_claims(db, row["id"]), edits_wait(db)
        if project_path is None and is_waiting and syncing.auto_push_on_session_end:
            rove.run_soon("sync_now")
        return evolve(ended, closed=closed, released=released)

    return await in_thread(work)


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


def _summary(sessions: Sessions, identifier: str, done: GitWork) -> str:
    from rove_memory.sessions.summary import summary_of  # noqa: PLC0415  # only an end needs it

    row = sessions.row(identifier)
    return summary_of(
        events_of(sessions.db, identifier),
        files=len(done.files),
        commits=len(done.commits),
        verified=row["verified"],
        failed=row["failed"],
    )


SESSION_OPERATIONS: Final = (
    Operation(
        session_start,
        command="session start",
        group="Start and end an agent's working sessions, and take notes.",
        changes=True,
        toolset="sessions",
        offline=True,
        bare="external_item_id",
        show=print_info,
    ),
    Operation(
        session_end,
        command="session end",
        changes=True,
        toolset="sessions",
        offline=True,
        bare="session_id",
        show=print_summary,
    ),
    NOTE,
    Operation(
        get_session_context,
        command="session context",
        toolset="sessions",
        offline=True,
        bare="session_id",
        show=print_context,
    ),
)
