"""The context of a session, within a token budget."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final

from attrs import evolve

from rove_core import LocalProject, RoveError, counted, estimated_tokens, last_written
from rove_memory.memory.answer import within_budget
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import MemoryItem
from rove_memory.memory.recall import RecallRequest, about_ticket, recall
from rove_memory.plans.caller import owner_name
from rove_memory.plans.ready import Viewer
from rove_memory.sessions.model import ProjectInfo, SessionInfo, SyncState
from rove_memory.sessions.sessions import Sessions
from rove_memory.store import ProjectStore
from rove_memory.store.values import read_time, time_of
from rove_memory.tickets.table import TicketInfo, find_ticket
from rove_memory.token_budget import FRAME, fitting_criteria, shorten, tokens_of
from rove_memory.work_state import (
    blockers_of,
    criteria_of,
    next_plans,
)

if TYPE_CHECKING:
    from rove_core import Settings
    from rove_memory.sessions.event_model import SessionEvent
    from rove_memory.sessions.full_context import SessionContext

#: What session_start may take, and how it is shared out.
_START: Final = 2_000
_DESCRIPTION: Final = 300
_CRITERIA: Final = 500
_MEMORY: Final = 600
_SUMMARY: Final = 200
_MEMORIES: Final = 8
_BLOCKERS: Final = 10
_READY: Final = 3
_LABEL: Final = 30
#: How much of that each part gets: as much as all of them leave room for.
_SHARES: Final = (1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25)
#: A ticket that was read so long ago may have changed.
_OLD: Final = timedelta(days=7)


def info_of(sessions: Sessions, row: Row, *, settings: "Settings | None" = None) -> SessionInfo:
    """Return an agent's starting information, in at most 2,000 tokens.

    Args:
        sessions: The sessions of the project.
        row: The session.
        settings: The settings of this checkout, if it matters which accounts it uses.
    """
    db, store = sessions.db, sessions.store
    ticket = ticket_of_session(db, row)
    memory = _memory(Memories(db=db, store=store), ticket, _MEMORIES)
    summary = sessions.last_summary(ticket, but=row["id"])
    found = SessionInfo(
        session_id=row["id"],
        project=_project(db),
        external_item=ticket,
        acceptance_criteria=criteria_of(db, ticket.id) if ticket else None,
        blocking_items=blockers_of(db, ticket.id)[:_BLOCKERS] if ticket else (),
        recent_memory=tuple(memory),
        last_session_summary=summary or None,
        sync_status=_sync(db),
        status=row["status"],
        resumed=False,
        started_at=time_of(row["started_at"]),
        warnings=tuple(_warnings(sessions, row, ticket, settings)),
        ready_work=tuple(
            next_plans(db, _viewer(sessions, row), ticket.id if ticket else None, _READY)
        ),
    )
    for share in _SHARES:
        fitted = _fit_shares(found, share)
        if tokens_of(fitted) <= _START:
            break
    return fitted


def _fit_shares(found: SessionInfo, share: float) -> SessionInfo:
    """Return the starting information with each part within its share of tokens."""
    width = round(share * _DESCRIPTION)
    ticket, criteria = found.external_item, found.acceptance_criteria
    fitted = evolve(
        found,
        external_item=ticket and _short(ticket, width),
        acceptance_criteria=criteria and fitting_criteria(criteria, round(share * _CRITERIA)),
        blocking_items=tuple(
            evolve(each, title=shorten(each.title, width // 3))
            for each in found.blocking_items[: round(share * _BLOCKERS)]
        ),
        recent_memory=(),
        last_session_summary=found.last_session_summary
        and shorten(found.last_session_summary, round(share * _SUMMARY)),
        ready_work=tuple(shorten(each, width) for each in found.ready_work),
    )
    # Memories get what the other parts leave, and at least their own share.
    room = max(round(share * _MEMORY), round(share * _START) - tokens_of(fitted))
    return evolve(fitted, recent_memory=tuple(within_budget(found.recent_memory, room)))


def context_of(
    sessions: Sessions, row: Row, *, events_limit: int, max_tokens: int
) -> "SessionContext":
    """Show everything an agent needs in the middle of a session."""
    from rove_memory.sessions.events import count_events, events_of  # noqa: PLC0415  # a start needs none
    from rove_memory.sessions.full_context import SessionContext  # noqa: PLC0415  # the same

    info = info_of(sessions, row)
    db, ticket = sessions.db, ticket_of_session(sessions.db, row)
    room = max(200, max_tokens - _START)
    events, left_out = _last_events(events_of(db, row["id"], limit=events_limit), room // 2)
    memories = Memories(db=db, store=sessions.store)
    found = _memory(memories, ticket, 2 * _MEMORIES)
    return SessionContext(
        session=evolve(info, recent_memory=(), acceptance_criteria=None),
        events=tuple(events),
        memory=tuple(within_budget(found, room // 4)),
        acceptance_criteria=fitting_criteria(criteria_of(db, ticket.id), room // 4)
        if ticket
        else (),
        blocking_items=info.blocking_items,
        pending_changes=info.sync_status.pending_changes,
        events_left_out=left_out + max(0, count_events(db, row["id"]) - len(events) - left_out),
    )


def ticket_of_session(db: Connection, row: Row) -> TicketInfo | None:
    """Return the ticket of a session's row."""
    return find_ticket(db, row["external_item_id"]) if row["external_item_id"] else None


def _viewer(sessions: Sessions, row: Row) -> Viewer:
    owner = owner_name(row["agent"], row["worktree"])
    return Viewer(now=sessions.store.clock.now(), owner=owner)


def _memory(memories: Memories, ticket: TicketInfo | None, limit: int) -> Sequence[MemoryItem]:
    if ticket is None:
        return recall(memories, RecallRequest(limit=limit))
    words = f"{ticket.title} {ticket.description[:500]}"
    return about_ticket(memories, [ticket.identifier, ticket.id], words, limit=limit)


def _warnings(
    sessions: Sessions, row: Row, ticket: TicketInfo | None, settings: "Settings | None"
) -> Iterator[str]:
    if ticket and (warning := _reading_warning(sessions.store, ticket, settings)):
        yield warning
    (conflicts,) = sessions.db.execute(
        "SELECT count(*) FROM pending_changes WHERE status = 'conflict'"
    ).fetchone()
    if conflicts:
        yield f"{conflicts} of your edits need a decision: rove sync conflicts"
    (others,) = sessions.db.execute(
        "SELECT count(*) FROM sessions WHERE status = 'active' AND id <> ? "
        "AND external_item_id = ?",
        [row["id"], row["external_item_id"]],
    ).fetchone()
    if others:
        verb = "is" if others == 1 else "are"
        also = counted(others, "other session")
        yield f"{also} {verb} active on this ticket: rove session list"


def _reading_warning(
    store: ProjectStore, ticket: TicketInfo, settings: "Settings | None"
) -> str | None:
    """Return what to do about a ticket that was not read lately; None if it was."""
    name, now = ticket.identifier, store.clock.now()
    if ticket.gone:
        return f"{name} is gone at its tracker."
    read_at = (ticket.synced_at or now) if ticket.account else _built_at(store, name)
    if read_at and read_at >= now - _OLD:
        return None
    read, command = f"{name} has not been read yet", f"rove build {name}"
    if read_at:
        read, command = f"{name} was read on {read_at:%Y-%m-%d}", f"rove refresh {name}"
    accounts = settings.sources.use if settings else None
    if accounts is None or ticket.account in accounts or (accounts and not ticket.account):
        return f"{read}: {command}"
    if ticket.account:
        return f"{read}. To read it here: rove sources use {ticket.account}, then {command}"
    return f"{read}, and no source is in use here. See: rove sources list"


def _built_at(store: ProjectStore, identifier: str) -> datetime | None:
    """Return when the document of a ticket was last written here; None if there is none."""
    # The warning is not worth an error: without an index there may still be a session.
    with suppress(RoveError), LocalProject(store.places, store.clock).reading() as db:
        return last_written(db, identifier)
    return None


def _project(db: Connection) -> ProjectInfo:
    row = db.execute("SELECT id, name, path, git_remote FROM projects LIMIT 1").fetchone()
    return ProjectInfo(
        id=row["id"], name=row["name"], path=row["path"], git_remote=row["git_remote"] or ""
    )


def _sync(db: Connection) -> SyncState:
    (synced,) = db.execute("SELECT last_synced_at FROM projects LIMIT 1").fetchone()
    (pending,) = db.execute(
        "SELECT count(*) FROM pending_changes WHERE status = 'pending'"
    ).fetchone()
    return SyncState(last_synced_at=read_time(synced), pending_changes=pending)


def _short(ticket: TicketInfo, width: int) -> TicketInfo:
    return evolve(
        ticket,
        title=shorten(ticket.title, width),
        description=shorten(ticket.description, width),
        labels=tuple(shorten(each, _LABEL) for each in ticket.labels[: max(1, width // 30)]),
    )


def _last_events(
    events: "Sequence[SessionEvent]", max_tokens: int
) -> "tuple[list[SessionEvent], int]":
    """Return the last events within a number of tokens, and how many of them do not fit."""
    tail: list[SessionEvent] = []
    room = max_tokens
    for event in reversed(events):
        room -= estimated_tokens(event.content) + estimated_tokens(str(event.context)) + FRAME
        if room < 0:
            if not tail:
                tail.append(
                    evolve(event, content=shorten(event.content, max_tokens // 2), context={})
                )
            break
        tail.append(event)
    return tail[::-1], len(events) - len(tail)
