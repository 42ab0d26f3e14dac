"""Operations that show where the criteria of a ticket stand."""

from typing import TYPE_CHECKING, Annotated, Final

from rove_core import Operation
from rove_memory import toolsets
from rove_memory.argument_help import TICKET
from rove_memory.criteria.model import ACCheckResult, ACStatus
from rove_memory.criteria.summary import check_of, status_of
from rove_memory.criteria.table import CriteriaTable
from rove_memory.criteria.terminal_text import print_check, print_status
from rove_memory.page_bounds import check_offset
from rove_memory.store import ProjectStore, in_thread
from rove_memory.tickets.table import require_ticket

if TYPE_CHECKING:
    from rove_core import LocalProject


async def ac_status(
    rove: "LocalProject",
    *,
    external_item_id: Annotated[str, TICKET],
    offset: Annotated[int, "How many of the first criteria to skip."] = 0,
) -> ACStatus:
    """Show the state of a ticket's acceptance criteria.

    An answer takes at most 8,000 tokens: long texts are cut, and it says how many criteria it
    leaves out; offset shows them.
    """
    check_offset(offset)
    store = ProjectStore.of(rove)

    def work() -> ACStatus:
        with store.reading() as db:
            table = CriteriaTable(db, store)
            there = table.of_ticket(require_ticket(db, external_item_id), gone_too=True)
            return status_of(there, offset)

    return await in_thread(work)


async def ac_check_all(
    rove: "LocalProject", *, external_item_id: Annotated[str, TICKET]
) -> ACCheckResult:
    """Check whether all acceptance criteria of a ticket are met, and nothing blocks it."""
    from rove_memory.work_state import blockers_of  # noqa: PLC0415  # only a check needs it

    store = ProjectStore.of(rove)

    def work() -> ACCheckResult:
        with store.reading() as db:
            ticket = require_ticket(db, external_item_id)
            there = CriteriaTable(db, store).of_ticket(ticket)
            blockers = blockers_of(db, ticket.id)
            return check_of(ticket.identifier, there, [each.id for each in blockers])

    return await in_thread(work)


STATUS_OPERATIONS: Final = (
    Operation(
        ac_status, command="ac status", toolset=toolsets.CRITERIA, offline=True, show=print_status
    ),
    Operation(
        ac_check_all, command="ac check", toolset=toolsets.CRITERIA, offline=True, show=print_check
    ),
)
