"""A reference source of work items on one page: a board in memory."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

import attrs

from rove_core._markers import hookimpl
from rove_core.clock import SYSTEM
from rove_core.errors import Conflict, ItemNotFound, ScopeMissing, WrongCall
from rove_core.facts import Facts, ItemStatus
from rove_core.hookspecs import SourceHooks, WorkItemHooks
from rove_core.items import Account, ContextItem, Identity, ItemRef, Link, Query
from rove_core.listing import Container, ListedChange, ListScope, UpdateCursor
from rove_core.sources import SourceKind
from rove_core.work.changes import NewAttachment, NewComment, NewWorkItem, WorkItemChange
from rove_core.work.items import Assignee, Iteration, StatusOption, WorkField, WorkItem

if TYPE_CHECKING:
    from rove_core.http import Http

#: The statuses, and which ones can follow each.
STATUSES: Final = {
    "Open": ItemStatus(name="Open", category="todo"),
    "Doing": ItemStatus(name="Doing", category="in_progress"),
    "Done": ItemStatus(name="Done", category="done"),
}
NEXT: Final = {"Open": ("Doing",), "Doing": ("Open", "Done"), "Done": ("Doing",)}
_FIELDS: Final[tuple[WorkField, ...]] = (
    "title",
    "description",
    "status",
    "priority",
    "assignee",
    "labels",
    "due",
    "estimate",
    "iteration",
    "parent",
)
_WORDS: Final = ("none", "low", "medium", "high", "urgent")
_ROBIN: Final = Identity(name="Robin Doe", id="robin")
_DAY: Final = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_WEEK: Final = Iteration(
    id="W2", name="Week 2", state="active", starts=_DAY, ends=_DAY + timedelta(days=7)
)


@attrs.define
class ReferenceCard:
    """A card on the board."""

    id: str
    title: str
    description: str = ""
    status: str = "Open"
    priority: int = 0
    assignee: str = ""
    labels: tuple[str, ...] = ()
    due: date | None = None
    estimate: float | None = None
    iteration: str = ""
    parent: str = ""
    revision: int = 1
    at: datetime = _DAY
    comments: dict[str, str] = attrs.field(factory=dict)
    files: dict[str, str] = attrs.field(factory=dict)
    key: str = ""


@attrs.define
class ReferenceBoard:
    """The vendor: all cards, and a clock that ticks with each change."""

    cards: dict[str, ReferenceCard] = attrs.field(factory=dict)
    ticks: int = 0

    def changed(self, card: ReferenceCard) -> None:
        """Count a change of a card."""
        self.ticks += 1
        card.revision += 1
        card.at = _DAY + timedelta(minutes=self.ticks)

    def add(
        self,
        title: str,
        description: str = "",
        *,
        priority: int = 0,
        parent: str = "",
        key: str = "",
    ) -> ReferenceCard:
        """Put up a card."""
        name = f"CARD-{len(self.cards) + 1}"
        card = ReferenceCard(name, title, description, priority=priority, parent=parent, key=key)
        self.cards[card.id] = card
        self.changed(card)
        return card


@attrs.frozen(kw_only=True)
class TrackerSettings:
    """Settings of an account.

    Attributes:
        writes: Whether the login may change anything.
    """

    writes: bool = True


class ReferenceTracker(SourceHooks, WorkItemHooks):
    """Reads and changes the cards of a board."""

    def __init__(self, account: Account[TrackerSettings], board: ReferenceBoard) -> None:
        self._account = account
        self._board = board

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return who may change the board."""
        return attrs.evolve(_ROBIN, writes=self._account.settings.writes)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the cards in which all words occur, newest first."""
        words = query.text.casefold().split()
        texts = ((card, f"{card.id} {card.title} {card.description}") for card in self._newest())
        found = [
            card
            for card, text in texts
            if query.covers(card.at) and all(word in text.casefold() for word in words)
        ]
        for card in found[: query.limit]:
            yield self._item(card)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a card with its comments, or a file of it."""
        if ref.kind == "file":
            return self._file(ref)
        card = self._card(ref)
        comments = [self._comment(card, key, text) for key, text in card.comments.items()]
        return attrs.evolve(self._item(card), thread=tuple(comments))

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the board."""
        return [Container(name="board")]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the cards that changed, newest first, each with its work."""
        place, left = UpdateCursor.of(scope), scope.limit
        for card in self._newest():
            if left and place.is_new(card.id, card.at):
                left -= 1
                cursor = place.text(done=False)
                yield ListedChange(item=self._item(card), work=self._work(card), cursor=cursor)
        if left:
            yield ListedChange(cursor=place.text(done=True))

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Return the current state of a card."""
        await SYSTEM.sleep(0)
        return self._work(self._card(ref))

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return what can follow the card's status."""
        return [StatusOption(status=STATUSES[name]) for name in NEXT[self._card(ref).status]]

    @hookimpl
    async def rove_change_work_item(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change the given fields, unless another change came first."""
        card = self._card(ref)
        self._need_writing()
        if change.if_revision not in ("", str(card.revision)):
            raise Conflict(f"{card.id} is at revision {card.revision}, not {change.if_revision}")
        if change.status and change.status not in (card.status, *NEXT[card.status]):
            possible = ", ".join(NEXT[card.status])
            raise WrongCall(f"{card.id} cannot become {change.status!r} now, only {possible}")
        blank = ReferenceCard(card.id, card.title)
        for name in change.fields:
            if name not in _FIELDS:
                raise WrongCall(f"a card has no {name}")
            is_cleared = name in change.clear
            value = getattr(blank if is_cleared else change, name)
            setattr(card, name, value.id if isinstance(value, ItemRef) else value)
        self._board.changed(card)
        return self._work(card)

    @hookimpl
    async def rove_create_work_item(self, new: NewWorkItem) -> WorkItem:
        """Put up a card, once for each key."""
        self._need_writing()
        there = [card for card in self._board.cards.values() if card.key == new.key]
        if not there:
            above = new.parent.id if new.parent else ""
            there = [self._board.add(new.title, new.description, parent=above, key=new.key)]
        return self._work(there[0])

    @hookimpl
    async def rove_add_comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Write below a card, once for each key."""
        card = self._card(ref)
        self._need_writing()
        if card.comments.get(comment.key) != comment.content:
            card.comments[comment.key] = comment.content
            self._board.changed(card)
        return self._comment(card, comment.key, comment.content).ref

    @hookimpl
    async def rove_add_attachment(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Pin a file to a card, once for each key."""
        card = self._card(ref)
        self._need_writing()
        if attachment.key not in card.files:
            card.files[attachment.key] = attachment.name
            self._board.changed(card)
        return ItemRef(account=self._account.name, kind="file", id=f"{card.id}/{attachment.key}")

    @hookimpl
    async def rove_iterations(self, container: str) -> Sequence[Iteration]:
        """Return the weeks of the board."""
        return [_WEEK] if container == "board" else []

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an id means the same wherever it stands
        """Return the cards that a text names."""
        words = text.replace(".", " ").replace(",", " ").split()
        return [self._ref(name) for name in dict.fromkeys(words) if name in self._board.cards]

    def _need_writing(self) -> None:
        if not self._account.settings.writes:
            raise ScopeMissing("this login may only read; the board wants the scope board:write")

    def _newest(self) -> list[ReferenceCard]:
        return sorted(self._board.cards.values(), key=lambda card: card.at, reverse=True)

    def _card(self, ref: ItemRef) -> ReferenceCard:
        if ref.kind != "card" or ref.id not in self._board.cards:
            raise ItemNotFound(f"there is no {ref.kind} {ref.id!r} on the board")
        return self._board.cards[ref.id]

    def _ref(self, name: str) -> ItemRef:
        return ItemRef(account=self._account.name, kind="card", id=name)

    def _item(self, card: ReferenceCard) -> ContextItem:
        return ContextItem(
            ref=self._ref(card.id),
            source="board",
            role="ticket",
            title=card.title,
            content=card.description,
            timestamp=card.at,
            facts=Facts(
                status=STATUSES[card.status],
                labels=card.labels,
                assignees=(card.assignee,) if card.assignee else (),
                due=card.due,
                attachments=tuple(card.files.values()),
            ),
            links=tuple(self._links(card)),
        )

    def _file(self, ref: ItemRef) -> ContextItem:
        name, _, file = ref.id.partition("/file/")
        card = self._card(self._ref(name))
        if file not in card.files.values():
            raise ItemNotFound(f"{card.id} has no file {file!r}")
        return ContextItem(
            ref=ref,
            source="board",
            role="file",
            title=file,
            content=f"The words of {file}",
            timestamp=card.at,
        )

    def _links(self, card: ReferenceCard) -> Iterator[Link]:
        if card.parent:
            yield Link(ref=self._ref(card.parent), relation="parent")
        for below in self._board.cards.values():
            if below.parent == card.id:
                yield Link(ref=self._ref(below.id), relation="child")

    def _comment(self, card: ReferenceCard, key: str, text: str) -> ContextItem:
        ref = ItemRef(account=self._account.name, kind="comment", id=f"{card.id}/{key}")
        author, at = _ROBIN.name, card.at
        return ContextItem(
            ref=ref,
            source="board",
            role="comment",
            title="",
            content=text,
            author=author,
            timestamp=at,
        )

    def _work(self, card: ReferenceCard) -> WorkItem:
        return WorkItem(
            ref=self._ref(card.id),
            type_name="Card",
            title=card.title,
            description=card.description,
            status=STATUSES[card.status],
            priority=card.priority,
            priority_name=_WORDS[card.priority],
            assignee=Assignee(id=card.assignee, name=card.assignee) if card.assignee else None,
            labels=card.labels,
            parent=self._ref(card.parent) if card.parent else None,
            due=card.due,
            estimate=card.estimate,
            estimate_unit="points",
            iteration=card.iteration,
            iteration_name=_WEEK.name if card.iteration == _WEEK.id else "",
            created=_DAY,
            updated=card.at,
            revision=str(card.revision),
            changeable=_FIELDS,
            raw={"id": card.id, "status": card.status, "priority": card.priority},
        )


def _connect(account: Account[TrackerSettings], http: "Http") -> SourceHooks:  # noqa: ARG001  # a board in memory
    board = ReferenceBoard()
    first = board.add("Login with keys", "Keys stay valid until June.")
    first.files["first"] = "keys.txt"
    board.add("Login page", "The button is blue.", priority=3, parent="CARD-1")
    return ReferenceTracker(account, board)


@hookimpl
def rove_sources() -> Sequence[SourceKind[TrackerSettings]]:
    """Bring the board."""
    return [
        SourceKind(
            name="board",
            title="Board",
            settings=TrackerSettings,
            connect=_connect,
            id_pattern=r"CARD-[0-9]+",
        )
    ]
