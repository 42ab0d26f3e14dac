"""Work items: read, change, create, comment on and attach files to them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from rove_azure import fields as names
from rove_azure import wiql
from rove_azure.api import AzureApi, listed, part
from rove_azure.facts import files
from rove_azure.patches import PARENT, add_relation, guard, marked, patch, set_field
from rove_azure.references import number_of
from rove_azure.replies import ItemCommentReply, NodeReply, WorkItemReply, WorkTypeReply
from rove_azure.texts import as_markdown
from rove_azure.work_item_reader import WorkItemReader
from rove_azure.work_items import work_item
from rove_azure.work_types import category_of
from rove_core import (
    Conflict,
    Identity,
    ItemNotFound,
    ItemRef,
    ItemStatus,
    Iteration,
    MalformedReply,
    NewAttachment,
    NewComment,
    NewWorkItem,
    StatusOption,
    WorkItem,
    WorkItemChange,
    WrongCall,
    hidden_mark,
    html_to_markdown,
    markdown_to_html,
    without_hidden_marks,
)
from rove_core.json_reader import first_moment, read_each, read_one, string, text

_CATEGORIES: Final = {
    "epic": "Microsoft.EpicCategory",
    "ticket": "Microsoft.RequirementCategory",
    "subtask": "Microsoft.TaskCategory",
}
_BUG: Final = "Bug"
#: Among so many of the latest work items of this person a key is looked for.
_LATEST: Final = 200
#: How often a change is made that nobody guards, when somebody else is faster.
_TRIES: Final = 3
_DEEPEST: Final = 14


@frozen
class AzureWork:
    """Reads and changes the work items of an organization as one of its members.

    Attributes:
        api: Requests to the vendor.
        reader: Reads work items.
        base_url: Where the organization answers.
        identity: Who that member is, as far as is known.
    """

    api: AzureApi
    reader: WorkItemReader
    base_url: str
    identity: Identity | None

    async def read(self, ref: ItemRef) -> WorkItem:
        """Return the current state of a work item."""
        return await self.of(await self.reader.one(number_of(ref)))

    async def of(self, reply: WorkItemReply) -> WorkItem:
        """Return a work item as work.

        Raises:
            MalformedReply: The reply holds none.
        """
        if not reply.id:
            raise MalformedReply("Azure DevOps answered without a work item")
        return work_item(self.reader.items.mentions, reply, await self.reader.types.of(reply))

    async def options(self, ref: ItemRef) -> list[StatusOption]:
        """Return the states that may follow the one that a work item has."""
        reply = await self.reader.one(number_of(ref))
        kind = await self.reader.types.of(reply)
        return [StatusOption(status=each) for each in _next_states(kind, reply)]

    async def change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        """Change a work item, guarded by its revision."""
        for turn in range(1, _TRIES + 1):
            try:
                return await self._change(ref, change)
            except Conflict:
                if change.if_revision or turn == _TRIES:
                    raise
        raise Conflict(f"{ref.id} keeps changing meanwhile")

    async def create(self, new: NewWorkItem) -> WorkItem:
        """Create a work item, unless one of the latest of this person has its mark."""
        kind = await self._kind(new)
        mark = hidden_mark(new.key)
        there = await self._find_marked(new.container, mark)
        if there is not None:
            return await self.of(there)
        prose = names.STEPS if kind == _BUG else names.DESCRIPTION
        operations = [
            set_field(names.TITLE, new.title),
            set_field(prose, marked(markdown_to_html(new.description), mark)),
        ]
        if new.parent:
            operations.append(add_relation(PARENT, self._url(number_of(new.parent))))
        reply = await self.api.create(new.container, kind, operations)
        return await self.of(read_one(reply, WorkItemReply))

    async def comment(self, ref: ItemRef, comment: NewComment) -> ItemRef:
        """Comment on a work item, or change the comment with this mark."""
        reply = await self.reader.one(number_of(ref))
        project, mark = text(reply.fields, names.PROJECT), hidden_mark(comment.key)
        html = markdown_to_html(comment.content)
        for existing in await self.reader.comments(reply):
            # Others may copy what they see.
            if mark in existing.text and self._is_own(existing) and not existing.isDeleted:
                words = as_markdown(without_hidden_marks(existing.text), existing.format)
                if words.strip() != html_to_markdown(html).strip():
                    await self.api.edit(project, reply.id, existing.id, marked(html, mark))
                return self.reader.items.comment(reply.id, existing.id)
        answer = await self.api.add_comment(project, reply.id, marked(html, mark))
        return self.reader.items.comment(reply.id, read_one(answer, ItemCommentReply).id)

    async def attach(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Attach a file, unless it was attached with this mark."""
        reply, mark = await self.reader.one(number_of(ref)), hidden_mark(attachment.key)
        for each in files(reply):
            if mark in each.attributes.comment:
                return self.reader.items.file(reply.id, _guid(each.url))
        project = text(reply.fields, names.PROJECT)
        uploaded = await self.api.upload(project, attachment.name, attachment.content)
        url = string(uploaded.json(), "url")
        relation = add_relation("AttachedFile", url, comment=mark, name=attachment.name)
        await self.api.patch(_path(reply.id), [guard(reply.rev), relation])
        return self.reader.items.file(reply.id, _guid(url))

    async def iterations(self, container: str, now: datetime) -> list[Iteration]:
        """Return the sprints of a project: those under way, those to come, those that are over."""
        path = f"{part(container)}/_apis/wit/classificationnodes/Iterations"
        root = read_one(await self.api.get(path, depth=_DEEPEST), NodeReply)
        found = [_iteration(each, now) for each in _sprints_below(root)]
        return [
            *(each for each in found if each.state == "active"),
            *(each for each in found if each.state == "planned"),
            *(each for each in reversed(found) if each.state == "completed"),
        ]

    async def _change(self, ref: ItemRef, change: WorkItemChange) -> WorkItem:
        reply = await self.reader.one(number_of(ref))
        kind, before = await self.reader.types.of(reply), await self.of(reply)
        if change.if_revision not in ("", before.revision):
            raise Conflict(f"{ref.id} was changed at {before.updated:%Y-%m-%d %H:%M:%S} UTC")
        if other := [name for name in change.fields if name not in before.changeable]:
            raise WrongCall(f"{ref.id}, a {before.type_name}, has no {other[0]}")
        possible = [each.name for each in _next_states(kind, reply)]
        if change.status and change.status not in (before.status.name, *possible):
            raise _not_possible(ref, change.status, possible)
        if not change.fields:
            return before
        operations = patch(change, reply, kind, self._url)
        try:
            answer = await self.api.patch(_path(reply.id), operations)
        except ItemNotFound as error:
            if not change.parent:
                raise
            await self.reader.one(reply.id)  # It may be this one that is gone.
            raise WrongCall(f"{ref.id} cannot be below {change.parent.id}: not found") from error
        return await self.of(read_one(answer, WorkItemReply))

    async def _kind(self, new: NewWorkItem) -> str:
        """Return the type of a new work item, by name or by the process's equivalent."""
        if new.type_name:
            return new.type_name
        if new.type not in _CATEGORIES:
            raise WrongCall(f"an Azure DevOps work item cannot be a {new.type}")
        path = f"{part(new.container)}/_apis/wit/workitemtypecategories/{_CATEGORIES[new.type]}"
        return text((await self.api.get(path)).json(), "defaultWorkItemType", "name")

    async def _find_marked(self, project: str, mark: str) -> WorkItemReply | None:
        """Return the work item with a mark, among the latest that this person created."""
        where = wiql.all_of([wiql.equals(names.PROJECT, project), wiql.MINE])
        numbers = await self.api.found(wiql.newest_first(where, by=names.CREATED), most=_LATEST)
        if not numbers:
            return None
        page = await self.api.batch(numbers)
        for each in read_each(listed(page, "value"), WorkItemReply):
            if any(mark in string(each.fields, ref) for ref in (names.DESCRIPTION, names.STEPS)):
                return each
        return None

    def _is_own(self, comment: ItemCommentReply) -> bool:
        """Return whether the account's user wrote a comment."""
        own = self.identity.id.lower() if self.identity else ""
        return not own or own in (
            comment.createdBy.uniqueName.lower(),
            comment.createdBy.id.lower(),
        )

    def _url(self, number: int) -> str:
        return f"{self.base_url.rstrip('/')}/{_path(number)}"


def _next_states(kind: WorkTypeReply, reply: WorkItemReply) -> list[ItemStatus]:
    """Return the states that may follow the one that a work item has, in their order."""
    own = text(reply.fields, names.STATE)
    every = [each.name for each in kind.states if each.name != own]
    transitions = kind.transitions.get(own)
    allowed = every if transitions is None else [each.to for each in transitions]
    return [
        ItemStatus(name=name, category=category_of(kind, name)) for name in every if name in allowed
    ]


def _not_possible(ref: ItemRef, status: str, possible: Sequence[str]) -> WrongCall:
    return WrongCall(f"{ref.id} cannot become {status!r}, only {', '.join(possible)}")


def _path(number: int) -> str:
    return f"_apis/wit/workitems/{number}"


def _guid(url: str) -> str:
    """Return the id of a file by its address."""
    return urlsplit(url).path.rpartition("/")[2]


def _sprints_below(node: NodeReply) -> Iterator[NodeReply]:
    """Yield the sprints below a node of the tree, which are its leaves."""
    for child in node.children:
        if child.children:
            yield from _sprints_below(child)
        else:
            yield child


def _iteration(node: NodeReply, now: datetime) -> Iteration:
    starts = first_moment(node.attributes.startDate)
    ends = first_moment(node.attributes.finishDate)
    is_over = ends is not None and ends.date() < now.date()
    is_begun = starts is not None and starts <= now
    return Iteration(
        id=_planned_path(node.path),
        name=node.name,
        state="completed" if is_over else "active" if is_begun else "planned",
        starts=starts,
        ends=ends,
    )


def _planned_path(path: str) -> str:
    """Return the path that work items have for a sprint: without what all of them begin with."""
    project, _, rest = path.strip("\\").partition("\\")
    return f"{project}\\{rest.partition(chr(92))[2]}"
