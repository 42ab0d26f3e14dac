"""Change a ticket's fields: title, description, priority, people, labels, dates, estimates."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from sqlite3 import Connection
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from attrs import frozen

from rove_core import (
    JSON,
    ItemRef,
    Operation,
    RetryLater,
    RoveError,
    WorkField,
    WorkItem,
    WrongCall,
)
from rove_memory.memory.redaction import quoted
from rove_memory.plans.plans import check_priority
from rove_memory.settings import SYNC
from rove_memory.store import ProjectStore, in_thread
from rove_memory.store.values import read_json
from rove_memory.sync.account import AccountSync
from rove_memory.sync.fields import SYNCED, parent_value, same_value, shown_value, values_of
from rove_memory.sync.intake import ItemIntake
from rove_memory.sync.tracker import trackers_of
from rove_memory.tickets.model import FieldValue, TicketUpdate
from rove_memory.tickets.people import AccountName, nearest, person_named, values_named
from rove_memory.tickets.table import TicketInfo
from rove_memory.tickets.terminal_text import print_update
from rove_memory.tickets.ticket_edit import TicketEdit, find_work_item, sendable, unread
from rove_memory.toolsets import TICKETS

if TYPE_CHECKING:
    from rove_core import Project

#: The fields that can be emptied.
ClearedField: TypeAlias = Literal[
    "description", "priority", "assignee", "labels", "parent", "sprint", "due", "estimate"
]


async def update_ticket(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "Project",
    *,
    identifier: Annotated[str, "The ticket: TB-123."],
    title: Annotated[str | None, "The new title."] = None,
    description: Annotated[str | None, "The new description, as Markdown."] = None,
    priority: Annotated[int | None, "From 0, none, to 4, urgent."] = None,
    assignee: Annotated[str | None, "The assignee: me, a name, or the tracker's id."] = None,
    add_labels: Annotated[tuple[str, ...], "Labels to add."] = (),
    remove_labels: Annotated[tuple[str, ...], "Labels to remove."] = (),
    parent: Annotated[str | None, "The ticket that it is a part of: TB-100."] = None,
    sprint: Annotated[str | None, "The sprint or cycle, by its name or id."] = None,
    due: Annotated[date | None, "The due date: 2025-01-31."] = None,
    estimate: Annotated[float | None, "Its size, in its tracker's unit."] = None,
    clear: Annotated[tuple[ClearedField, ...], "Fields to clear."] = (),
    dry_run: Annotated[bool, "Only show what would change."] = False,
    queue_if_offline: Annotated[
        bool, "Keep the change for later if the tracker is unreachable."
    ] = True,
) -> TicketUpdate:
    """Change fields of a ticket at its tracker; its status has an operation of its own.

    Only the given fields are written. If somebody changed one of them at the same time, nothing
    is overwritten. If the tracker does not answer, the change is queued and sent later.
    """
    check_priority(priority)
    ref = await find_work_item(rove, identifier)
    fields = _FieldValues(
        texts={
            name: sendable(words, name)
            for name, words in (("title", title), ("description", description))
            if words is not None
        },
        values={
            "priority": priority,
            "due": due.isoformat() if due else None,
            "estimate": estimate,
            "parent": parent_value(await _parent(rove, ref, parent)) if parent else None,
        },
        assignee=assignee,
        sprint=sprint,
        labels=(frozenset(add_labels), frozenset(remove_labels)),
        clear=clear,
    )
    fields.check(identifier)
    settings = rove.settings.section(SYNC)
    edit = TicketEdit(rove=rove, ref=ref, settings=settings)
    sync = AccountSync(rove=rove, account=ref.account)
    async with sync.locked():
        try:
            work = await trackers_of(rove).item(ref)
            sprints = await _sprints(rove, ref) if sprint else ()
        except RetryLater as error:
            if dry_run or not (queue_if_offline and settings.queue_changes_when_offline):
                raise
            before = await in_thread(partial(_last_fields, edit.store, ref, error))
            values = await in_thread(partial(_read_values, rove, ref, fields, before, ()))
            item_id = await in_thread(partial(edit.queue_unchecked, values, error))
        else:
            fields.check_changeable(work)
            before = values_of(work)
            values = await in_thread(partial(_read_values, rove, ref, fields, before, sprints))
            if dry_run:
                return _update(TicketInfo(id="", identifier=work.ref.id), before, values, dry=True)
            item_id = await edit.send(sync, work, values)
    return _update(await in_thread(partial(edit.ticket, item_id)), before, values)


@frozen(kw_only=True)
class _FieldValues:
    """The fields of a change as a person named them.

    Attributes:
        texts: The texts.
        values: Values that need no look-up; None for those that stay.
        assignee: Who does it; None if that stays.
        sprint: The sprint; None if that stays.
        labels: Those to add, and those to remove.
        clear: The fields to empty.
    """

    texts: Mapping[str, str]
    values: Mapping[str, JSON]
    assignee: str | None
    sprint: str | None
    labels: tuple[frozenset[str], frozenset[str]]
    clear: tuple[ClearedField, ...]

    @property
    def named(self) -> list[str]:
        """The fields that get a value."""
        others = {"assignee": self.assignee, "iteration": self.sprint}
        every = {**self.texts, **self.values, **others, "labels": any(self.labels) or None}
        return [name for name, value in every.items() if value is not None]

    @property
    def cleared(self) -> list[str]:
        """The fields that lose theirs."""
        return ["iteration" if each == "sprint" else each for each in self.clear]

    def check(self, identifier: str) -> None:
        """Raise :class:`WrongCall` if nothing is to change, or one field in two ways."""
        if twice := sorted({*self.named} & {*self.cleared}):
            raise WrongCall(f"{_show_field(twice[0])} cannot be set and cleared at once")
        if not self.named and not self.clear:
            raise WrongCall(
                "nothing to change",
                hint=f"Give a field: rove ticket set {identifier} --priority 3",
            )

    def check_changeable(self, work: WorkItem) -> None:
        """Raise :class:`WrongCall` if a field cannot be changed at its tracker."""
        for name in (*self.named, *self.cleared):
            if name not in work.changeable:
                possible = [_show_field(each) for each in SYNCED if each in work.changeable]
                raise WrongCall(
                    f"{work.ref.id} has no {_show_field(name)} that can be changed",
                    hint=f"What can be changed: {', '.join(possible) or 'nothing'}",
                )


def _read_values(
    rove: "Project",
    ref: ItemRef,
    fields: _FieldValues,
    before: Mapping[str, JSON],
    sprints: Sequence[AccountName],
) -> dict[str, JSON]:
    """Return the changed values in the sync's form."""
    store, account = ProjectStore.of(rove), ref.account
    values: dict[str, JSON] = dict(fields.texts)
    values |= {name: value for name, value in fields.values.items() if value is not None}
    with store.reading() as db:
        if fields.assignee is not None:
            people = _existing_names(db, account, "assignee")
            identity = rove.account(account).identity
            values["assignee"] = person_named(fields.assignee, account, identity, people)
        if fields.sprint is not None:
            candidates = (*sprints, *_stored_sprints(db, account))
            values["iteration"] = _sprint(fields.sprint, candidates)
    if any(fields.labels):
        old, (new, gone) = before.get("labels"), fields.labels
        has = {str(each) for each in old} if isinstance(old, list) else set()
        values["labels"] = [*sorted((has | new) - gone)]
    values |= dict.fromkeys(fields.cleared)
    return {
        name: value
        for name, value in values.items()
        if name not in before or not same_value(name, before[name], value)
    }


async def _parent(rove: "Project", ref: ItemRef, text: str) -> ItemRef:
    """Return the ticket that another one becomes a part of; its tracker checks the rest."""
    parent = await find_work_item(rove, text)
    if parent.account != ref.account:
        raise WrongCall(f"{parent.id} is in {parent.account}, and {ref.id} in {ref.account}")
    if parent.id == ref.id:
        raise WrongCall(f"{ref.id} cannot be its own parent")
    return parent


def _sprint(text: str, candidates: Sequence[AccountName]) -> JSON:
    """Return a sprint by name or id; an unknown text counts as an id."""
    found = values_named(text, candidates)
    if found:
        return {"id": found[0].id, "name": found[0].name}
    if not candidates:
        return {"id": text, "name": text}
    names = [*dict.fromkeys(each.name for each in candidates)]
    near = nearest(text, names)
    raise WrongCall(f"no sprint {quoted(text)} is known", hint=f"Known: {', '.join(near)}")


def _existing_names(db: Connection, account: str, name: WorkField) -> list[AccountName]:
    """Return the values of a field in an account's known tickets."""
    rows = db.execute(
        "SELECT DISTINCT json_extract(s.fields, ?) FROM sync_items s "
        "JOIN external_items e ON e.id = s.item_id WHERE e.account = ?",
        [f"$.{name}", account],
    )
    found = [read_json(row[0]) for row in rows if row[0]]
    return [
        AccountName(id=str(each.get("id") or ""), name=str(each.get("name") or ""))
        for each in found
        if isinstance(each, dict)
    ]


def _stored_sprints(db: Connection, account: str) -> list[AccountName]:
    rows = db.execute("SELECT name, id FROM sync_sprints WHERE account = ?", [account])
    return [
        *(AccountName(id=row[1], name=row[0]) for row in rows),
        *_existing_names(db, account, "iteration"),
    ]


async def _sprints(rove: "Project", ref: ItemRef) -> list[AccountName]:
    """Return the sprints of the project or team that a ticket's key names, if it names one."""
    trackers, container = trackers_of(rove), ref.id.rpartition("-")[0]
    if not container or not trackers.can(ref.account, "rove_iterations"):
        return []
    with suppress(RoveError):
        found = await trackers.iterations(ref.account, container)
        return [AccountName(id=each.id, name=each.name) for each in found]
    return []


def _last_fields(store: ProjectStore, ref: ItemRef, error: RetryLater) -> Mapping[str, JSON]:
    """Return the fields of a ticket as they were read last, or raise why it cannot be read."""
    with store.reading() as db:
        snapshot = ItemIntake(db, store).snapshots.of_ref(ref)
    if snapshot is None:
        raise unread(ref, error)
    return snapshot.fields


def _update(
    ticket: TicketInfo, before: Mapping[str, JSON], after: Mapping[str, JSON], *, dry: bool = False
) -> TicketUpdate:
    changes = [
        FieldValue(
            field=_show_field(name),
            before=shown_value(name, before.get(name)),
            value=shown_value(name, value),
        )
        for name, value in after.items()
    ]
    return TicketUpdate(
        identifier=ticket.identifier, changes=tuple(changes), unsent=ticket.unsent, dry_run=dry
    )


def _show_field(name: str) -> str:
    return "sprint" if name == "iteration" else name


FIELD_OPERATIONS: Final = (
    Operation(
        update_ticket,
        changes=True,
        command="ticket set",
        toolset=TICKETS,
        show=print_update,
    ),
)
