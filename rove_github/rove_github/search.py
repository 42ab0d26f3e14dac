"""Searches: all questions at once, then page after page of what each finds."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from itertools import chain
from typing import Final

from attrs import evolve, field, frozen

from rove_core import (
    ContextItem,
    ItemNotFound,
    Query,
    Reply,
    RoveError,
    ScopeMissing,
    TimedOut,
    WrongSetting,
    ticket_ids,
)
from rove_core.json_reader import read_each, read_one
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.concurrency import together
from rove_github.discussions import Discussions
from rove_github.errors import Unsearchable
from rove_github.items import GitHubItems
from rove_github.mentions import parse_id
from rove_github.queries import DISCUSSIONS, SearchRequest

_HINT: Final = "Let the token read it, or take it out of repositories in [sources.github]."


@frozen
class _SearchAnswer:
    """What came of one question: its first page and those after it, or an error."""

    search: SearchRequest
    first: Sequence[ContextItem] = ()
    rest: AsyncGenerator[Sequence[ContextItem], None] | None = None
    error: RoveError | None = None


@frozen
class GitHubSearch:
    """Looks in one account for what answers one query.

    Attributes:
        implied: Whether nobody named the places to look in: one that cannot be read is no trouble.
        troubles: What kept things from being found, so far.
    """

    api: GitHubApi
    items: GitHubItems
    query: Query
    discussions: Discussions
    implied: bool = False
    troubles: list[RoveError] = field(factory=list, init=False)

    async def find(self, searches: Sequence[SearchRequest]) -> AsyncGenerator[ContextItem, None]:
        """Yield what is found, each thing once; at the end raise what kept others from it."""
        seen: set[str] = set()
        async with AsyncExitStack() as opened:
            for answer in await self._answers(searches, opened):
                async for item in self._read(answer):
                    if item.ref.id in seen or not self.query.covers(item.timestamp):
                        continue
                    seen.add(item.ref.id)
                    yield item
                    if len(seen) >= self.query.limit:
                        return
        if self.troubles:
            raise self.troubles[0]

    async def _answers(
        self, searches: Sequence[SearchRequest], opened: AsyncExitStack
    ) -> Sequence[_SearchAnswer]:
        """Ask everything; where GitHub refuses to look, ask once more without that place."""
        answers = await together(self._ask(each, opened) for each in searches)
        refused = [each.search for each in answers if isinstance(each.error, Unsearchable)]
        closed = await self._closed({scope for search in refused for scope in search.scopes})
        if not closed:
            return answers
        if not self.implied:
            self.troubles.extend(closed.values())
        kept = [each for each in answers if each.search not in refused]
        open_ = (
            evolve(search, scopes=tuple(each for each in search.scopes if each not in closed))
            for search in refused
        )
        return [
            *kept,
            *await together(self._ask(each, opened) for each in open_ if each.scopes),
        ]

    async def _ask(self, search: SearchRequest, opened: AsyncExitStack) -> _SearchAnswer:
        pages = self._pages(search)
        opened.push_async_callback(pages.aclose)
        try:
            return _SearchAnswer(search, first=await anext(pages), rest=pages)
        except StopAsyncIteration:
            return _SearchAnswer(search, rest=pages)
        except RoveError as error:
            return _SearchAnswer(search, error=error)

    async def _pages(self, search: SearchRequest) -> AsyncGenerator[Sequence[ContextItem], None]:
        """Yield page after page of what a question finds, whoever answers it."""
        if search.path == DISCUSSIONS:
            async with aclosing(self.discussions.search(search, limit=self.query.limit)) as talks:
                async for talk in talks:
                    yield talk
            return
        pages = self.api.search(search.path, search.params, limit=self.query.limit)
        async with aclosing(pages):
            async for page in pages:
                yield self._page(search, page)

    async def _closed(self, scopes: set[str]) -> dict[str, RoveError]:
        """Return which of these repositories cannot be read, each with its error."""
        repositories = sorted(each for each in scopes if each.startswith("repo:"))
        return dict(chain.from_iterable(await together(map(self._barrier, repositories))))

    async def _barrier(self, scope: str) -> list[tuple[str, RoveError]]:
        repository = scope.removeprefix("repo:")
        try:
            await self.api.get(repository_path(repository))
        except (ItemNotFound, ScopeMissing) as error:
            hint = error.hint if isinstance(error, ScopeMissing) else _HINT
            said = f"{repository} cannot be searched: {error.message}"
            return [(scope, WrongSetting(said, hint=hint))]
        except RoveError as error:
            return [(scope, error)]
        return []

    async def _read(self, answer: _SearchAnswer) -> AsyncGenerator[ContextItem, None]:
        if answer.error or not answer.rest:
            self.troubles.extend([answer.error] if answer.error else [])
            return
        try:
            for item in answer.first:
                if await self._has_branch(answer.search, item):
                    yield item
            async for page in answer.rest:
                for item in page:
                    if await self._has_branch(answer.search, item):
                        yield item
        except RoveError as error:
            self.troubles.append(error)

    async def _has_branch(self, search: SearchRequest, item: ContextItem) -> bool:
        """Return whether what was found by its branch has the id there, and not a longer one."""
        if not search.branch:
            return True
        named = parse_id(item.ref.id)
        reply = await self.api.get(f"{repository_path(named.repository)}/pulls/{named.number}")
        branch = read_one(reply, replies.Pull).head.ref
        return search.branch.upper() in ticket_ids(branch.upper())

    def _page(self, search: SearchRequest, reply: Reply) -> list[ContextItem]:
        found = read_one(reply, replies.SearchPage)
        if found.incomplete_results:
            self.troubles.append(
                TimedOut("GitHub ran out of time in a search: what it had found by then is kept")
            )
        if not search.scopes and reply.headers.get("x-github-sso", "").startswith("partial"):
            self.troubles.append(
                ScopeMissing(
                    "GitHub left out organizations that want their single sign-on for this token",
                    hint="Authorize the token for them, or name the repositories to look in: "
                    "repositories in [sources.github].",
                )
            )
        if search.path == "search/commits":
            return [self.items.commit(each) for each in read_each(found.items, replies.CommitReply)]
        return [self.items.issue(each) for each in read_each(found.items, replies.IssueReply)]
