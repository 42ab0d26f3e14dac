"""Read tickets; concurrent reads share one request."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from attrs import define, field

from rove_core import JSON, MalformedReply, NotFound, Reply, WrongCall
from rove_core.http import Batches
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
class IssueReader:
    """Reads tickets with all their fields, and as much of their comments and history as fits in.

    Attributes:
        site: The site.
    """

    site: JiraApi
    _batches: Batches[str, JSON] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._batches = Batches(self._together)

    async def read(self, key: str) -> JSON:
        """Return a ticket; reads at the same moment share one request.

        Raises:
            ItemNotFound: There is none.
        """
        found = await self._batches.ask(key)
        return await self._alone(key) if found is None else found

    async def _together(self, keys: Sequence[str]) -> Mapping[str, JSON]:
        """Return the tickets that one request brings; a single one is read alone."""
        found: dict[str, JSON] = {}
        for start in range(0, len(keys) if len(keys) > 1 else 0, _MOST_AT_ONCE):
            with suppress(MalformedReply, WrongCall):  # Each is asked for alone then.
                for issue in await self._several(keys[start : start + _MOST_AT_ONCE]):
                    found |= {name.upper(): issue for name in _names(issue)}
        return {key: found[key.upper()] for key in keys if key.upper() in found}

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
