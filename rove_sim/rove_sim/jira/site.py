"""A simulated Jira Cloud site: authentication and routes."""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from zoneinfo import ZoneInfo

import attrs

from rove_core.clock import SYSTEM, Clock
from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_jira import Ticket, TicketChange, TicketComment
from rove_sim.conduct import Conduct
from rove_sim.jira.agile import SprintBoards
from rove_sim.jira.confluence import WikiPages
from rove_sim.jira.development import DevelopmentPanel
from rove_sim.jira.discussion import Discussion
from rove_sim.jira.edits import IssueEdits
from rove_sim.jira.errors import PAYLOAD, captcha, error_reply, gateway, too_many, unauthenticated
from rove_sim.jira.field_edits import is_document
from rove_sim.jira.fields import FieldRenderer
from rove_sim.jira.files import Downloads
from rove_sim.jira.issues import IssueViews
from rove_sim.jira.oauth import TERMS, JiraOAuth
from rove_sim.jira.parts import SiteValues
from rove_sim.jira.people import People
from rove_sim.jira.search import SearchDoor
from rove_sim.jira.store import TicketStore, with_comment
from rove_sim.limits import Allowance, Limit
from rove_sim.oauth import Terms
from rove_sim.parameters import Wrong
from rove_sim.routes import VendorRoute
from rove_sim.server import Request, Response
from rove_sim.vendor import SimulatedVendor

if TYPE_CHECKING:
    from rove_core import JSON

#: What one endpoint takes; more is a burst.
BURST = Limit(200, 60)
_GATEWAY = "/ex/jira/{cloud}"
_WRITE = "write:jira-work"
#: What an app needs to read pages by Confluence's second version; its classic scopes do not do.
PAGES = "read:page:confluence"


class Jira(SimulatedVendor):
    """Answers as one site of Jira Cloud would.

    E-mail and API token open it, at the site itself or through the gateway; a bearer token, the
    company's or one that an app got, opens it through the gateway alone (the base URL, then
    ``/ex/jira/`` and the ``cloud_id``).

    Attributes:
        cloud_id: The id of the site.
        tickets: What it holds; set its ``lag`` for a search that learns of changes late.
        pages: The pages of its Confluence, by their numbers.
        other_sites: Further sites that an app's login opens, like ``https://acme.atlassian.net``.
        scoped: Whether the API token is one with scopes: the site itself then refuses it.
        captcha: Whether there were too many wrong logins.
        warnings: What every search warns of.
        reader_token: An API token of the same person that may only read; none when empty.
        workflow: The statuses that may follow one; any may, where it names none.
        needed: The names of fields that a new ticket must have, besides those that come with Jira.
        needs_resolution: The statuses whose transition has a screen that asks for a resolution.
    """

    name: ClassVar[str] = "jira"
    terms: ClassVar[Terms] = TERMS
    #: The field of a person by which changes name them.
    person_key: ClassVar[str] = "accountId"
    #: Whether nothing but a subtask has a parent, which stays what it is.
    parents_stay: ClassVar[bool] = False

    def __init__(
        self, company: Company, *, clock: Clock = SYSTEM, conduct: Conduct | None = None
    ) -> None:
        self.cloud_id = ids.uuid(f"jira/{company.slug}")
        self.address = f"https://{company.slug}.atlassian.net"
        self.tickets = TicketStore(company, clock)
        self.pages = {page.id: page for page in company.wiki_pages}
        self.other_sites: list[str] = []
        self.scoped = False
        self.captcha = False
        self.warnings: list[JSON] = []
        self.reader_token = ""
        self.workflow: dict[str, tuple[str, ...]] = {}
        self.needed: set[str] = set()
        self.needs_resolution: set[str] = set()
        super().__init__(company, clock=clock, conduct=conduct)

    @property
    def renderer(self) -> FieldRenderer:
        """Return the renderer for the login's owner."""
        zone = ZoneInfo(self.company.owner.time_zone)
        parts = SiteValues(self.company, self.tickets, self.address, zone)
        return FieldRenderer(parts, Discussion(parts))

    def add_ticket(self, ticket: Ticket) -> Ticket:
        """Add a ticket, and return it with its ids."""
        return self.tickets.put(ticket)

    def change_ticket(self, key: str, by: str, **changes: str) -> Ticket:
        """Change fields of a ticket, like ``status="Done"``, and record its history."""
        ticket, now = self._ticket(key), self.clock.now()
        for name, value in changes.items():
            before = str(getattr(ticket, name))
            line = TicketChange(at=now, author=by, field=name, before=before, after=value)
            ticket = attrs.evolve(ticket, changelog=(*ticket.changelog, line))
        changed: Mapping[str, Any] = changes
        return self._put(attrs.evolve(ticket, **changed))

    def delete_ticket(self, key: str) -> None:
        """Delete a ticket."""
        self.tickets.drop(self._ticket(key).key)

    def add_comment(self, key: str, author: str, text: str) -> TicketComment:
        """Add a comment below a ticket, and return it with its id."""
        ticket = self._ticket(key)
        comment = TicketComment(author=author, at=self.clock.now(), text=text)
        return self._put(with_comment(ticket, comment)).comments[-1]

    def edit_comment(self, key: str, comment: str, text: str) -> None:
        """Change a comment's text."""
        ticket = self._ticket(key)
        (before,) = (each for each in ticket.comments if each.id == comment)
        after = attrs.evolve(before, text=text, adf=None, updated=self.clock.now())
        self._put(with_comment(ticket, after))

    def delete_comment(self, key: str, comment: str) -> None:
        """Delete a comment."""
        ticket = self._ticket(key)
        left = tuple(each for each in ticket.comments if each.id != comment)
        self._put(attrs.evolve(ticket, comments=left))

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked of the site, and the same through the gateway."""
        render = self.renderer
        people = People(self, render.parts)
        doors = (
            people,
            IssueViews(self, render),
            Downloads(self),
            DevelopmentPanel(self),
            WikiPages(self),
            SearchDoor(self, render),
            JiraOAuth(self),
        )
        edits = (IssueEdits(self, render), SprintBoards(self))
        site = [route for door in (*doors, *edits) for route in door.routes()]
        behind = [
            attrs.evolve(route, path=f"{_GATEWAY}{route.path}")
            for route in site
            if route.path.startswith(("/rest/api/", "/rest/agile/"))
        ]
        return [*site, *behind]

    def admit(self, request: Request, route: VendorRoute) -> Response | None:
        """Take e-mail and token on both ways, a bearer token through the gateway alone."""
        through = not route.path.startswith(("/rest/", "/wiki/"))
        if through and f"/{self.cloud_id}/" not in f"{request.path}/" and "cloud" in route.path:
            return gateway(404, "No message available")
        if self.captcha:
            return captcha(self.address)
        header = request.headers.get("authorization", "")
        if self._opens(header, through=through):
            return None
        return gateway(401, "Unauthorized") if through else unauthenticated(sent_login=bool(header))

    def is_text(self, value: "JSON") -> bool:
        """Return whether a value is a text as this site takes one."""
        return is_document(value)

    def read_only(self, request: Request) -> tuple[int, str] | None:
        """Return the refusal of a change for a read-only login; None for others."""
        scheme, _, credential = request.headers.get("authorization", "").partition(" ")
        if scheme == "Bearer":
            may_write = credential == self.company.token or (
                _WRITE in self.oauth.scope(credential).split()
            )
            return None if may_write else (401, "Unauthorized; scope does not match")
        if _decoded(credential).partition(":")[2] != self.reader_token:
            return None
        return 403, "You do not have permission to edit issues in this project."

    def reads_pages(self, request: Request) -> bool:
        """Return whether a login opens Confluence: an app's needs a scope."""
        scheme, _, credential = request.headers.get("authorization", "").partition(" ")
        if scheme == "Bearer":
            return credential == self.company.token or PAGES in self.oauth.scope(credential).split()
        return not self.scoped

    def limit(self, request: Request, route: VendorRoute) -> Response | None:
        """Keep the burst limit of each endpoint."""
        allowance = self._allowance(request, route)
        return too_many(allowance) if allowance.wait else None

    def unknown(self, request: Request, methods: Sequence[str]) -> Response:
        """Answer an unknown path; removed endpoints are gone."""
        if request.path.removeprefix(f"/ex/jira/{self.cloud_id}") == "/rest/api/3/search":
            message = (
                "The requested API has been removed. Please migrate to the "
                "/rest/api/3/search/jql API."
            )
            return error_reply(410, message)
        if methods:
            return attrs.evolve(error_reply(405), headers={"allow": ",".join(methods)})
        return Response({"message": "null for uri: " + request.path, "status-code": 404}, 404)

    def malformed(self, route: VendorRoute, wrong: Sequence[Wrong]) -> Response:  # noqa: ARG002  # it says the same wherever
        """Refuse wrong parameters."""
        return error_reply(400, PAYLOAD)

    def failed(self, request: Request, status: int) -> Response:  # noqa: ARG002  # it says the same to all
        """Fail as the site does."""
        if status == 429:
            return too_many(Allowance(BURST, 0, self.clock.now(), wait=1))
        return error_reply(status, "Internal server error")

    def finish(self, request: Request, response: Response) -> Response:
        """Name the request, as Atlassian does on every reply."""
        count = len(self.exchanges)
        trace = {"atl-traceid": ids.uuid(f"{request.path} {count}").replace("-", "")}
        return attrs.evolve(response, headers={**trace, **response.headers})

    def _opens(self, header: str, *, through: bool) -> bool:
        scheme, _, credential = header.partition(" ")
        if scheme == "Bearer":
            is_valid = credential == self.company.token or self.oauth.opens(credential)
            return through and is_valid
        if scheme != "Basic" or (self.scoped and not through):
            return False
        email, _, token = _decoded(credential).partition(":")
        tokens = tuple(filter(None, (self.company.token, self.reader_token)))
        return email == self.company.owner.email and token in tokens

    def _allowance(self, request: Request, route: VendorRoute) -> Allowance:
        return self.limiter.take((request.method, route.path), BURST)

    def _ticket(self, key: str) -> Ticket:
        ticket = self.tickets.find(key)
        if ticket is None:
            raise KeyError(key)
        return ticket

    def _put(self, ticket: Ticket) -> Ticket:
        return self.tickets.put(attrs.evolve(ticket, updated=self.clock.now()))


def _decoded(basic: str) -> str:
    try:
        return b64decode(basic, validate=True).decode()
    except ValueError:
        return ""
