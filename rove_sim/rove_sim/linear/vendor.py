"""The Linear simulator: authentication, rate limits and the endpoint."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Final

import attrs

from rove_core import JSON
from rove_core.clock import SYSTEM, Clock
from rove_sim.company import Company
from rove_sim.company_linear import LinearIssue
from rove_sim.conduct import Conduct
from rove_sim.graphql import InputError, VendorSchema
from rove_sim.limits import Allowance, Limit
from rove_sim.linear.complexity import complexity
from rove_sim.linear.faults import refusal
from rove_sim.linear.mutations import LinearMutations
from rove_sim.linear.oauth import TERMS, LinearOAuth
from rove_sim.linear.queries import root
from rove_sim.linear.workspace import Workspace, issue_id
from rove_sim.oauth import Terms
from rove_sim.parameters import Wrong
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Request, Response
from rove_sim.vendor import SimulatedVendor

if TYPE_CHECKING:
    from rove_sim.graphql.engine import SelectedField

_SCHEMA: Final = VendorSchema("linear")
_HOUR: Final = 3600
_REQUESTS: Final = Limit(2_500, _HOUR)
_COMPLEXITY: Final = Limit(2_000_000, _HOUR)
_SEARCHES: Final = Limit(30, 60)
_MOST_COMPLEX: Final = 10_000
_OAUTH: Final = "lin_oauth_"


class Linear(SimulatedVendor):
    """Answers as Linear's GraphQL API would for one workspace.

    Attributes:
        invalid_status: The HTTP status of a query that is not valid; 500 was seen too.
        limited_status: That of one request too many; 400 is said to be possible.
        lacks: Fields that it does not have: a small schema does not know all of Linear's.
        reading_key: A personal key with the permission Read alone; none when empty.
    """

    name: ClassVar[str] = "linear"
    terms: ClassVar[Terms] = TERMS

    def __init__(
        self, company: Company, *, clock: Clock = SYSTEM, conduct: Conduct | None = None
    ) -> None:
        super().__init__(company, clock=clock, conduct=conduct)
        self.invalid_status = 400
        self.limited_status = 429
        self.reading_key = ""
        self.lacks: frozenset[str] = frozenset()
        self._workspace = Workspace(company, self._page, clock.now)

    def put(self, issue: LinearIssue) -> None:
        """Add an issue, or change it into this one."""
        self._workspace.issues[issue.identifier] = issue

    def move(self, identifier: str, to: str, at: datetime) -> None:
        """Give an issue to another team; its old identifier still leads to it."""
        issue = self._workspace.issues.pop(identifier)
        old = (*issue.old_identifiers, identifier)
        self.put(
            attrs.evolve(issue, id=issue_id(issue), identifier=to, old_identifiers=old, updated=at)
        )

    def hide(self, team: str) -> None:
        """Take the right to see a team away."""
        self._workspace.hidden.add(team)

    def issue(self, identifier: str) -> LinearIssue:
        """Return an issue."""
        return self._workspace.issues[identifier]

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The identifiers of all issues."""
        return tuple(self._workspace.issues)

    def file(self, address: str) -> bytes:
        """Return an uploaded file."""
        return self._workspace.files[address]

    def remove(self, identifier: str) -> None:
        """Delete an issue."""
        del self._workspace.issues[identifier]

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        graphql = VendorRoute(
            method="POST", path="/graphql", answer=self._answer, body=_SCHEMA.body
        )
        upload = VendorRoute(method="PUT", path="/upload/{name}", answer=self._upload, open=True)
        return [graphql, upload, *LinearOAuth(self).routes()]

    def admit(self, request: Request, route: VendorRoute) -> Response | None:  # noqa: ARG002  # one door, one key
        """Return the refusal of a request without a good key; a personal key comes bare."""
        header = request.headers.get("authorization", "")
        token = self.company.token
        if self.oauth.opens(header.removeprefix("Bearer ")) and header.startswith("Bearer "):
            return None
        if header == (f"Bearer {token}" if token.startswith(_OAUTH) else token):
            return None
        if header and header == self.reading_key:
            return None
        if header == f"Bearer {token}":
            message = (
                "It looks like you're trying to use an API key as a Bearer token. "
                "Remove the Bearer prefix from the Authorization header."
            )
            return refusal("AUTHENTICATION_ERROR", [message], 400)
        return refusal("AUTHENTICATION_ERROR", ["Authentication required, not authenticated"], 401)

    def parameters(self, request: Request, route: VendorRoute) -> Mapping[str, JSON]:
        """Return the parameters of the body; that of an upload is a file."""
        return {} if route.method == "PUT" else super().parameters(request, route)

    def unknown(self, request: Request, methods: Sequence[str]) -> Response:  # noqa: ARG002  # it says the same to all
        """Answer a path that is none, or one that takes only other methods."""
        plain = {"content-type": "text/plain"}
        return Response(
            "Method Not Allowed" if methods else "Not Found", 405 if methods else 404, plain
        )

    def malformed(self, route: VendorRoute, wrong: Sequence[Wrong]) -> Response:  # noqa: ARG002  # one door
        """Answer a request without a valid query."""
        messages = [each.expected or str(each) for each in wrong]
        if any(each.name != "query" or each.why != "malformed" for each in wrong):
            return refusal("INPUT_ERROR", messages, 400)
        if messages[0].startswith("Syntax Error"):
            return refusal("GRAPHQL_PARSE_FAILED", messages, 400)
        return refusal("GRAPHQL_VALIDATION_FAILED", messages[0].split("\n"), self.invalid_status)

    def failed(self, request: Request, status: int) -> Response:  # noqa: ARG002  # it says the same to all
        """Answer as Linear does when it fails or was asked too much."""
        if status == 429:
            return refusal("RATELIMITED", ["Rate limit exceeded"], self.limited_status)
        return refusal("INTERNAL_SERVER_ERROR", ["Internal server error"], status)

    def _page(self, size: int, most: int) -> int:
        return self.conduct.page(size, most)

    def _answer(self, call: RoutedRequest) -> Response:
        try:
            changes = LinearMutations(self._workspace, call.request.origin)
            query = _SCHEMA.query(call, {**root(self._workspace), **changes.root()})
        except InputError as error:
            response = refusal("INPUT_ERROR", [str(error)], 400)
            raise RefusedError(response, wrong=str(error)) from None
        if query.is_mutation and not self._may_write(call.request):
            raise RefusedError(refusal("FORBIDDEN", ["Invalid scope: `write` required"], 403))
        if missing := [each.name for each in query.fields() if each.name in self.lacks]:
            message = f'Cannot query field "{missing[0]}" on type "Query".'
            raise RefusedError(refusal("GRAPHQL_VALIDATION_FAILED", [message], self.invalid_status))
        headers = self._counted(query.fields())
        return Response(query.answer(), headers=headers)

    def _may_write(self, request: Request) -> bool:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self.oauth.opens(token):
            return "write" in self.oauth.scope(token).replace(",", " ").split()
        return token != self.reading_key

    def _upload(self, call: RoutedRequest) -> Response:
        """Take a file, where an address was given for it, with the headers given with that."""
        files = self._workspace.files
        if "x-goog-content-length-range" not in call.request.headers:
            raise RefusedError(Response(None, 403))
        address = next((each for each in files if each.endswith(call.path["name"])), "")
        if not address:
            raise RefusedError(Response(None, 404))
        files[address] = call.request.body
        return Response(None)

    def _counted(self, fields: Sequence["SelectedField"]) -> dict[str, str]:
        """Count a query towards the limits, and return their headers."""
        cost = complexity(fields)
        if cost > _MOST_COMPLEX:
            message = f"Query too complex: {cost} of {_MOST_COMPLEX}"
            raise RefusedError(refusal("INPUT_ERROR", [message], 400), wrong=message)
        # A limit that is not kept stays as it was, so that nobody waits for it.
        unit = 1 if self.conduct.limits else 0
        taken = {
            "requests": self.limiter.take(("requests",), _REQUESTS, cost=unit),
            "complexity": self.limiter.take(("complexity",), _COMPLEXITY, cost=cost * unit),
        }
        for name in sorted({field.name for field in fields if field.name.startswith("search")}):
            taken["endpoint-requests"] = self.limiter.take((name,), _SEARCHES, cost=unit)
        headers = {"x-complexity": str(cost)}
        for kind, allowance in taken.items():
            headers |= _headers(kind, allowance)
        if any(allowance.wait for allowance in taken.values()):
            response = refusal("RATELIMITED", ["Rate limit exceeded"], self.limited_status)
            raise RefusedError(attrs.evolve(response, headers=headers))
        return headers


def _headers(kind: str, allowance: Allowance) -> dict[str, str]:
    return {
        f"x-ratelimit-{kind}-limit": str(allowance.limit.requests),
        f"x-ratelimit-{kind}-remaining": str(allowance.remaining),
        f"x-ratelimit-{kind}-reset": str(_milliseconds(allowance.reset_at)),
    }


def _milliseconds(when: datetime) -> int:
    return int(when.timestamp() * 1000)
