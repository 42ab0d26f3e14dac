"""Lines about sessions, ready work and warnings for an agent's start."""

from collections.abc import Iterator
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final

from rove_core import counted, estimated_tokens, visible
from rove_memory.plans.caller import caller
from rove_memory.plans.ready import Viewer
from rove_memory.sessions.first_line import first_line
from rove_memory.sessions.session_rows import (
    active_row,
    is_alive,
    last_result_row,
    session_result,
    workplace,
)
from rove_memory.store import ProjectStore
from rove_memory.tickets.table import find_ticket
from rove_memory.work_state import blockers_of, criteria_of, next_plans

if TYPE_CHECKING:
    from rove_core import LocalProject

#: The rest of the 400 tokens is for the ticket and its document.
_BUDGET: Final = 280
_LINE: Final = 160
_READY: Final = 3
_WARNINGS: Final = 2
#: The least importance of a warning that an agent sees unasked.
_IMPORTANT: Final = 3
_ANY_WARNING: Final = """
SELECT 1 FROM memory WHERE memory_type = 'warning' AND importance >= ? LIMIT 1
"""


def session_lines(
    db: Connection, store: ProjectStore, rove: "LocalProject", identifier: str
) -> Iterator[str]:
    """Yield the first lines for an agent, as far as the budget allows.

    Args:
        db: The database.
        store: The store it belongs to.
        rove: The project.
        identifier: The ticket the agent is on; empty for that of its active session.
    """
    found = find_ticket(db, identifier) if identifier else None
    active = _active(db, rove, store)
    ticket: str | None = active["external_item_id"] if active else None
    if identifier:
        ticket = found.id if found else None
    asking = Viewer(now=store.clock.now(), owner=caller(db, rove).owner)
    lines = [
        *_session(db, active, ticket),
        *(_criteria(db, ticket) if ticket else ()),
        *(f"Ready: {line}" for line in next_plans(db, asking, ticket, _READY)),
        *_warnings(db, store),
    ]
    yield from _fit_lines(lines)


def _session(db: Connection, active: Row | None, ticket: str | None) -> Iterator[str]:
    if active:
        on = f" on {active['ticket']}" if active["ticket"] else ""
        yield f"Session {active['id']}{on} is active: rove session context"
        return
    last = last_result_row(db, ticket)
    if last is None:
        yield "Start a session before working: rove session start"
        return
    how = last["outcome"] or last["status"]
    result = first_line(session_result(last)) or counted(last["events"], "note")
    yield f"Last session {last['id']} ({last['started_at'][:10]}, {how}): {result}"
    words = ["Resume: rove session start", last["ticket"] or ""]
    words += ["--resume-last"] if last["status"] in ("abandoned", "interrupted") else []
    yield " ".join(filter(None, words))


def _active(db: Connection, rove: "LocalProject", store: ProjectStore) -> Row | None:
    """Return the active session of this checkout, unless it has been quiet for too long."""
    row = active_row(db, workplace(rove, None, ""))
    if row is None:
        return None
    from rove_memory.session_settings import SESSION  # noqa: PLC0415  # only an active session needs them

    close_after = rove.settings.section(SESSION).close_after
    return row if is_alive(row, store.clock.now(), close_after) else None


def _criteria(db: Connection, ticket: str) -> Iterator[str]:
    criteria = criteria_of(db, ticket)
    if criteria:
        proven = sum(one.status == "verified" for one in criteria)
        failed = [str(one.number) for one in criteria if one.status == "failed"]
        failures = f"; failed: {', '.join(failed)}" if failed else ""
        yield f"Acceptance criteria: {proven} of {len(criteria)} verified{failures}"
    for one in blockers_of(db, ticket)[:_READY]:
        yield f"Blocked by {one.id} ({one.status}): {one.title}"


def _warnings(db: Connection, store: ProjectStore) -> Iterator[str]:
    if not db.execute(_ANY_WARNING, [_IMPORTANT]).fetchone():
        return
    from rove_memory.memory.memories import Memories  # noqa: PLC0415  # most projects have none
    from rove_memory.memory.recall import RecallRequest, recall  # noqa: PLC0415  # the same

    request = RecallRequest(memory_type="warning", min_importance=_IMPORTANT, limit=_WARNINGS)
    for item in recall(Memories(db=db, store=store), request):
        yield f'Warning from memory ({item.key}): "{first_line(item.summary or item.content)}"'


def _fit_lines(lines: list[str]) -> Iterator[str]:
    room = _BUDGET
    for line in lines:
        shown = visible(line)
        shown = shown if len(shown) <= _LINE else f"{shown[:_LINE]}..."
        room -= estimated_tokens(shown) + 1
        if room < 0:
            return
        yield shown
