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
from rove_core.project.document_lookup import documents_meant, no_document
from rove_core.project.search import search_results
from rove_core.store.document_texts import read_changed_texts
from rove_core.store.documents import DocumentRecord
from rove_core.store.events import read_events
from rove_core.store.last_use import record_use
from rove_core.store.task_changes import cancel_task
from rove_core.store.tasks import Task, TaskState, find_task, list_tasks

if TYPE_CHECKING:
    from rove.server.endpoint import EndpointRequest

_LOOK: Final = "Look at it with: GET /tasks/{id}"


async def health(request: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /health``."""
    return json_reply(200, plain(Health(version=request.served.version)))


async def wake(request: "EndpointRequest") -> HttpResponse:
    """Answer ``POST /wake``."""
    request.served.wake()
    return await health(request)


async def find(request: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /find/{ticket_id}``; ``account=`` chooses among several accounts.

    It reads on the event loop: handing this to a thread would take longer than the query itself.
    """
    text, account, places = (
        request.path["ticket_id"],
        request.query.get("account"),
        request.served.places,
    )
    with request.served.reading() as db:
        meant = documents_meant(db, text)
    fitting = [each for each in meant if account in {None, each.account}]
    if len(fitting) > 1:
        return _several(text, fitting)
    there = [each for each in fitting if (places.context / each.filename).is_file()]
    if not there:
        with request.served.reading() as db:
            error = no_document(db, text)
        gone = "its file is gone: " if fitting else ""
        raise DocumentNotFound(f"{gone}{error.message}", hint=error.hint)
    record_use(str(places.rove), there[0].filename)
    return json_reply(200, plain(FoundDocument.of(there[0])))


async def search(request: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /search?q=`` as the operation ``search`` does."""
    words, limit, places = request.query["q"], request.number("limit"), request.served.places
    await asyncio.to_thread(read_changed_texts, places.index, places.context)
    return json_reply(200, plain(await request.served.store.read(search_results, words, limit)))


async def tasks(request: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /tasks``."""
    states, limit = _states(request.query.get("state")), request.number("limit")
    found = await request.served.store.read(list_tasks, states, limit)
    return json_reply(200, [plain(TaskView.of(task)) for task in found])


async def task(request: "EndpointRequest") -> HttpResponse:
    """Answer ``GET /tasks/{task_id}``."""
    after, store = request.number("after"), request.served.store
    found = await _task(request)
    events = await store.read(read_events, found.id, after)
    view = TaskHistory(task=TaskView.of(found), events=tuple(map(EventView.of, events)))
    return json_reply(200, plain(view))


async def cancel(request: "EndpointRequest") -> HttpResponse:
    """Answer ``POST /tasks/{task_id}/cancel``."""
    found, store = await _task(request), request.served.store
    async with store.transaction() as db:
        is_done = await cancel_task(db, found.id, now=store.clock.now())
    if not is_done:
        return failure(409, Locked(f"the task {found.id} has ended: {found.state}", hint=_LOOK))
    request.served.wake()
    return json_reply(200, plain(TaskView.of(await _task(request))))


async def _task(request: "EndpointRequest") -> Task:
    task_id = request.path["task_id"]
    found = await request.served.store.read(find_task, task_id)
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
    payload = AmbiguousDocument(
        code=error.code, message=error.message, hint=error.hint, docs=error.docs, choices=choices
    )
    return json_reply(409, plain(payload))


def _states(text: str | None) -> frozenset[TaskState]:
    if text is None:
        return frozenset(TaskState)
    try:
        return frozenset(map(TaskState, text.split(",")))
    except ValueError as error:
        hint = f"There are: {', '.join(TaskState)}"
        raise WrongCall(f"state={text!r}: {error}", hint=hint) from error
