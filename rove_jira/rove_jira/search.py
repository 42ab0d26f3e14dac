"""Search a site: by key, words and labels, within a time window."""

import re
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Final

from attrs import frozen

from rove_core import JSON, NotFound, Query, Reply, WrongCall
from rove_core.http import cursor_pages
from rove_core.json_reader import integer, text, value_at
from rove_jira import jql
from rove_jira.api import JiraApi, items
from rove_jira.issue_reader import BULK, OLD_SEARCH, SEARCH
from rove_jira.items import name_of
from rove_jira.related_tickets import related_keys
from rove_jira.settings import FIELDS
from rove_jira.turns import in_turn
from rove_jira.window import Zone

_MOST_AT_ONCE: Final = 100
_MOST_PAGES: Final = 1000
_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]*-[0-9]+", re.ASCII | re.IGNORECASE)
_TEXTS: Final = {
    "ticket_title": "summary",
    "ticket_description": "description",
    "comments": "comment",
}
_ALL: Final = tuple(field.name for field in FIELDS)
#: Words that Jira does not keep: nothing is found by them.
_STOP: Final = frozenset(
    """a an and are as at be but by for if in into is it no not of on or s such t that the their
    then there these they this to was will with""".split()  # noqa: SIM905  # a list would hide the words
)
#: The fields that a hit shows; without naming them Jira sends ids alone.
_SHOWN: Final = tuple(
    """summary description environment creator reporter assignee created updated duedate labels
    components fixVersions priority status resolution issuetype parent subtasks issuelinks
    attachment""".split()  # noqa: SIM905  # as above
)


@frozen
class JiraSearch:
    """Searches a site.

    Attributes:
        site: The site.
        zone: The time zone of the account.
        page_size: How many tickets to ask for at once.
    """

    site: JiraApi
    zone: Zone
    page_size: int

    async def issues(self, query: Query) -> AsyncGenerator[JSON, None]:
        """Yield candidate tickets, each once, from a slightly wider window."""
        seen_names: set[str] = set()
        async with aclosing(self._all(query)) as found:
            async for issue in found:
                name = name_of(issue)
                if name and name not in seen_names:
                    seen_names.add(name)
                    yield issue

    async def _all(self, query: Query) -> AsyncGenerator[JSON, None]:
        async with aclosing(in_turn([*self._parts(query)])) as found:
            async for issue in found:
                yield issue

    def _parts(self, query: Query) -> Iterator[AsyncGenerator[JSON, None]]:
        """Yield what yields the tickets that are named, those that say so, those below them."""
        fields = query.fields or _ALL
        keys = [word.upper() for word in query.text.split()]
        are_keys = bool(keys) and all(map(_KEY.fullmatch, keys))
        clauses = [*_clauses(query)]
        if query.since and are_keys and clauses and "related_tickets" in fields:
            yield self._search_changed(keys, clauses, query)
            return
        if are_keys and {"ticket_id", "related_tickets"} & {*fields}:
            yield self._read_named(keys, fields)
        if clauses:
            yield self._search_words(clauses, query)
        if are_keys and "related_tickets" in fields:
            yield self._read_below(keys)

    def _search_words(self, clauses: Sequence[str], query: Query) -> AsyncGenerator[JSON, None]:
        """Return what yields the tickets that say all that is looked for."""
        return self._hits(jql.all_of([*clauses, *self.zone.clauses(query)]), query.limit)

    async def _search_changed(
        self, keys: Sequence[str], clauses: Sequence[str], query: Query
    ) -> AsyncGenerator[JSON, None]:
        """Yield tickets that changed, or around which something changed, with one search.

        JQL takes no key that this account cannot see; then each part is asked for by itself.
        """
        named = await self._fetch(keys)
        for issue in named if "ticket_id" in (query.fields or _ALL) else ():
            yield issue
        related = [key for each in named for key in related_keys(each)]
        ways = [jql.all_of(clauses), jql.is_among("parent", keys)]
        ways += [jql.is_among("key", related)] if related else []
        begun = False
        try:
            where = jql.all_of([jql.any_of(ways), *self.zone.clauses(query)])
            async with aclosing(self._hits(where, query.limit)) as hits:
                async for issue in hits:
                    begun = True
                    yield issue
        except WrongCall:
            if begun:
                raise
            for issue in await self._fetch(related):
                yield issue
            apart = [self._search_words(clauses, query), self._read_below(keys)]
            async with aclosing(in_turn(apart)) as found:
                async for issue in found:
                    yield issue

    async def _read_named(
        self, keys: Sequence[str], fields: Collection[str]
    ) -> AsyncGenerator[JSON, None]:
        """Yield tickets by their keys, then those they are linked to."""
        named = await self._fetch(keys)
        for issue in named if "ticket_id" in fields else ():
            yield issue
        related = [key for each in named for key in related_keys(each)]
        for issue in await self._fetch(related if "related_tickets" in fields else ()):
            yield issue

    async def _read_below(self, keys: Sequence[str]) -> AsyncGenerator[JSON, None]:
        """Yield the tickets below others; JQL refuses unknown keys."""
        with suppress(WrongCall):
            below = jql.is_among("parent", keys)
            async with aclosing(self._hits(below, self.page_size)) as hits:
                async for issue in hits:
                    yield issue

    async def _fetch(self, keys: Sequence[str]) -> list[JSON]:
        """Return the tickets of these keys; JQL would refuse all for one that is not there."""
        found: list[JSON] = []
        for start in range(0, len(keys), _MOST_AT_ONCE):
            some = [*keys[start : start + _MOST_AT_ONCE]]
            if self.site.is_data_center or "bulkfetch" in self.site.lacking:
                found += await self._looked_up(some)
                continue
            try:
                reply = await self.site.post(BULK, {"issueIdsOrKeys": some, "fields": _SHOWN})
                found += items(reply, "issues")
            except NotFound:
                self.site.lacking.add("bulkfetch")
                found += await self._looked_up(some)
        return found

    async def _looked_up(self, keys: Sequence[str]) -> list[JSON]:
        """Return tickets by key from a server without bulk reads."""
        with suppress(WrongCall):
            async with aclosing(self._hits(jql.is_among("key", keys), len(keys))) as hits:
                return [issue async for issue in hits]
        return []

    async def _hits(self, where: str, limit: int) -> AsyncGenerator[JSON, None]:
        """Yield the results of JQL; restart once if the page token expires."""
        query, size = jql.newest_first(where), min(limit, self.page_size)
        for again in (True, False):
            begun = False
            try:
                async with aclosing(self._pages(query, size)) as pages:
                    async for page in pages:
                        for issue in page:
                            yield issue
                        begun = True
            except WrongCall:
                if not (begun and again):
                    raise
            else:
                return

    async def _pages(self, query: str, size: int) -> AsyncGenerator[Sequence[JSON], None]:
        request: dict[str, JSON] = {"jql": query, "fields": _SHOWN, "maxResults": size}
        async with aclosing(found_pages(self.site, request)) as replies:
            async for reply in replies:
                yield items(reply, "issues")


async def found_pages(site: JiraApi, request: Mapping[str, JSON]) -> AsyncGenerator[Reply, None]:
    """Yield the pages that a site finds.

    Args:
        site: The site.
        request: The query, and what to tell of each ticket.
    """

    async def page(token: str | None) -> Reply:
        if site.is_data_center:
            return await site.post(OLD_SEARCH, {**request, "startAt": int(token or 0)})
        return await site.post(SEARCH, {**request, "nextPageToken": token} if token else request)

    following = _next_start if site.is_data_center else _next_token
    async with aclosing(cursor_pages(page, following, most=_MOST_PAGES)) as replies:
        async for reply in replies:
            yield reply


def _clauses(query: Query) -> Iterator[str]:
    """Yield a clause for each word that must occur."""
    words = [word for word in query.text.split() if re.search(r"\w", word)]
    telling = [word for word in words if word.lower() not in _STOP]
    for word in telling or words:
        texts = [_TEXTS[name] for name in query.fields if name in _TEXTS]
        places = [jql.holds(field, word) for field in (texts if query.fields else ["text"])]
        if "labels" in (query.fields or _ALL):
            places.append(jql.equals("labels", word))
        if places:
            yield jql.any_of(places)


def _next_start(reply: Reply) -> str | None:
    """Return where the next page of Data Center's search begins; None after the last."""
    end = (integer(reply.json(), "startAt") or 0) + len(found := items(reply, "issues"))
    return str(end) if found and end < (integer(reply.json(), "total") or 0) else None


def _next_token(reply: Reply) -> str | None:
    """Return the token of the next page; None on the last page."""
    page = reply.json()
    return None if value_at(page, "isLast") is True else text(page, "nextPageToken")
