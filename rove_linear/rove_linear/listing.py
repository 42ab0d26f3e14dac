"""List the issues of teams that changed, newest first, and those that are gone."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from datetime import datetime
from functools import partial
from typing import Final

from attrs import define, evolve, frozen

from rove_core import (
    JSON,
    Clock,
    Container,
    ItemNotFound,
    KnownIds,
    ListedChange,
    ListingStep,
    ListScope,
    Reply,
    UpdateCursor,
    check_readable,
    merge_listings,
    read_cursor,
    readable_names,
)
from rove_linear import queries
from rove_linear.api import LinearApi, read_pages
from rove_linear.facts import changed, present
from rove_linear.items import LinearItems
from rove_linear.replies import IssueNode, SearchReply, Team
from rove_linear.wiki_queries import around
from rove_linear.work_items import work_item

#: Whole issues that one question asks for: Linear counts all that they might hold.
_MOST_WHOLE: Final = 20
#: Identifiers that one question brings.
_MOST_NAMES: Final = 250
#: The visibility of teams whose issues only their members see.
_PRIVATE: Final = frozenset({"private", "restricted"})


@frozen
class TeamListing:
    """Lists the teams of a workspace.

    Attributes:
        api: Requests to the vendor.
        issues: Makes items.
        teams: Asks for the teams that can be read.
        read: Reads a whole issue by its identifier, page by page of its lists.
        clock: The clock.
    """

    api: LinearApi
    issues: LinearItems
    teams: Callable[[], Awaitable[Sequence[Team]]]
    read: Callable[[str], Awaitable[Sequence[IssueNode]]]
    clock: Clock

    async def containers(self) -> list[Container]:
        """Return the teams that can be read."""
        return [
            Container(name=each.key, title=each.name, private=each.visibility in _PRIVATE)
            for each in await self.teams()
        ]

    async def changes(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the issues that changed, with their comments, and those that are gone.

        Raises:
            ItemNotFound: At the end: a team that cannot be read.
        """
        readable = await readable_names(scope, self.containers)
        teams = [each for each in scope.containers or readable if each in readable]
        list_them = partial(self._list, teams=teams)
        async with aclosing(merge_listings(scope, ["teams"], list_them)) as changes:
            async for change in changes:
                yield change
        check_readable(scope, readable, kind="team")

    async def recent(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the issues that changed since a time, or below which something was said.

        Raises:
            ItemNotFound: A team that cannot be read.
        """
        check_readable(scope, await readable_names(scope, self.containers), kind="team")
        place = UpdateCursor(since=scope.since)
        async with aclosing(self._find_changed(place, scope.containers)) as issues:
            async for issue in issues:
                if not issue.trashed and (whole := await self._read_whole(issue)):
                    team = issue.identifier.rpartition("-")[0]
                    yield evolve(self._change_of(whole), container=team)

    async def _list(
        self, scope: ListScope, *, teams: Sequence[str]
    ) -> AsyncGenerator[ListingStep, None]:
        place = _TeamPlace.of(scope)
        async with aclosing(self._find_changed(place.update, teams)) as issues:
            async for issue in issues:
                for step in self._deletions(issue, place):
                    yield step
                if issue.trashed or not place.is_new(issue):
                    continue
                mark = place.mark(done=False)
                if whole := await self._read_whole(issue):
                    yield ListingStep(self._change_of(whole), mark)
        async with aclosing(self._swept(place, teams)) as steps:
            async for step in steps:
                yield step
        yield ListingStep(ListedChange(), place.mark(done=True, now=self.clock.now()))

    async def _find_changed(
        self, place: UpdateCursor, teams: Sequence[str]
    ) -> AsyncGenerator[IssueNode, None]:
        """Yield the issues that may have changed, the latest change first."""
        limits = {"gte": place.since, "lte": place.until}
        window: JSON = {name: at.isoformat() for name, at in limits.items() if at}
        ways: list[JSON] = [{"updatedAt": window}]
        if place.since is not None and place.since != place.begin:
            # An issue may be archived, and something be said below it, without another change.
            since: JSON = {"gte": place.since.isoformat()}
            ways += [{"archivedAt": since}, {"comments": {"some": {"updatedAt": since}}}]
        async with aclosing(self._pages(teams, {"or": ways})) as pages:
            async for page in pages:
                for issue in page:
                    yield issue

    def _deletions(self, issue: IssueNode, place: "_TeamPlace") -> Iterator[ListingStep]:
        """Yield the deletions with an issue: the issue itself, or its former ids."""
        names = [issue.identifier] if issue.trashed else present(issue.previousIdentifiers)
        for name in names:
            if name in place.listed_ids:
                place.update.forget(name)
                gone = self.issues.mentions.ref(name)
                yield ListingStep(ListedChange(gone=gone), place.mark(done=False))

    async def _swept(
        self, place: "_TeamPlace", teams: Sequence[str]
    ) -> AsyncGenerator[ListingStep, None]:
        """Yield the issues that are gone without a trace, and those that came in so."""
        update, now = place.update, self.clock.now()
        prefixes = {name.rpartition("-")[0] for name in place.listed_ids}
        if not (update.is_sweep_due(now, per_request=_MOST_NAMES) or prefixes.difference(teams)):
            return
        window = {"updatedAt": {"gte": update.begin.isoformat()}} if update.begin else {}
        async with aclosing(self._pages(teams, window, names_only=True)) as pages:
            found = [issue async for page in pages for issue in page]
        there = {issue.identifier for issue in found if not issue.trashed}
        for name in update.forget_missing(there, now):
            gone = ListedChange(gone=self.issues.mentions.ref(name))
            yield ListingStep(gone, place.mark(done=False))
        for name in sorted(there.difference(place.listed_ids)):
            with suppress(ItemNotFound):
                whole = await self.read(name)
                update.note(name, changed(whole[0]))
                yield ListingStep(self._change_of(whole), place.mark(done=False))

    async def _read_whole(self, issue: IssueNode) -> Sequence[IssueNode]:
        """Return all of an issue; a partly listed one is read."""
        if not (issue.next or issue.documents.pageInfo.next):
            return [issue]
        with suppress(ItemNotFound):
            return await self.read(issue.identifier)
        return []

    def _change_of(self, whole: Sequence[IssueNode]) -> ListedChange:
        """Return an issue as a listed change, both as item and as work item."""
        work = work_item(self.issues.mentions, whole)
        return ListedChange(item=self.issues.item(whole), work=work, whole=True)

    async def _pages(
        self,
        teams: Sequence[str],
        window: Mapping[str, JSON],
        *,
        names_only: bool = False,
    ) -> AsyncGenerator[list[IssueNode], None]:
        """Yield the issues of some teams, page by page."""
        if not teams:
            return
        within: JSON = {"team": {"key": {"in": [*teams]}}, **window}

        async def ask(cursor: str | None) -> Reply:
            variables: dict[str, JSON] = {"filter": within, "after": cursor}
            if names_only:
                return await self.api.ask(
                    queries.NAMES, variables, most=_MOST_NAMES, page_size=_MOST_NAMES
                )
            whole = queries.issues(around(documents=3))
            return await self.api.ask_more(whole, queries.issues(), variables, most=_MOST_WHOLE)

        pages = read_pages(ask, SearchReply, lambda found: found.data.hits.pageInfo.next)
        async with aclosing(pages) as replies:
            async for page in replies:
                yield [each for each in present(page.data.hits.nodes) if each.identifier]


@define
class _TeamPlace:
    """The place in the listing of some teams.

    Attributes:
        update: The place by the time at which an issue changed.
        late: When something was said below an issue, or it was archived, after that time.
    """

    update: UpdateCursor
    late: dict[str, str]

    @classmethod
    def of(cls, scope: ListScope) -> "_TeamPlace":
        cursor = read_cursor(scope.cursor)
        late = cursor.get("late")
        update = UpdateCursor.of(
            evolve(scope, cursor=str(cursor.get("update") or "")), keep_ids=True
        )
        return cls(update, dict(late) if isinstance(late, Mapping) else {})

    @property
    def listed_ids(self) -> KnownIds:
        """The identifiers of the issues that were listed and are not gone."""
        return self.update.known or KnownIds()

    @property
    def _begin(self) -> datetime | None:
        """The time from which this listing asks what was said below the issues.

        A first one asks for nothing apart: issues come with all that was said below them.
        """
        update = self.update
        is_first = update.since is None or update.since == update.begin
        return update.recent if is_first else update.since

    def is_new(self, issue: IssueNode) -> bool:
        """Record an issue, and return whether this state was not listed before."""
        at = changed(issue)
        is_new = self.update.is_new(issue.identifier, at)
        times = (each.updatedAt or each.createdAt for each in present(issue.comments.nodes))
        latest = max(filter(None, (at, issue.archivedAt, *times)))
        if latest > at and (self._begin is None or latest >= self._begin):
            is_late = self.late.get(issue.identifier) != latest.isoformat()
            self.late[issue.identifier] = latest.isoformat()
            return is_new or is_late
        return is_new

    def mark(self, *, done: bool, now: datetime | None = None) -> Callable[[], str]:
        """Return a function that writes the cursor for continuing here."""
        update = self.update.mark(done=done, now=now)
        recent = self.update.recent if done else self._begin

        def written() -> str:
            late = {
                name: at
                for name, at in self.late.items()
                if recent is None or datetime.fromisoformat(at) >= recent
            }
            return json.dumps({"update": update(), "late": late}, separators=(",", ":"))

        return written
