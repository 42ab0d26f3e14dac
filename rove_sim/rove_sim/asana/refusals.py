"""Asana's error replies."""

from collections.abc import Mapping
from typing import Final

from rove_core import JSON
from rove_sim.routes import RefusedError
from rove_sim.server import Response

_HELP: Final = (
    "For more information on API status codes and how to handle them, read the docs on errors: "
    "https://developers.asana.com/docs/errors"
)


def refusal(
    status: int, message: str, *, headers: Mapping[str, str] | None = None, **more: JSON
) -> Response:
    """Return an error reply."""
    error: JSON = {"message": message, "help": _HELP}
    return Response({"errors": [error], **more}, status, dict(headers or {}))


def refused(status: int, message: str) -> RefusedError:
    """Return the exception for an error reply."""
    return RefusedError(refusal(status, message))


def unknown(kind: str, gid: str) -> RefusedError:
    """Return what to raise for an object that is not there, or not to be seen."""
    return refused(404, f"{kind}: Unknown object: {gid}")


def invalid(message: str) -> RefusedError:
    """Return what to raise for a request that Asana takes for wrong."""
    return refused(400, message)
