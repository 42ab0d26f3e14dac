"""Search a workspace: with Asana's search, or by names and recent tasks without it."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Final

from attrs import frozen

from rove_asana.api import LARGEST_PAGE, AsanaApi, objects_of, segment
from rove_asana.facts import changed
from rove_asana.items import AsanaItems
from rove_asana.replies import TaskReply, WholeTask
from rove_asana.task_reader import TASK
from rove_core import ContextItem, Query

#: It is not said whether the ends of a window belong to it.
_TICK: Final = timedelta(milliseconds=1)
#: Projects whose tasks are looked through where there is no search, those last changed first.
_PROJECTS: Final = 5
_MOST_REQUESTS: Final = 200


@frozen
class AsanaSearch:
    """Searches one workspace.

    Attributes:
        api: Requests to the vendor.
        items: Converts replies to items.
        workspace: The id of the workspace.
    """

    api: AsanaApi
    items: AsanaItems
    workspace: str

    async def found(self, query: Query) -> AsyncGenerator[ContextItem, None]:
        """Yield the tasks in which the words occur, those changed last first."""
        seen: set[str] = set()
        async with aclosing(self._tasks(query)) as tasks:
            async for task in tasks:
                item = self.items.item(WholeTask(task=task))
                if task.gid in seen or not query.covers(item.timestamp):
                    continue
                seen.add(task.gid)
                if _fits(item, query):
                    yield item

    async def _tasks(self, query: Query) -> AsyncGenerator[TaskReply, None]:
        before = query.until + _TICK if query.until else None
        seen: set[str] = set()
        for _ in range(_MOST_REQUESTS):
            found = await self._hits(query, before)
            if found is None:
                for task in await self._unpaid(query):
                    yield task
                return
            fresh = [each for each in found if each.gid not in seen]
            for each in fresh:
                seen.add(each.gid)
                yield each
            if len(found) < self.api.page_size:
                return
            # There are no pages: the next ones are what changed before these.
            before = changed(found[-1]) + (_TICK if fresh else -_TICK)

    async def _hits(self, query: Query, before: datetime | None) -> list[TaskReply] | None:
        """Return what Asana's search finds; None if the workspace does not pay for it."""
        params: dict[str, str | int | bool] = {
            "text": _labelless(query),
            "sort_by": "modified_at",
            "sort_ascending": False,
            "limit": self.api.page_size,
            "opt_fields": TASK,
        }
        if query.since:
            params["modified_at.after"] = (query.since - _TICK).isoformat()
        if before:
            params["modified_at.before"] = before.isoformat()
        reply = await self.api.search(self._path("tasks/search"), **params)
        return None if reply is None else [task for _, task in objects_of(reply, TaskReply)]

    async def _unpaid(self, query: Query) -> list[TaskReply]:
        """Return tasks by their names, and those of some projects in which the words occur."""
        words = _labelless(query)
        found = {task.gid: task for task in await self._search_names(words)} if words else {}
        for project in await self._recent():
            narrow = {"modified_since": query.since.isoformat()} if query.since else {}
            tasks = self.api.list("tasks", TaskReply, TASK, project=project, **narrow)
            found |= {each.gid: each async for each in tasks if _has_words(each, words)}
        return sorted(found.values(), key=changed, reverse=True)

    async def _search_names(self, words: str) -> list[TaskReply]:
        reply = await self.api.search(
            self._path("typeahead"),
            resource_type="task",
            query=words,
            count=LARGEST_PAGE,
            opt_fields=TASK,
        )
        return [] if reply is None else [task for _, task in objects_of(reply, TaskReply)]

    async def _recent(self) -> list[str]:
        """Return the ids of the projects that changed last."""
        found = self.api.list(self._path("projects"), TaskReply, "name,modified_at", archived=False)
        projects = [each async for each in found]
        return [each.gid for each in sorted(projects, key=changed, reverse=True)[:_PROJECTS]]

    def _path(self, rest: str) -> str:
        return f"workspaces/{segment(self.workspace)}/{rest}"


def _has_words(task: TaskReply, words: str) -> bool:
    content = f"{task.name} {task.html_notes}".lower()
    return all(word in content for word in words.lower().split())


def _labelless(query: Query) -> str:
    """Return the words to search for; none for a search in tags."""
    return "" if query.fields and "labels" in query.fields else query.text


def _fits(item: ContextItem, query: Query) -> bool:
    """Return whether each word occurs in one of the fields that the query names.

    A tag may have several words: it fits if its name is the whole text.
    """
    if not query.fields:
        return True
    text = " ".join(query.text.lower().split())
    if "labels" in query.fields and text in [each.lower() for each in item.facts.labels]:
        return True
    return all(any(_places(item, word.lower(), query)) for word in query.text.split())


def _places(item: ContextItem, word: str, query: Query) -> Iterator[bool]:
    if "ticket_title" in query.fields:
        yield word in item.title.lower()
    if "ticket_description" in query.fields:
        yield word in item.content.lower()
    if "labels" in query.fields:
        yield word in [each.lower() for each in item.facts.labels]
