"""The Asana simulator: authentication, rate limits and routes."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Final, Literal, TypeAlias, TypeVar

from rove_core import JSON
from rove_core.clock import SYSTEM, Clock
from rove_sim.asana.answers import AsanaAnswers
from rove_sim.asana.changes import AsanaChanges
from rove_sim.asana.oauth import TERMS, AsanaOAuth
from rove_sim.asana.refusals import refusal, refused
from rove_sim.asana.workspace import AsanaWorkspace
from rove_sim.company import Company
from rove_sim.company_asana import AsanaTask
from rove_sim.conduct import Conduct
from rove_sim.limits import Limit
from rove_sim.oauth import Terms
from rove_sim.parameters import MalformedError, Parameters, Reader, Wrong, flag, text, within, words
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Request, Response
from rove_sim.vendor import SimulatedVendor

_API: Final = "/api/1.0"
_FREE, _PAID = Limit(150, 60), Limit(1_500, 60)
_SEARCHES: Final = Limit(60, 60)
_WRITES: Final = ("tasks:write", "stories:write", "attachments:write")
_DAY: Final = timedelta(hours=24)

_Thing = TypeVar("_Thing")
_Answer: TypeAlias = Callable[[RoutedRequest], Response]


def _data(value: JSON) -> str:
    """Return the body of a change, whose fields are read later."""
    if isinstance(value, dict):
        return ""
    raise MalformedError("expected an object")


_FIELDS: Final[Mapping[str, Reader]] = {"opt_fields": words}
_PAGES: Final[Mapping[str, Reader]] = {"limit": within(1, 100), "offset": text}
_NARROW: Final[Mapping[str, Reader]] = {"project": text, "modified_since": text}
_SEARCH: Final[Mapping[str, Reader]] = {
    **_FIELDS,
    "text": text,
    "sort_by": text,
    "sort_ascending": flag,
    "modified_at.after": text,
    "modified_at.before": text,
    "limit": within(1, 100),
}
_TYPEAHEAD: Final[Mapping[str, Reader]] = {
    **_FIELDS,
    "resource_type": text,
    "query": text,
    "count": within(1, 100),
}


class Asana(SimulatedVendor):
    """Answers as Asana's API would for one workspace.

    Attributes:
        plan: Which plan the workspace is on; without a paid one there is no search.
        reading_token: A token of somebody who may comment on nothing; none when empty.
        expiring: How many places in lists are refused next, as if they were too old.
        forgotten: How many events are too old for any sync token.
        workspaces: Further workspaces of the person, by their names.
    """

    name: ClassVar[str] = "asana"
    terms: ClassVar[Terms] = TERMS

    def __init__(
        self, company: Company, *, clock: Clock = SYSTEM, conduct: Conduct | None = None
    ) -> None:
        self.plan: Literal["free", "paid"] = "paid"
        self.reading_token = ""
        self.expiring = 0
        self.forgotten = 0
        self.workspaces: tuple[str, ...] = ()
        self.workspace = AsanaWorkspace(company, clock.now)
        super().__init__(company, clock=clock, conduct=conduct)

    def put(self, task: AsanaTask) -> AsanaTask:
        """Add a task, or change it into this one."""
        return self.workspace.put(task)

    def task(self, gid: str) -> AsanaTask:
        """Return a task."""
        return self.workspace.tasks[gid]

    def remove(self, gid: str) -> None:
        """Delete a task."""
        self.workspace.remove(gid)

    def hide(self, project: str) -> None:
        """Take the right to see a project away."""
        self.workspace.hidden.add(project)

    def archive(self, project: str) -> None:
        """Archive a project; whoever sees it still does."""
        self.workspace.archive(project)

    def forget_events(self) -> None:
        """Let all sync tokens expire, for good."""
        self.forgotten += len(self.workspace.events) + 1
        self.workspace.events.clear()

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        answers, changes = AsanaAnswers(self), AsanaChanges(self.workspace)
        space = "/workspaces/{workspace}"
        return [
            _get("/users/{user}", answers.user),
            _get(f"{space}/projects", answers.projects, {**_PAGES, "archived": flag}),
            _get(f"{space}/tags", answers.tags, _PAGES),
            _get(f"{space}/custom_fields", answers.fields, _PAGES),
            _get(f"{space}/tasks/search", answers.search, _SEARCH),
            _get(f"{space}/tasks/custom_id/{{id}}", answers.by_custom_id),
            _get(f"{space}/typeahead", answers.typeahead, _TYPEAHEAD),
            _get("/tasks", answers.tasks, {**_PAGES, **_NARROW}),
            _get("/tasks/{task}", answers.task),
            _get("/tasks/{task}/stories", answers.stories, _PAGES),
            _get("/tasks/{task}/subtasks", answers.subtasks, _PAGES),
            _get("/attachments", answers.attachments, {**_PAGES, "parent": text}),
            _get("/projects/{project}", answers.project),
            _get("/projects/{project}/sections", answers.sections, _PAGES),
            _get("/events", answers.events, {"resource": text, "sync": text}),
            _change("POST", "/tasks", changes.create),
            _change("PUT", "/tasks/{task}", changes.update),
            _change("POST", "/tasks/{task}/stories", changes.comment),
            _change("POST", "/tasks/{task}/addTag", changes.tag),
            _change("POST", "/tasks/{task}/removeTag", changes.tag),
            _change("POST", "/tasks/{task}/setParent", changes.set_parent),
            _change("POST", "/sections/{section}/addTask", changes.move),
            _change("PUT", "/stories/{story}", changes.edit),
            VendorRoute(
                method="POST",
                path=f"{_API}/attachments",
                answer=changes.attach,
                query=Parameters(_FIELDS),
            ),
            VendorRoute(method="GET", path="/assets/{gid}", answer=answers.asset, open=True),
            *AsanaOAuth(self).routes(),
        ]

    def admit(self, request: Request, route: VendorRoute) -> Response | None:
        """Return the refusal of a request without a good token, or of a change it may not make."""
        header = request.headers.get("authorization", "")
        token = header.removeprefix("Bearer ")
        scopes = self._scopes(token) if header.startswith("Bearer ") else None
        if scopes is None:
            return refusal(401, "Not Authorized")
        if route.method != "GET" and not set(_WRITES) <= scopes:
            message = "Forbidden: the token lacks a required scope: tasks:write"
            return refusal(403, message)
        return None

    def limit(self, request: Request, route: VendorRoute) -> Response | None:  # noqa: ARG002  # it counts by the path
        """Return the refusal of a request beyond the limit of a minute."""
        taken = [self.limiter.take(("all",), _FREE if self.plan == "free" else _PAID)]
        if request.path.endswith("/search"):
            taken.append(self.limiter.take(("search",), _SEARCHES))
        wait = max(each.wait for each in taken)
        if not wait:
            return None
        headers = {"retry-after": str(int(wait) + 1)}
        return refusal(429, "You have made too many requests recently.", headers=headers)

    def unknown(self, request: Request, methods: Sequence[str]) -> Response:  # noqa: ARG002  # it says the same to all
        """Answer a path that is none, or one that takes only other methods."""
        return refusal(404, "No matching route for request")

    def malformed(self, route: VendorRoute, wrong: Sequence[Wrong]) -> Response:  # noqa: ARG002  # as above
        """Answer a request with wrong parameters."""
        return refusal(400, f"{wrong[0].name}: {wrong[0]}")

    def failed(self, request: Request, status: int) -> Response:  # noqa: ARG002  # as above
        """Answer as Asana does when it fails or was asked too much."""
        if status == 429:
            headers = {"retry-after": "30"}
            return refusal(429, "You have made too many requests recently.", headers=headers)
        return refusal(status, "Sorry for the inconvenience, there has been a server error")

    def page(
        self, call: RoutedRequest, found: Sequence[_Thing], to_json: Callable[[_Thing], JSON]
    ) -> Response:
        """Return one page of a list, and where the next one begins.

        Args:
            call: The request.
            found: All that the list has.
            to_json: Returns one of them as it stands in the list.
        """
        size = self.conduct.page(call.number("limit", 100), 100)
        start = self._start(call.text("offset"))
        more: JSON = None
        if start + size < len(found):
            offset = f"eyJ0eXAi.{start + size}"
            path = f"{call.request.path.removeprefix(_API)}?limit={size}&offset={offset}"
            more = {"offset": offset, "path": path, "uri": f"{call.request.origin}{_API}{path}"}
        return Response({"data": [*map(to_json, found[start : start + size])], "next_page": more})

    def _start(self, offset: str) -> int:
        if not offset:
            return 0
        start = offset.rpartition(".")[2]
        is_expired, self.expiring = self.expiring > 0, max(0, self.expiring - 1)
        if is_expired or not start.isdecimal():
            raise refused(400, "offset: Your pagination token has expired.")
        return int(start)

    def is_fresh(self, issued: datetime) -> bool:
        """Return whether a sync token that was given at a time is still good."""
        return self.clock.now() - issued < _DAY

    def _scopes(self, token: str) -> set[str] | None:
        """Return the scopes of a token; None if it is invalid."""
        if token == self.company.token:
            return {*_WRITES}
        if self.reading_token and token == self.reading_token:
            return set()
        return set(self.oauth.scope(token).split()) if self.oauth.opens(token) else None


def _get(path: str, answer: _Answer, readers: Mapping[str, Reader] | None = None) -> VendorRoute:
    query = Parameters({**_FIELDS, **(readers or {})})
    return VendorRoute(method="GET", path=f"{_API}{path}", answer=answer, query=query)


def _change(method: str, path: str, answer: _Answer) -> VendorRoute:
    body = Parameters({"data": _data}, frozenset({"data"}))
    return VendorRoute(
        method=method, path=f"{_API}{path}", answer=answer, query=Parameters(_FIELDS), body=body
    )
