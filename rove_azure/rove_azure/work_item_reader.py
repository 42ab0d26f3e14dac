"""Read work items: one in full, or many in brief."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Final, TypeVar

from attrs import frozen

from rove_azure import fields as names
from rove_azure.api import MOST_AT_ONCE, AzureApi, listed
from rove_azure.facts import number_in
from rove_azure.items import AzureItems, WorkItemParts
from rove_azure.replies import ItemCommentReply, WorkItemReply
from rove_azure.work_types import WorkTypes
from rove_core import JSON, ContextItem, ItemNotFound, Reply, ScopeMissing
from rove_core.json_reader import integer, read_each, read_one, text

_Part = TypeVar("_Part")

#: Nobody reads more of a discussion, or of a history.
_MOST_PARTS: Final = 5_000
#: What is told of a work item that another one is linked to.
_SHOWN: Final = (names.TITLE, names.STATE)


@frozen
class WorkItemReader:
    """Reads the work items of an organization.

    Attributes:
        api: Requests to the vendor.
        types: The types of work.
        items: Converts replies to items.
        page_size: How many work items to ask for at once.
    """

    api: AzureApi
    types: WorkTypes
    items: AzureItems
    page_size: int

    async def one(self, number: int) -> WorkItemReply:
        """Return a work item with its relations."""
        path = f"_apis/wit/workitems/{number}"
        try:
            reply = read_one(await self.api.get(path, expand="all"), WorkItemReply)
        except ItemNotFound as error:
            message = f"Azure DevOps has no work item {number}, or not for this account"
            raise ItemNotFound(message) from error
        if not reply.id:
            raise ItemNotFound(f"Azure DevOps gives no work item for {number}")
        return reply

    async def whole(self, number: int) -> ContextItem:
        """Return a work item with its discussion, its history and the titles around it."""
        reply = await self.one(number)
        gaps: list[str] = []
        nothing: Mapping[int, WorkItemReply] = {}
        try:
            async with asyncio.TaskGroup() as group:
                comments = group.create_task(_read(self.comments(reply), "comments", (), gaps))
                updates = group.create_task(_read(self._updates(reply), "history", (), gaps))
                others = group.create_task(_read(self._linked_items(reply), "links", nothing, gaps))
                category = group.create_task(self.types.category(reply))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed
        parts = WorkItemParts(comments.result(), updates.result(), others.result(), gaps)
        return self.items.item(reply, category.result(), parts)

    async def listed(self, reply: WorkItemReply) -> ContextItem:
        """Return a work item with its discussion, and without its history."""
        comments = await self.comments(reply) if integer(reply.fields, names.COMMENTS) else ()
        category = await self.types.category(reply)
        return self.items.item(reply, category, WorkItemParts(comments))

    async def found(self, reply: WorkItemReply) -> ContextItem:
        """Return a work item by itself."""
        return self.items.item(reply, await self.types.category(reply))

    async def some(self, numbers: Sequence[int]) -> AsyncGenerator[WorkItemReply, None]:
        """Yield work items in the order of their numbers; those that are not there are left out."""
        size = min(self.page_size, MOST_AT_ONCE)
        for start in range(0, len(numbers), size):
            reply = await self.api.batch(numbers[start : start + size])
            for each in _by_number(reply, numbers[start : start + size]):
                yield each

    async def comments(self, reply: WorkItemReply) -> list[ItemCommentReply]:
        """Return the comments of a work item, oldest first."""
        project = text(reply.fields, names.PROJECT)
        pages = self.api.comments(project, reply.id)
        found = await _parts(pages, "comments")
        return [*read_each(found, ItemCommentReply)]

    async def _updates(self, reply: WorkItemReply) -> Sequence[JSON]:
        return await _parts(self.api.updates(reply.id, reply.rev), "value")

    async def _linked_items(self, reply: WorkItemReply) -> Mapping[int, WorkItemReply]:
        """Return the linked work items with titles and states."""
        numbers = [number_in(each.url) for each in reply.relations]
        linked = [*dict.fromkeys(number for number in numbers if number is not None)]
        found: dict[int, WorkItemReply] = {}
        for start in range(0, len(linked), MOST_AT_ONCE):
            some = linked[start : start + MOST_AT_ONCE]
            page = await self.api.batch(some, *_SHOWN)
            found |= {each.id: each for each in read_each(listed(page, "value"), WorkItemReply)}
        return found


async def _read(part: Awaitable[_Part], name: str, nothing: _Part, gaps: list[str]) -> _Part:
    """Return a part of a work item; a refused part becomes a note."""
    try:
        return await part
    except (ItemNotFound, ScopeMissing) as error:
        gaps.append(f"{name} not read: {error.message}")
        return nothing


async def _parts(pages: AsyncGenerator[Reply, None], name: str) -> list[JSON]:
    """Return the elements on the pages of a list."""
    found: list[JSON] = []
    async with aclosing(pages) as replies:
        async for page in replies:
            found += listed(page, name)
            if len(found) >= _MOST_PARTS:
                break
    return found


def _by_number(reply: Reply, numbers: Iterable[int]) -> list[WorkItemReply]:
    """Return the work items of a reply in the requested order."""
    found = {each.id: each for each in read_each(listed(reply, "value"), WorkItemReply)}
    return [found[number] for number in numbers if number in found]
