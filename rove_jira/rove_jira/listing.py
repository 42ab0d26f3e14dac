"""Listing projects: the tickets that changed, newest first, without any words to look for."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from itertools import islice

from attrs import frozen

from rove_core import (
    JSON,
    Container,
    ListedChange,
    ListScope,
    Query,
    UpdateCursor,
)
from rove_jira import jql
from rove_jira.fetching import Fetch
from rove_jira.identity import projects_of
from rove_jira.issues import EXPANDED, whole_issues
from rove_jira.searching import found_pages
from rove_jira.site import JiraSite
from rove_jira.tickets import changed, name_of
from rove_jira.window import Zone


@frozen
class ProjectListing:
    """Lists the projects of an account.

    Attributes:
        site: The site.
        fetch: Makes tickets of what the site sends.
        zone: The time zone of the account.
        page_size: How many tickets to ask for at once.
    """

    site: JiraSite
    fetch: Fetch
    zone: Zone
    page_size: int

    async def changes(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the tickets that changed; Jira does not tell which were deleted."""
        place, left = UpdateCursor.of(scope), scope.limit
        projects = scope.containers or [each.name for each in await containers(self.site)]
        where = self._where(place, projects, scope)
        async with aclosing(self._pages(where)) as pages:
            async for issues in pages:
                fresh = [*islice((each for each in issues if _is_new(place, each)), left)]
                left -= len(fresh)
                for issue in fresh[:-1]:
                    yield await self._listed(issue)
                if fresh:
                    yield await self._listed(fresh[-1], place.text(done=False))
                if left <= 0:
                    return
        yield ListedChange(cursor=place.text(done=True))

    async def _listed(self, issue: JSON, cursor: str = "") -> ListedChange:
        item = await self.fetch.listed(issue)
        return ListedChange(item=item, whole=True, cursor=cursor)

    def _where(self, place: UpdateCursor, projects: Sequence[str], scope: ListScope) -> str:
        query = Query(account=scope.account, text="", since=place.since, until=place.until)
        return jql.all_of([jql.is_among("project", projects), *self.zone.clauses(query)])

    async def _pages(self, where: str) -> AsyncGenerator[Sequence[JSON], None]:
        """Yield the tickets page by page, with all their fields."""
        asked: dict[str, JSON] = {
            "jql": jql.newest_first(where),
            "fields": ["*all"],
            "expand": [*EXPANDED] if self.site.is_data_center else ",".join(EXPANDED),
            "maxResults": self.page_size,
        }
        async with aclosing(found_pages(self.site, asked)) as replies:
            async for reply in replies:
                yield whole_issues(reply)


async def containers(site: JiraSite) -> list[Container]:
    """Return the projects of an account."""
    return [Container(name=key, title=name) for key, name in await projects_of(site) or ()]


def _is_new(place: UpdateCursor, issue: JSON) -> bool:
    at = changed(issue)
    return at is not None and place.is_new(name_of(issue), at)
