"""A tracker in memory with the traits of a vendor: the truth, and the history of all writes."""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import attrs

from rove_core import (
    Assignee,
    Conflict,
    ItemNotFound,
    ItemRef,
    ItemStatus,
    NewComment,
    NewWorkItem,
    WorkItem,
    WorkItemChange,
    WrongCall,
)

ACCOUNT: Final = "board"
#: What must never be in a request.
CANARY: Final = "marker-8d1f"
START: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
OVERLAP: Final = timedelta(minutes=10)
STATUSES: Final[Mapping[str, Any]] = {
    "Open": "todo",
    "Doing": "in_progress",
    "Done": "done",
    "Closed": "done",
    "Dropped": "canceled",
}
_NEXT: Final[Mapping[str, Sequence[str]]] = {
    "Open": ("Doing", "Dropped"),
    "Doing": ("Open", "Done"),
    "Done": ("Doing", "Closed"),
    "Closed": ("Open",),
    "Dropped": ("Open",),
}
FIELDS: Final = ("title", "description", "status", "priority", "labels", "assignee")


@attrs.frozen(kw_only=True)
class Profile:
    """The traits of a vendor.

    Attributes:
        name: The vendor.
        has_transitions: Whether a status can only follow some others.
        tells_deleted: Whether its listing tells what was deleted.
        grain: The grain of its times.
        listing_grain: The grain in which its listing can be asked.
        forgets: How often it forgets a cursor, so that a listing begins anew.
        tells_old: How often its listing tells an older revision: a late index, a log of revisions.
    """

    name: str
    has_transitions: bool = False
    tells_deleted: bool = True
    grain: timedelta = timedelta(milliseconds=1)
    listing_grain: timedelta = timedelta(milliseconds=1)
    forgets: float = 0.0
    tells_old: float = 0.1


PROFILES: Final = (
    Profile(name="linear"),
    Profile(
        name="jira",
        has_transitions=True,
        tells_deleted=False,
        listing_grain=timedelta(minutes=1),
    ),
    Profile(name="asana", grain=timedelta(seconds=1), forgets=0.2),
    Profile(name="azure", tells_deleted=False, tells_old=0.4),
)


@attrs.frozen
class FieldWrite:
    """One write of a field: who set what, and what stood there."""

    number: int
    item: str
    field: str
    value: object
    before: object
    author: str


@attrs.define
class TrueItem:
    """An item as the vendor has it, with all its revisions."""

    id: str
    revisions: list[WorkItem] = attrs.field(factory=list)
    comments: dict[str, str] = attrs.field(factory=dict)
    deleted_at: datetime | None = None

    @property
    def now(self) -> WorkItem:
        """Its last revision."""
        return self.revisions[-1]


class SimulatedVendor:
    """The server: all that happens here is what happened."""

    def __init__(self, profile: Profile, dice: random.Random) -> None:
        self.profile = profile
        self.items: dict[str, TrueItem] = {}
        self.writes: list[FieldWrite] = []
        self.comments: list[tuple[str, str]] = []
        self.refused: set[tuple[str, str, str]] = set()
        self.requests: list[str] = []
        self._created: dict[str, str] = {}
        self._dice = dice
        self._now = START

    def tick(self) -> datetime:
        """Let some time pass, mostly little."""
        self._now += timedelta(seconds=self._dice.choice((0, 0.2, 1, 30, 300)))
        grain = self.profile.grain
        return START + (self._now - START) // grain * grain

    def add(self, title: str, author: str) -> TrueItem:
        """Create an item."""
        now = self.tick()
        item = TrueItem(f"CARD-{len(self.items) + 1}")
        self.items[item.id] = item
        item.revisions.append(
            WorkItem(
                ref=ItemRef(account=ACCOUNT, kind="card", id=item.id),
                title=title,
                status=ItemStatus(name="Open", category="todo"),
                created=now,
                updated=now,
                revision="1",
            )
        )
        self._log(item.id, {"title": title}, {}, author)
        return item

    def edit(self, item: TrueItem, values: Mapping[str, object], author: str) -> None:
        """Write fields."""
        old = {name: read_field(item.now, name) for name in values}
        changed: dict[str, Any] = {name: _as_field(name, value) for name, value in values.items()}
        revision = str(len(item.revisions) + 1)
        item.revisions.append(
            attrs.evolve(item.now, updated=self.tick(), revision=revision, **changed)
        )
        self._log(item.id, values, old, author)

    def delete(self, item: TrueItem) -> None:
        """Delete an item for good."""
        item.deleted_at = self.tick()

    def alive(self) -> list[TrueItem]:
        """Return what is there."""
        return [each for each in self.items.values() if each.deleted_at is None]

    def find(self, ref: ItemRef) -> TrueItem:
        """Return an item that is there."""
        item = self.items.get(ref.id)
        if item is None or item.deleted_at is not None:
            raise ItemNotFound(f"there is no {ref.id}")
        return item

    def change(self, ref: ItemRef, change: WorkItemChange, author: str) -> WorkItem:
        """Do what the contract asks of a change."""
        self.requests.append(repr(change))
        item = self.find(ref)
        if change.if_revision not in ("", item.now.revision):
            raise Conflict(f"{ref.id} is at another revision")
        was, status = item.now.status.name, change.status
        if self.profile.has_transitions and status and status not in (was, *_NEXT[was]):
            self.refused.add((author, ref.id, status))
            raise WrongCall(f"{ref.id} cannot become {status}")
        self.edit(item, {name: _as_value(change, name) for name in change.fields}, author)
        return item.now

    def comment(self, ref: ItemRef, comment: NewComment, author: str) -> ItemRef:
        """Do what the contract asks of a comment."""
        self.requests.append(repr(comment))
        item = self.find(ref)
        if comment.key not in item.comments:
            item.comments[comment.key] = comment.content
            self.comments.append((item.id, comment.content))
            # It counts as a change of the item, as at all vendors.
            self.edit(item, {}, author)
        return ItemRef(account=ACCOUNT, kind="comment", id=f"{item.id}/{comment.key}")

    def create(self, new: NewWorkItem, author: str) -> WorkItem:
        """Do what the contract asks of a new item."""
        self.requests.append(repr(new))
        if new.key not in self._created:
            self._created[new.key] = self.add(new.title, author).id
        return self.items[self._created[new.key]].now

    def listing(self, cursor: str) -> Iterator[tuple[list[WorkItem], list[ItemRef], str]]:
        """Yield pages as vendors do: late, doubled, in any order, some with old revisions."""
        dice, profile = self._dice, self.profile
        since = datetime.fromisoformat(cursor) - OVERLAP if cursor else START - OVERLAP
        if dice.random() < profile.forgets:
            since = START - OVERLAP
        grain = profile.listing_grain
        since = START + (since - START) // grain * grain
        entries: list[WorkItem | ItemRef] = []
        for item in self.items.values():
            if item.deleted_at is None and item.now.updated >= since:
                is_late = dice.random() < profile.tells_old and item.now.updated > since + OVERLAP
                entries.append(dice.choice(item.revisions) if is_late else item.now)
            elif item.deleted_at and profile.tells_deleted and item.deleted_at >= since:
                entries.append(item.now.ref)
            elif item.deleted_at and dice.random() < profile.tells_old / 4:
                entries.append(dice.choice(item.revisions))
        entries += [each for each in entries if dice.random() < 0.2]  # one of five
        dice.shuffle(entries)
        now = self._now.isoformat()
        while entries:
            page, entries = entries[:3], entries[3:]
            items = [each for each in page if isinstance(each, WorkItem)]
            gone = [each for each in page if isinstance(each, ItemRef)]
            yield items, gone, "" if entries else now
        if not entries:
            yield [], [], now

    def _log(
        self, item: str, values: Mapping[str, object], old: Mapping[str, object], author: str
    ) -> None:
        for name, value in values.items():
            self.writes.append(
                FieldWrite(len(self.writes), item, name, value, old.get(name), author)
            )


def read_field(work: WorkItem, name: str) -> object:
    """Return a field as the oracle compares it."""
    if name == "status":
        return work.status.name
    if name == "assignee":
        return work.assignee.id if work.assignee else None
    return getattr(work, name)


def _as_field(name: str, value: object) -> object:
    if name == "status":
        return ItemStatus(name=str(value), category=STATUSES[str(value)])
    if name == "assignee":
        return Assignee(id=str(value)) if value else None
    return value


def _as_value(change: WorkItemChange, name: str) -> object:
    empty: Mapping[str, object] = {"labels": (), "description": ""}
    return empty.get(name) if name in change.clear else getattr(change, name)
