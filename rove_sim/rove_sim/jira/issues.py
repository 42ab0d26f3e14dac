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

    def issue(self, asked: RoutedRequest) -> Response:
        """Give a ticket: all its fields, unless some are named."""
        fields = asked.words("fields", ("*all",))
        ticket = self._ticket(asked)
        shown = whole(self.render, ticket, fields, asked.words("expand"))
        return Response(with_properties(shown, ticket, asked.words("properties")))

    def comments(self, asked: RoutedRequest) -> Response:
        """Give a page of the comments."""
        ticket = self._ticket(asked)
        found = sorted(ticket.comments, key=lambda each: each.at)
        if asked.text("orderBy").startswith("-"):
            found.reverse()
        rendered = "renderedBody" in asked.words("expand")
        show = partial(self.render.discussion.comment, ticket, rendered=rendered)
        start, most = self._page(asked)
        return Response(
            {
                "startAt": start,
                "maxResults": most,
                "total": len(found),
                "comments": [show(each) for each in found[start : start + most]],
            }
        )

    def comment(self, asked: RoutedRequest) -> Response:
        """Give one comment."""
        ticket = self._ticket(asked)
        found = [each for each in ticket.comments if each.id == asked.path["id"]]
        if not found:
            refuse(404, f"Can not find a comment for the id: {asked.path['id']}.")
        rendered = "renderedBody" in asked.words("expand")
        return Response(self.render.discussion.comment(ticket, found[0], rendered=rendered))

    def changelog(self, asked: RoutedRequest) -> Response:
        """Give a page of the history, the oldest line first."""
        ticket = self._ticket(asked)
        found = self.render.discussion.history(ticket)
        start, most = self._page(asked)
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

    def links(self, asked: RoutedRequest) -> Response:
        """Give the pages elsewhere; those of one global id when it is named."""
        links = self.render.discussion.remote_links(self._ticket(asked))
        wanted = asked.text("globalId")
        return Response([each for each in links if not wanted or wanted in str(each)])

    def _ticket(self, asked: RoutedRequest) -> Ticket:
        ticket = self.jira.tickets.find(asked.path["key"])
        return ticket or refuse(404, MISSING)

    def _page(self, asked: RoutedRequest) -> tuple[int, int]:
        most = asked.number("maxResults", _MOST) or _MOST
        return asked.number("startAt"), self.jira.conduct.page(most, _MOST)


def with_properties(
    shown: dict[str, JSON], ticket: Ticket, wanted: tuple[str, ...]
) -> dict[str, JSON]:
    """Return a ticket with the requested properties."""
    if not wanted:
        return shown
    found = {name: value for name, value in ticket.properties.items() if name in wanted}
    return {**shown, "properties": found}


def whole(
    render: FieldRenderer, ticket: Ticket, fields: tuple[str, ...], expand: tuple[str, ...]
) -> dict[str, JSON]:
    """Return a ticket with the requested fields and expansions."""
    known = chosen(render.fields(ticket), fields)
    said: dict[str, JSON] = {
        "expand": "renderedFields,names,schema,operations,editmeta,changelog",
        "id": ticket.id,
        "self": f"{render.parts.site}/rest/api/3/issue/{ticket.id}",
        "key": ticket.key,
    }
    if known:
        said["fields"] = known
    if "renderedFields" in expand:
        rendered = render.rendered(ticket)
        said["renderedFields"] = {name: rendered.get(name) for name in known}
    names = {name: called for name, called in render.names(ticket).items() if name in known}
    if "names" in expand:
        said["names"] = names
    if "schema" in expand:
        own: dict[str, JSON] = {development.FIELD: development.SCHEMA}
        said["schema"] = {name: own.get(name, {"type": "any", "system": name}) for name in names}
    if "changelog" in expand:
        lines = render.discussion.history(ticket)
        shown = lines[::-1][:_MOST_CHANGES_INSIDE]
        said["changelog"] = {
            "startAt": 0,
            "maxResults": len(shown),
            "total": len(lines),
            "histories": shown,
        }
    return said
