"""Linear's errors, in the body whatever the status."""

from collections.abc import Mapping, Sequence
from typing import Final

from rove_core import JSON
from rove_sim.graphql import FieldError
from rove_sim.server import Response

#: What Linear calls the kinds of error that have a code, and what it tells a person.
_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "AUTHENTICATION_ERROR": (
        "authentication error",
        "You need to authenticate to access this operation.",
    ),
    "FORBIDDEN": ("forbidden", "You do not have the permission to do this."),
    "GRAPHQL_PARSE_FAILED": ("graphql error", "Query could not be read."),
    "GRAPHQL_VALIDATION_FAILED": ("graphql error", "Query is not valid."),
    "INPUT_ERROR": ("invalid input", "Argument validation failed."),
    "INTERNAL_SERVER_ERROR": ("internal error", "Something went wrong."),
    "RATELIMITED": ("ratelimited", "Rate limit exceeded. Please try again later."),
}


def refusal(code: str, messages: Sequence[str], status: int) -> Response:
    """Return a reply without data."""
    errors: JSON = [{"message": each, "extensions": _extensions(code)} for each in messages]
    return Response({"errors": errors}, status)


def invalid(message: str) -> FieldError:
    """Return the complaint about an argument."""
    return FieldError(f"Argument Validation Error - {message}", _extensions("INPUT_ERROR"))


def not_found(what: str) -> FieldError:
    """Return the complaint about an id that leads nowhere, or where the key may not go."""
    message = f"Could not find referenced {what}."
    extensions = {**_extensions("INPUT_ERROR"), "userPresentableMessage": message}
    return FieldError(f"Entity not found: {what}", extensions)


def _extensions(code: str) -> dict[str, JSON]:
    kind, message = _KINDS[code]
    return {
        "type": kind,
        "code": code,
        "userError": code != "INTERNAL_SERVER_ERROR",
        "userPresentableMessage": message,
    }
