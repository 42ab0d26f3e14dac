"""Tasks as work items: read, change, create and comment on them."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from attrs import frozen

from rove_asana.api import AsanaApi, object_of, segment
from rove_asana.items import AsanaItems
from rove_asana.replies import NamedObject, StoryReply, TaskReply
from rove_asana.rich_text import markdown_to_rich_text, rich_text_to_markdown, with_mark
from rove_asana.statuses import (
    COMPLETED,
    OPEN,
    home,
    named_status,
    options_of,
    section_status,
    status_field,
)
from rove_asana.task_reader import TASK, TaskReader
from rove_asana.work_items import task_fields, work_item
from rove_core import (
    JSON,
    Clock,
    Conflict,
    ItemNotFound,
    ItemRef,
    NewComment,
    NewWorkItem,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WrongCall,
    find_hidden_mark,
    hidden_mark,
    without_hidden_marks,
)

#: Tags that a message names.
_FEW: Final = 20
#: How long a task can be found by the key that it was created with.
_REMEMBERED: Final = timedelta(days=30)
_OWN_STORY: Final = "type,created_by.name,html_text"


@frozen
class AsanaWork:
    """Reads and changes the tasks of a workspace as one of its members.

    Attributes:
        api: Requests to the vendor.
        tasks: Reads tasks.
        items: Creates references to items.
        workspace: The id of the workspace.
        who: The id of the person.
        clock: The clock.
    """

    api: AsanaApi
    tasks: TaskReader
    items: AsanaItems
    workspace: str
    who: str
    clock: Clock

    def of(self, task: TaskReply) -> WorkItem:
        """Return a task as work."""
        return work_item(self.items.mentions, task)

    async def read(self, ref: ItemRef) -> WorkItem:
        """Return the current state of a task."""
        return self.of(await self.tasks.task(ref))

    async def options(self, ref: ItemRef) -> list[StatusOption]:
        """Return the statuses that a task can take."""
        task = await self.tasks.task(ref)
        own = self.of(task).status.name
        possible = {each.name: each for each in await self._statuses(task)}
        return [each.option for name, each in possible.items() if name != own]

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change a task; Asana cannot guard that, so it is read right before.

        Some fields have a request of their own. Each can be sent again.
        """
        task = await self.tasks.task(ref)
        before = self.of(task)
        if change.if_revision not in ("", before.revision):
            raise Conflict(f"{ref.id} was changed at {before.updated:%Y-%m-%d %H:%M:%S} UTC")
        if other := [name for name in change.fields if name not in before.changeable]:
            raise WrongCall(f"{ref.id} has no {other[0]}: its projects have no such field")
        if not change.fields:
            return before
        place = f"tasks/{segment(task.gid)}"
        step = await self._step(task, change.status) if change.status else None
        tags = await self._tags(change.labels or ())
        fields = _merge_fields(task_fields(change, task), step.fields if step else {})
        if fields:
            await self.api.change("PUT", place, fields)
        if step and step.section:
            moved: JSON = task.gid
            await self.api.change("POST", f"sections/{step.section}/addTask", {"task": moved})
        if "labels" in change.fields:
            await self._label(task, tags)
        if "parent" in change.fields:
            parent = change.parent.id if change.parent else None
            await self.api.change("POST", f"{place}/setParent", {"parent": parent})
        return await self.read(self.items.mentions.ref(task.gid))

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Create a task, unless one of this person's has its key."""
        if new.type not in {"ticket", "subtask"} or new.type_name:
            raise WrongCall(f"an Asana task cannot be a {new.type_name or new.type}")
        project = await self._project(new.container)
        there = await self._find_created(new, project)
        if there:
            return self.of(there)
        notes = with_mark(markdown_to_rich_text(new.description), hidden_mark(new.key))
        where: dict[str, JSON] = (
            {"parent": new.parent.id} if new.parent else {"projects": [project]}
        )
        fields = {"name": new.title, "html_notes": notes, **where}
        reply = await self.api.change("POST", "tasks", fields, fields=TASK)
        return self.of(object_of(reply, TaskReply))

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a task, or change the comment with this key."""
        task = await self.tasks.task(ref)
        place = f"tasks/{segment(task.gid)}/stories"
        if not comment.content.strip():
            raise WrongCall(f"a comment on {ref.id} must not be empty")
        mark = hidden_mark(comment.key)
        html = with_mark(markdown_to_rich_text(comment.content), mark)
        async for story in self.api.list(place, StoryReply, _OWN_STORY):
            # Others may copy what they cannot see.
            if self._is_own(story.created_by) and find_hidden_mark(story.html_text) == mark:
                if _words(story.html_text) != _words(html):
                    await self.api.change(
                        "PUT", f"stories/{segment(story.gid)}", {"html_text": html}, repeatable=True
                    )
                return self.items.part("comment", task.gid, story.gid)
        reply = await self.api.change("POST", place, {"html_text": html})
        made = object_of(reply, NamedObject)
        return self.items.part("comment", task.gid, made.gid)

    async def _statuses(self, task: TaskReply) -> list["_StatusStep"]:
        """Return the statuses of a task: of its "Status" field, or its first project's sections."""
        done = _StatusStep(StatusOption(status=COMPLETED), {"completed": True})
        if field := status_field(task):
            chosen = [
                _StatusStep(
                    StatusOption(status=named_status(each.name)),
                    {"completed": False, "custom_fields": {field.gid: each.gid}},
                )
                for each in options_of(field)
            ]
            return [*chosen, done]
        project, _ = home(task)
        sections = await self._sections(project.gid) if project else []
        if not sections:
            return [_StatusStep(StatusOption(status=OPEN), {"completed": False}), done]
        steps = [
            _StatusStep(
                StatusOption(status=section_status(each.name)), {"completed": False}, each.gid
            )
            for each in sections
        ]
        return [*(each for each in steps if each.name != done.name), done]

    async def _sections(self, project: str) -> list[NamedObject]:
        path = f"projects/{segment(project)}/sections"
        return [each async for each in self.api.list(path, NamedObject, "name")]

    async def _step(self, task: TaskReply, name: str) -> "_StatusStep":
        """Return the step that gives a task a status; nothing is sent if it has it."""
        steps = await self._statuses(task)
        for each in steps:
            if each.name == name:
                section = home(task)[1]
                is_there = section is not None and section.gid == each.section
                fields = {
                    key: value
                    for key, value in each.fields.items()
                    if key != "completed" or value != task.completed
                }
                return _StatusStep(each.option, fields, "" if is_there else each.section)
        possible = ", ".join(dict.fromkeys(each.name for each in steps))
        raise WrongCall(f"{task.gid} cannot become {name!r}, only {possible}")

    async def _tags(self, names: Sequence[str]) -> dict[str, str]:
        """Return the ids of tags."""
        if not names:
            return {}
        path = f"workspaces/{segment(self.workspace)}/tags"
        by_name = {each.name: each.gid async for each in self.api.list(path, NamedObject, "name")}
        if lacking := [name for name in names if name not in by_name]:
            possible = ", ".join(sorted(by_name)[:_FEW])
            raise WrongCall(f"Asana has no tag {lacking[0]!r} in this workspace, but {possible}")
        return {name: by_name[name] for name in names}

    async def _label(self, task: TaskReply, tags: dict[str, str]) -> None:
        """Add and remove tags of a task."""
        place = f"tasks/{segment(task.gid)}"
        own = {each.gid for each in task.tags}
        for verb, gids in (
            ("addTag", {*tags.values()} - own),
            ("removeTag", own - {*tags.values()}),
        ):
            for gid in sorted(gids):
                await self.api.change("POST", f"{place}/{verb}", {"tag": gid}, repeatable=True)

    async def _project(self, name: str) -> str:
        """Return the id of a project, given by that or by its name."""
        path = f"workspaces/{segment(self.workspace)}/projects"
        found = self.api.list(path, NamedObject, "name", archived=False)
        fitting = [each.gid async for each in found if name in (each.gid, each.name)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise WrongCall(f"several projects are named {name}: give the id of one")
        raise ItemNotFound(f"project {name}: not found, or not visible to this account")

    async def _find_created(self, new: NewWorkItem, project: str) -> TaskReply | None:
        """Return the task that was created with a key; it bears the key's mark."""
        if new.parent:
            found = self.api.list(f"tasks/{segment(new.parent.id)}/subtasks", TaskReply, TASK)
        else:
            since = (self.clock.now() - _REMEMBERED).isoformat()
            found = self.api.list("tasks", TaskReply, TASK, project=project, modified_since=since)
        mark = hidden_mark(new.key)
        async for task in found:
            if self._is_own(task.created_by) and find_hidden_mark(task.html_notes) == mark:
                return task
        return None

    def _is_own(self, author: NamedObject | None) -> bool:
        return not self.who or (author is not None and author.gid == self.who)


@frozen
class _StatusStep:
    """A change that leads to a status.

    Attributes:
        option: The status.
        fields: The fields of the task that it takes.
        section: The section that the task is put into; empty for none.
    """

    option: StatusOption
    fields: dict[str, JSON]
    section: str = ""

    @property
    def name(self) -> str:
        """The name of the status."""
        return self.option.status.name


def _words(html: str) -> str:
    """Return what people read in a rich text; Asana may write it in another way."""
    return rich_text_to_markdown(without_hidden_marks(html))


def _merge_fields(one: dict[str, JSON], other: dict[str, JSON]) -> dict[str, JSON]:
    """Return fields with others, custom fields of both included."""
    custom: dict[str, JSON] = {}
    for fields in (one, other):
        values = fields.get("custom_fields")
        custom |= values if isinstance(values, dict) else {}
    return {**one, **other, **({"custom_fields": custom} if custom else {})}
