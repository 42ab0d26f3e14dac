"""GitHub's error replies."""

from collections.abc import Mapping, Sequence
from typing import Final

from rove_core import JSON
from rove_sim.parameters import Wrong
from rove_sim.server import Response

#: The number of each organization that requires single sign-on, and what GitHub says of it.
ORGANIZATION: Final = 21955855
SIGN_ON: Final = (
    "Resource protected by organization SAML enforcement. "
    "You must grant your Personal Access token access to this organization."
)
_DOCS: Final = "https://docs.github.com/rest"
_LIMITS: Final = f"{_DOCS}/using-the-rest-api/rate-limits-for-the-rest-api"


def refusal(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error reply."""
    value: JSON = {"message": message, "documentation_url": _DOCS, "status": str(status)}
    return Response(value, status, dict(headers or {}))


def not_found() -> Response:
    """Return that there is no such thing, or nothing that the token may know of."""
    return refusal(404, "Not Found")


def moved(where: str) -> Response:
    """Return that something is elsewhere now."""
    value: JSON = {"message": "Moved Permanently", "url": where, "documentation_url": _DOCS}
    return Response(value, 301, {"location": where})


def sign_on(organization: str) -> Response:
    """Return the reply of an organization that requires single sign-on."""
    url = f"https://github.com/orgs/{organization}/sso?authorization_request=AB12"
    return refusal(403, SIGN_ON, {"x-github-sso": f"required; url={url}"})


def forbidden(scopes: str = "") -> Response:
    """Return that a fine-grained token was not given this permission."""
    headers = {"x-accepted-github-permissions": scopes} if scopes else {}
    return refusal(403, "Resource not accessible by personal access token", headers)


def used_up(user: int) -> Response:
    """Return that the limit of an hour or a minute is used up."""
    message = f"API rate limit exceeded for user ID {user}."
    return Response({"message": message, "documentation_url": _LIMITS}, 403)


def too_fast(status: int, seconds: int) -> Response:
    """Return that too much was asked in a short time."""
    message = (
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    )
    value: JSON = {"message": message, "documentation_url": _LIMITS}
    return Response(value, status, {"retry-after": str(seconds)})


def unprocessable(errors: Sequence[Mapping[str, JSON]]) -> Response:
    """Return the reply to invalid parameters."""
    value: JSON = {
        "message": "Validation Failed",
        "errors": list(errors),
        "documentation_url": _DOCS,
        "status": "422",
    }
    return Response(value, 422)


def wrong_parameters(wrong: Sequence[Wrong]) -> Response:
    """Return the reply to parameters that could not be parsed."""
    return unprocessable(
        [{"field": each.name, "code": _CODES[each.why], "message": str(each)} for each in wrong]
    )


def wrong_query(message: str) -> Response:
    """Return that a search cannot be run."""
    error: JSON = {"resource": "Search", "field": "q", "code": "invalid", "message": message}
    return unprocessable([error])  # type: ignore[list-item]  # a mapping, as written above


_CODES: Final = {"unknown": "unknown", "missing": "missing_field", "malformed": "invalid"}
