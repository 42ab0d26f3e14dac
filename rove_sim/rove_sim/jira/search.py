"""Search endpoints: pages, counts, and bulk reads by key."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import field, frozen

from rove_core import JSON
from rove_sim.company_jira import Ticket
from rove_sim.jira.errors import MISSING, refuse
from rove_sim.jira.fields import FieldRenderer
from rove_sim.jira.issues import EXPAND, whole, with_properties
from rove_sim.jira.jql import JqlSearch
from rove_sim.jira.jql_tokens import JqlError
from rove_sim.jira.searches import Searches
from rove_sim.parameters import (
    MalformedError,
    Reader,
    flag,
    integer,
    taking,
    text,
    typed,
    within,
    words,
)
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.jira.site import Jira

_DEFAULT = 50
_MOST = 100
_MOST_IDS = 5_000
_MOST_AT_ONCE = 100
_MOST_FRESH = 50


def _ids(value: JSON) -> tuple[str, ...]:
    """Read the ids of tickets: numbers, at most fifty."""
    values = value if isinstance(value, list) else str(value).split(",")
    if len(values) > _MOST_FRESH:
        raise MalformedError(f"expected at most {_MOST_FRESH} ids")
    return tuple(str(integer(each)) for each in values)


@frozen
class SearchDoor:
    """Answers requests about many tickets."""

    jira: "Jira"
    render: FieldRenderer
    _searches: Searches = field(init=False)

    @_searches.default
    def _new(self) -> Searches:
        return Searches(self.jira.clock)

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        shared: dict[str, Reader] = {"jql": text, "nextPageToken": text, "reconcileIssues": _ids}
        by_get = taking(
            **shared,
            maxResults=within(1, _MOST_IDS),
            fields=words,
            expand=EXPAND,
            properties=words,
            fieldsByKeys=flag,
            failFast=flag,
        )
        lists: dict[str, Reader] = {
            "fields": typed(list, words),
            "properties": typed(list, words),
            "fieldsByKeys": typed(bool, flag),
        }
        by_post = taking(
            **shared,
            **lists,
            maxResults=typed(int, within(1, _MOST_IDS)),
            expand=typed(str, EXPAND),
        )
        bulk = taking(
            "issueIdsOrKeys",
            **lists,
            issueIdsOrKeys=typed(list, words),
            expand=typed(list, EXPAND),
        )
        count = taking("jql", jql=text)
        at = "/rest/api/3"
        return [
            VendorRoute(method="GET", path=f"{at}/search/jql", answer=self.search, query=by_get),
            VendorRoute(method="POST", path=f"{at}/search/jql", answer=self.search, body=by_post),
            VendorRoute(
                method="POST", path=f"{at}/search/approximate-count", answer=self.count, body=count
            ),
            VendorRoute(method="POST", path=f"{at}/issue/bulkfetch", answer=self.bulk, body=bulk),
        ]

    def search(self, call: RoutedRequest) -> Response:
        """Return a page of results: ids only, unless fields are named."""
        left = self._remaining_ids(call)
        fields = call.words("fields", ("id",))
        only_ids = set(fields) <= {"id", "key"}
        asked_for = call.number("maxResults", _DEFAULT)
        most = self.jira.conduct.page(asked_for, _MOST_IDS if only_ids else _MOST)
        page, rest = left[:most], left[most:]
        tickets = [ticket for each in page if (ticket := self.jira.tickets.find(each))]
        reply: dict[str, JSON] = {
            "issues": [self._hit(ticket, fields, call) for ticket in tickets],
            "isLast": not rest,
        }
        if rest:
            reply["nextPageToken"] = self._searches.keep(call.text("jql"), rest)
        if self.jira.warnings:
            reply["warnings"] = self.jira.warnings
        return Response(reply)

    def count(self, call: RoutedRequest) -> Response:
        """Say how many tickets a query finds."""
        return Response({"count": len(self._find(call))})

    def bulk(self, call: RoutedRequest) -> Response:
        """Give many tickets by key or id, and say which of them cannot be given."""
        names = tuple(dict.fromkeys(call.words("issueIdsOrKeys")))
        if not 0 < len(names) <= _MOST_AT_ONCE:
            refuse(400, f"The number of issues must be from 1 to {_MOST_AT_ONCE}.")
        found = {name: self.jira.tickets.find(name) for name in names}
        fields, expand = call.words("fields", ("*navigable",)), call.words("expand")
        return Response(
            {
                "issues": [
                    with_properties(
                        whole(self.render, each, fields, expand), each, call.words("properties")
                    )
                    for each in found.values()
                    if each
                ],
                "issueErrors": [
                    {"id": name, "errorMessage": MISSING}
                    for name, ticket in found.items()
                    if ticket is None
                ],
            }
        )

    def _remaining_ids(self, call: RoutedRequest) -> tuple[str, ...]:
        """Return the ids still to be given."""
        token = call.text("nextPageToken")
        if not token:
            return tuple(ticket.id for ticket in self._find(call))
        left = self._searches.rest(call.text("jql"), token)
        if left is None:
            refuse(400, "The provided next page token is invalid or expired.")
        return left

    def _find(self, call: RoutedRequest) -> list[Ticket]:
        search = JqlSearch(
            self.jira.company, self.jira.tickets, self.jira.clock.now(), self.render.parts.zone
        )
        try:
            return search.find(call.text("jql"), frozenset(call.words("reconcileIssues")))
        except JqlError as error:
            refuse(400, str(error))

    def _hit(self, ticket: Ticket, fields: tuple[str, ...], call: RoutedRequest) -> JSON:
        if set(fields) == {"id"}:
            return {"id": ticket.id}
        shown = whole(self.render, ticket, fields, call.words("expand"))
        return with_properties(shown, ticket, call.words("properties"))
