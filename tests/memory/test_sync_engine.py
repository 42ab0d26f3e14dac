"""Edits, pulls and pushes against a board in memory that loses requests and replies."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar

import attrs
import pytest
from benchmarks.sync.new_item import create_item

from rove_core import (
    Account,
    Conflict,
    ItemRef,
    ListScope,
    MalformedReply,
    NewComment,
    NewWorkItem,
    RoveError,
    ScopeMissing,
    Unavailable,
    WorkItem,
    WorkItemChange,
    run,
)
from rove_core.testing import VirtualClock
from rove_core.testing.reference_tracker import (
    ReferenceBoard,
    ReferenceTracker,
    TrackerSettings,
)
from rove_memory.store import ProjectStore
from rove_memory.sync.edits import edit_item, resolve_change
from rove_memory.sync.outbox import Outbox, QueuedChange
from rove_memory.sync.pull import PullReport, SyncPull
from rove_memory.sync.push import PushOptions, PushReport, SyncPush
from rove_memory.sync.snapshots import Snapshots
from rove_memory.sync.tracker import ChangePage
from rove_memory.tickets.table import TicketInfo, require_ticket

Reply = TypeVar("Reply")
DOING = {"name": "Doing", "category": "in_progress"}
DONE = {"name": "Done", "category": "done"}


@attrs.define(slots=False)
class Line:
    """A board behind a line on which requests and replies are lost.

    Attributes:
        hooks: The board's hooks.
        lost_requests: How many of the next writes do not arrive.
        lost_replies: How many of the next writes arrive without a reply.
        refusal: What the next writes are refused with.
        late: What the next listings tell, in place of the board.
        broken: The errors of cards that cannot be read.
        asked: What was asked for, in order.
    """

    hooks: ReferenceTracker
    lost_requests: int = 0
    lost_replies: int = 0
    refusal: RoveError | None = None
    late: tuple[WorkItem, ...] = ()
    broken: dict[str, RoveError] = attrs.field(factory=dict)
    asked: list[str] = attrs.field(factory=list)

    async def changes(self, cursor: str) -> AsyncIterator[ChangePage]:
        """Yield the board's listing as one page."""
        self.asked.append("list")
        if self.late:
            yield ChangePage(items=self.late)
            return
        scope = ListScope(account="board", cursor=cursor)
        steps = [step async for step in self.hooks.rove_list(scope)]
        items = [step.work for step in steps if step.work]
        yield ChangePage(items=tuple(items), cursor=steps[-1].cursor)

    async def item(self, ref: ItemRef) -> WorkItem:
        """Read a card."""
        self.asked.append("read")
        if ref.id in self.broken:
            raise self.broken[ref.id]
        return await self.hooks.rove_work_item(ref)

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change a card."""
        return await self._written("change", self.hooks.rove_change_work_item, ref, change)

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a card."""
        return await self._written("comment", self.hooks.rove_add_comment, ref, comment)

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Put up a card."""
        return await self._written("create", self.hooks.rove_create_work_item, new)

    async def _written(
        self, name: str, hook: Callable[..., Awaitable[Reply]], *given: object
    ) -> Reply:
        self.asked.append(name)
        if self.refusal:
            raise self.refusal
        lost = Unavailable("the line is dead")
        lost.maybe_done = True
        if self.lost_requests:
            self.lost_requests -= 1
            raise lost
        result = await hook(*given)
        if self.lost_replies:
            self.lost_replies -= 1
            raise lost
        return result


@attrs.define
class Desk:
    """A person's machine: a store, a line to the board, and the board itself."""

    store: ProjectStore
    board: ReferenceBoard
    line: Line

    def pull(self, **options: Any) -> PullReport:  # noqa: ANN401  # of a pull
        """Read the board."""
        return run(SyncPull(store=self.store, account="board", tracker=self.line, **options).run())

    def push(self, **options: Any) -> PushReport:  # noqa: ANN401  # of a push
        """Send what waits, without the debounce."""
        given = PushOptions(**{"force": True, **options})
        return run(SyncPush(store=self.store, tracker_of=lambda _: self.line, options=given).run())

    def edit(self, name: str = "CARD-1", **values: Any) -> list[str]:  # noqa: ANN401  # JSON
        """Edit a card here."""
        with self.store.writing() as db:
            return edit_item(db, self.store, require_ticket(db, name).id, values)

    def resolve(self, identifier: str, resolution: Any) -> bool:  # noqa: ANN401  # one of three
        """Settle a conflict."""
        with self.store.writing() as db:
            return resolve_change(db, self.store, self.change(identifier), resolution)

    def change(self, identifier: str) -> QueuedChange:
        """Return a row of the outbox."""
        with self.store.reading() as db:
            return Outbox(db=db, store=self.store).one(identifier)

    def ticket(self, name: str = "CARD-1") -> TicketInfo:
        """Return a card as people here see it."""
        with self.store.reading() as db:
            return require_ticket(db, name)


@pytest.fixture
def desk(store: ProjectStore) -> Desk:
    """Give a machine that has read a board of two cards."""
    board = ReferenceBoard()
    board.add("Login with keys", description="Keys stay valid until June.")
    board.add("Login page")
    account = Account(name="board", kind="board", settings=TrackerSettings())
    desk = Desk(store, board, Line(ReferenceTracker(account, board)))
    desk.pull()
    return desk


def remote(desk: Desk, **values: object) -> None:
    """Change a card as somebody else."""
    card = desk.board.cards["CARD-1"]
    for name, value in values.items():
        setattr(card, name, value)
    desk.board.changed(card)


def test_an_edit_is_seen_here_at_once_and_there_after_a_push(desk: Desk) -> None:
    """Only the field that was edited is written, and one request reads what stands there."""
    desk.edit(title="Log in with keys")
    before = desk.ticket().title
    desk.line.asked.clear()
    report = desk.push()

    assert before == "Log in with keys"
    assert desk.line.asked == ["read", "change"]
    assert (report.sent, report.waiting) == (1, 0)
    assert desk.board.cards["CARD-1"].title == "Log in with keys"
    assert desk.board.cards["CARD-1"].description == "Keys stay valid until June."


def test_a_lost_request_and_a_lost_reply_lose_nothing(desk: Desk) -> None:
    """After an unknown outcome the item is read; it is sent again only if it did not arrive."""
    for losses in ({"lost_requests": 1}, {"lost_replies": 1}):
        for name, value in losses.items():
            setattr(desk.line, name, value)
        desk.edit(title=f"Title after {losses}")
        first = desk.push()
        revision = desk.board.cards["CARD-1"].revision
        second = desk.push()

        assert (first.waiting, second.waiting, second.sent) == (1, 0, 1)
        assert desk.board.cards["CARD-1"].title == f"Title after {losses}"
        assert desk.board.cards["CARD-1"].revision - revision == ("lost_requests" in losses)


def test_a_comment_is_there_once(desk: Desk) -> None:
    """Its key was stored with it, so a second try after a lost reply changes nothing."""
    with desk.store.writing() as db:
        Outbox(db=db, store=desk.store).add_comment(desk.ticket().id, "Begun.")
    desk.line.lost_replies = 1
    desk.push()
    desk.push()

    assert list(desk.board.cards["CARD-1"].comments.values()) == ["Begun."]


def test_what_a_person_wrote_at_the_tracker_stands(desk: Desk) -> None:
    """A title that changed on both sides is the tracker's; the edit is kept, and can be sent."""
    (edit,) = desk.edit(title="Mine")
    remote(desk, title="Theirs")
    desk.push()

    assert (desk.board.cards["CARD-1"].title, desk.ticket().title) == ("Theirs", "Theirs")
    assert (desk.change(edit).status, desk.change(edit).remote) == ("overruled", "Theirs")
    assert desk.resolve(edit, "keep_local")
    desk.push()
    assert desk.board.cards["CARD-1"].title == "Mine"


def test_a_status_that_changed_on_both_sides_is_a_persons_choice(desk: Desk) -> None:
    """Nothing is written until somebody chooses, and then only over what they saw."""
    (edit,) = desk.edit(status=DOING)
    remote(desk, status="Done")
    desk.push()
    assert desk.change(edit).status == "conflict"
    assert desk.ticket().status == "Done"

    desk.resolve(edit, "keep_local")
    remote(desk, status="Open")
    desk.push()
    assert (desk.change(edit).status, desk.board.cards["CARD-1"].status) == ("conflict", "Open")
    assert not desk.resolve(edit, "keep_remote")
    assert desk.push().waiting == 0


def test_a_refused_field_becomes_a_dead_letter_alone(desk: Desk) -> None:
    """Of two fields the one that is refused is kept with the reason, and the other arrives."""
    title, status = desk.edit(title="New", status=DONE)
    report = desk.push()

    assert desk.board.cards["CARD-1"].title == "New"
    assert [desk.change(each).status for each in (title, status)] == ["synced", "failed"]
    assert "cannot become 'Done' now, only Doing" in report.errors[0]
    assert desk.ticket().status == "Open"


def test_a_comment_does_not_explain_what_did_not_happen(desk: Desk) -> None:
    """It is kept when the change that it belongs to is refused, and says that this is why."""
    (status,) = desk.edit(status=DONE)
    with desk.store.writing() as db:
        outbox = Outbox(db=db, store=desk.store)
        said = outbox.add_comment(desk.ticket().id, "Done: tested.", after=status)
    desk.push()

    assert desk.change(said).status == "failed"
    assert desk.change(said).last_error == (
        "not sent, because the change that it comments on was not made"
    )
    assert desk.board.cards["CARD-1"].comments == {}


def test_a_comment_waits_no_more_when_its_change_is_dropped(desk: Desk) -> None:
    """Nothing is left for the next push, and the comment's text is kept."""
    (edit,) = desk.edit(status=DONE)
    with desk.store.writing() as db:
        said = Outbox(db=db, store=desk.store).add_comment(desk.ticket().id, "Done.", after=edit)
    remote(desk, status="Doing")
    desk.push()
    assert (desk.change(edit).status, desk.change(said).status) == ("conflict", "pending")

    desk.resolve(edit, "keep_remote")

    assert (desk.change(edit).status, desk.change(said).status) == ("canceled", "failed")
    assert desk.change(said).value == "Done."


def test_what_was_deleted_never_rises(desk: Desk) -> None:
    """Work on it is kept as a dead letter, and a late listing does not bring it back."""
    (edit,) = desk.edit(title="Mine")
    late = run(desk.line.item(ItemRef(account="board", kind="card", id="CARD-1")))
    del desk.board.cards["CARD-1"]
    desk.push()
    desk.line.late = (late, late)
    desk.pull()

    assert (desk.change(edit).status, desk.ticket().gone) == ("failed", True)
    assert "deleted at its tracker" in desk.change(edit).last_error


def test_late_pages_change_nothing(desk: Desk) -> None:
    """An older revision is ignored, however often it is told."""
    ref = ItemRef(account="board", kind="card", id="CARD-1")
    late = run(desk.line.item(ref))
    remote(desk, title="Newer")
    desk.pull()
    desk.line.late = (late, late, late)
    desk.pull()

    assert desk.ticket().title == "Newer"


def test_a_later_edit_replaces_one_that_waits(desk: Desk) -> None:
    """It starts from what the tracker has, even if the first was sent without a reply."""
    desk.edit(title="First")
    desk.line.lost_replies = 1
    desk.push()
    desk.edit(title="Second")
    report = desk.push()

    assert desk.board.cards["CARD-1"].title == "Second"
    assert (report.sent, report.waiting) == (1, 0)


def test_a_new_item_is_there_once(desk: Desk) -> None:
    """It waits offline, is created once in spite of a lost reply, and then has its tracker's id."""
    with desk.store.writing() as db:
        item = create_item(db, desk.store, "board", "card", {"container": "board", "title": "New"})
    desk.line.lost_replies = 1
    desk.push()
    waits = desk.pull()
    desk.push()
    desk.pull()

    assert "until it is known" in waits.errors[0]
    assert [card.title for card in desk.board.cards.values()].count("New") == 1
    assert desk.ticket("CARD-3").id == item


def test_a_login_that_may_only_read_keeps_what_waits(desk: Desk) -> None:
    """It is no refusal for good: the next login may write, and the error names the scope."""
    desk.edit(title="Mine")
    desk.line.refusal = ScopeMissing("the board wants the scope board:write")
    report = desk.push()
    desk.line.refusal = None

    assert (report.waiting, report.errors) == (1, ["the board wants the scope board:write"])
    assert desk.push().sent == 1


def test_who_is_faster_is_read_again(desk: Desk) -> None:
    """A guard that fails has no effect; the item is read anew and merged again."""
    desk.edit(title="Mine")
    guarded, real = [Conflict("changed"), None], desk.line.change

    async def change(ref: ItemRef, change: WorkItemChange) -> WorkItem:
        if error := guarded.pop(0):
            remote(desk, priority=4)
            raise error
        return await real(ref, change)

    desk.line.change = change  # type: ignore[method-assign]  # somebody between two requests
    desk.push()

    assert (desk.ticket().title, desk.ticket().priority) == ("Mine", 4)


def test_a_failure_is_tried_again_later_and_never_given_up(desk: Desk, clock: VirtualClock) -> None:
    """Each waits longer up to an hour, and fresh edits wait for others of the same item."""
    (edit,) = desk.edit(title="Mine")
    assert desk.push(force=False).waiting == 1
    clock.advance(6)
    desk.line.lost_requests = 12
    for _ in range(12):
        assert desk.push(force=False).waiting == 1
        assert not desk.push(force=False).errors
        clock.advance(3_601)
    assert desk.change(edit).attempts == 12
    assert desk.push(force=False).sent == 1


def test_an_item_that_is_gone_everywhere_is_not_believed(desk: Desk) -> None:
    """When everything that was asked for is gone, the login is to blame: nothing is lost."""
    for number in range(10):
        desk.board.add(f"Card {number}")
    desk.pull()
    desk.board.cards.clear()
    desk.store.clock.advance(60)  # type: ignore[attr-defined]  # a virtual one
    report = desk.pull(full=True)

    assert "result ignored" in report.errors[0]
    with desk.store.reading() as db:
        assert Snapshots(db=db, store=desk.store).unchecked(
            "board", before="9999", now="9999", most=99
        )


@pytest.mark.parametrize("error", [MalformedReply("bad card"), Unavailable("no answer")])
def test_a_card_that_cannot_be_read_delays_no_other(
    desk: Desk, clock: VirtualClock, error: RoveError
) -> None:
    """What is gone is found all the same, however few cards are read at once."""
    desk.line.broken = {"CARD-1": error}
    del desk.board.cards["CARD-2"]
    gone = 0
    for _ in range(2):
        clock.advance(60)
        gone += desk.pull(checked=1).effects["deleted"]

    assert gone == 1


def test_a_listed_card_that_cannot_be_read_delays_no_listing(desk: Desk) -> None:
    """Cards that changed later are read, and the error names the card."""
    desk.edit(title="Login with a key")
    remote(desk, description="Keys stay valid until July.")
    desk.line.broken = {"CARD-1": MalformedReply("bad card")}
    first = desk.pull()
    desk.board.add("Logout")
    second = desk.pull()

    assert first.errors[0] == "CARD-1: bad card"
    assert second.effects["created"] == 1


def test_a_clock_that_was_ahead_delays_no_check(desk: Desk, clock: VirtualClock) -> None:
    """What is gone is found, though cards were read at a time that is still to come."""
    now = clock.now()
    clock.put(now + timedelta(days=4_000))
    desk.pull(full=True)
    clock.put(now)
    del desk.board.cards["CARD-2"]

    assert desk.pull().effects["deleted"] == 1
