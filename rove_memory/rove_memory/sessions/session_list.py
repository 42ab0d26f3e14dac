"""The operation that lists sessions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core import Operation, columns, counted, page
from rove_memory.argument_help import PROJECT_PATH
from rove_memory.page_bounds import check_page
from rove_memory.sessions.first_line import first_line
from rove_memory.sessions.session_rows import newest_rows
from rove_memory.sessions.statuses import SessionStatus
from rove_memory.sessions.summaries import SessionSummary, summary_row
from rove_memory.store import ProjectStore, in_thread
from rove_memory.token_budget import fitting_list, shorten

if TYPE_CHECKING:
    from sqlite3 import Connection

    from rove_core import LocalProject

_MOST_LISTED: Final = 200


async def list_sessions(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    external_item_id: Annotated[str | None, "Only those on this ticket."] = None,
    status: Annotated[SessionStatus | None, "Only sessions with this status."] = None,
    limit: Annotated[int, "The maximum number of results."] = 20,
    offset: Annotated[int, "How many of the newest to skip."] = 0,
) -> tuple[SessionSummary, ...]:
    """List sessions, newest first.

    An answer takes at most 8,000 tokens: long texts are cut, and offset shows what is left out.
    """
    check_page(limit, offset, most=_MOST_LISTED)
    store = ProjectStore.of(rove, project_path)

    def work() -> tuple[SessionSummary, ...]:
        with store.reading() as db:
            rows = newest_rows(
                db,
                _ticket_id(db, external_item_id) if external_item_id else None,
                status,
                limit=limit,
                offset=offset,
            )
        return fitting_list([summary_row(row) for row in rows], _shorten)

    return await in_thread(work)


def _ticket_id(db: "Connection", text: str) -> str:
    from rove_memory.tickets.table import require_ticket  # noqa: PLC0415  # few name a ticket

    return require_ticket(db, text).id


def _shorten(session: SessionSummary, width: int) -> SessionSummary:
    return evolve(
        session,
        summary=shorten(session.summary, width),
        outcome_notes=shorten(session.outcome_notes, width),
        files_modified=session.files_modified[: width // 20],
        commits_made=session.commits_made[: width // 20],
    )


def _show(sessions: Sequence[SessionSummary]) -> str:
    """Return a list of sessions for people."""
    if not sessions:
        return "No session found. Start one: rove session start TB-123"
    return page(
        columns(
            [
                (
                    one.session_id,
                    one.external_item_id or "-",
                    one.outcome or one.status,
                    f"{one.started_at:%Y-%m-%d %H:%M}",
                    first_line(one.summary) or counted(one.events_count, "note"),
                )
                for one in sessions
            ],
            shrink=(4,),
            drop=(3,),
            styles={0: "bold"},
        )
    )


LIST: Final = Operation(
    list_sessions,
    command="session list",
    toolset="sessions",
    offline=True,
    bare="external_item_id",
    show=_show,
)
