"""A simulated Jira Data Center: API v2, wiki markup, personal access tokens."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final
from urllib.parse import quote

import attrs

from rove_core import JSON
from rove_sim.jira.errors import error_reply, unauthenticated
from rove_sim.jira.files import Downloads
from rove_sim.jira.issues import EXPAND, whole
from rove_sim.jira.jql import JqlSearch
from rove_sim.jira.jql_tokens import JqlError
from rove_sim.jira.site import Jira
from rove_sim.jira.wiki import wiki
from rove_sim.parameters import taking, text, typed, within, words
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Request, Response

_API: Final = "/rest/api/2"
_MOST: Final = 1_000
_DEFAULT: Final = 50
#: What only Cloud has.
_CLOUD: Final = (
    "/search/jql",
    "/approximate-count",
    "/bulkfetch",
    "/changelog",
    "/project/search",
    "/attachment/content/{id}",
    "/user",
)
#: What it calls otherwise than Cloud does.
_NAMES: Final = {"issueTypes": "values"}
#: What Cloud tells of a sprint in a ticket.
_SPRINT: Final = {"id", "name", "state", "boardId"}
_FILE: Final = "/secure/attachment/{id}/{name}"


class JiraDataCenter(Jira):
    """Answers as a Jira that a company runs itself, which a personal access token opens."""

    person_key: ClassVar[str] = "name"
    parents_stay: ClassVar[bool] = True

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        found = [
            attrs.evolve(
                route,
                path=route.path.replace("/rest/api/3", _API),
                answer=partial(_answered, route.answer),
            )
            for route in super().routes()
            if route.path.startswith("/rest/") and not route.path.endswith(_CLOUD)
        ]
        search = taking(
            jql=text,
            startAt=typed(int, within(0, 10**6)),
            maxResults=typed(int, within(0, 10**6)),
            fields=typed(list, words),
            expand=typed(list, EXPAND),
        )
        return [
            *found,
            VendorRoute(method="POST", path=f"{_API}/search", answer=self._search, body=search),
            VendorRoute(method="GET", path=f"{_API}/project", answer=self._projects),
            VendorRoute(method="GET", path=_FILE, answer=Downloads(self).download_by_name),
        ]

    def admit(self, request: Request, route: VendorRoute) -> Response | None:  # noqa: ARG002  # all want the same
        """Let a personal access token in."""
        header = request.headers.get("authorization", "")
        tokens = filter(None, (self.company.token, self.reader_token))
        if header in [f"Bearer {token}" for token in tokens]:
            return None
        return unauthenticated(sent_login=bool(header))

    def read_only(self, request: Request) -> tuple[int, str] | None:
        """Return the refusal for a read-only token; None for others."""
        if request.headers.get("authorization", "") != f"Bearer {self.reader_token}":
            return None
        return 403, "You do not have permission to edit issues in this project."

    def is_text(self, value: JSON) -> bool:
        """Return whether a value is wiki markup, or at least a text."""
        return isinstance(value, str)

    def unknown(self, request: Request, methods: Sequence[str]) -> Response:  # noqa: ARG002  # it says the same to all
        """Answer a path that is none, as those of Cloud are."""
        return Response({"message": "null for uri: " + request.path, "status-code": 404}, 404)

    def _search(self, call: RoutedRequest) -> Response:
        render = self.renderer
        try:
            now, zone = self.clock.now(), render.parts.zone
            found = JqlSearch(self.company, self.tickets, now, zone).find(call.text("jql"))
        except JqlError as error:
            return error_reply(400, str(error))
        start = call.number("startAt")
        most = self.conduct.page(call.number("maxResults", _DEFAULT), _MOST)
        fields, expand = call.words("fields", ("*navigable",)), call.words("expand")
        shown = [whole(render, each, fields, expand) for each in found[start : start + most]]
        page: dict[str, JSON] = {"startAt": start, "maxResults": most, "total": len(found)}
        return _as_data_center(Response({**page, "issues": [*shown]}))

    def _projects(self, call: RoutedRequest) -> Response:  # noqa: ARG002  # nothing can be asked for
        parts = self.renderer.parts
        return Response([parts.project(each) for each in self.tickets.projects()])


def _answered(answer: Callable[[RoutedRequest], Response], call: RoutedRequest) -> Response:
    return _as_data_center(answer(call))


def _as_data_center(response: Response) -> Response:
    return attrs.evolve(response, value=_converted(response.value))


def _converted(value: JSON) -> JSON:
    """Return what Cloud sends as Data Center does: wiki markup, and people by their names."""
    if isinstance(value, Mapping):
        if value.get("type") == "doc":
            return wiki(value).strip()
        if "accountId" in value:
            return _person(value)
        if "filename" in value:
            value = {**value, "content": _download(value)}
        if value.keys() == _SPRINT:
            return _sprint(value)
        payload = {_NAMES.get(name, name): _converted(each) for name, each in value.items()}
        payload.pop("hierarchyLevel", None)
        if payload.get("deploymentType") == "Cloud":
            payload |= {"deploymentType": "Server", "version": "10.3.2"}
        return payload
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_converted(each) for each in value]
    return value


def _person(cloud: Mapping[str, JSON]) -> JSON:
    fields = ("displayName", "active", "timeZone", "emailAddress", "avatarUrls", "locale")
    name = cloud["accountId"]
    return {"name": name, "key": name, **{each: cloud[each] for each in fields if each in cloud}}


def _sprint(cloud: Mapping[str, JSON]) -> str:
    """Return a sprint as Data Center prints it in a ticket."""
    parts = {"id": cloud["id"], "rapidViewId": cloud["boardId"]}
    parts |= {"state": str(cloud["state"]).upper(), "name": cloud["name"], "goal": "<null>"}
    values = ",".join(f"{name}={value}" for name, value in parts.items())
    return f"com.atlassian.greenhopper.service.sprint.Sprint@5c01f1a7[{values}]"


def _download(file: Mapping[str, JSON]) -> str:
    site = str(file["self"]).partition("/rest/")[0]
    return f"{site}/secure/attachment/{file['id']}/{quote(str(file['filename']))}"
