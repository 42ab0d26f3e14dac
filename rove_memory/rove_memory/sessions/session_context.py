"""What ``rove prime`` tells an agent of sessions, ready work and warnings, in a few lines."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from rove_core import Operation, estimated_tokens, visible
from rove_memory.memory.memories import Memories
from rove_memory.memory.recall import RecallRequest, recall
from rove_memory.plans.caller import caller
from rove_memory.plans.ready import Viewer
from rove_memory.sessions.operations import workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.sessions.summary import first_line
from rove_memory.settings import SESSION
from rove_memory.store import ProjectStore, in_thread
from rove_memory.tickets import find_ticket
from rove_memory.work_state import blockers_of, criteria_of, next_plans

if TYPE_CHECKING:
    from sqlite3 import Row

    from rove_core import LocalProject

#: The rest of the 400 tokens is for the ticket and its document.
_BUDGET: Final = 280
_LINE: Final = 160
_READY: Final = 3
_WARNINGS: Final = 2


async def memory_prime(
    rove: "LocalProject",
    *,
    external_item_id: Annotated[str, "The ticket the agent is on."] = "",
) -> str:
    """Tell of the session, of what is ready and of warnings, in under 300 tokens."""
    store, place = ProjectStore.of(rove), workplace(rove, None, "")
    settings = rove.settings.section(SESSION)

    def work() -> str:
        with store.reading() as db:
            if not store.project_id(db):
                return ""
            ticket = find_ticket(db, external_item_id) if external_item_id else None
            sessions = Sessions(db=db, store=store, settings=settings)
            asking = Viewer(now=store.clock.now(), owner=caller(db, rove).owner)
            lines = [
                *_session(sessions, sessions.active(place), ticket.id if ticket else None),
                *(_criteria(sessions, ticket.id) if ticket else ()),
                *(
                    f"Ready: {line}"
                    for line in next_plans(db, asking, ticket.id if ticket else None, _READY)
                ),
                *_warnings(Memories(db=db, store=store)),
            ]
        return "\n".join(_fitting(lines))

    return await in_thread(work)


def _session(sessions: Sessions, active: "Row | None", ticket: str | None) -> Iterator[str]:
    if active:
        on = f" on {active['ticket']}" if active["ticket"] else ""
        yield f"Session {active['id']}{on} is active: rove session context"
        return
    last = next(iter(sessions.listed(ticket=ticket, status=None, limit=1, offset=0)), None)
    if last is None:
        yield "Start a session before you work: rove session start"
        return
    how = last.outcome or last.status
    said = first_line(last.summary) if last.summary else f"{last.events_count} notes"
    yield f"Last session {last.session_id} ({last.started_at:%Y-%m-%d}, {how}): {said}"
    verb = " --resume-last" if last.status in ("abandoned", "interrupted") else ""
    yield f"Go on: rove session start {last.external_item_id}{verb}".replace("  ", " ").rstrip()


def _criteria(sessions: Sessions, ticket: str) -> Iterator[str]:
    criteria = criteria_of(sessions.db, ticket)
    if criteria:
        proven = sum(one.status == "verified" for one in criteria)
        failed = [str(one.number) for one in criteria if one.status == "failed"]
        said = f"; failed: {', '.join(failed)}" if failed else ""
        yield f"Acceptance criteria: {proven} of {len(criteria)} verified{said}"
    for one in blockers_of(sessions.db, ticket)[:_READY]:
        yield f"Blocked by {one.id} ({one.status}): {one.title}"


def _warnings(memories: Memories) -> Iterator[str]:
    request = RecallRequest(memory_type="warning", min_importance=3, limit=_WARNINGS)
    for item in recall(memories, request):
        yield f'Warning remembered ({item.key}): "{first_line(item.summary or item.content)}"'


def _fitting(lines: list[str]) -> Iterator[str]:
    room = _BUDGET
    for line in lines:
        shown = visible(line)
        shown = shown if len(shown) <= _LINE else f"{shown[:_LINE]}..."
        room -= estimated_tokens(shown) + 1
        if room < 0:
            return
        yield shown


PRIME: Final = Operation(
    memory_prime,
    command="memory prime",
    offline=True,
    show=lambda text: "\n".join(map(visible, text.splitlines())),
)
