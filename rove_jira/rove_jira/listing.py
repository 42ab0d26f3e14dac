"""List the tickets of projects that changed, newest first."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import partial
from itertools import islice
from typing import Final

from attrs import evolve, frozen

from rove_core import (
    JSON,
    Clock,
    Container,
    ListedChange,
    ListScope,
    MalformedReply,
    Query,
    UpdateCursor,
    check_readable,
    readable_names,
)
from rove_jira import jql
from rove_jira.api import JiraApi, items
from rove_jira.detail import Fetch
from rove_jira.identity import projects_of
from rove_jira.issue_reader import BULK, EXPANDED, whole_issues
from rove_jira.items import changed, name_of
from rove_jira.search import found_pages
from rove_jira.window import Zone
from rove_jira.work_items import work_item

#: Keys that one request brings, and tickets that can be asked for by their keys at once.
_MOST_KEYS: Final = 5_000
_MOST_AT_ONCE: Final = 100


@frozen
class ProjectListing:
    """Lists the projects of an account.

    Attributes:
        site: The site.
        fetch: Makes tickets of what the site sends.
        zone: The time zone of the account.
        page_size: How many tickets to ask for at once.
        clock: The clock.
    """

    site: JiraApi
    fetch: Fetch
    zone: Zone
    page_size: int
    clock: Clock

    async def changes(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the tickets that changed, then those that are gone.

        Raises:
            ItemNotFound: At the end: a project that cannot be read.
        """
        place, left = UpdateCursor.of(scope, keep_ids=True), scope.limit
        readable = await readable_names(scope, partial(containers, self.site))
        projects = [each for each in scope.containers or readable if each in readable]
        where = self._jql(place, projects, scope) if projects else ""
        async with aclosing(self._pages(where)) as pages:
            async for issues in pages:
                fresh = [*islice((each for each in issues if _is_new(place, each)), left)]
                left -= len(fresh)
                for issue in fresh[:-1]:
                    yield await self._change_of(issue)
                if fresh:
                    yield await self._change_of(fresh[-1], place.text(done=False))
                if left <= 0:
                    return
        async with aclosing(self._gone_or_back(place, projects, left)) as changes:
            async for change in changes:
                yield change
        yield ListedChange(cursor=place.text(done=True, now=self.clock.now()))
        check_readable(scope, readable, kind="project")

    async def recent(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the tickets that changed since a time.

        Raises:
            ItemNotFound: A project that cannot be read.
        """
        readable = await readable_names(scope, partial(containers, self.site))
        check_readable(scope, readable, kind="project")
        place = UpdateCursor(since=scope.since)
        where = self._jql(place, scope.containers, scope)
        async with aclosing(self._pages(where)) as pages:
            async for issues in pages:
                for issue in issues:
                    if _is_new(place, issue):
                        container = name_of(issue).rpartition("-")[0]
                        yield evolve(await self._change_of(issue), container=container)

    async def _gone_or_back(
        self, place: UpdateCursor, projects: Sequence[str], limit: int
    ) -> AsyncGenerator[ListedChange, None]:
        """Yield the tickets that are deleted, moved or hidden now, and those that are seen again.

        What was hidden for a while, as by a right that was lost, has not changed since.
        """
        if not place.known or not place.is_sweep_due(self.clock.now(), per_request=_MOST_KEYS):
            return
        there = await self._keys(place, projects) if projects else set()
        missing = [name for name in place.known if name not in there]
        back = sorted(name for name in there if name not in place.known)[:limit]
        # The search learns late of a change, and does not find the ticket meanwhile.
        there |= await self._present(missing) if projects else set()
        for name in place.forget_missing(there, self.clock.now()):
            yield ListedChange(gone=self.fetch.tickets.ref(name))
        for start in range(0, len(back), _MOST_AT_ONCE):
            where = jql.is_among("key", back[start : start + _MOST_AT_ONCE])
            async with aclosing(self._pages(where)) as pages:
                async for issues in pages:
                    for issue in issues:
                        if at := changed(issue):
                            place.note(name_of(issue), at)
                            yield await self._change_of(issue)

    async def _keys(self, place: UpdateCursor, projects: Sequence[str]) -> set[str]:
        """Return the keys of all tickets that can be listed."""
        within = self.zone.clauses(Query(account="", text="", since=place.begin))
        where = jql.all_of([jql.is_among("project", projects), *within])
        request: dict[str, JSON] = {
            "jql": jql.newest_first(where),
            "fields": ["key"],
            "maxResults": _MOST_KEYS,
        }
        async with aclosing(found_pages(self.site, request)) as replies:
            return {name_of(each) async for reply in replies for each in items(reply, "issues")}

    async def _present(self, names: Sequence[str]) -> set[str]:
        """Return which of these keys still exist, bypassing the search index."""
        if self.site.is_data_center or "bulkfetch" in self.site.lacking:
            return set()
        found: set[str] = set()
        for start in range(0, len(names), _MOST_AT_ONCE):
            some = [*names[start : start + _MOST_AT_ONCE]]
            reply = await self.site.post(BULK, {"issueIdsOrKeys": some, "fields": ["updated"]})
            found |= {name_of(each) for each in items(reply, "issues")}
        return found

    async def _change_of(self, issue: JSON, cursor: str = "") -> ListedChange:
        item = await self.fetch.listed(issue)
        work = work_item(self.fetch.tickets, issue)
        return ListedChange(item=item, work=work, whole=True, cursor=cursor)

    def _jql(self, place: UpdateCursor, projects: Sequence[str], scope: ListScope) -> str:
        query = Query(account=scope.account, text="", since=place.since, until=place.until)
        return jql.all_of([jql.is_among("project", projects), *self.zone.clauses(query)])

    async def _pages(self, where: str) -> AsyncGenerator[Sequence[JSON], None]:
        """Yield the tickets page by page, with all their fields; none for no clause."""
        if not where:
            return
        request: dict[str, JSON] = {
            "jql": jql.newest_first(where),
            "fields": ["*all"],
            "expand": [*EXPANDED] if self.site.is_data_center else ",".join(EXPANDED),
            "maxResults": self.page_size,
        }
        async with aclosing(found_pages(self.site, request)) as replies:
            async for reply in replies:
                yield whole_issues(reply)


async def containers(site: JiraApi) -> list[Container]:
    """Return the projects of an account.

    Raises:
        MalformedReply: Jira has no list of projects here. That does not mean that no project may
            be read: what was copied of them must stay.
    """
    projects = await projects_of(site)
    if projects is None:
        raise MalformedReply("Jira answered 404 instead of the list of projects")
    return [Container(name=each.key, title=each.name, private=each.private) for each in projects]


def _is_new(place: UpdateCursor, issue: JSON) -> bool:
    at = changed(issue)
    return at is not None and place.is_new(name_of(issue), at)
