"""The table ``external_items``: tickets known to a project's memory."""

import re
from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import ItemNotFound, StatusCategory, WrongCall
from rove_memory.memory.redaction import quoted, without_secrets
from rove_memory.near_matches import did_you_mean
from rove_memory.store.values import json_text, new_id, read_names, read_time, time_text
from rove_memory.sync.item_columns import show_edits

if TYPE_CHECKING:
    from rove_core import ContextItem
    from rove_memory.store.project_store import ProjectStore

_COLUMNS: Final = (
    "id, account, provider_id, item_type, title, description, status, status_category, priority, "
    "assignee, labels, sprint_name, points, url, created_at_provider, updated_at_provider, "
    "synced_at, deleted_at"
)
_LONGEST_ID: Final = 200
#: How people write an id that is a number alone: ``#7``, ``AB#7``.
_NUMBERED: Final = r"[A-Za-z]{0,10}#([0-9]{1,12})"
#: What begins a path or an option, or leads out of a folder; ids like acme/api#12 have neither.
_PATH: Final = r"^[-/~]|(^|[/\\])\.\.?([/\\]|$)|\\"
#: What trackers call their priorities, from 0 for none to 4 for urgent.
_PRIORITIES: Final = (
    ("none", "no priority"),
    ("low", "lowest", "minor", "trivial", "p3", "p4"),
    ("medium", "normal", "p2"),
    ("high", "major", "p1"),
    ("urgent", "highest", "critical", "blocker", "p0"),
)


@frozen(kw_only=True)
class TicketInfo:
    """A ticket in the project's memory.

    Attributes:
        id: Its id in the memory's tables.
        identifier: What its tracker calls it (``TB-123``).
        account: The account that has it; empty when it is only known by name.
        item_type: ``ticket``, ``epic``, ``subtask``, ``sprint`` or ``milestone``.
        title: Its title; its id while nothing more is known.
        description: Its text as Markdown.
        status: Its status, in the tracker's words.
        status_category: What that means.
        priority: 0 none, 1 low, ... 4 urgent; None when unknown.
        assignee: Who does it.
        labels: Its labels.
        sprint: The sprint or cycle it is in.
        estimate: Its size, in its tracker's units.
        url: Where a person reads it.
        created_at: When it was written, if that is known.
        updated_at: When it was changed last, if that is known.
        synced_at: When it was read last.
        gone: Whether its tracker no longer has it.
        unsent: Its fields and comments that wait to be sent to its tracker.
    """

    id: str
    identifier: str
    account: str = ""
    item_type: str = "ticket"
    title: str = ""
    description: str = ""
    status: str = ""
    status_category: StatusCategory | None = None
    priority: int | None = None
    assignee: str = ""
    labels: tuple[str, ...] = ()
    sprint: str = ""
    estimate: float | None = None
    url: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    synced_at: datetime | None = None
    gone: bool = False
    unsent: tuple[str, ...] = ()


def find_ticket(db: Connection, text: str) -> TicketInfo | None:
    """Return the ticket that a text names, by its tracker's id or by its own; None if unknown.

    Raises:
        WrongCall: Two accounts have a ticket of that id.
    """
    account, identifier = split_account(text)
    rows = _rows_of(db, account, identifier)
    if not rows and (number := re.fullmatch(_NUMBERED, identifier)):
        rows = _rows_of(db, account, number[1])
    named = [row for row in rows if row["account"]] or rows
    if len(named) > 1:
        several = " or ".join(f"{row['account']}/{row['provider_id']}" for row in named)
        raise WrongCall(
            f"{quoted(text)} is a ticket in two accounts: {several}", hint="Name the account."
        )
    return ticket_of(named[0]) if named else None


def _rows_of(db: Connection, account: str, identifier: str) -> list[Row]:
    return db.execute(
        f"SELECT {_COLUMNS} FROM external_items "  # noqa: S608  # our own names
        "WHERE (provider_id = ? COLLATE NOCASE OR id = ?) AND (? = '' OR account = ?) "
        "ORDER BY account = '', account LIMIT 3",
        [identifier, identifier, account, account],
    ).fetchall()


def split_account(text: str) -> tuple[str, str]:
    """Return the account that a text names before a ticket's id, if it does, and the id.

    The address of a ticket names none.
    """
    if "://" in text:
        return "", text
    account, slash, identifier = text.partition("/")
    return (account, identifier) if slash and ":" in account else ("", text)


def require_ticket(db: Connection, text: str) -> TicketInfo:
    """Return the ticket that a text names.

    Raises:
        ItemNotFound: No such ticket; the error names those written much like it.
    """
    found = find_ticket(db, text)
    if found is None:
        ids = [row[0] for row in db.execute("SELECT provider_id FROM external_items LIMIT 5000")]
        raise ItemNotFound(
            f"no ticket {quoted(text)} in this project's memory{did_you_mean(text.upper(), ids)}",
            hint=f"Start a session on it first: rove session start {shown_id(text)}",
        )
    return found


def ensure_ticket(db: Connection, store: "ProjectStore", text: str) -> TicketInfo:
    """Return the ticket that a text names; remember it by name if it is new."""
    identifier = " ".join(text.split())
    found = find_ticket(db, text) or find_ticket(db, identifier)
    if found:
        return found
    if kind := _other_kind(db, identifier):
        raise WrongCall(
            f"{identifier} is a {kind}, not a ticket", hint="Name a ticket like TB-123."
        )
    if not _is_id(identifier):
        raise WrongCall(f"{quoted(text)} is not a ticket id like TB-123")
    new = new_id(db, "external_items", "t")
    db.execute(
        "INSERT INTO external_items (id, project_id, provider_id, title, synced_at) "
        "VALUES (?, ?, ?, ?, ?)",
        [new, store.project_id(db), identifier, identifier, store.now()],
    )
    return require_ticket(db, new)


def _other_kind(db: Connection, identifier: str) -> str:
    """Return what else in this project's memory has an id; empty if nothing has."""
    for kind, table in (("plan", "local_plans"), ("session", "sessions"), ("memory", "memory")):
        found = db.execute(f"SELECT 1 FROM {table} WHERE id = ?", [identifier])  # noqa: S608  # our own names
        if found.fetchone():
            return kind
    return ""


def shown_id(text: str) -> str:
    """Return a ticket's id for a command that a hint names, or a placeholder if it is no id."""
    return text if _is_id(text) else "TICKET"


def _is_id(text: str) -> bool:
    """Return whether a text may be the id of a ticket: no path, no secret, nothing hidden."""
    from rove_core import clean  # noqa: PLC0415  # whoever reads needs none

    return (
        0 < len(text) <= _LONGEST_ID
        and not re.search(_PATH, text)
        and clean(text) == text
        and without_secrets(text) == text
    )


def store_ticket(db: Connection, store: "ProjectStore", item: "ContextItem") -> TicketInfo:
    """Store a ticket from a source, without secrets, and return it.

    What was known by name alone before becomes this ticket.
    """
    facts, account = item.facts, item.account
    row = db.execute(
        "SELECT id FROM external_items WHERE provider_id = ? COLLATE NOCASE "
        "AND account IN (?, '') ORDER BY account = '' LIMIT 1",
        [item.ref.id, account],
    ).fetchone()
    values = {
        "account": account,
        "provider_id": item.ref.id,
        "title": without_secrets(item.title),
        "description": without_secrets(item.content),
        "status": facts.status.name if facts.status else None,
        "status_category": facts.status.category if facts.status else None,
        "priority": priority_of(facts.priority),
        "priority_label": facts.priority or None,
        "assignee": ", ".join(facts.assignees) or None,
        "labels": json_text(facts.labels),
        "sprint_name": facts.iteration or None,
        "points": facts.estimate,
        "due_date": facts.due.isoformat() if facts.due else None,
        "url": item.url or None,
        "created_at_provider": time_text(facts.created) if facts.created else None,
        "updated_at_provider": time_text(item.timestamp),
        "synced_at": store.now(),
        "deleted_at": None,
    }
    if row:
        identifier = str(row["id"])
        names = ", ".join(f"{name} = :{name}" for name in values)
        change = f"UPDATE external_items SET {names} WHERE id = :id"  # noqa: S608  # our own names
        db.execute(change, {**values, "id": identifier})
    else:
        identifier = new_id(db, "external_items", "t")
        values |= {"id": identifier, "project_id": store.project_id(db)}
        names, slots = ", ".join(values), ", ".join(f":{name}" for name in values)
        db.execute(f"INSERT INTO external_items ({names}) VALUES ({slots})", values)  # noqa: S608  # our own names
    show_edits(db, identifier)
    return require_ticket(db, identifier)


def priority_of(words: str) -> int | None:
    """Return a tracker's priority as a number, 0 none to 4 urgent; None if unknown."""
    name = words.strip().casefold()
    return next((at for at, names in enumerate(_PRIORITIES) if name in names), None)


def mark_gone(db: Connection, store: "ProjectStore", ticket: TicketInfo) -> None:
    """Mark a ticket as deleted in its tracker; its local data stays."""
    now = store.now()
    db.execute(
        "UPDATE external_items SET deleted_at = ?, synced_at = ? WHERE id = ?",
        [now, now, ticket.id],
    )


def list_todo(db: Connection) -> Sequence[TicketInfo]:
    """Return the tickets to do; one without a status counts as such."""
    return _existing(db, "coalesce(status_category, 'todo') = 'todo'")


def list_of_sprint(db: Connection, sprint: str) -> Sequence[TicketInfo]:
    """Return the tickets of a sprint by its name as trackers write it, in upper or lower case."""
    rows = db.execute("SELECT DISTINCT sprint_name FROM external_items WHERE sprint_name <> ''")
    names = [row[0] for row in rows if row[0].casefold() == sprint.casefold()]
    return _existing(db, "sprint_name IN (SELECT value FROM json_each(?))", json_text(names))


def _existing(db: Connection, condition: str, *values: str | None) -> Sequence[TicketInfo]:
    query = f"SELECT {_COLUMNS} FROM external_items WHERE deleted_at IS NULL AND {condition}"  # noqa: S608  # our own names
    return [ticket_of(row) for row in db.execute(query, values)]


def list_unsynced(db: Connection) -> Sequence[TicketInfo]:
    """Return the existing tickets that no sync has read as work items."""
    return _existing(db, "id NOT IN (SELECT item_id FROM sync_items)")


def ticket_of(row: Row) -> TicketInfo:
    """Return the ticket of a row of ``external_items``."""
    return TicketInfo(
        id=row["id"],
        identifier=row["provider_id"],
        account=row["account"],
        item_type=row["item_type"],
        title=row["title"],
        description=row["description"] or "",
        status=row["status"] or "",
        status_category=row["status_category"],
        priority=row["priority"],
        assignee=row["assignee"] or "",
        labels=read_names(row["labels"]),
        sprint=row["sprint_name"] or "",
        estimate=row["points"],
        url=row["url"] or "",
        created_at=read_time(row["created_at_provider"]),
        updated_at=read_time(row["updated_at_provider"]),
        synced_at=read_time(row["synced_at"]),
        gone=row["deleted_at"] is not None,
    )
