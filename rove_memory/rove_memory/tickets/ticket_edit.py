"""One edit of a ticket: queue it, send it, and report the result."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from rove_core import (
    JSON,
    Conflict,
    ItemNotFound,
    ItemRef,
    LoginNeeded,
    RetryLater,
    WorkItem,
    WrongCall,
)
from rove_memory.memory.redaction import clean_text, without_secrets
from rove_memory.sessions.session_rows import workplace
from rove_memory.settings import SyncSettings
from rove_memory.store import ProjectStore, in_thread
from rove_memory.sync.account import AccountSync, tracker_accounts
from rove_memory.sync.edits import edit_item
from rove_memory.sync.fields import change_of, shown_value
from rove_memory.sync.intake import ItemIntake
from rove_memory.sync.outbox import QueuedChange
from rove_memory.sync.tracker import trackers_of
from rove_memory.tickets.table import TicketInfo, find_ticket, require_ticket, split_account

if TYPE_CHECKING:
    from rove_core import Project

_LONGEST: Final = 20_000


@frozen
class QueuedEdit:
    """A queued edit: the local ticket id and the ids of its edits."""

    item_id: str
    changes: tuple[str, ...]


@frozen(kw_only=True)
class TicketEdit:
    """New values of one ticket's fields, with a comment or without.

    Attributes:
        rove: The open project.
        ref: Where the ticket is.
        settings: When edits are sent.
        comment: A comment that goes after them.
    """

    rove: "Project"
    ref: ItemRef
    settings: SyncSettings
    comment: str = ""

    async def send(self, sync: AccountSync, work: WorkItem, values: Mapping[str, JSON]) -> str:
        """Queue the edit of a ticket that was just read, and send it; return its id here.

        Raises:
            LoginNeeded: The login may not change the ticket; nothing waits.
        """
        await self._refuse_reader(work, values)
        queued = await in_thread(partial(self._queue, work, values))
        if queued.changes and self.settings.auto_push_on_status_change:
            failure = await sync.send_item(queued.item_id)
            if isinstance(failure, LoginNeeded):
                await in_thread(partial(self._withdraw, queued))
                raise failure
            if failure is not None:
                await in_thread(self._let_server_send)
        return await in_thread(partial(self._check_settled, queued))

    def queue_unchecked(self, values: Mapping[str, JSON], error: RetryLater) -> str:
        """Queue an edit while the tracker does not answer; return the ticket's local id.

        Raises:
            RetryLater: A field's value now is not known: there is nothing to compare with later.
        """
        with self.store.writing() as db:
            ticket = find_ticket(db, self.ref.id)
            if ticket is None or not ticket.status:
                raise unread(self.ref, error)
            intake = ItemIntake(db, self.store)
            intake.snapshots.know_ticket(ticket, self.ref)
            snapshot = intake.snapshots.find(ticket.id)
            if snapshot is None or any(field not in snapshot.fields for field in values):
                raise unread(self.ref, error)
            self._add(intake, ticket.id, values)
        if self.settings.auto_push_on_status_change:
            self._let_server_send()
        return ticket.id

    def ticket(self, item_id: str) -> TicketInfo:
        """Return the ticket with its waiting edits."""
        with self.store.reading() as db:
            ticket = require_ticket(db, item_id)
            waiting = ItemIntake(db, self.store).outbox.of_item(item_id, "pending")
        unsent = dict.fromkeys(each.field or each.change_type for each in waiting)
        return evolve(ticket, unsent=tuple(unsent))

    @property
    def store(self) -> ProjectStore:
        """The store of the project."""
        return ProjectStore.of(self.rove)

    async def _refuse_reader(self, work: WorkItem, values: Mapping[str, JSON]) -> None:
        """Let the tracker refuse a read-only login: its error names the scope.

        Raises:
            ScopeMissing: The login may not change the ticket; nothing was queued.
        """
        identity = self.rove.account(self.ref.account).identity
        if identity and identity.writes is False:
            await trackers_of(self.rove).change(self.ref, change_of(values, work.revision))

    def _let_server_send(self) -> None:
        """Let a running server send waiting changes as soon as possible."""
        self.rove.run_soon("sync_now")

    def _queue(self, work: WorkItem, values: Mapping[str, JSON]) -> QueuedEdit:
        with self.store.writing() as db:
            intake = ItemIntake(db, self.store)
            intake.take(work)
            snapshot = intake.snapshots.of_ref(work.ref)
            assert snapshot  # noqa: S101  # taken in just now
            return self._add(intake, snapshot.item_id, values)

    def _withdraw(self, queued: QueuedEdit) -> None:
        """Remove a queued edit that this login may not send."""
        with self.store.writing() as db:
            intake = ItemIntake(db, self.store)
            for each in map(intake.outbox.one, queued.changes):
                if each.status == "pending":
                    intake.outbox.settle(each, "canceled")
            intake.snapshots.show(queued.item_id)

    def _check_settled(self, queued: QueuedEdit) -> str:
        """Return the id of a ticket whose edits arrived or wait.

        Raises:
            WrongCall: The tracker refused one.
            Conflict: Somebody else changed the same field at the same time.
            ItemNotFound: The ticket was deleted meanwhile.
        """
        with self.store.reading() as db:
            ticket = require_ticket(db, queued.item_id)
            outbox = ItemIntake(db, self.store).outbox
            changes = [outbox.one(each) for each in queued.changes]
        for each in changes:
            if each.status == "failed":
                raise _failure_of(ticket, each)
            if each.status in ("conflict", "overruled"):
                raise Conflict(
                    f"somebody else changed the {each.field} of {ticket.identifier} to "
                    f"{shown_value(each.field, each.remote)!r} at the same time",
                    hint=f"Decide which value of {each.id} wins: rove sync conflicts",
                )
        return queued.item_id

    def _add(self, intake: ItemIntake, item_id: str, values: Mapping[str, JSON]) -> QueuedEdit:
        if intake.outbox.count("pending") >= (most := self.settings.max_queued_changes):
            raise WrongCall(
                f"{most} edits are already waiting, the limit of sync.max_queued_changes",
                hint="Send them first: rove sync push",
            )
        changes = edit_item(intake.db, intake.store, item_id, values)
        if self.comment:
            after = changes[-1] if changes else ""
            changes.append(intake.outbox.add_comment(item_id, self.comment, after=after))
        place = workplace(self.rove, None, "")
        for each in changes:
            intake.outbox.mark_session(each, str(place.checkout))
        return QueuedEdit(item_id, tuple(changes))


async def find_work_item(rove: "Project", text: str) -> ItemRef:
    """Return where a ticket is that can be changed.

    Raises:
        ItemNotFound: No account in use has such a ticket.
        WrongCall: The account that has it keeps no work items.
    """
    account, name, url = await in_thread(partial(_locate, rove, text))
    # A tracker whose ids are plain numbers recognises its address alone.
    refs = [
        ref
        for reference in (name, url)
        for ref in rove.accounts.recognise(reference)
        if account in ("", ref.account)
    ]
    trackers = tracker_accounts(rove)
    if found := next((ref for ref in refs if ref.account in trackers), None):
        return found
    if refs:
        raise WrongCall(f"Rove cannot change tickets of {refs[0].account}")
    raise ItemNotFound(
        f"no account in use here has a ticket {name!r}",
        hint="List the connected accounts: rove sources list",
    )


def unread(ref: ItemRef, error: RetryLater) -> RetryLater:
    """Return the error of an unreachable tracker, with what makes offline edits possible."""
    error.hint = (
        f"{ref.id} can be changed offline once a sync has read it. When its tracker answers "
        f"again: rove ticket show {ref.id} && rove sync pull"
    )
    return error


def sendable(words: str, name: str) -> str:
    """Return a text as it may be sent to a tracker.

    Args:
        words: The text.
        name: What it is (``comment``).

    Raises:
        WrongCall: It is empty, too long, or has a secret in it.
    """
    stored = clean_text(words, name, longest=_LONGEST)
    if without_secrets(words) != words:
        raise WrongCall(f"the {name} contains a secret: {stored[:80]}", hint="Remove it.")
    return stored


def _locate(rove: "Project", text: str) -> tuple[str, str, str]:
    """Return a ticket's account, id and address, as far as they are known."""
    account, name = split_account(text)
    with ProjectStore.of(rove).reading() as db:
        ticket = find_ticket(db, text)
    return (
        (ticket.account or account, ticket.identifier, ticket.url)
        if ticket
        else (account, name, "")
    )


def _failure_of(ticket: TicketInfo, change: QueuedChange) -> WrongCall | ItemNotFound:
    hint = f"The edit is kept: rove sync conflicts ({change.id})"
    if ticket.gone:
        return ItemNotFound(f"{ticket.identifier}: {change.last_error}", hint=hint)
    return WrongCall(f"{ticket.identifier}: {change.last_error}", hint=hint)
