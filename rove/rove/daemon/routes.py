"""What the server answers itself, and what it lets a worker answer."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from rove.daemon import endpoints
from rove.daemon.environment import HEADER, environment_digest
from rove.daemon.views import TaskView, plain
from rove_core.errors import Locked, ServerTrouble, WrongCall
from rove_core.http.server.door import HttpRequest, HttpResponse, failure, json_reply
from rove_core.store.tasks import cancel_task

if TYPE_CHECKING:
    from rove.daemon.server_state import Served

_LOOK: Final = "Look at it with: GET /tasks/{id}"
#: What only reads the index, by the first word of its path and the number of those that follow.
_READS: Final[Mapping[tuple[str, int], Callable[..., HttpResponse]]] = {
    ("search", 0): endpoints.search,
    ("tasks", 0): endpoints.tasks,
    ("tasks", 1): endpoints.task,
}
_OWN: Final = 64 * 1024
_OTHERS: Final = 4 * 1024 * 1024


def most_bytes(path: str) -> int:
    """Return how many bytes the body of a request to a path may have."""
    return _OWN if path.split("/")[1:2] in (["health"], ["tasks"], ["operations"]) else _OTHERS


async def answer(request: HttpRequest, daemon: "Served") -> HttpResponse:
    """Answer a request."""
    told = request.headers.get(HEADER)
    if told is not None and told != environment_digest():
        what = "the server was started in another environment: other log-ins, settings or proxies"
        return failure(409, ServerTrouble(what, hint="Restart it here: rove server stop"))
    match request.method, request.path.split("/")[1:]:
        case "GET", ["health"]:
            return json_reply(200, {"status": "ok", "version": daemon.version})
        case "GET", ["find", ticket] if ticket:
            with daemon.reading() as db:
                return endpoints.find(db, daemon.places, ticket, request.query)
        case "GET", [name, *rest] if read := _READS.get((name, len(rest))):
            return await daemon.store.read(read, *rest, request.query)
        case "POST", ["tasks", task_id, "cancel"]:
            return await _cancelled(task_id, daemon)
    return _wrong_method(request) or await daemon.in_worker(request)


async def _cancelled(task_id: str, daemon: "Served") -> HttpResponse:
    task = await daemon.store.read(endpoints.the_task, task_id)
    async with daemon.store.transaction() as db:
        is_done = await cancel_task(db, task.id, now=daemon.store.clock.now())
    if not is_done:
        return failure(409, Locked(f"the task {task.id} has ended: {task.state}", hint=_LOOK))
    daemon.wake()
    cancelled = await daemon.store.read(endpoints.the_task, task_id)
    return json_reply(200, plain(TaskView.of(cancelled)))


def _wrong_method(request: HttpRequest) -> HttpResponse | None:
    """Return what to say when a path of the server's own is asked in a way it does not know."""
    match request.path.split("/")[1:]:
        case ["health"] | ["search"] | ["find", _] | ["tasks", _]:
            allowed = "GET"
        case ["tasks", _, "cancel"]:
            allowed = "POST"
        case ["tasks"] if request.method != "POST":
            allowed = "GET, POST"
        case _:
            return None
    what = f"{request.method} is not allowed at {request.path}: use {allowed}"
    return failure(405, WrongCall(what), allow=allowed)
