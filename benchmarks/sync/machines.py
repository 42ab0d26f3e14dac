"""A person's machine: with the sync of this package, or with the first design taken literally."""

import json
import random
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final, Protocol, cast

import attrs

from benchmarks.sync.line import FaultyLine
from benchmarks.sync.new_item import create_item
from benchmarks.sync.vendor import ACCOUNT, CANARY, FIELDS, START, STATUSES, read_field
from rove_core import ItemRef, NewComment, NewWorkItem, RoveError, WorkItemChange
from rove_core.operations import finish
from rove_core.testing import VirtualClock
from rove_memory.store.migrations import PROJECT_MIGRATIONS
from rove_memory.store.project_store import ProjectStore
from rove_memory.store.values import time_text
from rove_memory.sync.edits import edit_item, resolve_change
from rove_memory.sync.outbox import Outbox
from rove_memory.sync.pull import SyncPull
from rove_memory.sync.push import PushOptions, SyncPush

_GIVEN_UP: Final = 5


class Machine(Protocol):
    """What the oracle sees of a machine."""

    clock: VirtualClock
    line: FaultyLine

    def edit(self, item: str, field: str, value: object) -> str | None:
        """Edit a field here; return the edit's id, or None if there is nothing to edit."""
        ...

    def comment(self, item: str, text: str) -> str | None:
        """Comment here."""
        ...

    def create(self, title: str) -> str:
        """Make a new item here."""
        ...

    def pull(self, *, full: bool = False) -> None:
        """Read what changed."""
        ...

    def push(self) -> None:
        """Send what waits."""
        ...

    def resolve(self, resolution: Any) -> tuple[str, object] | None:  # noqa: ANN401  # one of three
        """Settle a conflict; return which, and the value that the person saw against theirs."""
        ...

    def view(self) -> Mapping[str, Mapping[str, object] | None]:
        """Return what a person sees here, by the vendor's id; None for what is gone."""
        ...

    def fate(self, identifier: str) -> tuple[str, str]:
        """Return where an edit stands, and why."""
        ...


@attrs.define
class MemoryStoreOnly:
    """A project's store in memory, which may die before or after it commits."""

    clock: VirtualClock
    line: FaultyLine
    db: sqlite3.Connection = attrs.field(init=False)
    project_id = staticmethod(ProjectStore.project_id)

    def __attrs_post_init__(self) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.db.execute("PRAGMA foreign_keys = ON")
        for script in PROJECT_MIGRATIONS:
            self.db.executescript(script)
        self.db.row_factory = sqlite3.Row
        _fill(self.db)

    def now(self) -> str:
        """Return the time as columns hold it."""
        return time_text(self.clock.now())

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection."""
        yield self.db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for a transaction."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield self.db
            self.line.may_die()
            self.db.execute("COMMIT")
        except BaseException:
            self.db.rollback()
            raise
        self.line.may_die()


@attrs.define
class SyncedMachine:
    """A machine with the sync of this package."""

    line: FaultyLine
    clock: VirtualClock = attrs.field(factory=lambda: VirtualClock(START))
    store: ProjectStore = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.store = cast("ProjectStore", MemoryStoreOnly(self.clock, self.line))

    def edit(self, item: str, field: str, value: object) -> str | None:
        """Edit a field here."""
        with self.store.writing() as db:
            row = db.execute(
                "SELECT id FROM external_items WHERE provider_id = ? AND deleted_at IS NULL", [item]
            ).fetchone()
            ids = edit_item(db, self.store, row["id"], {field: _json(field, value)}) if row else []
        return ids[0] if ids else None

    def comment(self, item: str, text: str) -> str | None:
        """Comment here."""
        with self.store.writing() as db:
            row = db.execute(
                "SELECT id FROM external_items WHERE provider_id = ? AND deleted_at IS NULL", [item]
            ).fetchone()
            return Outbox(db=db, store=self.store).add_comment(row["id"], text) if row else None

    def create(self, title: str) -> str:
        """Make a new item here."""
        with self.store.writing() as db:
            new = {"container": "board", "title": title}
            item = create_item(db, self.store, ACCOUNT, "card", new)
            return Outbox(db=db, store=self.store).of_item(item)[0].id

    def pull(self, *, full: bool = False) -> None:
        """Read what changed."""
        finish(
            SyncPull(
                store=self.store, account=ACCOUNT, tracker=self.line, full=full, checked=50
            ).run()
        )

    def push(self) -> None:
        """Send what waits."""
        options = PushOptions(force=True)
        finish(SyncPush(store=self.store, tracker_of=lambda _: self.line, options=options).run())

    def resolve(self, resolution: Any) -> tuple[str, object] | None:  # noqa: ANN401  # one of three
        """Settle a conflict."""
        with self.store.writing() as db:
            for change in Outbox(db=db, store=self.store).listed("conflict", "overruled"):
                resolve_change(db, self.store, change, resolution)
                return change.id, _plain(change.field, change.remote)
        return None

    def view(self) -> Mapping[str, Mapping[str, object] | None]:
        """Return what a person sees here."""
        with self.store.reading() as db:
            rows = db.execute(
                "SELECT * FROM external_items WHERE provider_id NOT LIKE 'new:%'"
            ).fetchall()
        return {row["provider_id"]: None if row["deleted_at"] else _seen(row) for row in rows}

    def fate(self, identifier: str) -> tuple[str, str]:
        """Return where an edit stands, and why."""
        with self.store.reading() as db:
            change = Outbox(db=db, store=self.store).one(identifier)
        return change.status, change.last_error


@attrs.define
class LiteralMachine:
    """A machine with the first design's sync, as its text has it."""

    line: FaultyLine
    clock: VirtualClock = attrs.field(factory=lambda: VirtualClock(START))
    items: dict[str, dict[str, object]] = attrs.field(factory=dict)
    queue: list[SimpleNamespace] = attrs.field(factory=list)
    last_pull: str = ""

    def edit(self, item: str, field: str, value: object) -> str | None:
        """Write into the cache, and queue it."""
        if item not in self.items or self.items[item][field] == value:
            return None
        self.items[item][field] = value
        return self._queue(item=item, field=field, value=value)

    def comment(self, item: str, text: str) -> str | None:
        """Queue a comment."""
        return self._queue(item=item, field="", value=text) if item in self.items else None

    def create(self, title: str) -> str:
        """Queue a new item."""
        return self._queue(item="", field="", value=title)

    def pull(self, *, full: bool = False) -> None:
        """Take what changed since the last pull, by this machine's clock: the provider wins."""
        now = self.clock.now().isoformat()
        try:
            finish(self._read("" if full else self.last_pull))
        except RoveError:
            return
        self.last_pull = now

    def push(self) -> None:
        """Replay the queue in order; after five attempts a change has failed."""
        for change in self.queue:
            if change.status != "pending":
                continue
            try:
                finish(self._send(change))
            except RoveError as error:
                change.attempts, change.error = change.attempts + 1, error.message
                change.status = "failed" if change.attempts >= _GIVEN_UP else "pending"
            else:
                change.status = "synced"

    def resolve(self, resolution: Any) -> tuple[str, object] | None:  # noqa: ANN401, ARG002  # as it is
        """It finds no conflict: it has no base to find one by."""
        return None

    def view(self) -> Mapping[str, Mapping[str, object] | None]:
        """Return the cache."""
        return self.items

    def fate(self, identifier: str) -> tuple[str, str]:
        """Return where a change stands."""
        change = self.queue[int(identifier)]
        return change.status, change.error

    def _queue(self, **change: object) -> str:
        self.queue.append(SimpleNamespace(**change, status="pending", attempts=0, error=""))
        return str(len(self.queue) - 1)

    async def _read(self, cursor: str) -> None:
        async for page in self.line.changes(cursor):
            for work in page.items:
                self.items[work.ref.id] = {name: read_field(work, name) for name in FIELDS}

    async def _send(self, change: SimpleNamespace) -> None:
        key = f"try-{random.getrandbits(64)}"  # its text has no keys
        ref = ItemRef(account=ACCOUNT, kind="card", id=change.item)
        if not change.item:
            await self.line.create(NewWorkItem(container="board", title=change.value, key=key))
        elif not change.field:
            await self.line.comment(ref, NewComment(content=change.value, key=key))
        else:
            fields = {} if change.value is None else {change.field: change.value}
            cleared = (change.field,) if change.value is None else ()
            await self.line.change(ref, WorkItemChange(**fields, clear=cleared))


def skew(clock: VirtualClock, dice: random.Random) -> None:
    """Set a clock forward by up to two hours, or let a little time pass."""
    clock.advance(dice.choice((1, 60, 7_200)))


def _json(field: str, value: object) -> Any:  # noqa: ANN401  # JSON
    if field == "status":
        return {"name": value, "category": STATUSES[str(value)]}
    if field == "assignee":
        return {"id": value, "name": ""} if value else None
    return list(value) if isinstance(value, tuple) else value


def _plain(field: str, value: Any) -> object:  # noqa: ANN401  # JSON
    if isinstance(value, dict):
        return value["name"] if field == "status" else value["id"]
    return tuple(value) if isinstance(value, list) else value


def _seen(row: sqlite3.Row) -> Mapping[str, object]:
    values = {name: row[name] for name in FIELDS}
    return values | {"labels": tuple(json.loads(row["labels"] or "[]"))}


def _fill(db: sqlite3.Connection) -> None:
    """Put what must never leave into every table that holds it."""
    now = time_text(START)
    db.execute(
        "INSERT INTO projects (id, name, path, created_at, last_accessed) VALUES ('p','p','p',?,?)",
        [now, now],
    )
    db.execute(
        "INSERT INTO memory (id, project_id, memory_type, key, content, created_at, updated_at) "
        "VALUES ('m-1', 'p', 'decision', 'k', ?, ?, ?)",
        [CANARY, now, now],
    )
    db.execute(
        "INSERT INTO local_plans (id, project_id, title, created_at, updated_at) "
        "VALUES ('p-1', 'p', ?, ?, ?)",
        [CANARY, now, now],
    )
    db.execute(
        "INSERT INTO sessions (id, project_id, started_at, last_active_at, summary) "
        "VALUES ('s-1', 'p', ?, ?, ?)",
        [now, now, CANARY],
    )
