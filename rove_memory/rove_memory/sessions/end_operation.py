"""The operation that ends a session."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation
from rove_memory.argument_help import PROJECT_PATH, SESSION_ID
from rove_memory.criteria_settings import CRITERIA
from rove_memory.memory.redaction import clean_text
from rove_memory.memory_settings import MEMORY
from rove_memory.session_settings import SESSION
from rove_memory.sessions.session_rows import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.sessions.statuses import SessionOutcome
from rove_memory.sessions.summaries import SessionSummary
from rove_memory.sessions.sync_triggers import edits_wait
from rove_memory.sessions.terminal_text import print_summary
from rove_memory.settings import SYNC
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject
    from rove_memory.sessions.git_work import GitWork


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

    from rove_memory.memory.memories import Memories  # noqa: PLC0415  # only an end needs it
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
                from rove_memory.memory.decay import decay  # noqa: PLC0415  # it is off unless set

                decay(memories, remembering, dry_run=False)
            released, is_waiting = release_claims(db, row["id"]), edits_wait(db)
        if project_path is None and is_waiting and syncing.auto_push_on_session_end:
            rove.run_soon("sync_now")
        return evolve(ended, closed=closed, released=released)

    return await in_thread(work)


def _summary(sessions: Sessions, identifier: str, done: "GitWork") -> str:
    from rove_memory.sessions.events import events_of  # noqa: PLC0415  # an own summary needs none
    from rove_memory.sessions.summary import summary_of  # noqa: PLC0415  # the same

    row = sessions.row(identifier)
    return summary_of(
        events_of(sessions.db, identifier),
        files=len(done.files),
        commits=len(done.commits),
        verified=row["verified"],
        failed=row["failed"],
    )


END: Final = Operation(
    session_end,
    command="session end",
    changes=True,
    toolset="sessions",
    offline=True,
    bare="session_id",
    show=print_summary,
)
