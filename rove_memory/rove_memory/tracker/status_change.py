"""Changing a ticket's status: checked against its tracker, queued here, and sent at once."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve, frozen

from rove_core import (
    Conflict,
    ItemNotFound,
    ItemRef,
    ItemStatus,
    LoginNeeded,
    Operation,
    RetryLater,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WrongCall,
)
from rove_memory.memory.redaction import kept_text, without_secrets
from rove_memory.sessions.session_rows import workplace
from rove_memory.settings import SYNC, SyncSettings
from rove_memory.store import ProjectStore, in_thread
from rove_memory.sync.account import AccountSync, tracker_accounts
from rove_memory.sync.edits import edit_item
from rove_memory.sync.fields import shown_value
from rove_memory.sync.intake import ItemIntake
from rove_memory.sync.outbox import QueuedChange
from rove_memory.sync.status_choice import chosen_status, names_of
from rove_memory.sync.tracker import trackers_of
from rove_memory.tickets import TicketInfo, find_ticket, require_ticket, split_account
from rove_memory.tracker.terminal_text import print_changed
from rove_memory.tracker.ticket_detail import TOOLSET

if TYPE_CHECKING:
    from rove_core import Project

_LONGEST: Final = 20_000


async def update_ticket_status(
    rove: "Project",
    *,
    identifier: Annotated[str, "The ticket: TB-123."],
    status: Annotated[str, "The status it should have, as its tracker calls it."],
    add_comment: Annotated[str | None, "A comment that explains it."] = None,
    queue_if_offline: Annotated[bool, "Keep the change for later if the tracker is away."] = True,
) -> TicketInfo:
    """Change the status of a ticket at its tracker.

    A status that the ticket cannot take now is refused, with those that it can. If the tracker
    does not answer, the change is queued and sent later; the result says so.
    """
    comment = _sendable(add_comment) if add_comment else ""
    settings = rove.settings.section(SYNC)
    ref = _ref_of(rove, *await in_thread(partial(_named, rove, identifier)))
    change = _StatusChange(rove=rove, ref=ref, status=status.strip(), comment=comment)
    sync = AccountSync(rove=rove, account=ref.account)
    async with sync.locked():
        try:
            work, option = await change.checked()
        except RetryLater as error:
            if not (queue_if_offline and settings.queue_changes_when_offline):
                raise
            queued = await in_thread(partial(change.queue_unchecked, settings, error))
        else:
            await change.refuse_reader(work, option)
            queued = await in_thread(partial(change.queue, settings, work, option))
            if queued.changes and settings.auto_push_on_status_change:
                failure = await sync.send_item(queued.item_id)
                if isinstance(failure, LoginNeeded):
                    await in_thread(partial(change.withdraw, queued))
                    raise failure
    return await in_thread(partial(change.outcome, queued))


@frozen
class _QueueEntry:
    """What was queued: the ticket, by its id here, and the ids of its edits."""

    item_id: str
    changes: tuple[str, ...]


@frozen(kw_only=True)
class _StatusChange:
    """A change of one ticket's status, with a comment or without."""

    rove: "Project"
    ref: ItemRef
    status: str
    comment: str

    async def checked(self) -> tuple[WorkItem, ItemStatus]:
        """Return the ticket as it is now, and the status that is meant.

        Raises:
            WrongCall: It cannot take that status now, or only with further fields.
        """
        trackers = trackers_of(self.rove)
        work = await trackers.item(self.ref)
        if self.status.casefold() == work.status.name.casefold():
            return work, work.status
        if not trackers.can(self.ref.account, "rove_status_options"):
            return work, ItemStatus(name=self.status)
        return work, self._chosen(work, await trackers.status_options(self.ref))

    async def refuse_reader(self, work: WorkItem, status: ItemStatus) -> None:
        """Let the tracker itself refuse a login that is known to read only: it names the scope.

        Raises:
            ScopeMissing: The login may not change the ticket; nothing was queued.
        """
        identity = self.rove.account(self.ref.account).identity
        if identity and identity.writes is False:
            change = WorkItemChange(status=status.name, if_revision=work.revision)
            await trackers_of(self.rove).change(self.ref, change)

    def queue(self, settings: SyncSettings, work: WorkItem, status: ItemStatus) -> _QueueEntry:
        """Queue the change of a ticket that was just read."""
        store = self._store
        with store.writing() as db:
            intake = ItemIntake(db, store)
            intake.take(work)
            snapshot = intake.snapshots.of_ref(work.ref)
            assert snapshot  # noqa: S101  # taken in just now
            return self._add(intake, settings, snapshot.item_id, status)

    def queue_unchecked(self, settings: SyncSettings, error: RetryLater) -> _QueueEntry:
        """Queue the change of a ticket whose tracker does not answer.

        Raises:
            RetryLater: Nothing is known of the ticket: there is nothing to compare with later.
        """
        store = self._store
        with store.writing() as db:
            ticket = find_ticket(db, self.ref.id)
            if ticket is None or not ticket.status:
                raise error
            intake = ItemIntake(db, store)
            intake.snapshots.know_ticket(ticket, self.ref)
            status = intake.snapshots.known_status(self.ref.account, self.status)
            return self._add(intake, settings, ticket.id, status)

    def withdraw(self, queued: _QueueEntry) -> None:
        """Take back what was queued: this login may not send it."""
        store = self._store
        with store.writing() as db:
            intake = ItemIntake(db, store)
            for each in map(intake.outbox.one, queued.changes):
                if each.status == "pending":
                    intake.outbox.settle(each, "canceled")
            intake.snapshots.show(queued.item_id)

    def outcome(self, queued: _QueueEntry) -> TicketInfo:
        """Return the ticket as it is then.

        Raises:
            WrongCall: The tracker refused the change.
            Conflict: Somebody else changed the status at the same time.
            ItemNotFound: The ticket was deleted meanwhile.
        """
        store = self._store
        with store.reading() as db:
            ticket = require_ticket(db, queued.item_id)
            outbox = ItemIntake(db, store).outbox
            changes = [outbox.one(each) for each in queued.changes]
        for each in changes:
            if each.status == "failed":
                raise _failed(ticket, each)
            if each.status in ("conflict", "overruled"):
                raise Conflict(
                    f"somebody else changed the status of {ticket.identifier} to "
                    f"{shown_value('status', each.remote)!r} at the same time",
                    hint=f"Decide about {each.id}, which holds: rove sync conflicts",
                )
        unsent = [each.field or each.change_type for each in changes if each.status == "pending"]
        return evolve(ticket, unsent=tuple(unsent))

    def _add(
        self, intake: ItemIntake, settings: SyncSettings, item_id: str, status: ItemStatus
    ) -> _QueueEntry:
        if intake.outbox.count("pending") >= (most := settings.max_queued_changes):
            raise WrongCall(
                f"{most} edits wait already, which is the most (sync.max_queued_changes)",
                hint="Send them first: rove sync push",
            )
        value = {"name": status.name, "category": status.category}
        changes = edit_item(intake.db, intake.store, item_id, {"status": value})
        if self.comment:
            after = changes[0] if changes else ""
            changes.append(intake.outbox.add_comment(item_id, self.comment, after=after))
        place = workplace(self.rove, None, "")
        for each in changes:
            intake.outbox.mark_session(each, str(place.checkout))
        return _QueueEntry(item_id, tuple(changes))

    def _chosen(self, work: WorkItem, options: Sequence[StatusOption]) -> ItemStatus:
        chosen = chosen_status(self.status, options)
        if chosen is None:
            raise WrongCall(
                f"{work.ref.id} is {work.status.name!r} and cannot become {self.status!r} now",
                hint=names_of(options),
            )
        if needs := ", ".join(chosen.needs):
            place = f" at {work.ref.url}" if work.ref.url else " at its tracker"
            raise WrongCall(
                f"{work.ref.id} becomes {chosen.status.name!r} only with a value for {needs}",
                hint=f"Change it{place}, then: rove sync pull",
            )
        return chosen.status

    @property
    def _store(self) -> ProjectStore:
        return ProjectStore.of(self.rove)


def _named(rove: "Project", text: str) -> tuple[str, str]:
    """Return the account and the id of the ticket that a text names, as far as they are known."""
    account, name = split_account(text)
    with ProjectStore.of(rove).reading() as db:
        known = find_ticket(db, text)
    return (known.account or account, known.identifier) if known else (account, name)


def _ref_of(rove: "Project", account: str, name: str) -> ItemRef:
    """Return where a ticket is whose status can be changed.

    Raises:
        ItemNotFound: No account in use has such a ticket.
        WrongCall: The account that has it keeps no work items.
    """
    refs = [ref for ref in rove.accounts.recognise(name) if account in ("", ref.account)]
    trackers = tracker_accounts(rove)
    if found := next((ref for ref in refs if ref.account in trackers), None):
        return found
    if refs:
        raise WrongCall(f"Rove cannot change tickets of {refs[0].account}")
    raise ItemNotFound(
        f"no account in use here has a ticket {name!r}",
        hint="See what is connected: rove sources list",
    )


def _sendable(comment: str) -> str:
    """Return a comment as it may be sent.

    Raises:
        WrongCall: It is empty, too long, or has a secret in it.
    """
    kept = kept_text(comment, "comment", longest=_LONGEST)
    if without_secrets(comment) != comment:
        raise WrongCall(f"the comment holds a secret: {kept[:80]}", hint="Leave it out.")
    return kept


def _failed(ticket: TicketInfo, change: QueuedChange) -> WrongCall | ItemNotFound:
    kept = f"The edit is kept: rove sync conflicts ({change.id})"
    if ticket.gone:
        return ItemNotFound(f"{ticket.identifier}: {change.last_error}", hint=kept)
    return WrongCall(f"{ticket.identifier}: {change.last_error}", hint=kept)


STATUS_OPERATIONS: Final = (
    Operation(
        update_ticket_status,
        changes=True,
        command="ticket status",
        toolset=TOOLSET,
        show=print_changed,
    ),
)
