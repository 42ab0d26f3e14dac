"""Wire formats of the server's own endpoints.

The server loads neither cattrs nor any plugin, so these write themselves.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Literal, TypeVar, cast

import attrs
from attrs import frozen

from rove_core.events import Event
from rove_core.store.documents import DocumentRecord
from rove_core.store.tasks import Task
from rove_core.store.values import second_text
from rove_core.wire.json_types import JSON

View = TypeVar("View", bound=attrs.AttrsInstance)


@frozen(kw_only=True)
class Health:
    """That the server answers, and who it is.

    Attributes:
        status: Always ``ok``.
        version: The version of Rove that serves.
    """

    status: Literal["ok"] = "ok"
    version: str


@frozen(kw_only=True)
class FoundDocument:
    """The document of a ticket.

    Attributes:
        ticket_id: The ticket, as its account names it.
        filename: The file's name below ``.context``.
        keywords: What it is about.
        last_updated: When it was last written.
    """

    ticket_id: str
    filename: str
    keywords: tuple[str, ...]
    last_updated: datetime

    @classmethod
    def of(cls, record: DocumentRecord) -> "FoundDocument":
        """Return the view of a document."""
        return cls(
            ticket_id=record.ticket_id,
            filename=record.filename,
            keywords=record.keywords,
            last_updated=record.last_updated,
        )


@frozen(kw_only=True)
class DocumentChoice:
    """One of several documents that an id may mean.

    Attributes:
        account: The account that has the ticket: ask again with ``?account=``.
        ticket_id: The ticket.
        filename: The file's name below ``.context``.
    """

    account: str
    ticket_id: str
    filename: str


@frozen(kw_only=True)
class AmbiguousDocument:
    """Error view: an id that several accounts know, with the choices.

    Attributes:
        code: The error's stable code.
        message: What is wrong.
        hint: The next step.
        docs: The page that explains it.
        choices: What may be meant.
    """

    code: str
    message: str
    hint: str
    docs: str
    choices: tuple[DocumentChoice, ...]


@frozen(kw_only=True)
class OperationCall:
    """A call of an operation that is to become a task.

    Attributes:
        operation: Which one.
        arguments: By name.
    """

    operation: str
    arguments: Mapping[str, JSON] = {}


@frozen(kw_only=True)
class TaskView:
    """A task: an operation call with its state and result.

    Attributes:
        id: Its name.
        operation: What is called.
        arguments: With what.
        state: queued, running, done, failed or cancelled.
        created_at: When it was asked for.
        due_at: When it may begin.
        started_at: When it last began.
        finished_at: When it ended.
        attempt: How often it began.
        result: What the operation returned.
        error: Why it failed, the last time.
    """

    id: str
    operation: str
    arguments: Mapping[str, JSON]
    state: Literal["queued", "running", "done", "partial", "failed", "cancelled"]
    created_at: datetime
    due_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    attempt: int
    result: JSON
    error: JSON

    @classmethod
    def of(cls, task: Task) -> "TaskView":
        """Return the view of a task."""
        return _view_of(cls, task)


@frozen(kw_only=True)
class EventView:
    """One step of a task.

    Attributes:
        at: When.
        stage: What was being done.
        account: With which account; empty when with none.
        done: How many of them.
        total: Of how many; null when nobody knows.
        note: What a person should know.
    """

    at: datetime
    stage: str
    account: str
    done: int
    total: int | None
    note: str

    @classmethod
    def of(cls, event: Event) -> "EventView":
        """Return the view of an event."""
        return _view_of(cls, event)


@frozen(kw_only=True)
class TaskHistory:
    """A task, and what happened in it.

    Attributes:
        task: The task.
        events: What happened, oldest first, without those that ``after`` passes over.
    """

    task: TaskView
    events: tuple[EventView, ...]


def _view_of(view: type[View], thing: object) -> View:
    """Return a view with the fields of an object that has more."""
    return view(**{field.name: getattr(thing, field.name) for field in attrs.fields(view)})


def plain(view: attrs.AttrsInstance) -> JSON:
    """Return a view as plain JSON data."""
    return cast("JSON", attrs.asdict(view, value_serializer=_plain_value))


def _plain_value(_: object, __: object, value: object) -> object:
    match value:
        case datetime():
            return second_text(value)
        case Enum():
            return value.value
        case _:
            return value
