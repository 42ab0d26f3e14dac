"""A ticket and its parts."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core import JSON
from rove_sim.company_jira import Ticket
from rove_sim.jira import development
from rove_sim.jira.errors import MISSING, refuse
from rove_sim.jira.fields import FieldRenderer, chosen
from rove_sim.parameters import flag, one_of, some_of, taking, text, within, words
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.jira.site import Jira

_MOST = 100
_MOST_CHANGES_INSIDE = 40
_ORDERS = ("created", "+created", "-created")
#: What a ticket can bring besides its fields.
EXPAND = some_of("names", "schema", "renderedFields", "changelog")


@frozen
class IssueViews:
    """Answers requests about one ticket."""

    jira: "Jira"
    render: FieldRenderer

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        issue = "/rest/api/3/issue/{key}"
        whole = taking(
            fields=words,
            fieldsByKeys=flag,
            expand=EXPAND,
            properties=words,
            updateHistory=flag,
            failFast=flag,
        )
        pages = taking(startAt=within(0, 10**6), maxResults=within(0, 10**6))
        comments = taking(**pages.readers, orderBy=one_of(*_ORDERS), expand=some_of("renderedBody"))
        one = taking(expand=some_of("renderedBody"))
        links = taking(globalId=text)
        return [
            VendorRoute(method="GET", path=issue, answer=self.issue, query=whole),
            VendorRoute(
                method="GET", path=f"{issue}/comment", answer=self.comments, query=comments
            ),
            VendorRoute(
                method="GET", path=f"{issue}/comment/{{id}}", answer=self.comment, query=one
            ),
            VendorRoute(
                method="GET", path=f"{issue}/changelog", answer=self.changelog, query=pages
            ),
            VendorRoute(method="GET", path=f"{issue}/remotelink", answer=self.links, query=links),
        ]

    def issue(self, call: RoutedRequest) -> Response:
        """Give a ticket: all its fields, unless some are named."""
        fields = call.words("fields", ("*all",))
        ticket = self._ticket(call)
        shown = whole(self.render, ticket, fields, call.words("expand"))
        return Response(with_properties(shown, ticket, call.words("properties")))

    def comments(self, call: RoutedRequest) -> Response:
        """Give a page of the comments."""
        ticket = self._ticket(call)
        found = sorted(ticket.comments, key=lambda each: each.at)
        if call.text("orderBy").startswith("-"):
            found.reverse()
        rendered = "renderedBody" in call.words("expand")
        show = partial(self.render.discussion.comment, ticket, rendered=rendered)
        start, most = self._page(call)
        return Response(
            {
                "startAt": start,
                "maxResults": most,
                "total": len(found),
                "comments": [show(each) for each in found[start : start + most]],
            }
        )

    def comment(self, call: RoutedRequest) -> Response:
        """Give one comment."""
        ticket = self._ticket(call)
        found = [each for each in ticket.comments if each.id == call.path["id"]]
        if not found:
            refuse(404, f"Can not find a comment for the id: {call.path['id']}.")
        rendered = "renderedBody" in call.words("expand")
        return Response(self.render.discussion.comment(ticket, found[0], rendered=rendered))

    def changelog(self, call: RoutedRequest) -> Response:
        """Give a page of the history, the oldest line first."""
        ticket = self._ticket(call)
        found = self.render.discussion.history(ticket)
        start, most = self._page(call)
        address = f"{self.jira.address}/rest/api/3/issue/{ticket.key}/changelog?maxResults={most}"
        page: dict[str, JSON] = {
            "self": f"{address}&startAt={start}",
            "maxResults": most,
            "startAt": start,
            "total": len(found),
            "isLast": start + most >= len(found),
            "values": found[start : start + most],
        }
        if not page["isLast"]:
            page["nextPage"] = f"{address}&startAt={start + most}"
        return Response(page)

    def links(self, call: RoutedRequest) -> Response:
        """Give the pages elsewhere; those of one global id when it is named."""
        links = self.render.discussion.remote_links(self._ticket(call))
        global_id = call.text("globalId")
        return Response([each for each in links if not global_id or global_id in str(each)])

    def _ticket(self, call: RoutedRequest) -> Ticket:
        ticket = self.jira.tickets.find(call.path["key"])
        return ticket or refuse(404, MISSING)

    def _page(self, call: RoutedRequest) -> tuple[int, int]:
        most = call.number("maxResults", _MOST) or _MOST
        return call.number("startAt"), self.jira.conduct.page(most, _MOST)


def with_properties(
    shown: dict[str, JSON], ticket: Ticket, names: tuple[str, ...]
) -> dict[str, JSON]:
    """Return a ticket with the requested properties."""
    if not names:
        return shown
    found = {name: value for name, value in ticket.properties.items() if name in names}
    return {**shown, "properties": found}


def whole(
    render: FieldRenderer, ticket: Ticket, fields: tuple[str, ...], expand: tuple[str, ...]
) -> dict[str, JSON]:
    """Return a ticket with the requested fields and expansions."""
    values = chosen(render.fields(ticket), fields)
    payload: dict[str, JSON] = {
        "expand": "renderedFields,names,schema,operations,editmeta,changelog",
        "id": ticket.id,
        "self": f"{render.parts.site}/rest/api/3/issue/{ticket.id}",
        "key": ticket.key,
    }
    if values:
        payload["fields"] = values
    if "renderedFields" in expand:
        rendered = render.rendered(ticket)
        payload["renderedFields"] = {name: rendered.get(name) for name in values}
    names = {name: called for name, called in render.names(ticket).items() if name in values}
    if "names" in expand:
        payload["names"] = names
    if "schema" in expand:
        own: dict[str, JSON] = {development.FIELD: development.SCHEMA}
        payload["schema"] = {name: own.get(name, {"type": "any", "system": name}) for name in names}
    if "changelog" in expand:
        lines = render.discussion.history(ticket)
        shown = lines[::-1][:_MOST_CHANGES_INSIDE]
        payload["changelog"] = {
            "startAt": 0,
            "maxResults": len(shown),
            "total": len(lines),
            "histories": shown,
        }
    return payload
