"""A source whose tasks can be changed: its vendor guards changes and keeps keys."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import frozen

from rove_core import (
    JSON,
    Account,
    CommonSettings,
    Http,
    ItemRef,
    ItemStatus,
    Iteration,
    NewAttachment,
    NewComment,
    NewWorkItem,
    SourceHooks,
    StatusOption,
    WorkField,
    WorkItem,
    WorkItemChange,
    WorkItemHooks,
    WrongCall,
    hookimpl,
)
from rove_core.http import multipart_body
from rove_core.json_reader import reply_object

STATUSES: Final = {
    "Open": ItemStatus(name="Open", category="todo"),
    "Done": ItemStatus(name="Done", category="done"),
}
#: What this vendor calls the fields that it has.
FIELDS: Final[Mapping[WorkField, str]] = {
    "title": "name",
    "description": "notes",
    "status": "status",
    "labels": "tags",
}


@frozen(kw_only=True)
class Task:
    """A task, as the vendor sends it."""

    id: str
    name: str
    notes: str = ""
    status: str
    tags: tuple[str, ...] = ()
    created: datetime
    changed: datetime
    version: str


@frozen(kw_only=True)
class Made:
    """What was made, as the vendor tells it."""

    id: str


@frozen(kw_only=True)
class Sprint:
    """A sprint, as the vendor sends it."""

    id: str
    name: str
    open: bool


@frozen(kw_only=True)
class Sprints:
    """All sprints of a project."""

    sprints: tuple[Sprint, ...]


class TaskSource(SourceHooks, WorkItemHooks):
    """An account at a vendor of tasks."""

    def __init__(self, account: Account[CommonSettings], http: Http) -> None:
        self._account = account
        self._http = http

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:
        """Return a task; one that is gone makes the request raise ItemNotFound."""
        return self._work((await self._http.get(f"api/tasks/{ref.id}")).read(Task))

    @hookimpl
    async def rove_status_options(self, ref: ItemRef) -> Sequence[StatusOption]:
        """Return the other status: a task of this vendor has one of two."""
        own = (await self.rove_work_item(ref)).status.name
        return [StatusOption(status=each) for each in STATUSES.values() if each.name != own]

    @hookimpl
    async def rove_change_work_item(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Send the given fields, and the version that they were made from."""
        if change.status and change.status not in STATUSES:
            raise WrongCall(f"{ref.id} cannot become {change.status!r}, only {', '.join(STATUSES)}")
        if other := [name for name in change.fields if name not in FIELDS]:
            raise WrongCall(f"a task has no {other[0]}")
        empty: Mapping[str, JSON] = {"description": "", "labels": []}
        changed: dict[str, JSON] = {
            FIELDS[name]: empty[name] if name in change.clear else getattr(change, name)
            for name in change.fields
        }
        # With If-Match the vendor refuses what somebody else has changed: that raises Conflict.
        guard = change.if_revision
        reply = await self._http.patch(f"api/tasks/{ref.id}", json=changed, if_match=guard)
        return self._work(reply.read(Task))

    @hookimpl
    async def rove_create_work_item(self, new: NewWorkItem) -> WorkItem:
        """Create a task; the vendor ignores a second request with the same key."""
        task: JSON = {"project": new.container, "name": new.title, "notes": new.description}
        reply = await self._http.post("api/tasks", json=task, idempotency_key=new.key)
        return self._work(reply.read(Task))

    @hookimpl
    async def rove_add_comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Put a comment at an address that its key makes: there it is written once."""
        path = f"api/tasks/{ref.id}/comments/{comment.key}"
        made = (await self._http.put(path, json={"text": comment.content}, repeatable=True)).read(
            Made
        )
        return self._ref("comment", made.id)

    @hookimpl
    async def rove_add_attachment(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Upload a file; the vendor ignores a second one with the same key."""
        content = multipart_body(
            attachment.content,
            field="file",
            name=attachment.name,
            media_type=attachment.media_type,
        )
        path = f"api/tasks/{ref.id}/files"
        reply = await self._http.post(path, content=content, idempotency_key=attachment.key)
        return self._ref("file", reply.read(Made).id)

    @hookimpl
    async def rove_iterations(self, container: str) -> Sequence[Iteration]:
        """Return the sprints of a project, the one under way first."""
        reply = await self._http.get(f"api/projects/{container}/sprints")
        found = sorted(reply.read(Sprints).sprints, key=lambda sprint: not sprint.open)
        return [
            Iteration(id=each.id, name=each.name, state="active" if each.open else "completed")
            for each in found
        ]

    def _ref(self, kind: str, name: str) -> ItemRef:
        return ItemRef(account=self._account.name, kind=kind, id=name)

    def _work(self, task: Task) -> WorkItem:
        return WorkItem(
            ref=self._ref("task", task.id),
            type_name="Task",
            title=task.name,
            description=task.notes,
            status=STATUSES.get(task.status, ItemStatus(name=task.status)),
            labels=task.tags,
            created=task.created,
            updated=task.changed,
            revision=task.version,
            changeable=tuple(FIELDS),
            raw=reply_object(task),
        )
