"""What the server answers itself, and what it lets a worker answer."""

from typing import TYPE_CHECKING, Final

from rove.daemon.endpoints import own_answer
from rove.daemon.environment import HEADER, environment_digest
from rove_core.errors import ServerTrouble
from rove_core.http.server.door import HttpRequest, HttpResponse, failure

if TYPE_CHECKING:
    from rove.daemon.server_state import ServedProject

_OWN: Final = 64 * 1024
_OTHERS: Final = 4 * 1024 * 1024


def most_bytes(path: str) -> int:
    """Return how many bytes the body of a request to a path may have."""
    return _OWN if path.split("/")[1:2] in (["health"], ["tasks"], ["operations"]) else _OTHERS


async def answer(request: HttpRequest, daemon: "ServedProject") -> HttpResponse:
    """Answer a request."""
    told = request.headers.get(HEADER)
    if told is not None and told != environment_digest():
        what = "the server was started in another environment: other log-ins, settings or proxies"
        return failure(409, ServerTrouble(what, hint="Restart it here: rove server stop"))
    return await own_answer(request, daemon) or await daemon.in_worker(request)
