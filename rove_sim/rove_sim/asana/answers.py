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

    def user(self, asked: RoutedRequest) -> Response:
        """Return a person; ``me`` is the token's owner."""
        gid, owner = asked.path["user"], self.asana.company.owner
        person = owner if gid == "me" else self._workspace.person(gid)
        record = records.user_record(self._workspace, person)
        others: list[JSON] = [
            {"gid": asana_gid(f"workspace/{name}"), "resource_type": "workspace", "name": name}
            for name in self.asana.workspaces
        ]
        own = records.workspace_record(self._workspace)
        return _one(asked, {**record, "workspaces": [own, *others]})

    def projects(self, asked: RoutedRequest) -> Response:
        """List the projects that can be seen."""
        self._check(asked)
        wanted = asked.given.get("archived")
        found = [
            each for each in self._workspace.projects() if wanted is None or each.archived == wanted
        ]
        return self._list(asked, [records.project_record(self._workspace, each) for each in found])

    def project(self, asked: RoutedRequest) -> Response:
        """Return a project."""
        project = self._workspace.project(asked.path["project"])
        return _one(asked, records.project_record(self._workspace, project))

    def sections(self, asked: RoutedRequest) -> Response:
        """List the sections of a project."""
        project = self._workspace.project(asked.path["project"])
        return self._list(
            asked, [records.section_record(project, name) for name in project.sections]
        )

    def tags(self, asked: RoutedRequest) -> Response:
        """List the tags."""
        self._check(asked)
        return self._list(asked, [records.tag_record(name) for name in self._workspace.tags()])

    def fields(self, asked: RoutedRequest) -> Response:
        """List the custom fields, for who pays."""
        self._check(asked)
        self._check_plan()
        return self._list(asked, [records.field_record(each) for each in self._workspace.fields()])

    def search(self, asked: RoutedRequest) -> Response:
        """Search, for who pays; there are no pages."""
        self._check(asked)
        self._check_plan()
        return self._hits(asked, found(self._workspace, asked)[: asked.number("limit", 20)])

    def typeahead(self, asked: RoutedRequest) -> Response:
        """Find by the beginnings of words in names."""
        self._check(asked)
        if asked.text("resource_type") != "task":
            raise invalid("resource_type: expected task")
        count = asked.number("count", 20)
        return self._hits(asked, named(self._workspace, asked.text("query"))[:count])

    def by_custom_id(self, asked: RoutedRequest) -> Response:
        """Return the task with a custom id."""
        self._check(asked)
        for task in self._workspace.tasks.values():
            for field, value in records.field_values(self._workspace, task):
                if field.kind == "id" and value == asked.path["id"]:
                    return _one(asked, records.task_record(self._workspace, task))
        raise unknown("task", asked.path["id"])

    def tasks(self, asked: RoutedRequest) -> Response:
        """List the tasks of a project, in its order."""
        if not asked.text("project"):
            raise invalid("You should specify one of project, tag, section, user_task_list")
        tasks = self._workspace.within(self._workspace.project(asked.text("project")))
        if since := asked.text("modified_since"):
            least = _time(since)
            tasks = [each for each in tasks if each.changed >= least]
        return self._tasks(asked, tasks)

    def task(self, asked: RoutedRequest) -> Response:
        """Return a task."""
        task = self._workspace.task(asked.path["task"])
        return _one(asked, records.task_record(self._workspace, task))

    def stories(self, asked: RoutedRequest) -> Response:
        """List the comments and the history of a task, oldest first."""
        task = self._workspace.task(asked.path["task"])
        return self._list(
            asked,
            [records.story_record(self._workspace, task, n) for n in range(len(task.stories))],
        )

    def subtasks(self, asked: RoutedRequest) -> Response:
        """List the parts of a task."""
        task = self._workspace.task(asked.path["task"])
        return self._tasks(asked, self._workspace.below(task))

    def attachments(self, asked: RoutedRequest) -> Response:
        """List the files of a task."""
        task = self._workspace.task(asked.text("parent"))
        origin = asked.request.origin
        return self._list(
            asked,
            [records.attachment_record(task, n, origin) for n in range(len(task.attachments))],
        )

    def asset(self, asked: RoutedRequest) -> Response:
        """Give a file."""
        content = self._workspace.files.get(asked.path["gid"])
        if content is None:
            raise RefusedError(Response(None, 404))
        return Response(content.decode("latin-1"), headers={"content-type": "text/plain"})

    def events(self, asked: RoutedRequest) -> Response:
        """Return a project's events since a sync token."""
        project = self._workspace.project(asked.text("resource"))
        now, happened = self.asana.clock.now(), self._workspace.events
        place, _, issued = asked.text("sync").partition("_")
        start = int(place) if place.isdecimal() else len(happened) + 1
        if start > len(happened) or not self.asana.is_fresh(datetime.fromisoformat(issued)):
            fresh = f"{len(happened)}_{now.isoformat()}"
            raise RefusedError(refusal(412, _TOO_OLD, sync=fresh))
        own = [
            (number, each.record)
            for number, each in enumerate(happened[start:], start + 1)
            if each.project == project.gid
        ]
        some, has_more = own[:_MOST_EVENTS], len(own) > _MOST_EVENTS
        end = some[-1][0] if has_more else len(happened)
        told: list[JSON] = [record for _, record in some]
        sync = f"{end}_{now.isoformat()}"
        return Response({"data": told, "sync": sync, "has_more": has_more})

    def _tasks(self, asked: RoutedRequest, tasks: Sequence[AsanaTask]) -> Response:
        def told(task: AsanaTask) -> JSON:
            return _listed(asked, records.task_record(self._workspace, task))

        return self.asana.page(asked, tasks, told)

    def _hits(self, asked: RoutedRequest, tasks: Iterable[AsanaTask]) -> Response:
        found = (records.task_record(self._workspace, each) for each in tasks)
        return Response({"data": [_listed(asked, each) for each in found]})

    def _list(self, asked: RoutedRequest, found: Sequence[Mapping[str, JSON]]) -> Response:
        return self.asana.page(asked, found, lambda each: _listed(asked, each))

    def _check(self, asked: RoutedRequest) -> None:
        if asked.path["workspace"] != self._workspace.gid:
            raise unknown("workspace", asked.path["workspace"])

    def _check_plan(self) -> None:
        if self.asana.plan == "free":
            message = "Payment Required: this feature is not available for free workspaces."
            raise refused(402, message)


def _one(asked: RoutedRequest, record: Mapping[str, JSON]) -> Response:
    fields = asked.words("opt_fields")
    return Response({"data": select(record, fields) if fields else whole(record)})


def _listed(asked: RoutedRequest, record: Mapping[str, JSON]) -> JSON:
    fields = asked.words("opt_fields")
    return select(record, fields) if fields else compact(record)


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise invalid(f"modified_since: Not a valid datetime: {text}") from None
