"""The GitHub simulator: authentication, rate limits and common headers."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from math import ceil
from typing import ClassVar, Final

import attrs

from rove_core import JSON
from rove_core.clock import SYSTEM, Clock
from rove_sim.company import Company
from rove_sim.conduct import Conduct
from rove_sim.etags import revalidate
from rove_sim.github import refusals
from rove_sim.github.allowances import FAST, LIMITS, headers, resource_of
from rove_sim.github.answers import RepositoryAnswers
from rove_sim.github.edits import RepositoryEdits
from rove_sim.github.hub import Hub, Item
from rove_sim.github.oauth import TERMS, GitHubOAuth
from rove_sim.github.questions import Questions
from rove_sim.oauth import Terms
from rove_sim.parameters import Wrong
from rove_sim.routes import VendorRoute
from rove_sim.server import Request, Response
from rove_sim.vendor import SimulatedVendor

OLD, NEW = "2022-11-28", "2026-03-10"
_DEPRECATION: Final = {
    "deprecation": "Tue, 10 Mar 2026 00:00:00 GMT",
    "sunset": "Fri, 10 Mar 2028 00:00:00 GMT",
}
_VERSIONS: Final = "https://docs.github.com/rest/about-the-rest-api/api-versions"
_NAMELESS: Final = (
    "Request forbidden by administrative rules. "
    "Please make sure your request has a User-Agent header."
)
#: What the new version of the API no longer tells.
_DROPPED: Final = frozenset({"assignee", "merge_commit_sha", "rate"})


class GitHub(SimulatedVendor):
    """Simulates GitHub's REST and GraphQL APIs.

    Attributes:
        hub: What it holds, to be changed.
        fast_status: The HTTP status of too much in a short time; 429 was seen too.
        incomplete: Whether searches say that they ran out of time.
        interval: How many seconds it wants between two questions for a code that is typed.
        starved: Whether GraphQL answers with a part only, as a query that costs too much.
        has_sub_issues: Whether issues can be put below others: older servers do not know that.
        reader_token: A token that may read everything and change nothing.
        lacks: Fields of GraphQL that it does not have yet, as an older Enterprise Server.
        forbidden: What the token was not given: ``projects``, ``discussions``, ``contents``.
        scopes: The scopes of a classic token; None for a fine-grained one.
        token_ends_at: When the tokens of people end; None if they do not.
    """

    name: ClassVar[str] = "github"
    terms: ClassVar[Terms] = TERMS

    def __init__(
        self, company: Company, *, clock: Clock = SYSTEM, conduct: Conduct | None = None
    ) -> None:
        self.hub = Hub(company)
        self.fast_status = 403
        self.incomplete = False
        self.interval = 5
        self.starved = False
        self.reader_token = ""
        self.has_sub_issues = True
        self.lacks: frozenset[str] = frozenset()
        self.forbidden: frozenset[str] = frozenset()
        self.scopes: tuple[str, ...] | None = None
        self.token_ends_at: datetime | None = None
        super().__init__(company, clock=clock, conduct=conduct)

    def put(self, item: Item) -> None:
        """Add an issue or a pull request, or change it into this one."""
        self.hub.put(item)

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        doors = (
            Questions(self),
            RepositoryAnswers(self),
            RepositoryEdits(self),
            GitHubOAuth(self),
        )
        return [route for door in doors for route in door.routes()]

    def admit(self, request: Request, route: VendorRoute) -> Response | None:  # noqa: ARG002  # all want the same
        """Return the refusal of a request without a valid token or user agent."""
        if not request.headers.get("user-agent"):
            return refusals.refusal(403, _NAMELESS)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if not token:
            return refusals.refusal(401, "Requires authentication")
        is_valid = token in {self.company.token, self.reader_token} or self.oauth.opens(token)
        if scheme.lower() not in {"bearer", "token"} or not is_valid:
            return refusals.refusal(401, "Bad credentials")
        if _version(request) not in {OLD, NEW}:
            message = f"{_version(request)!r} is not a supported version of the API."
            return refusals.refusal(400, message)
        return None

    def unknown(self, request: Request, methods: Sequence[str]) -> Response:  # noqa: ARG002  # GitHub hides what it cannot do
        """Answer a path that is none, or one that takes only other methods."""
        return refusals.not_found()

    def malformed(self, route: VendorRoute, wrong: Sequence[Wrong]) -> Response:
        """Answer a request with wrong parameters; GraphQL says so in its own way."""
        if route.path.endswith("/graphql"):
            return Response({"errors": [{"message": each.expected or str(each)} for each in wrong]})
        return refusals.wrong_parameters(wrong)

    def failed(self, request: Request, status: int) -> Response:  # noqa: ARG002  # it says the same to all
        """Answer as GitHub does when it fails or was asked too much."""
        if status in {403, 429}:
            return refusals.too_fast(status, 1)
        return refusals.refusal(status, "Server Error")

    def limit(self, request: Request, route: VendorRoute) -> Response | None:  # noqa: ARG002  # paths tell all
        """Return the refusal of a request beyond a limit."""
        resource = resource_of(request.path, request.query)
        if not resource:
            return None
        if self.limiter.peek((resource,), LIMITS[resource]).remaining < 1:
            return refusals.used_up(1)
        fast = self.limiter.take(("fast", resource), FAST[resource])
        return refusals.too_fast(self.fast_status, ceil(fast.wait)) if fast.wait else None

    def finish(self, request: Request, response: Response) -> Response:
        """Return a reply with rate limits, in the requested API version."""
        if request.path.startswith("/login/"):
            return response
        if not request.path.endswith("/graphql"):
            response = _in_version(request, response)
        counted = self._counted(request, free=response.status in {304, 401})
        scopes = {} if self.scopes is None else {"x-oauth-scopes": ", ".join(self.scopes)}
        media = {"x-github-media-type": "github.v3; format=json"}
        own_headers = {**media, **scopes, **self._token_end(), **counted}
        headers_ = {**own_headers, **response.headers}
        return attrs.evolve(response, headers=headers_)

    def page(self, size: int, most: int) -> int:
        """Return how many a page holds."""
        return self.conduct.page(size, most)

    def _token_end(self) -> dict[str, str]:
        """Return what a reply says of the token's end."""
        if self.token_ends_at is None:
            return {}
        end = f"{self.token_ends_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
        return {"github-authentication-token-expiration": end}

    def _counted(self, request: Request, *, free: bool) -> dict[str, str]:
        """Count a request, and return what its reply says of that; unchanged things are free."""
        resource = resource_of(request.path, request.query)
        if not resource:
            return {}
        cost = 1 if self.conduct.limits and not free else 0
        return headers(resource, self.limiter.take((resource,), LIMITS[resource], cost=cost))


def _version(request: Request) -> str:
    return request.headers.get("x-github-api-version", OLD)


def _in_version(request: Request, response: Response) -> Response:
    """Return a reply for an API version, with its ETag and deprecation headers."""
    version = _version(request)
    if version == NEW:
        response = attrs.evolve(response, value=_without(response.value))
    response = _unmodified(request, revalidate(request, response))
    own_headers = {
        "x-github-api-version-selected": version,
        "cache-control": "private, max-age=60, s-maxage=60",
        **response.headers,
    }
    if version == OLD:
        own = f'<{_VERSIONS}>; rel="deprecation"; type="text/html"'
        own_headers |= {
            **_DEPRECATION,
            "link": ", ".join(filter(None, [own, own_headers.get("link", "")])),
        }
    return attrs.evolve(response, headers=own_headers)


def _without(value: JSON) -> JSON:
    if isinstance(value, Mapping):
        return {name: _without(each) for name, each in value.items() if name not in _DROPPED}
    if isinstance(value, list):
        return [_without(each) for each in value]
    return value


def _unmodified(request: Request, response: Response) -> Response:
    """Add the time of the last change, and send no body if the client has it."""
    changed = response.value.get("updated_at") if isinstance(response.value, Mapping) else None
    if response.status != 200 or request.method != "GET" or not isinstance(changed, str):
        return response
    when = datetime.fromisoformat(changed)
    headers_ = {**response.headers, "last-modified": format_datetime(when, usegmt=True)}
    since = request.headers.get("if-modified-since", "")
    if since and "if-none-match" not in request.headers and when <= parsedate_to_datetime(since):
        return attrs.evolve(response, value=None, status=304, headers=headers_)
    return attrs.evolve(response, headers=headers_)
