"""A GitHub Enterprise Server in a box: the same API, below the address of a company's own host."""

import attrs

from rove_sim.github.vendor import GitHub
from rove_sim.server import Request, Response

_REST = "/api/v3"
_GRAPHQL = "/api/graphql"


class GitHubEnterprise(GitHub):
    """Answers as GitHub does, with REST below ``/api/v3`` and GraphQL beside it."""

    def __call__(self, request: Request) -> Response:
        """Answer a request; what is not below the API is not there."""
        if request.path == _GRAPHQL:
            return super().__call__(attrs.evolve(request, path="/graphql"))
        if not request.path.startswith(f"{_REST}/"):
            return Response({"message": "Not Found"}, 404)
        asked = attrs.evolve(request, path=request.path.removeprefix(_REST))
        response = super().__call__(asked)
        links = response.headers.get("link", "")
        if not links:
            return response
        below = links.replace(f"<{request.origin}/", f"<{request.origin}{_REST}/")
        return attrs.evolve(response, headers={**response.headers, "link": below})
