"""Change a ticket's status: check it with the tracker, queue it, and send it."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from rove_core import JSON, ItemRef, ItemStatus, Operation, RetryLater, WorkItem, WrongCall
from rove_memory.settings import SYNC
from rove_memory.store import ProjectStore, in_thread
from rove_memory.sync.account import AccountSync
from rove_memory.sync.intake import ItemIntake
from rove_memory.sync.status_choice import chosen_status, names_of
from rove_memory.sync.tracker import trackers_of
from rove_memory.tickets.table import TicketInfo
from rove_memory.tickets.terminal_text import print_changed
from rove_memory.tickets.ticket_edit import TicketEdit, find_work_item, sendable
from rove_memory.toolsets import TICKETS

if TYPE_CHECKING:
    from rove_core import Project


async def update_ticket_status(
    rove: "Project",
    *,
    identifier: Annotated[str, "The ticket: TB-123."],
    status: Annotated[str, "The new status, as its tracker calls it."],
    add_comment: Annotated[str | None, "A comment that explains it."] = None,
    queue_if_offline: Annotated[
        bool, "Keep the change for later if the tracker is unreachable."
    ] = True,
) -> TicketInfo:
    """Change the status of a ticket at its tracker.

    A status that the ticket cannot take now is refused, with those that it can. If the tracker
    does not answer, the change is queued and sent later; the result says so.
    """
    comment = sendable(add_comment, "comment") if add_comment else ""
    settings, status = rove.settings.section(SYNC), status.strip()
    ref = await find_work_item(rove, identifier)
    edit = TicketEdit(rove=rove, ref=ref, settings=settings, comment=comment)
    sync = AccountSync(rove=rove, account=ref.account)
    async with sync.locked():
        try:
            work, chosen = await _check_status(rove, ref, status)
        except RetryLater as error:
            if not (queue_if_offline and settings.queue_changes_when_offline):
                raise
            values = await in_thread(partial(_existing_status, edit.store, ref.account, status))
            item_id = await in_thread(partial(edit.queue_unchecked, values, error))
        else:
            item_id = await edit.send(sync, work, _value(chosen))
    return await in_thread(partial(edit.ticket, item_id))


async def _check_status(rove: "Project", ref: ItemRef, status: str) -> tuple[WorkItem, ItemStatus]:
    """Return the current ticket, and the requested status.

    Raises:
        WrongCall: It cannot take that status now, or only with further fields.
    """
    trackers = trackers_of(rove)
    work = await trackers.item(ref)
    if status.casefold() == work.status.name.casefold():
        return work, work.status
    if not trackers.can(ref.account, "rove_status_options"):
        return work, ItemStatus(name=status)
    options = await trackers.status_options(ref)
    chosen = chosen_status(status, options, work.status)
    if chosen is None:
        raise WrongCall(
            f"{work.ref.id} is {work.status.name!r} and cannot become {status!r} now",
            hint=names_of(options),
        )
    if needs := ", ".join(chosen.needs):
        place = f" at {work.ref.url}" if work.ref.url else " at its tracker"
        raise WrongCall(
            f"{work.ref.id} becomes {chosen.status.name!r} only with a value for {needs}",
            hint=f"Change it{place}, then: rove sync pull",
        )
    return work, chosen.status


def _existing_status(store: ProjectStore, account: str, status: str) -> Mapping[str, JSON]:
    """Return a status by name, with its category if a known ticket has it."""
    with store.reading() as db:
        return _value(ItemIntake(db, store).snapshots.find_status(account, status))


def _value(status: ItemStatus) -> Mapping[str, JSON]:
    return {"status": {"name": status.name, "category": status.category}}


STATUS_OPERATIONS: Final = (
    Operation(
        update_ticket_status,
        changes=True,
        command="ticket status",
        toolset=TICKETS,
        show=print_changed,
    ),
)
