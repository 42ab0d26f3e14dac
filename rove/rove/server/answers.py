"""Handlers of the server's own endpoints, which read the index without any plugin."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rove.server.views import (
    AmbiguousDocument,
    DocumentChoice,
    EventView,
    FoundDocument,
    Health,
    TaskHistory,
    TaskView,
    plain,
)
from rove_core.errors import DocumentNotFound, ItemNotFound, Locked, WrongCall
from rove_core.http.server.door import HttpResponse, failure, json_reply
from rove_core.project.document_lookup import build_command, documents_meant
from rove_core.project.search import search_results
from rove_core.store.document_texts import read_changed_texts
from rove_core.store.documents import DocumentRecord
from rove_core.store.events import read_events
from rove_core.store.last_use import note_asked
from rove_core.store.task_changes import cancel_task
from rove_core.store.tasks import Task, TaskState, find_task, list_tasks

if TYPE_CHECKING:
    from rove.server.endpoint import EndpointRequest

_LOOK: Final = "Look at it with: GET /tasks/{id}"


async def health(asked: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /health``."""
    return json_reply(200, plain(Health(version=asked.served.version)))


async def wake(asked: "EndpointRequest") -> HttpResponse:
    """Answer ``POST /wake``."""
    asked.served.wake()
    return await health(asked)


async def find(asked: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /find/{ticket_id}``: ``account=`` says which of several is meant.

    It reads on the event loop: to hand it to a thread would take longer than to answer.
    """
    text, account, places = asked.path["ticket_id"], asked.query.get("account"), asked.served.places
    with asked.served.reading() as db:
        meant = documents_meant(db, text)
    fitting = [each for each in meant if account in {None, each.account}]
    if len(fitting) > 1:
        return _several(text, fitting)
    there = [each for each in fitting if (places.context / each.filename).is_file()]
    if not there:
        what = f"{'its file is gone: ' if fitting else ''}there is no document for {text!r}"
        raise DocumentNotFound(what, hint=f"Build it with: {build_command(text)}")
    note_asked(str(places.rove), there[0].filename)
    return json_reply(200, plain(FoundDocument.of(there[0])))


async def search(asked: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /search?q=`` as the operation ``search`` does."""
    words, limit, places = asked.query["q"], asked.number("limit"), asked.served.places
    await asyncio.to_thread(read_changed_texts, places.index, places.context)
    return json_reply(200, plain(await asked.served.store.read(search_results, words, limit)))


async def tasks(asked: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /tasks``."""
    states, limit = _states(asked.query.get("state")), asked.number("limit")
    found = await asked.served.store.read(list_tasks, states, limit)
    return json_reply(200, [plain(TaskView.of(task)) for task in found])


async def task(asked: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /tasks/{task_id}``."""
    after, store = asked.number("after"), asked.served.store
    found = await _task(asked)
    events = await store.read(read_events, found.id, after)
    view = TaskHistory(task=TaskView.of(found), events=tuple(map(EventView.of, events)))
    return json_reply(200, plain(view))


async def cancel(asked: "EndpointRequest") -> HttpResponse:
    """Answer ``POST /tasks/{task_id}/cancel``."""
    found, store = await _task(asked), asked.served.store
    async with store.transaction() as db:
        is_done = await cancel_task(db, found.id, now=store.clock.now())
    if not is_done:
        return failure(409, Locked(f"the task {found.id} has ended: {found.state}", hint=_LOOK))
    asked.served.wake()
    return json_reply(200, plain(TaskView.of(await _task(asked))))


async def _task(asked: "EndpointRequest") -> Task:
    task_id = asked.path["task_id"]
    found = await asked.served.store.read(find_task, task_id)
    if found is None:
        raise ItemNotFound(f"there is no task {task_id!r}", hint="See: GET /tasks")
    return found


def _several(text: str, fitting: Sequence[DocumentRecord]) -> HttpResponse:
    names = ", ".join(each.account for each in fitting)
    error = WrongCall(f"several accounts have {text}: {names}", hint="Choose one: ?account=NAME")
    choices = tuple(
        DocumentChoice(account=each.account, ticket_id=each.ticket_id, filename=each.filename)
        for each in fitting
    )
    told = AmbiguousDocument(
        code=error.code, message=error.message, hint=error.hint, docs=error.docs, choices=choices
    )
    return json_reply(409, plain(told))


def _states(wanted: str | None) -> frozenset[TaskState]:
    if wanted is None:
        return frozenset(TaskState)
    try:
        return frozenset(map(TaskState, wanted.split(",")))
    except ValueError as error:
        hint = f"There are: {', '.join(TaskState)}"
        raise WrongCall(f"state={wanted!r}: {error}", hint=hint) from error
