"""Search: all queries at once, then the pages of each."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from itertools import chain
from typing import Final

from attrs import evolve, field, frozen

from rove_core import (
    ContextItem,
    ItemNotFound,
    MalformedReply,
    Query,
    Reply,
    RoveError,
    ScopeMissing,
    TimedOut,
    WrongSetting,
    ticket_ids,
)
from rove_core.json_reader import read_each, read_one, value_at
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.concurrency import together
from rove_github.discussions import Discussions
from rove_github.errors import SEARCHABLE, Unsearchable
from rove_github.graphql_search import FoundPages, GraphSearch
from rove_github.items import GitHubItems
from rove_github.references import parse_id
from rove_github.search_syntax import DISCUSSIONS, SearchRequest

_HINT: Final = "Let the token read it, or take it out of repositories in [sources.github]."


@frozen
class _SearchAnswer:
    """The result of one search: its pages, or an error.

    Attributes:
        search: The question.
        first: The first page, where it was asked for already.
        rest: The pages after it.
        error: What kept it from being answered.
        is_checked: Whether the branches of what was found are known to be the right ones.
    """

    search: SearchRequest
    first: Sequence[ContextItem] = ()
    rest: AsyncGenerator[Sequence[ContextItem], None] | None = None
    error: RoveError | None = None
    is_checked: bool = False


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
    graph: GraphSearch
    implied: bool = False
    troubles: list[RoveError] = field(factory=list, init=False)

    async def find(self, searches: Sequence[SearchRequest]) -> AsyncGenerator[ContextItem, None]:
        """Yield the results without duplicates; raise a search's error at the end."""
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
        at_once = [each for each in searches if self.graph.takes(each)]
        if len(at_once) < 2:
            at_once = []
        apart = [each for each in searches if each not in at_once and not each.is_extra]
        groups = await together(
            [
                self._ask_at_once(at_once, opened),
                *(self._ask_apart(each, opened) for each in apart),
            ]
        )
        by_search = {each.search: each for answer in groups for each in answer}
        answers = [by_search[each] for each in searches if each in by_search]
        refused = [each.search for each in answers if isinstance(each.error, Unsearchable)]
        closed = await self._unreadable({scope for search in refused for scope in search.scopes})
        if not closed:
            return answers
        if not self.implied:
            self.troubles.extend(closed.values())
        good_answers = [each for each in answers if each.search not in refused]
        open_ = (
            evolve(search, scopes=tuple(each for each in search.scopes if each not in closed))
            for search in refused
        )
        return [
            *good_answers,
            *await together(self._ask(each, opened) for each in open_ if each.scopes),
        ]

    async def _ask_apart(
        self, search: SearchRequest, opened: AsyncExitStack
    ) -> Sequence[_SearchAnswer]:
        return [await self._ask(search, opened)]

    async def _ask_at_once(
        self, searches: Sequence[SearchRequest], opened: AsyncExitStack
    ) -> Sequence[_SearchAnswer]:
        """Run several searches in one query; those without an answer run separately."""
        if not searches:
            return []
        found = await self.graph.ask(searches, limit=self.query.limit)
        answers: list[_SearchAnswer] = []
        for search in searches if found else ():
            pages = self._graph_pages(search, found) if found and found.has(search) else None
            if pages is not None:
                opened.push_async_callback(pages.aclose)
                answers.append(_SearchAnswer(search, rest=pages, is_checked=True))
        if found and not self.implied:
            self.troubles.extend((await self._unreadable(set(found.closed))).values())
            owners = [each for each in found.closed if not each.startswith("repo:")]
            self.troubles.extend(
                Unsearchable(f"{each} cannot be searched", hint=SEARCHABLE) for each in owners
            )
        with_answer = {each.search for each in answers}
        apart = [each for each in searches if each not in with_answer and not each.is_extra]
        return [*answers, *await together(self._ask(each, opened) for each in apart)]

    async def _graph_pages(
        self, search: SearchRequest, found: FoundPages | None
    ) -> AsyncGenerator[Sequence[ContextItem], None]:
        """Yield the first page that was found, and those after it."""
        while found and found.has(search):
            yield self._graph_items(search, found)
            after = found.following(search)
            if not after:
                return
            found = await self.graph.ask([search], limit=self.query.limit, after=after)
        self.troubles.append(MalformedReply("GitHub told only the first pages of a search"))

    def _graph_items(self, search: SearchRequest, found: FoundPages) -> list[ContextItem]:
        if search.path == DISCUSSIONS:
            talks = filter(None, found.talks[search].nodes)
            return [self.items.discussion(each) for each in talks if each.number]
        return [
            self.items.issue(each.issue)
            for each in filter(None, found.items[search].nodes)
            if each.number
            if not search.branch or search.branch.upper() in ticket_ids(each.headRefName.upper())
        ]

    async def _ask(self, search: SearchRequest, opened: AsyncExitStack) -> _SearchAnswer:
        pages = self._pages(search)
        opened.push_async_callback(pages.aclose)
        try:
            return _SearchAnswer(search, first=await anext(pages), rest=pages)
        except StopAsyncIteration:  # Nobody tells of discussions here.
            return _SearchAnswer(search, rest=pages)
        except RoveError as error:
            return _SearchAnswer(search, error=error)

    async def _pages(self, search: SearchRequest) -> AsyncGenerator[Sequence[ContextItem], None]:
        """Yield the pages of a search, from GraphQL or REST."""
        if search.path == DISCUSSIONS:
            if self.graph.lacks_discussions:
                return
            async with aclosing(self.discussions.search(search, limit=self.query.limit)) as talks:
                async for talk in talks:
                    yield talk
            return
        pages = self.api.search(search.path, search.params, limit=self.query.limit)
        async with aclosing(pages):
            async for page in pages:
                yield self._page(search, page)

    async def _unreadable(self, scopes: set[str]) -> dict[str, RoveError]:
        """Return which of these repositories cannot be read, each with its error."""
        repositories = sorted(each for each in scopes if each.startswith("repo:"))
        return dict(chain.from_iterable(await together(map(self._barrier, repositories))))

    async def _barrier(self, scope: str) -> list[tuple[str, RoveError]]:
        repository = scope.removeprefix("repo:")
        try:
            await self.api.get(repository_path(repository))
        except (ItemNotFound, ScopeMissing) as error:
            hint = error.hint if isinstance(error, ScopeMissing) else _HINT
            message = f"{repository} cannot be searched: {error.message}"
            return [(scope, WrongSetting(message, hint=hint))]
        except RoveError as error:
            return [(scope, error)]
        return []

    async def _read(self, answer: _SearchAnswer) -> AsyncGenerator[ContextItem, None]:
        if answer.error or not answer.rest:
            self.troubles.extend([answer.error] if answer.error else [])
            return
        try:
            for item in answer.first:
                if await self._belongs(answer, item):
                    yield item
            async for page in answer.rest:
                for item in page:
                    if await self._belongs(answer, item):
                        yield item
        except RoveError as error:
            self.troubles.append(error)

    async def _belongs(self, answer: _SearchAnswer, item: ContextItem) -> bool:
        """Return whether a result's branch contains the id itself, not a longer one."""
        if answer.is_checked or not answer.search.branch:
            return True
        named = parse_id(item.ref.id)
        reply = await self.api.get(f"{repository_path(named.repository)}/pulls/{named.number}")
        branch = read_one(reply, replies.Pull).head.ref
        return answer.search.branch.upper() in ticket_ids(branch.upper())

    def _page(self, search: SearchRequest, reply: Reply) -> list[ContextItem]:
        if not isinstance(value_at(reply.json(), "items"), list):
            raise MalformedReply(f"{reply.where} sent an unexpected reply: it lists no items")
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
