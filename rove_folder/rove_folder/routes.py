"""``/api/v1/device`` and ``/api/v1/billing/quota/check``, as published."""

import json
from typing import TYPE_CHECKING, Final

from rove_core import HttpRequest, HttpResponse, Route, WrongCall
from rove_folder.device.sessions import DeviceConnection, session_frames
from rove_folder.project_folder import ProjectFolder
from rove_folder.storage.usage import FEATURE

if TYPE_CHECKING:
    from rove_core import JSON, Project

_JSON: Final = {"content-type": "application/json; charset=utf-8"}
_BODY: Final = 'Send {"feature": "folder_index", "estimated_files": 214}.'


async def device(request: HttpRequest, rove: "Project") -> HttpResponse:
    """Answer the messages of a WebSocket with the frames of its sessions."""
    connection = DeviceConnection(ProjectFolder.of(rove), request.headers["rove-socket"])
    match request.headers["rove-socket-event"]:
        case "message":
            return _reply(session_frames(await connection.receive(request.body)))
        case "close":
            connection.drop()
    return _reply([])


async def check_quota(request: HttpRequest, rove: "Project") -> HttpResponse:
    """Check whether a folder of so many files may be indexed; 402 if not."""
    try:
        body = json.loads(request.body)
    except ValueError as error:
        raise WrongCall("the body is not JSON", hint=_BODY) from error
    feature = body.get("feature") if isinstance(body, dict) else None
    if feature != FEATURE:
        raise WrongCall(f"no such feature: {feature!r}", hint=_BODY)
    files = body.get("estimated_files")
    if isinstance(files, bool) or not isinstance(files, int) or files < 0:
        raise WrongCall(f"estimated_files is not a number of files: {files!r}", hint=_BODY)
    folder = ProjectFolder.of(rove)
    folder.check_quota(files, asks_model=True)
    settings = folder.settings
    return _reply(
        {
            "allowed": True,
            "tier": settings.tier,
            "folder_max_files": settings.file_cap,
            "folder_monthly_tokens": settings.token_cap,
        }
    )


def routes() -> tuple[Route, ...]:
    """Return the requests of the session protocol."""
    return (
        Route("WEBSOCKET", "/api/v1/device", device, "Summarise files that a client sends."),
        Route(
            "POST",
            "/api/v1/billing/quota/check",
            check_quota,
            "Say whether a folder of so many files may be indexed.",
        ),
    )


def _reply(value: "JSON") -> HttpResponse:
    return HttpResponse(200, _JSON, json.dumps(value).encode())
