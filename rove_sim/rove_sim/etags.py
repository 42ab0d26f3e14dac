"""Conditional replies by ETag."""

from hashlib import sha256

import attrs

from rove_sim.server import Request, Response


def revalidate(request: Request, response: Response) -> Response:
    """Mark a good reply with its tag, or say that the client has it already."""
    if response.status != 200 or request.method != "GET":
        return response
    tag = f'W/"{sha256(response.body()).hexdigest()}"'
    headers = {**response.headers, "etag": tag}
    tags = {each.strip() for each in request.headers.get("if-none-match", "").split(",")}
    if tag in tags or tag.removeprefix("W/") in tags or "*" in tags:
        return attrs.evolve(response, value=None, status=304, headers=headers)
    return attrs.evolve(response, headers=headers)
