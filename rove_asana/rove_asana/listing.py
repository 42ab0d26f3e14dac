"""List changes in projects, newest first, and deletions."""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing, suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from attrs import define, evolve, frozen

from rove_asana.api import AsanaApi, segment
from rove_asana.facts import changed
from rove_asana.items import AsanaItems
from rove_asana.replies import (
    EventReply,
    EventsReply,
    ListedProject,
    NamedObject,
    TaskReply,
    WholeTask,
)
from rove_asana.task_reader import TASK, TaskReader
from rove_asana.work_items import work_item
from rove_core import (
    JSON,
    Clock,
    Container,
    ItemNotFound,
    KnownIds,
    ListedChange,
    ListingStep,
    ListScope,
    UpdateCursor,
    check_readable,
    merge_listings,
    read_cursor,
    readable_names,
)
from rove_core.json_reader import read_one

#: Tasks of one project that are read one by one; of more, those are listed that changed.
_FEW: Final = 5
#: How late Asana may tell of a change.
_MARGIN: Final = timedelta(hours=1)
#: The privacy setting of projects that only invited people see.
_PRIVATE: Final = "private"


@frozen
class TaskListing:
    """Lists the projects of a workspace.

    A task may be in several projects, so all that are listed have one cursor. Asana tells what
    happened in a project since a sync token was given. Without a token, or with one that is too
    old, the tasks are listed that changed since, and the ids of all are compared.

    Attributes:
        api: Requests to the vendor.
        items: Converts replies to items.
        tasks: Reads tasks.
        workspace: The id of the workspace.
        clock: The clock.
    """

    api: AsanaApi
    items: AsanaItems
    tasks: TaskReader
    workspace: str
    clock: Clock

    async def containers(self) -> list[Container]:
        """Return the projects that can be read and are not archived."""
        return await self._projects(archived=False)

    async def readable(self, names: Sequence[str]) -> list[Container]:
        """Return those of some projects that can be read; an archived one stays readable."""
        return [each for each in await self._projects() if each.name in names]

    async def _projects(self, **narrow: bool) -> list[Container]:
        path = f"workspaces/{segment(self.workspace)}/projects"
        found = self.api.list(path, ListedProject, "name,privacy_setting", **narrow)
        return [
            Container(name=each.gid, title=each.name, private=each.privacy_setting == _PRIVATE)
            async for each in found
        ]

    async def changes(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the tasks that changed, without their comments, and those that are gone.

        Raises:
            ItemNotFound: At the end: a project that cannot be read.
        """
        own = partial(self.readable, scope.containers) if scope.containers else self.containers
        readable = await readable_names(scope, own)
        projects = [each for each in scope.containers or readable if each in readable]
        list_them = partial(self._list, projects=projects)
        async with aclosing(merge_listings(scope, ["projects"], list_them)) as changes:
            async for change in changes:
                yield change
        check_readable(scope, readable, kind="project")

    async def _list(
        self, scope: ListScope, *, projects: Sequence[str]
    ) -> AsyncGenerator[ListingStep, None]:
        place = _ProjectPlace.of(scope)
        unknown = [each for each in projects if not await self._follow(place, each)]
        place.crawl = [*dict.fromkeys([*place.crawl, *unknown])]
        left = place.sync.keys() - {*projects}
        place.is_swept = place.is_swept or bool(place.listed_ids and (unknown or left))
        for steps in (
            self._list_events(place, projects),
            self._crawl(place),
            self._swept(place, projects),
        ):
            async with aclosing(steps):
                async for step in steps:
                    yield step
        for project in left:
            del place.sync[project]
        place.crawl, place.is_swept = [], False
        yield ListingStep(ListedChange(), place.mark(done=True, now=self.clock.now()))

    async def _follow(self, place: "_ProjectPlace", project: str) -> bool:
        """Record a project's events, and return whether they are complete since last time."""
        token = place.sync.get(project, "")
        while True:
            query = {"resource": project, **({"sync": token} if token else {})}
            reply = await self.api.events(**query)
            events = read_one(reply, EventsReply)
            place.sync[project] = events.sync
            if reply.status != 200:
                return False
            place.note(events.data, project)
            if not events.has_more or events.sync == token:
                return True
            token = events.sync

    async def _list_events(
        self, place: "_ProjectPlace", projects: Collection[str]
    ) -> AsyncGenerator[ListingStep, None]:
        """Yield the tasks to which something happened, and those that are gone."""
        there: list[TaskReply] = []
        by_id = await self._several(place)
        for gid in [*place.pending]:
            task = by_id.get(gid) or await self._read(gid)
            if task and _is_in(task, projects):
                there.append(task)
                continue
            del place.pending[gid]
            if gid in place.listed_ids:
                place.update.forget(gid)
                yield ListingStep(self._deletion_of(gid), place.mark(done=False))
        there.sort(key=changed, reverse=True)
        for task in there:
            place.pending.pop(task.gid, None)
            if place.begins_before(task):
                place.update.note(task.gid, changed(task))
                yield ListingStep(self._change_of(task), place.mark(done=False))
        if there and not place.crawl:
            place.forward(changed(there[0]))

    async def _several(self, place: "_ProjectPlace") -> dict[str, TaskReply]:
        """Return tasks of projects in which much happened, many with one request."""
        found: dict[str, TaskReply] = {}
        for project, count in Counter(place.pending.values()).items():
            if count > _FEW and place.update.since:
                found |= await self._since(project, place.update.since)
        return found

    async def _crawl(self, place: "_ProjectPlace") -> AsyncGenerator[ListingStep, None]:
        """Yield the tasks of projects without complete events, latest change first."""
        found: dict[str, TaskReply] = {}
        for project in place.crawl:
            found |= await self._since(project, place.update.since)
        for task in sorted(found.values(), key=changed, reverse=True):
            if place.update.is_new(task.gid, changed(task)):
                yield ListingStep(self._change_of(task), place.mark(done=False))

    async def _swept(
        self, place: "_ProjectPlace", projects: Sequence[str]
    ) -> AsyncGenerator[ListingStep, None]:
        """Yield the tasks that are gone without a word, and those that came in so."""
        if not place.is_swept:
            return
        there: set[str] = set()
        for project in projects:
            tasks = self.api.list("tasks", NamedObject, "gid", project=project)
            there |= {each.gid async for each in tasks}
        for gid in place.update.forget_missing(there, self.clock.now()):
            yield ListingStep(self._deletion_of(gid), place.mark(done=False))
        for gid in sorted(there.difference(place.listed_ids)):
            task = await self._read(gid)
            if task and place.begins_before(task):
                place.update.note(gid, changed(task))
                yield ListingStep(self._change_of(task), place.mark(done=False))

    async def _since(self, project: str, since: datetime | None) -> dict[str, TaskReply]:
        """Return the tasks of a project that changed since."""
        narrow = {"modified_since": since.isoformat()} if since else {}
        tasks = self.api.list("tasks", TaskReply, TASK, project=project, **narrow)
        return {each.gid: each async for each in tasks}

    async def _read(self, gid: str) -> TaskReply | None:
        with suppress(ItemNotFound):
            return await self.tasks.task(self.items.mentions.ref(gid))
        return None

    def _change_of(self, task: TaskReply) -> ListedChange:
        work = work_item(self.items.mentions, task)
        return ListedChange(item=self.items.item(WholeTask(task=task)), work=work)

    def _deletion_of(self, gid: str) -> ListedChange:
        return ListedChange(gone=self.items.mentions.ref(gid))


@define
class _ProjectPlace:
    """The place in the listing of some projects.

    Attributes:
        update: The place by the time at which a task changed.
        sync: The token for what happens next, by project.
        pending: The tasks to which something happened and that were not listed since, each with
            its project.
        crawl: The projects that are being listed by time.
        is_swept: Whether the ids of all tasks are to be compared at the end.
    """

    update: UpdateCursor
    sync: dict[str, str]
    pending: dict[str, str]
    crawl: list[str]
    is_swept: bool

    @classmethod
    def of(cls, scope: ListScope) -> "_ProjectPlace":
        cursor = read_cursor(scope.cursor)
        own = evolve(scope, cursor=str(cursor.get("update") or ""))
        crawl = cursor.get("crawl")
        return cls(
            update=UpdateCursor.of(own, keep_ids=True),
            sync=_texts(cursor.get("sync")),
            pending=_texts(cursor.get("pending")),
            crawl=[str(each) for each in crawl] if isinstance(crawl, list) else [],
            is_swept=cursor.get("sweep") is True,
        )

    @property
    def listed_ids(self) -> KnownIds:
        """The ids of the tasks that were listed and are not gone."""
        return self.update.known or KnownIds()

    def begins_before(self, task: TaskReply) -> bool:
        """Return whether a task changed late enough to be listed at all."""
        return self.update.begin is None or changed(task) >= self.update.begin

    def note(self, events: Sequence[EventReply], project: str) -> None:
        """Note the tasks to which something happened, or below which."""
        for event in events:
            for each in (event.resource, event.parent):
                if each and each.resource_type == "task":
                    self.pending[each.gid] = project

    def forward(self, latest: datetime) -> None:
        """Record the time of the latest change, up to which all changes were listed."""
        since = latest - _MARGIN
        self.update.since = max(self.update.since or since, since)

    def mark(self, *, done: bool, now: datetime | None = None) -> Callable[[], str]:
        """Return a function that writes the cursor for continuing here."""
        update = self.update.mark(done=done, now=now)
        own: Mapping[str, JSON] = {
            "sync": dict(self.sync),
            "pending": dict(self.pending),
            "crawl": [*self.crawl],
            "sweep": self.is_swept,
        }
        return lambda: json.dumps({"update": update(), **own}, separators=(",", ":"))


def _texts(value: object) -> dict[str, str]:
    found = value.items() if isinstance(value, Mapping) else ()
    return {str(name): each for name, each in found if isinstance(each, str)}


def _is_in(task: TaskReply, projects: Collection[str]) -> bool:
    return any(each.project and each.project.gid in projects for each in task.memberships)
