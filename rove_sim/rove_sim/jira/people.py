"""The current user, and the site's details."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from rove_sim import ids
from rove_sim.jira.errors import error_reply
from rove_sim.jira.parts import SiteValues
from rove_sim.parameters import one_of, some_of, taking, text, within, words
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_sim.jira.site import Jira

_MOST = 50
#: Permissions that a project gives, with their titles.
_PERMISSIONS = {
    "BROWSE_PROJECTS": "Browse Projects",
    "CREATE_ISSUES": "Create Issues",
    "EDIT_ISSUES": "Edit Issues",
    "ADD_COMMENTS": "Add Comments",
    "CREATE_ATTACHMENTS": "Create Attachments",
}
_SCOPES = ("read:jira-work", "read:jira-user", "offline_access")
_PAGES = ("read:page:confluence", "offline_access")


@frozen
class People:
    """Answers requests about the site, its reader and its projects."""

    jira: "Jira"
    parts: SiteValues

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        projects = taking(
            startAt=within(0, 10**6),
            maxResults=within(1, 10**6),
            query=text,
            keys=words,
            orderBy=one_of("key", "-key", "+key", "name", "-name", "+name"),
            expand=some_of("description", "lead", "url"),
        )
        me = taking(expand=some_of("groups", "applicationRoles"))
        one = taking(accountId=text)
        rights = taking(permissions=words)
        api = "/rest/api/3"
        return [
            VendorRoute(method="GET", path=f"{api}/myself", answer=self.myself, query=me),
            VendorRoute(
                method="GET", path=f"{api}/mypermissions", answer=self.permissions, query=rights
            ),
            VendorRoute(method="GET", path=f"{api}/user", answer=self.user, query=one),
            VendorRoute(method="GET", path=f"{api}/serverInfo", answer=self.server),
            VendorRoute(
                method="GET", path=f"{api}/project/search", answer=self.projects, query=projects
            ),
            VendorRoute(method="GET", path="/_edge/tenant_info", answer=self.tenant, open=True),
            VendorRoute(
                method="GET", path="/oauth/token/accessible-resources", answer=self.resources
            ),
        ]

    def myself(self, call: RoutedRequest) -> Response:
        """Return the owner of the login."""
        me = self.jira.company.owner
        groups: dict[str, JSON] = {name: {"size": 0, "items": []} for name in call.words("expand")}
        return Response(
            {
                **self.parts.user(me),
                "emailAddress": me.email,
                "locale": "en_US",
                "expand": "groups,applicationRoles",
                **groups,
            }
        )

    def permissions(self, call: RoutedRequest) -> Response:
        """Return the person's permissions; a token's scopes are not reported."""
        names = call.words("permissions")
        if not names:
            return error_reply(400, "The 'permissions' query parameter is required.")
        if unknown := [each for each in names if each not in _PERMISSIONS]:
            return error_reply(400, f"Unrecognized permissions: {', '.join(unknown)}")
        refusal = self.jira.read_only(call.request)
        is_reader = refusal is not None and refusal[0] == 403
        found: dict[str, JSON] = {
            each: {
                "id": str(10 + [*_PERMISSIONS].index(each)),
                "key": each,
                "name": _PERMISSIONS[each],
                "type": "PROJECT",
                "description": "",
                "havePermission": each == "BROWSE_PROJECTS" or not is_reader,
            }
            for each in names
        }
        return Response({"permissions": found})

    def user(self, call: RoutedRequest) -> Response:
        """Return a person."""
        for person in self.jira.company.people:
            if person.jira == call.text("accountId"):
                return Response(self.parts.user(person))
        return error_reply(
            404, "Specified user does not exist or you do not have required permissions"
        )

    def server(self, _: RoutedRequest) -> Response:
        """Say what kind of Jira it is, and where."""
        now = self.jira.clock.now()
        return Response(
            {
                "baseUrl": self.jira.address,
                "displayUrl": self.jira.address,
                "version": "1001.0.0-SNAPSHOT",
                "versionNumbers": [1001, 0, 0],
                "deploymentType": "Cloud",
                "buildNumber": 100_300,
                "buildDate": self.parts.time(now),
                "serverTime": self.parts.time(now),
                "scmInfo": "0" * 40,
                "serverTitle": "Jira",
                "defaultLocale": {"locale": "en_US"},
            }
        )

    def projects(self, call: RoutedRequest) -> Response:
        """Give a page of the projects."""
        words = call.text("query").lower()
        keys = call.words("keys")
        found = [
            each
            for each in self.jira.tickets.projects()
            if words in f"{each.key} {each.name}".lower() and (not keys or each.key in keys)
        ]
        order = call.text("orderBy", "key")
        found.sort(
            key=lambda each: each.name if order.endswith("name") else each.key,
            reverse=order.startswith("-"),
        )
        start = call.number("startAt")
        most = self.jira.conduct.page(call.number("maxResults", _MOST), _MOST)
        page = found[start : start + most]
        return Response(
            {
                "self": f"{self.jira.address}/rest/api/3/project/search",
                "maxResults": most,
                "startAt": start,
                "total": len(found),
                "isLast": start + most >= len(found),
                "values": [self.parts.project(project) for project in page],
            }
        )

    def tenant(self, _: RoutedRequest) -> Response:
        """Return the site's id, without a login."""
        return Response({"cloudId": self.jira.cloud_id})

    def resources(self, call: RoutedRequest) -> Response:
        """List the sites that a bearer token opens, once for each product that it opens there."""
        sites = [(self.jira.cloud_id, self.jira.address)]
        sites += [(ids.uuid(each), each) for each in self.jira.other_sites]
        resources = [_resource(*site, _SCOPES) for site in sites]
        if self.jira.reads_pages(call.request):
            resources += [_resource(*site, _PAGES) for site in sites]
        return Response(resources)


def _resource(cloud: str, address: str, scopes: "Sequence[str]") -> "JSON":
    return {
        "id": cloud,
        "url": address,
        "name": address.removeprefix("https://").partition(".")[0],
        "scopes": list(scopes),
        "avatarUrl": f"{address}/avatar.png",
    }
