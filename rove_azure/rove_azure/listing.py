"""List changes in projects, newest first, and deletions.

The first listing asks for everything by a query. Before it begins it asks for the end of Azure's
log of revisions; each later listing reads that log from where the last one stopped.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from attrs import define, field, frozen

from rove_azure import fields as names
from rove_azure import wiql
from rove_azure.api import MOST_AT_ONCE, AzureApi, listed
from rove_azure.facts import changed
from rove_azure.replies import RevisionReply, WorkItemReply
from rove_azure.work import AzureWork
from rove_azure.work_item_reader import WorkItemReader
from rove_core import (
    Clock,
    Container,
    KnownIds,
    ListedChange,
    ListingStep,
    ListScope,
    MalformedReply,
    WrongCall,
    check_readable,
    merge_listings,
    read_cursor,
    readable_names,
)
from rove_core.json_reader import first_moment, read_each, text

#: A query finds at most 20,000 work items; with a limit below it refuses none.
_MOST_FOUND: Final = 19_999
#: How long before the end of the log is asked for that the log is read: clocks differ.
_EARLIER: Final = timedelta(hours=1)
#: Revisions that a cursor has room for; those of more items are listed again once.
_MOST_SEEN: Final = 20_000
_PLACE: Final = (names.CHANGED, names.PROJECT)


@frozen
class RevisionListing:
    """Lists the projects of an organization.

    Attributes:
        api: Requests to the vendor.
        reader: Reads work items.
        work: Makes work of them.
        projects: Asks for the names of the projects that can be read.
        clock: The clock.
    """

    api: AzureApi
    reader: WorkItemReader
    work: AzureWork
    projects: Callable[[], Awaitable[Sequence[str]]]
    clock: Clock

    async def containers(self) -> list[Container]:
        """Return the projects that can be read."""
        return [Container(name=name, title=name) for name in await self.projects()]

    async def changes(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the work items that changed, with their discussion, and those that are gone.

        Raises:
            ItemNotFound: At the end: a project that cannot be read.
        """
        readable = await readable_names(scope, self.containers)
        chosen = [name for name in scope.containers or readable if name in readable]
        list_them = partial(self._list, projects=chosen)
        async with aclosing(merge_listings(scope, ["projects"], list_them)) as changes:
            async for change in changes:
                yield change
        check_readable(scope, readable, kind="project")

    async def recent(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the work items that changed since a time.

        Raises:
            ItemNotFound: A project that cannot be read.
        """
        check_readable(scope, await readable_names(scope, self.containers), kind="project")
        found = self._all_numbers(scope.containers, scope.since)
        numbers = [number async for number in found][: scope.limit]
        size = min(self.reader.page_size, MOST_AT_ONCE)
        for start in range(0, len(numbers), size):
            async with aclosing(self.reader.some(numbers[start : start + size])) as replies:
                async for reply in replies:
                    yield ListedChange(
                        item=await self.reader.listed(reply),
                        whole=True,
                        work=await self.work.of(reply),
                        container=text(reply.fields, names.PROJECT),
                    )

    async def _list(
        self, scope: ListScope, *, projects: Sequence[str]
    ) -> AsyncGenerator[ListingStep, None]:
        place = _ListingPlace.of(scope)
        gone, numbers = await self._find_changes(place, projects)
        for number in gone:
            if place.forget(number):
                change = ListedChange(gone=self.reader.items.mentions.ref(number))
                # Who stops here reads the log again: what else is gone stands nowhere else.
                yield ListingStep(change, lambda: scope.cursor)
        size = min(self.reader.page_size, MOST_AT_ONCE)
        for start in range(0, len(numbers), size):
            async with aclosing(self.reader.some(numbers[start : start + size])) as replies:
                async for reply in replies:
                    if text(reply.fields, names.PROJECT) in projects:
                        item = await self.reader.listed(reply)
                        place.note(reply)
                        after = numbers.index(reply.id, start) + 1
                        work = await self.work.of(reply)
                        change = ListedChange(item=item, whole=True, work=work)
                        yield ListingStep(change, place.mark(numbers, after))
        yield ListingStep(ListedChange(), place.mark((), 0))

    async def _find_changes(
        self, place: "_ListingPlace", projects: Sequence[str]
    ) -> tuple[Sequence[int], Sequence[int]]:
        """Return the work items that may be gone, and those to list, the latest change first."""
        has_log, left = bool(place.token), place.pending
        if not left:
            place.begun = self.clock.now()
            try:
                left = await self._read_log(place)
            except WrongCall:
                has_log = False
                place.token = await self._end_of_log(place.begun)
        if has_log and {*place.projects} == {*projects}:
            ordered = await self._order(left, place, projects)
            return [*{*left}.difference(ordered)], ordered
        place.projects = [*projects]
        every = [number async for number in self._all_numbers(projects, place.since)]
        there, again = {*every}, {*left}
        missing = [number for number in place.numbers() if number not in there]
        if has_log:
            every = [each for each in every if each in again or not place.knows(each)]
        return missing, every

    async def _read_log(self, place: "_ListingPlace") -> Sequence[int]:
        """Return the items revised since a place in the log, and advance to its end."""
        if not place.token:
            place.token = await self._end_of_log(place.begun or self.clock.now())
            return ()
        revisions, place.token = await self._log(token=place.token)
        found = [each.id for each in revisions.values() if each.is_deleted or place.is_new(each)]
        place.seen.clear()
        return found

    async def _end_of_log(self, now: datetime) -> str:
        """Return where the log of revisions ends."""
        _, token = await self._log(startDateTime=(now - _EARLIER).isoformat())
        return token

    async def _log(self, *, token: str = "", **since: str) -> tuple[dict[int, RevisionReply], str]:
        """Return the work items that were revised since a place in the log, and its end."""
        found: dict[int, RevisionReply] = {}
        async with aclosing(self.api.revisions(token, **since)) as pages:
            async for page in pages:
                found |= {
                    each.id: each for each in read_each(listed(page, "values"), RevisionReply)
                }
                token = text(page.json(), "continuationToken")
        return found, token

    async def _order(
        self, numbers: Collection[int], place: "_ListingPlace", projects: Sequence[str]
    ) -> list[int]:
        """Return those work items that are in some projects, the latest change first."""
        if len(numbers) > MOST_AT_ONCE:
            number_set = {*numbers}
            every = self._all_numbers(projects, place.since)
            return [number async for number in every if number in number_set]
        if not numbers:
            return []
        page = await self.api.batch([*numbers], *_PLACE)
        found = [
            each
            for each in read_each(listed(page, "value"), WorkItemReply)
            if text(each.fields, names.PROJECT) in projects
            and (place.since is None or changed(each) >= place.since)
        ]
        found.sort(key=lambda each: (changed(each), each.id), reverse=True)
        return [each.id for each in found]

    async def _all_numbers(
        self, projects: Sequence[str], since: datetime | None
    ) -> AsyncGenerator[int, None]:
        """Yield the numbers of all work items of some projects, the latest change first."""
        if not projects:
            return
        within = [wiql.is_among(names.PROJECT, projects)]
        within += [wiql.not_before(names.CHANGED, since)] if since else []
        after: list[str] = []
        while True:
            query = wiql.newest_first(wiql.all_of([*within, *after]))
            numbers = await self.api.found(query, most=_MOST_FOUND)
            for number in numbers:
                yield number
            if len(numbers) < _MOST_FOUND:
                return
            page = await self.api.batch(numbers[-1:], names.CHANGED)
            last = [*read_each(listed(page, "value"), WorkItemReply)]
            if not last:
                raise MalformedReply("Azure DevOps no longer has a work item that it just found")
            after = [wiql.comes_after(names.CHANGED, changed(last[0]), last[0].id)]


@define
class _ListingPlace:
    """The place in the listing of some projects.

    Attributes:
        token: Where the log of revisions is to be read from next.
        since: The beginning of the scope.
        projects: The projects that were listed.
        listed_ids: The numbers of the work items that were listed and are not gone.
        pending: What was found in the log, and is not listed yet; nothing once all is.
        begun: When the log was read last.
        seen: The revisions of what was listed that may be in the log after that.
    """

    token: str = ""
    since: datetime | None = None
    projects: Sequence[str] = ()
    listed_ids: KnownIds = field(factory=KnownIds)
    pending: Sequence[int] = ()
    begun: datetime | None = None
    seen: dict[int, int] = field(factory=dict)

    @classmethod
    def of(cls, scope: ListScope) -> "_ListingPlace":
        """Return the place in a cursor; the beginning for an unknown cursor."""
        cursor = read_cursor(scope.cursor)
        token, projects, seen = cursor.get("token"), cursor.get("projects"), cursor.get("seen")
        has_place = isinstance(token, str) and token
        ids = KnownIds.of(cursor.get("ids") if has_place else None)
        for ref in scope.unconfirmed:
            ids.add(_name(int(ref.id)))
        if not isinstance(token, str) or not token:
            return cls(since=scope.since, listed_ids=ids)
        return cls(
            token,
            first_moment(str(cursor.get("since") or "")),
            [str(each) for each in projects] if isinstance(projects, list) else (),
            ids,
            [*map(_number, KnownIds.of(cursor.get("left")))],
            first_moment(str(cursor.get("begun") or "")),
            {int(n): int(rev) for n, rev in seen.items()} if isinstance(seen, Mapping) else {},
        )

    def is_new(self, revision: RevisionReply) -> bool:
        """Return whether a revision was not listed."""
        return self.seen.get(revision.id, 0) < revision.rev

    def knows(self, number: int) -> bool:
        """Return whether a work item was listed and is not gone."""
        return _name(number) in self.listed_ids

    def numbers(self) -> list[int]:
        """Return the numbers of the work items that were listed and are not gone."""
        return [*map(_number, self.listed_ids)]

    def note(self, reply: WorkItemReply) -> None:
        """Note a work item that is listed."""
        self.listed_ids.add(_name(reply.id))
        is_recent = self.begun is None or changed(reply) >= self.begun - _EARLIER
        if is_recent and len(self.seen) < _MOST_SEEN:
            self.seen[reply.id] = reply.rev

    def forget(self, number: int) -> bool:
        """Note that a work item is gone, and return whether it was listed."""
        was_listed = self.knows(number)
        self.listed_ids.discard(_name(number))
        return was_listed

    def mark(self, numbers: Sequence[int], after: int) -> Callable[[], str]:
        """Return a function that writes the cursor for continuing here.

        Args:
            numbers: What is listed just now.
            after: How many of these are.
        """

        def written() -> str:
            left = KnownIds()
            for number in numbers[after:]:
                left.add(_name(number))
            cursor = {
                "token": self.token,
                "since": self.since.isoformat() if self.since else "",
                "projects": [*self.projects],
                "ids": self.listed_ids.to_json(),
                "left": left.to_json(),
                "begun": self.begun.isoformat() if self.begun else "",
                "seen": self.seen,
            }
            return json.dumps(cursor, separators=(",", ":"))

        return written


def _name(number: int) -> str:
    """Return a number in the form in which a set of ids is compact."""
    return f"#{number}"


def _number(name: str) -> int:
    return int(name.removeprefix("#"))
