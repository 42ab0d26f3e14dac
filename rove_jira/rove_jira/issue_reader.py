"""Read tickets; concurrent reads share one request."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from attrs import define, field

from rove_core import JSON, MalformedReply, NotFound, Reply, WrongCall
from rove_core.json_reader import text, value_at
from rove_jira import jql
from rove_jira.api import JiraApi, items, thing, ticket_path

BULK: Final = "issue/bulkfetch"
SEARCH: Final = "search/jql"
#: The search of Data Center, which gives pages by their numbers.
OLD_SEARCH: Final = "search"
#: What a search and a ticket bring besides fields.
EXPANDED: Final = ("names", "schema", "changelog")
_MOST_AT_ONCE: Final = 100


@define(eq=False)
class _Batch:
    """Tickets to read with one request.

    Attributes:
        keys: Their keys.
        replied: The request, and what came of it by these keys.
        readers: How many wait for it.
    """

    keys: list[str] = field(factory=list)
    replied: "asyncio.Task[Mapping[str, JSON]] | None" = None
    readers: int = 0


@define(eq=False)
class IssueReader:
    """Reads tickets with all their fields, and as much of their comments and history as fits in.

    Attributes:
        site: The site.
    """

    site: JiraApi
    _open: _Batch = field(factory=_Batch, init=False)

    async def read(self, key: str) -> JSON:
        """Return a ticket; reads at the same moment share one request.

        Raises:
            ItemNotFound: There is none.
        """
        found = (await self._join_batch(key)).get(key)
        return await self._alone(key) if found is None else found

    async def _join_batch(self, key: str) -> Mapping[str, JSON]:
        batch = self._open
        if batch.replied is None:
            batch.replied = asyncio.ensure_future(self._request_batch(batch))
        batch.keys.append(key)
        batch.readers += 1
        try:
            return await asyncio.shield(batch.replied)
        finally:
            batch.readers -= 1
            if not batch.readers:
                batch.replied.cancel()
                self._close(batch)

    async def _request_batch(self, batch: _Batch) -> Mapping[str, JSON]:
        """Return the tickets of a batch, requested once all readers have joined."""
        self._close(batch)
        keys = [*dict.fromkeys(batch.keys)]
        found: dict[str, JSON] = {}
        for start in range(0, len(keys) if len(keys) > 1 else 0, _MOST_AT_ONCE):
            with suppress(MalformedReply, WrongCall):  # Each is asked for alone then.
                for issue in await self._several(keys[start : start + _MOST_AT_ONCE]):
                    found |= {name.upper(): issue for name in _names(issue)}
        return {key: found[key.upper()] for key in keys if key.upper() in found}

    def _close(self, batch: _Batch) -> None:
        """Close a batch."""
        if self._open is batch:
            self._open = _Batch()

    async def _several(self, keys: Sequence[str]) -> Sequence[JSON]:
        if self.site.is_data_center:
            request = {"jql": jql.is_among("key", keys), "fields": ["*all"], "expand": [*EXPANDED]}
            return whole_issues(
                await self.site.post(OLD_SEARCH, {**request, "maxResults": len(keys)})
            )
        if "bulkfetch" not in self.site.lacking:
            try:
                body = {"issueIdsOrKeys": [*keys], "fields": ["*all"], "expand": [*EXPANDED]}
                return items(await self.site.post(BULK, body), "issues")
            except NotFound:
                self.site.lacking.add("bulkfetch")
        return whole_issues(
            await self.site.post(
                SEARCH,
                {
                    "jql": jql.is_among("key", keys),
                    "fields": ["*all"],
                    "expand": ",".join(EXPANDED),
                    "maxResults": len(keys),
                },
            )
        )

    async def _alone(self, key: str) -> JSON:
        params = {"fields": "*all", "expand": ",".join(EXPANDED)}
        reply = await self.site.get(ticket_path(key), kind="issue/{key}", **params)
        return thing(reply, "fields")


def _names(issue: JSON) -> list[str]:
    """Return the ids and keys under which a complete ticket may have been requested."""
    names = (text(issue, "key"), text(issue, "id"))
    return [*filter(None, names)] if value_at(issue, "fields") is not None else []


def whole_issues(reply: Reply) -> Sequence[JSON]:
    """Return the tickets of a search reply, each with the reply's field names."""
    shared = {name: value_at(reply.json(), name) for name in ("names", "schema")}
    return [{**shared, **issue} for issue in items(reply, "issues") if isinstance(issue, Mapping)]
