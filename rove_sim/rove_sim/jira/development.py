"""The development panel of a ticket: an undocumented API of Jira's own pages."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import JSON
from rove_sim.company_jira import DevelopmentEntry, Ticket
from rove_sim.jira.errors import refuse
from rove_sim.parameters import one_of, taking, text
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.jira.site import Jira

#: The field of a ticket that says how much there is.
FIELD: Final = "customfield_10000"
SCHEMA: Final[Mapping[str, JSON]] = {
    "type": "any",
    "custom": "com.atlassian.jira.plugins.jira-development-integration-plugin:devsummarycf",
    "customId": 10_000,
}
_LISTS: Final = {"pullrequest": "pullRequests", "branch": "branches"}


def summary_text(ticket: Ticket) -> str:
    """Return the field's value: a text that holds JSON among other things, and ``{}`` for none."""
    if not ticket.development:
        return "{}"
    kinds = ", ".join(f"{kind}={{stateCount=1}}" for kind in _counts(ticket))
    return f'{{{kinds}, json={{"cachedValue":{{"errors":[]}},"isStale":true}}}}'


@frozen
class DevelopmentPanel:
    """Answers requests about a ticket's development."""

    jira: "Jira"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        path = "/rest/dev-status/1.0/issue"
        summary = taking(issueId=text)
        detail = taking(issueId=text, applicationType=text, dataType=one_of(*_LISTS))
        return [
            VendorRoute(method="GET", path=f"{path}/summary", answer=self.summary, query=summary),
            VendorRoute(method="GET", path=f"{path}/detail", answer=self.detail, query=detail),
        ]

    def summary(self, call: RoutedRequest) -> Response:
        """Say how much there is of each kind, and in which applications."""
        counts = _counts(self._ticket(call))
        summary: dict[str, JSON] = {
            kind: {
                "overall": {"count": sum(applications.values()), "dataType": kind},
                "byInstanceType": {
                    name: {"count": count, "name": name} for name, count in applications.items()
                },
            }
            for kind, applications in counts.items()
        }
        return Response({"errors": [], "configErrors": [], "summary": summary})

    def detail(self, call: RoutedRequest) -> Response:
        """Give the pull requests or the branches of one application."""
        kind, application = call.text("dataType"), call.text("applicationType")
        found: list[JSON] = [
            _entry(each)
            for each in self._ticket(call).development
            if (each.kind, each.application) == (kind, application)
        ]
        lists: dict[str, JSON] = {**{name: [] for name in _LISTS.values()}, _LISTS[kind]: found}
        instance: JSON = {"name": application, "type": application}
        return Response({"errors": [], "detail": [{**lists, "_instance": instance}]})

    def _ticket(self, call: RoutedRequest) -> Ticket:
        found = self.jira.tickets.find(call.text("issueId"))
        return found or refuse(404, "Issue does not exist")


def _counts(ticket: Ticket) -> dict[str, dict[str, int]]:
    def place(entry: DevelopmentEntry) -> tuple[str, str]:
        return entry.kind, entry.application

    counts: dict[str, dict[str, int]] = {}
    for (kind, application), entries in groupby(sorted(ticket.development, key=place), place):
        counts.setdefault(kind, {})[application] = len([*entries])
    return counts


def _entry(entry: DevelopmentEntry) -> dict[str, JSON]:
    payload: dict[str, JSON] = {"name": entry.name, "url": entry.url}
    if entry.kind == "branch":
        return {**payload, "repository": {"name": entry.repository, "url": ""}}
    number = entry.url.rstrip("/").rpartition("/")[2]
    return {
        **payload,
        "id": f"#{number}",
        "status": entry.status,
        "repositoryName": entry.repository,
    }
