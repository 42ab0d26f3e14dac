"""Asana's answers to queries."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import JSON
from rove_sim.asana import records
from rove_sim.asana.records import compact, select, whole
from rove_sim.asana.refusals import invalid, refusal, refused, unknown
from rove_sim.asana.search import found, named
from rove_sim.asana.workspace import AsanaWorkspace
from rove_sim.company_asana import AsanaTask, asana_gid
from rove_sim.routes import RefusedError, RoutedRequest
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.asana.vendor import Asana

#: Events that one reply holds.
_MOST_EVENTS: Final = 100
_TOO_OLD: Final = (
    "Sync token invalid or too old. If you are attempting to keep resources in sync, you must "
    "fetch the full dataset for this query now and use the new sync token for the next sync."
)


@frozen
class AsanaAnswers:
    """Answers queries from the workspace's content."""

    asana: "Asana"

    @property
    def _workspace(self) -> AsanaWorkspace:
        return self.asana.workspace

    def user(self, call: RoutedRequest) -> Response:
        """Return a person; ``me`` is the token's owner."""
        gid, owner = call.path["user"], self.asana.company.owner
        person = owner if gid == "me" else self._workspace.person(gid)
        record = records.user_record(self._workspace, person)
        others: list[JSON] = [
            {"gid": asana_gid(f"workspace/{name}"), "resource_type": "workspace", "name": name}
            for name in self.asana.workspaces
        ]
        own = records.workspace_record(self._workspace)
        return _one(call, {**record, "workspaces": [own, *others]})

    def projects(self, call: RoutedRequest) -> Response:
        """List the projects that can be seen."""
        self._check(call)
        archived = call.values.get("archived")
        found = [
            each
            for each in self._workspace.projects()
            if archived is None or each.archived == archived
        ]
        return self._list(call, [records.project_record(self._workspace, each) for each in found])

    def project(self, call: RoutedRequest) -> Response:
        """Return a project."""
        project = self._workspace.project(call.path["project"])
        return _one(call, records.project_record(self._workspace, project))

    def sections(self, call: RoutedRequest) -> Response:
        """List the sections of a project."""
        project = self._workspace.project(call.path["project"])
        return self._list(
            call, [records.section_record(project, name) for name in project.sections]
        )

    def tags(self, call: RoutedRequest) -> Response:
        """List the tags."""
        self._check(call)
        return self._list(call, [records.tag_record(name) for name in self._workspace.tags()])

    def fields(self, call: RoutedRequest) -> Response:
        """List the custom fields, for who pays."""
        self._check(call)
        self._check_plan()
        return self._list(call, [records.field_record(each) for each in self._workspace.fields()])

    def search(self, call: RoutedRequest) -> Response:
        """Search, for who pays; there are no pages."""
        self._check(call)
        self._check_plan()
        return self._hits(call, found(self._workspace, call)[: call.number("limit", 20)])

    def typeahead(self, call: RoutedRequest) -> Response:
        """Find by the beginnings of words in names."""
        self._check(call)
        if call.text("resource_type") != "task":
            raise invalid("resource_type: expected task")
        count = call.number("count", 20)
        return self._hits(call, named(self._workspace, call.text("query"))[:count])

    def by_custom_id(self, call: RoutedRequest) -> Response:
        """Return the task with a custom id."""
        self._check(call)
        for task in self._workspace.tasks.values():
            for field, value in records.field_values(self._workspace, task):
                if field.kind == "id" and value == call.path["id"]:
                    return _one(call, records.task_record(self._workspace, task))
        raise unknown("task", call.path["id"])

    def tasks(self, call: RoutedRequest) -> Response:
        """List the tasks of a project, in its order."""
        if not call.text("project"):
            raise invalid("You should specify one of project, tag, section, user_task_list")
        tasks = self._workspace.within(self._workspace.project(call.text("project")))
        if since := call.text("modified_since"):
            least = _time(since)
            tasks = [each for each in tasks if each.changed >= least]
        return self._tasks(call, tasks)

    def task(self, call: RoutedRequest) -> Response:
        """Return a task."""
        task = self._workspace.task(call.path["task"])
        return _one(call, records.task_record(self._workspace, task))

    def stories(self, call: RoutedRequest) -> Response:
        """List the comments and the history of a task, oldest first."""
        task = self._workspace.task(call.path["task"])
        return self._list(
            call,
            [records.story_record(self._workspace, task, n) for n in range(len(task.stories))],
        )

    def subtasks(self, call: RoutedRequest) -> Response:
        """List the parts of a task."""
        task = self._workspace.task(call.path["task"])
        return self._tasks(call, self._workspace.below(task))

    def attachments(self, call: RoutedRequest) -> Response:
        """List the files of a task."""
        task = self._workspace.task(call.text("parent"))
        origin = call.request.origin
        return self._list(
            call,
            [records.attachment_record(task, n, origin) for n in range(len(task.attachments))],
        )

    def asset(self, call: RoutedRequest) -> Response:
        """Give a file."""
        content = self._workspace.files.get(call.path["gid"])
        if content is None:
            raise RefusedError(Response(None, 404))
        return Response(content.decode("latin-1"), headers={"content-type": "text/plain"})

    def events(self, call: RoutedRequest) -> Response:
        """Return a project's events since a sync token."""
        project = self._workspace.project(call.text("resource"))
        now, happened = self.asana.clock.now(), self._workspace.events
        forgotten = self.asana.forgotten
        place, _, issued = call.text("sync").partition("_")
        start = int(place) - forgotten if place.isdecimal() else -1
        if not 0 <= start <= len(happened) or not self.asana.is_fresh(
            datetime.fromisoformat(issued)
        ):
            fresh = f"{forgotten + len(happened)}_{now.isoformat()}"
            raise RefusedError(refusal(412, _TOO_OLD, sync=fresh))
        own = [
            (number, each.record)
            for number, each in enumerate(happened[start:], start + 1)
            if each.project == project.gid
        ]
        some, has_more = own[:_MOST_EVENTS], len(own) > _MOST_EVENTS
        end = some[-1][0] if has_more else len(happened)
        data: list[JSON] = [record for _, record in some]
        sync = f"{forgotten + end}_{now.isoformat()}"
        return Response({"data": data, "sync": sync, "has_more": has_more})

    def _tasks(self, call: RoutedRequest, tasks: Sequence[AsanaTask]) -> Response:
        def record_of(task: AsanaTask) -> JSON:
            return _listed(call, records.task_record(self._workspace, task))

        return self.asana.page(call, tasks, record_of)

    def _hits(self, call: RoutedRequest, tasks: Iterable[AsanaTask]) -> Response:
        found = (records.task_record(self._workspace, each) for each in tasks)
        return Response({"data": [_listed(call, each) for each in found]})

    def _list(self, call: RoutedRequest, found: Sequence[Mapping[str, JSON]]) -> Response:
        return self.asana.page(call, found, lambda each: _listed(call, each))

    def _check(self, call: RoutedRequest) -> None:
        if call.path["workspace"] != self._workspace.gid:
            raise unknown("workspace", call.path["workspace"])

    def _check_plan(self) -> None:
        if self.asana.plan == "free":
            message = "Payment Required: this feature is not available for free workspaces."
            raise refused(402, message)


def _one(call: RoutedRequest, record: Mapping[str, JSON]) -> Response:
    fields = call.words("opt_fields")
    return Response({"data": select(record, fields) if fields else whole(record)})


def _listed(call: RoutedRequest, record: Mapping[str, JSON]) -> JSON:
    fields = call.words("opt_fields")
    return select(record, fields) if fields else compact(record)


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise invalid(f"modified_since: Not a valid datetime: {text}") from None
