"""The simulator of one Azure DevOps organization: authentication and routes."""

import base64
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final
from urllib.parse import urlsplit

import attrs

from rove_core import JSON
from rove_core.clock import SYSTEM, Clock
from rove_sim.azure.answers import AzureAnswers
from rove_sim.azure.board import AzureBoard
from rove_sim.azure.changes import AzureChanges
from rove_sim.azure.documents import AzureDocuments
from rove_sim.azure.errors import no_item, refusal, refused, sign_in
from rove_sim.azure.oauth import TERMS, EntraOAuth
from rove_sim.company import Company
from rove_sim.company_azure import AzureWorkItem
from rove_sim.conduct import Conduct
from rove_sim.limits import Limit
from rove_sim.oauth import Terms
from rove_sim.parameters import NOTHING, Wrong
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Request, Response
from rove_sim.vendor import SimulatedVendor

#: Throughput units in five minutes: a request counts as one.
_UNITS: Final = Limit(200, 300)
_BLOCKED: Final = 2
#: What an organization with public projects tells anybody.
_FOR_ANYBODY: Final = ("/_apis/connectionData", "/_apis/projects")


class AzureDevOps(SimulatedVendor):
    """Answers as the REST API of Azure DevOps would for one organization.

    Attributes:
        board: What the organization holds.
        refusal_status: How it answers a bad login: 203 with a page, 302 to a page, or 401.
        reader: A token with the scope ``vso.work`` alone; none when empty.
        project_scope: Whether tokens may list projects.
        public: Whether all its projects are public, so that it tells them to anybody without a
            token, and that they are nobody.
    """

    name: ClassVar[str] = "azure"
    terms: ClassVar[Terms] = TERMS

    def __init__(
        self, company: Company, *, clock: Clock = SYSTEM, conduct: Conduct | None = None
    ) -> None:
        super().__init__(company, clock=clock, conduct=conduct)
        self.refusal_status = 203
        self.reader = ""
        self.project_scope = True
        self.public = False
        self.path = f"/{company.slug}"
        self.board = AzureBoard(company, clock.now)

    def put(self, item: AzureWorkItem) -> None:
        """Add a work item, or a revision of it."""
        self.board.put(item)

    def item(self, number: int | str) -> AzureWorkItem:
        """Return a work item."""
        return self.board.items[int(number)]

    def remove(self, number: int | str) -> None:
        """Move a work item to the recycle bin."""
        self.board.remove(int(number))

    def move(self, number: int | str, project: str, at: datetime) -> None:
        """Move a work item to another project; its number stays."""
        self.board.put(attrs.evolve(self.item(number), project=project, updated=at))

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        return [
            *AzureAnswers(self).routes(),
            *AzureChanges(self).routes(),
            *EntraOAuth(self).routes(),
        ]

    def admit(self, request: Request, route: VendorRoute) -> Response | None:
        """Return the refusal of a request without a good token; the right to write is another."""
        token = _token(request)
        scopes = self._scopes(token)
        if scopes is None:
            is_anonymous = not request.headers.get("authorization", "")
            if self.public and is_anonymous and route.path.endswith(_FOR_ANYBODY):
                return None
            if request.method == "PATCH" or self.refusal_status == 401:
                message = "TF400813: The user '' is not authorized to access this resource."
                return refusal(401, "UnauthorizedRequestException", message)
            return sign_in(self.refusal_status)
        if route.path.split("/")[1:2] == ["{org}"] and _organization(request) != self.company.slug:
            return sign_in(404)
        if AzureChanges.is_change(route) and "vso.work_write" not in scopes:
            message = "TF400813: The user is not authorized to access this resource."
            return refusal(401, "UnauthorizedRequestException", message)
        return None

    def parameters(self, request: Request, route: VendorRoute) -> Mapping[str, JSON]:
        """Return the parameters of the body; those of patches and files are read elsewhere."""
        return {} if route.body is NOTHING else super().parameters(request, route)

    def unknown(self, request: Request, methods: Sequence[str]) -> Response:
        """Answer a path that is none, or one that takes only other methods."""
        if methods:
            message = f"The requested resource does not support http method '{request.method}'."
            return Response({"count": 1, "value": {"Message": message}}, 405)
        return refusal(404, "VssResourceNotFoundException", "The controller was not found.")

    def malformed(self, route: VendorRoute, wrong: Sequence[Wrong]) -> Response:  # noqa: ARG002  # it says the same of all
        """Answer a request with wrong parameters."""
        return refusal(400, "VssPropertyValidationException", "; ".join(map(str, wrong)))

    def failed(self, request: Request, status: int) -> Response:  # noqa: ARG002  # it says the same to all
        """Answer as Azure does when it fails or was asked too much."""
        if status == 429:
            message = "TF400733: The request has been canceled: Request was blocked."
            return refusal(429, "RequestBlockedException", message)
        return refusal(
            status, "ServiceUnavailableException", "TF400898: An Internal Error Occurred."
        )

    def limit(self, request: Request, route: VendorRoute) -> Response | None:  # noqa: ARG002  # all count as one
        """Return the refusal of a request far beyond the limit; those near it are only delayed."""
        taken = self.limiter.take(("units",), Limit(_UNITS.requests * _BLOCKED, _UNITS.seconds))
        if not taken.wait:
            return None
        wait = {"retry-after": str(int(taken.wait) + 1)}
        return attrs.evolve(self.failed(request, 429), headers=wait)

    def finish(self, request: Request, response: Response) -> Response:  # noqa: ARG002  # it says the same to all
        """Return a reply with rate limit headers, a delay included."""
        if not self.conduct.limits or response.status != 200:
            return response
        whole = Limit(_UNITS.requests * _BLOCKED, _UNITS.seconds)
        left = self.limiter.peek(("units",), whole)
        if left.remaining >= _UNITS.requests:
            return response
        headers = {
            "retry-after": "5",
            "x-ratelimit-resource": "core/globalconcurrency",
            "x-ratelimit-delay": "1.0",
            "x-ratelimit-limit": str(_UNITS.requests),
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": str(int(left.reset_at.timestamp())),
        }
        return attrs.evolve(response, headers={**response.headers, **headers})

    def documents(self, call: RoutedRequest) -> AzureDocuments:
        """Return what writes replies to a request."""
        return AzureDocuments(self.board, call.request.origin)

    def found(self, call: RoutedRequest) -> AzureWorkItem:
        """Return the work item that a path names, which is in the project that it names."""
        item = self.board.find(call.path["id"])
        if item is None:
            raise no_item(call.path["id"])
        if "project" in call.path and self.project(call) != item.project:
            raise no_item(call.path["id"])
        return item

    def project(self, call: RoutedRequest) -> str:
        """Return the project that a path names."""
        name = call.path["project"]
        found = self.board.project(name)
        if found is None:
            message = f"TF200016: The following project does not exist: {name}."
            raise refused(404, "ProjectDoesNotExistWithNameException", message)
        return found

    def _scopes(self, token: str) -> frozenset[str] | None:
        """Return the scopes of a token; None if it is invalid."""
        if token == self.company.token:
            return frozenset({"vso.work_write"})
        if token and token == self.reader:
            return frozenset({"vso.work"})
        if self.oauth.opens(token):
            scopes = self.oauth.scope(token).split()
            return frozenset(each.rpartition("/")[2] for each in scopes)
        return None


def _token(request: Request) -> str:
    """Return the token of a request: a password without a name, or a bearer's."""
    scheme, _, credential = request.headers.get("authorization", "").partition(" ")
    if scheme == "Bearer":
        return credential
    try:
        return base64.b64decode(credential, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


def _organization(request: Request) -> str:
    return urlsplit(request.path).path.split("/")[1]
