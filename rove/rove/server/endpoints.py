"""The table of the server's own endpoints, the source of its routes and OpenAPI document.

A new one is a function and a row. Everything else is answered by a worker, which has all plugins.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rove.server import handlers
from rove.server.endpoint import EndpointRequest, QueryParameter, ServerEndpoint
from rove.server.views import (
    AmbiguousDocument,
    FoundDocument,
    Health,
    OperationCall,
    TaskHistory,
    TaskView,
)
from rove_core.errors import WrongCall
from rove_core.http.server.door import HttpRequest, HttpResponse, failure
from rove_core.project.search import SearchResults
from rove_core.store.tasks import TaskState

if TYPE_CHECKING:
    from rove.server.served_project import ServedProject

#: At most so many of anything are listed.
_MOST: Final = 1_000
_LIMIT: Final = QueryParameter(name="limit", least=1, most=_MOST, default=20)

#: How many bytes the body of a request may have that the server reads, and that a worker may read.
_OWN: Final = 64 * 1024
_OTHERS: Final = 4 * 1024 * 1024
_READ_HERE: Final = (["health"], ["wake"], ["tasks"], ["operations"])

ENDPOINTS: Final = (
    ServerEndpoint(
        method="GET",
        path="/health",
        title="Check that the server is running.",
        gives=Health,
        handler=handlers.health,
    ),
    ServerEndpoint(
        method="POST",
        path="/wake",
        title="Start the tasks that are due, after adding some to the index.",
        gives=Health,
        handler=handlers.wake,
    ),
    ServerEndpoint(
        method="GET",
        path="/find/{ticket_id}",
        title="Find the document of a ticket, by its id, its title or the words it is about.",
        gives=FoundDocument,
        failures={404: "There is none.", 409: "Several accounts know the id."},
        failure_bodies={409: AmbiguousDocument},
        query=(QueryParameter(name="account"),),
        handler=handlers.find,
    ),
    ServerEndpoint(
        method="GET",
        path="/search",
        title="Search documents and the items that were found for them.",
        gives=SearchResults,
        query=(QueryParameter(name="q", required=True), _LIMIT),
        handler=handlers.search,
    ),
    ServerEndpoint(
        method="GET",
        path="/tasks",
        title="List the tasks, newest first.",
        gives=tuple[TaskView, ...],
        query=(QueryParameter(name="state", choices=tuple(map(str, TaskState))), _LIMIT),
        handler=handlers.tasks,
    ),
    ServerEndpoint(
        method="POST",
        path="/tasks",
        title="Run an operation as a task; build and refresh create one task per document.",
        gives=tuple[TaskView, ...],
        status=202,
        failures={
            403: "The operation is for a person at a terminal.",
            404: "There is no such operation.",
            409: "The caller has a different environment.",
        },
        takes=OperationCall,
    ),
    ServerEndpoint(
        method="GET",
        path="/tasks/{task_id}",
        title="Show a task, and what happened in it.",
        gives=TaskHistory,
        failures={404: "There is none."},
        query=(QueryParameter(name="after", least=0, most=_MOST, default=0),),
        handler=handlers.task,
    ),
    ServerEndpoint(
        method="POST",
        path="/tasks/{task_id}/cancel",
        title="Cancel a task.",
        gives=TaskView,
        failures={404: "There is none.", 409: "It has ended."},
        handler=handlers.cancel,
    ),
)

#: The endpoints by their path's first word and its number of words: a request meets few of them.
_BY_SHAPE: Final[Mapping[tuple[str, int], tuple[ServerEndpoint, ...]]] = {
    shape: tuple(each for each in ENDPOINTS if each.shape == shape)
    for shape in {each.shape for each in ENDPOINTS}
}


def most_bytes(path: str) -> int:
    """Return how many bytes the body of a request to a path may have."""
    return _OWN if path.split("/")[1:2] in _READ_HERE else _OTHERS


async def own_answer(request: HttpRequest, served: "ServedProject") -> HttpResponse | None:
    """Return the answer of one of the server's own endpoints; None if a worker has to answer."""
    words = request.path.split("/")[1:]
    found = [each for each in _BY_SHAPE.get((words[0], len(words)), ()) if each.fits(words)]
    for endpoint in found:
        if endpoint.method == request.method:
            call = EndpointRequest.of(endpoint, request, served)
            return await endpoint.handler(call) if endpoint.handler else None
    if not found:
        return None
    allowed = ", ".join(sorted(each.method for each in found))
    what = f"{request.method} is not allowed at {request.path}: use {allowed}"
    return failure(405, WrongCall(what), allow=allowed)
