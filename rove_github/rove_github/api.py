"""GitHub's API: versions, addresses, rate limit classes, paging."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from functools import partial
from typing import Final, TypeVar
from urllib.parse import quote

from attrs import define, field

from rove_core import JSON, Account, Http, ItemNotFound, Reply, ScopeMissing
from rove_core.http import Parameters, RequestsSpent, next_link
from rove_core.json_reader import read_all
from rove_github.errors import fault, query_fault
from rove_github.references import web_host
from rove_github.settings import GitHubSettings

Shape = TypeVar("Shape")

_HEADERS: Final = {
    "accept": "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
}
_MOST_PER_PAGE: Final = 100
_MOST_PAGES: Final = 1_000
_SEARCHES_PER_MINUTE: Final = 30
#: Of requests that create content GitHub takes 80 a minute, from all who use the account.
_WRITES_PER_MINUTE: Final = 60
#: Nobody reads more comments or commits of one thing.
_MOST_LISTED: Final = 5_000


@define(eq=False)
class GitHubApi:
    """API calls of one account.

    Attributes:
        is_enterprise: Whether it is a company's own server, perhaps of an older version.
        scopes: The scopes of a classic token, as the last reply told; None for other logins.
    """

    _http: Http
    _asking: Http
    _graphql: str
    _page_size: int
    is_enterprise: bool = field(default=False, kw_only=True)
    scopes: frozenset[str] | None = field(default=None, init=False)

    @classmethod
    def of(cls, account: Account[GitHubSettings], http: Http) -> "GitHubApi":
        """Return the API as an account asks it."""
        who = account.identity.name if account.identity else "this token"
        host = web_host(account)
        reading = http.reading(partial(fault, host=host, who=who))
        asking = http.reading(partial(query_fault, host=host, who=who))
        # GitHub's own API has it below its address, an Enterprise Server beside it.
        address = account.base_url.rstrip("/")
        below = address.removesuffix("/v3")
        most = min(account.settings.page_size, _MOST_PER_PAGE)
        return cls(reading, asking, f"{below}/graphql", most, is_enterprise=below != address)

    async def get(self, path: str, *, params: Parameters | None = None) -> Reply:
        """Return one thing."""
        reply = await self._http.get(path, params=params, headers=_HEADERS, kind="core")
        self._note(reply)
        return reply

    async def post(self, path: str, body: JSON) -> Reply:
        """Create something."""
        return await self._http.post(
            path, json=body, headers=_HEADERS, kind="content", per_minute=_WRITES_PER_MINUTE
        )

    async def patch(self, path: str, body: JSON) -> Reply:
        """Change something; done twice it is as done once."""
        return await self._http.patch(
            path,
            json=body,
            repeatable=True,
            headers=_HEADERS,
            kind="content",
            per_minute=_WRITES_PER_MINUTE,
        )

    async def delete(self, path: str, body: JSON) -> Reply:
        """Take something away; done twice it is as done once."""
        return await self._http.delete(
            path,
            json=body,
            repeatable=True,
            headers=_HEADERS,
            kind="content",
            per_minute=_WRITES_PER_MINUTE,
        )

    async def list(
        self,
        path: str,
        shape: type[Shape],
        gaps: "dict[str, str] | None" = None,
        *,
        most: int = _MOST_LISTED,
    ) -> list[Shape]:
        """Return a list, page after page.

        Args:
            path: Where it is.
            shape: What each of it is read as.
            gaps: Where it is noted, by the list's name, that it cannot be read or is too long;
                without it, it is an error that it cannot be read.
            most: How many are enough; with gaps, no further page is read.
        """
        found: list[Shape] = []
        name = path.rpartition("/")[2]
        pages = self._http.pages(
            path,
            next_link,
            params={"per_page": self._page_size},
            most=_MOST_PAGES,
            headers=_HEADERS,
            kind="core",
        )
        try:
            async with aclosing(pages):
                async for page in pages:
                    found += read_all(page, shape)
                    if len(found) >= most and next_link(page) and gaps is not None:
                        gaps[name] = f"cut after the first {len(found):,}"
                        break
        except (ItemNotFound, ScopeMissing, RequestsSpent) as error:
            if gaps is None:
                raise
            gaps[name] = f"not read {'further' if found else ''}".rstrip() + f": {error.message}"
        return found

    async def search(
        self, path: str, params: Parameters, *, limit: int
    ) -> AsyncGenerator[Reply, None]:
        """Yield the pages of a search."""
        pages = self._http.pages(
            path,
            next_link,
            params={**params, "per_page": self.page_size(limit)},
            most=_MOST_PAGES,
            headers=_HEADERS,
            kind="search",
            per_minute=_SEARCHES_PER_MINUTE,
            once=True,  # A later build asks for what is new since then.
        )
        async with aclosing(pages):
            async for page in pages:
                self._note(page)
                yield page

    async def ask(self, query: str, variables: Mapping[str, JSON]) -> Reply:
        """Return the answer to a question in GraphQL, which can be asked twice."""
        return await self._asking.post(
            self._graphql,
            json={"query": query, "variables": dict(variables)},
            repeatable=True,
            headers=_HEADERS,
            kind="graphql",
        )

    def page_size(self, limit: int) -> int:
        """Return how much to ask for on a page."""
        return max(1, min(limit, self._page_size))

    def may(self, *scopes: str) -> bool:
        """Return whether the login may have one of these scopes; others than classic tokens may."""
        return self.scopes is None or not self.scopes.isdisjoint(scopes)

    def _note(self, reply: Reply) -> None:
        header = reply.headers.get("x-oauth-scopes")
        if header is not None:
            self.scopes = frozenset(each.strip() for each in header.split(","))


def repository_path(repository: str) -> str:
    """Return the path below which a repository answers."""
    owner, _, name = repository.partition("/")
    return f"repos/{quote(owner, safe='')}/{quote(name, safe='')}"
