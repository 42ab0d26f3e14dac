"""Jira's error replies."""

from datetime import timedelta
from math import ceil
from typing import NoReturn

from rove_sim.limits import Allowance
from rove_sim.routes import RefusedError
from rove_sim.server import Response

MISSING = "Issue does not exist or you do not have permission to see it."
PAYLOAD = "Invalid request payload. Refer to the REST API documentation and try again."


def error_reply(status: int, *messages: str) -> Response:
    """Return an error in Jira's form."""
    return Response({"errorMessages": list(messages), "errors": {}}, status)


def refuse(status: int, *messages: str) -> NoReturn:
    """Raise an error reply."""
    raise RefusedError(error_reply(status, *messages))


def unauthenticated(*, sent_login: bool) -> Response:
    """Return the reply without a valid login; known is whether one was sent."""
    reason = "AUTHENTICATED_FAILED" if sent_login else "OUT"
    headers = {
        "content-type": "text/html;charset=UTF-8",
        "x-seraph-loginreason": reason,
        "www-authenticate": 'OAuth realm="https%3A%2F%2Fatlassian.net"',
    }
    return Response("Client must be authenticated to access this resource.", 401, headers)


def captcha(site: str) -> Response:
    """Return the reply after too many failed logins."""
    headers = {
        "x-seraph-loginreason": "AUTHENTICATION_DENIED",
        "x-authentication-denied-reason": f"CAPTCHA_CHALLENGE; login-url={site}/login.jsp",
    }
    return Response({"errorMessages": ["CAPTCHA_CHALLENGE"], "errors": {}}, 403, headers)


def gateway(status: int, message: str) -> Response:
    """Return an error of api.atlassian.com."""
    return Response({"code": status, "message": message}, status)


def too_many(allowance: Allowance) -> Response:
    """Return the reply beyond the rate limit."""
    # The reset is told to the minute, and so it is rounded up.
    reset = allowance.reset_at + timedelta(seconds=59)
    headers = {
        "retry-after": str(ceil(allowance.wait)),
        "x-ratelimit-limit": str(allowance.limit.requests),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": f"{reset:%Y-%m-%dT%H:%MZ}",
        "ratelimit-reason": "jira-burst-based",
    }
    return Response({"errorMessages": ["Rate limit exceeded."], "errors": {}}, 429, headers)
