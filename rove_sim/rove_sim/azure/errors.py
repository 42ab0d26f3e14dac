"""Azure DevOps' refusals: JSON with a type and a message, or a sign-in page."""

from collections.abc import Sequence

from rove_core import JSON
from rove_sim.routes import RefusedError
from rove_sim.server import Response

_PAGE = "<!DOCTYPE html><html><head><title>Azure DevOps Services | Sign In</title></head></html>"


def refusal(status: int, kind: str, message: str, **more: JSON) -> Response:
    """Return a refusal."""
    body: JSON = {
        "$id": "1",
        "innerException": None,
        "message": message,
        "typeName": f"Microsoft.TeamFoundation.WorkItemTracking.Server.{kind}",
        "typeKey": kind,
        "errorCode": 0,
        "eventId": 3200,
        **more,
    }
    return Response(body, status)


def refused(status: int, kind: str, message: str) -> RefusedError:
    """Return the error of a refusal."""
    return RefusedError(refusal(status, kind, message))


def broken_rules(rules: Sequence[tuple[str, str, str]]) -> RefusedError:
    """Return the error of a change that breaks rules: a field, its name, and the codes of each."""
    messages = [
        (ref, f"TF401320: Rule Error for field {name}. Error code: {codes}.")
        for ref, name, codes in rules
    ]
    errors: list[JSON] = [
        {"fieldReferenceName": ref, "errorMessage": message, "fieldStatusCode": 524289}
        for ref, message in messages
    ]
    more: JSON = {"RuleValidationErrors": errors}
    return RefusedError(
        refusal(400, "RuleValidationException", messages[0][1], customProperties=more)
    )


def no_item(number: str) -> RefusedError:
    """Return the error of a work item that is not there, or not visible."""
    return refused(
        404,
        "WorkItemUnauthorizedAccessException",
        f"TF401232: Work item {number} does not exist, or you do not have permissions to read it.",
    )


def sign_in(status: int) -> Response:
    """Return Azure's sign-in page, or a redirect to it."""
    if status == 302:
        where = "https://spsprodweu1.vssps.visualstudio.com/_signin?realm=dev.azure.com"
        return Response(None, 302, {"location": where})
    return Response(_PAGE, status, {"content-type": "text/html; charset=utf-8"})
