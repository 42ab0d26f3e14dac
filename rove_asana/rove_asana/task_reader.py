"""Read one task with its stories, subtasks and files."""

from collections.abc import AsyncGenerator
from typing import Final, TypeVar

from attrs import define, field

from rove_asana.api import AsanaApi, segment
from rove_asana.references import CUSTOM_ID
from rove_asana.replies import AttachmentReply, NamedObject, StoryReply, TaskReply, WholeTask
from rove_core import ItemNotFound, ItemRef, ScopeMissing

_Part = TypeVar("_Part")

#: What is asked of a task in a list, and of one that is read.
TASK: Final = (
    "name,resource_subtype,html_notes,created_at,modified_at,completed,due_on,start_on,"
    "assignee.name,created_by.name,followers.name,memberships.project.name,"
    "memberships.section.name,tags.name,parent.name,num_subtasks,custom_fields.name,"
    "custom_fields.type,custom_fields.representation_type,custom_fields.display_value,"
    "custom_fields.number_value,custom_fields.enum_value.name,custom_fields.enum_options.name,"
    "custom_fields.enum_options.enabled,dependencies,dependents"
)
_STORY: Final = "type,resource_subtype,created_at,created_by.name,text,html_text"
ATTACHMENT: Final = "name,resource_subtype,created_at,download_url,view_url,size"


@define
class TaskReader:
    """Reads tasks by their ids, also by those that a custom field gives.

    Attributes:
        api: Requests to the vendor.
        workspace: The id of the workspace.
        who: Who asks, as people name them.
    """

    api: AsanaApi
    workspace: str
    who: str
    _titles: dict[str, str] = field(factory=dict, init=False)

    async def task(self, ref: ItemRef) -> TaskReply:
        """Return a task without its parts.

        Raises:
            ItemNotFound: It is not there, or not visible.
        """
        try:
            gid = await self._gid(ref.id)
            return await self.api.one(f"tasks/{segment(gid)}", TaskReply, TASK)
        except ItemNotFound as error:
            message = f"{ref.id} is not in Asana, or not visible to {self.who}"
            raise ItemNotFound(message) from error

    async def whole(self, ref: ItemRef) -> WholeTask:
        """Return a task with all its parts."""
        return await self.completed(await self.task(ref))

    async def completed(self, task: TaskReply) -> WholeTask:
        """Return a task that was read, with all its parts."""
        place = f"tasks/{segment(task.gid)}"
        gaps: list[str] = []
        stories = self.api.list(f"{place}/stories", StoryReply, _STORY)
        subtasks = self.api.list(f"{place}/subtasks", TaskReply, "name,completed")
        return WholeTask(
            task=task,
            stories=await _read(stories, "comments", gaps),
            subtasks=await _read(subtasks, "subtasks", gaps) if task.num_subtasks else (),
            attachments=await _read(self._attachments(task.gid), "attachments", gaps),
            gaps=tuple(gaps),
        )

    async def attachments(self, gid: str) -> list[AttachmentReply]:
        """Return the attachments of a task."""
        return [each async for each in self._attachments(gid)]

    def _attachments(self, gid: str) -> AsyncGenerator[AttachmentReply, None]:
        return self.api.list("attachments", AttachmentReply, ATTACHMENT, parent=gid)

    async def _gid(self, name: str) -> str:
        """Return Asana's id of a task, which never changes."""
        if not CUSTOM_ID.fullmatch(name):
            return name
        if name not in self._titles:
            path = f"workspaces/{segment(self.workspace)}/tasks/custom_id/{segment(name)}"
            self._titles[name] = (await self.api.one(path, NamedObject)).gid
        return self._titles[name]


async def _read(
    parts: AsyncGenerator[_Part, None], name: str, gaps: list[str]
) -> tuple[_Part, ...]:
    """Return a part of a task; a refused part becomes a note."""
    found: list[_Part] = []
    try:
        async for each in parts:
            found.append(each)  # noqa: PERF401  # what came before a refusal counts
    except (ItemNotFound, ScopeMissing) as error:
        gaps.append(f"{name} not read: {error.message}")
    return tuple(found)
