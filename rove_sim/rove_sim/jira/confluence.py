"""Pages of the site's Confluence, read with the same login."""

import json
from collections.abc import Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_sim.jira.errors import gateway
from rove_sim.parameters import one_of, taking
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_sim.jira.site import Jira

_PATH: Final = "/wiki/api/v2/pages/{id}"


@frozen
class WikiPages:
    """Answers requests about pages."""

    jira: "Jira"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked, at the site and through the gateway."""
        query = taking(**{"body-format": one_of("atlas_doc_format", "storage", "view")})
        return [
            VendorRoute(method="GET", path=f"{below}{_PATH}", answer=self.page, query=query)
            for below in ("", "/ex/confluence/{cloud}")
        ]

    def page(self, call: RoutedRequest) -> Response:
        """Give a page with its body as a document tree."""
        if not self.jira.reads_pages(call.request):
            return gateway(401, "Unauthorized; scope does not match")
        found = self.jira.pages.get(call.path["id"])
        if found is None:
            error: JSON = {"status": 404, "code": "NOT_FOUND", "title": "Not Found", "detail": None}
            return Response({"errors": [error]}, 404)
        at = f"{found.at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.000Z"
        author = self.jira.company.person(found.author).jira
        tree = json.dumps(self.jira.tickets.document(found.text, None))
        return Response(
            {
                "id": found.id,
                "status": "current",
                "title": found.title,
                "spaceId": "65538",
                "authorId": author,
                "createdAt": at,
                "version": {"number": 1, "createdAt": at, "authorId": author, "message": ""},
                "body": {"atlas_doc_format": {"representation": "atlas_doc_format", "value": tree}},
                "_links": {
                    "webui": f"/spaces/{found.space}/pages/{found.id}",
                    "base": f"{self.jira.address}/wiki",
                },
            }
        )
