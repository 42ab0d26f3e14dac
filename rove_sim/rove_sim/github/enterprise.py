"""A simulated GitHub Enterprise Server: the same API on a company's own host."""

import attrs

from rove_core import JSON
from rove_sim.github.hub import HTML
from rove_sim.github.vendor import GitHub
from rove_sim.server import Request, Response

#: Where its pages are, as its replies say.
ENTERPRISE_HTML = "https://github.northwind.example"
_REST = "/api/v3"
_GRAPHQL = "/api/graphql"


class GitHubEnterprise(GitHub):
    """Answers as GitHub does, with REST below ``/api/v3`` and GraphQL beside it."""

    def __call__(self, request: Request) -> Response:
        """Answer a request; paths outside the API do not exist."""
        if request.path == _GRAPHQL:
            response = super().__call__(attrs.evolve(request, path="/graphql"))
        elif request.path.startswith(f"{_REST}/"):
            inner = attrs.evolve(request, path=request.path.removeprefix(_REST))
            response = super().__call__(inner)
        else:
            return Response({"message": "Not Found"}, 404)
        value = _moved(response.value, request.origin)
        links = response.headers.get("link", "")
        if not links:
            return attrs.evolve(response, value=value)
        below = links.replace(f"<{request.origin}/", f"<{request.origin}{_REST}/")
        return attrs.evolve(response, value=value, headers={**response.headers, "link": below})


def _moved(value: JSON, origin: str) -> JSON:
    """Return a reply with this installation's addresses; written texts stay."""
    if isinstance(value, dict):
        return {
            key: _address(each, origin)
            if isinstance(each, str) and key.endswith("url")
            else _moved(each, origin)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_moved(each, origin) for each in value]
    return value


def _address(url: str, origin: str) -> str:
    if url.startswith(f"{HTML}/"):
        return ENTERPRISE_HTML + url.removeprefix(HTML)
    if url.startswith(f"{origin}/"):
        return f"{origin}{_REST}{url.removeprefix(origin)}"
    return url
