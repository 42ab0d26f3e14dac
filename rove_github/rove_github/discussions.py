"""Discussions, through GraphQL: search, and read with all comments."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from typing import Final

from attrs import define, evolve, field

from rove_core import JSON, ContextItem, ItemNotFound, RoveError
from rove_core.json_reader import read_one
from rove_github.api import GitHubApi
from rove_github.discussion_replies import (
    DiscussionAnswer,
    DiscussionNode,
    DiscussionSearchReply,
    FoundDiscussions,
)
from rove_github.errors import graph_fault
from rove_github.graphql_search import ABOUT
from rove_github.items import GitHubItems
from rove_github.references import ParsedId
from rove_github.search_syntax import SearchRequest

_LOG: Final = logging.getLogger("rove.github")
_MOST_COMMENTS: Final = 1_000
_MOST_REPLIES: Final = 50
_PER_PAGE: Final = 50
#: A search of discussions adds to what REST finds; nobody waits long for it.
_SECONDS: Final = 10.0

_ABOUT: Final = "\nfragment who on Actor { login kind: __typename }" + ABOUT
WHOLE: Final = (
    """
query ($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    talk: discussion(number: $number) {
      ...about
      comments(first: $first, after: $after) {
        nodes { ...remark replies(first: REPLIES) { nodes { ...remark } pageInfo { hasNextPage } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
fragment remark on DiscussionComment {
  url body isAnswer createdAt updatedAt
  author { ...who }
}
""".replace("REPLIES", str(_MOST_REPLIES))
    + _ABOUT
)
SEARCH: Final = (
    """
query (
  $words: String!, $places: String!, $first: Int!, $after: String, $counted: Boolean!
) {
  found: search(type: DISCUSSION, query: $words, first: $first, after: $after) {
    nodes { ...about }
    pageInfo { hasNextPage endCursor }
  }
  every: search(type: DISCUSSION, query: $places, first: 1) @include(if: $counted) {
    discussionCount
  }
}
"""
    + _ABOUT
)


@define(eq=False)
class Discussions:
    """Reads and searches the discussions that one account may see.

    Attributes:
        api: Requests to the vendor.
        items: Converts them to items.
    """

    api: GitHubApi
    items: GitHubItems
    _refused: bool = field(default=False, init=False)
    _counts: dict[tuple[str, ...], int] = field(factory=dict, init=False)

    async def read(self, named: ParsedId) -> ContextItem:
        """Return a discussion with all its comments.

        Raises:
            ItemNotFound: There is none, or none that the account may see.
        """
        talk, gaps = await self._read_whole(named)
        item = self.items.discussion(talk, named.repository)
        notes = tuple(f"{name} {why}" for name, why in gaps.items())
        return evolve(
            item,
            facts=evolve(item.facts, incomplete=notes),
            thread=tuple(self._remarks(talk, item)),
        )

    async def search(
        self, search: SearchRequest, *, limit: int
    ) -> AsyncGenerator[list[ContextItem], None]:
        """Yield the pages of a search; nothing where GitHub has no discussions.

        A server without discussions is asked once, and so are places in which there is none.
        """
        after = ""
        while not self._refused and self._counts.get(search.scopes) != 0:
            found = await self._find(search, limit, after)
            if found is None:
                return
            yield [self.items.discussion(each) for each in found.nodes if each and each.number]
            after = found.pageInfo.endCursor
            if not found.pageInfo.hasNextPage or not after:
                return

    async def _find(self, search: SearchRequest, limit: int, after: str) -> FoundDiscussions | None:
        is_counted = bool(search.scopes) and search.scopes not in self._counts
        variables: dict[str, JSON] = {
            "words": search.params["q"],
            "places": " ".join(search.scopes),
            "first": self.api.page_size(limit),
            "after": after or None,
            "counted": is_counted,
        }
        try:
            async with asyncio.timeout(_SECONDS):
                answer = read_one(await self.api.ask(SEARCH, variables), DiscussionSearchReply)
        except ItemNotFound:
            self._refused = True
            return None
        except (RoveError, TimeoutError) as error:
            _LOG.info("discussions are not searched: %s", error)
            return None
        if answer.data is None or answer.data.found is None:
            self._refused = answer.data is None
            _LOG.info("discussions are not searched: %s", answer.errors)
            return None
        if is_counted and answer.data.every and answer.data.every.discussionCount is not None:
            self._counts[search.scopes] = answer.data.every.discussionCount
        return answer.data.found

    async def _read_whole(self, named: ParsedId) -> tuple[DiscussionNode, dict[str, str]]:
        """Return a discussion with all its comments, and notes about unreadable ones."""
        talk = await self._page(named, "")
        comments = [*talk.comments.all]
        info, gaps = talk.comments.pageInfo, dict[str, str]()
        while info.hasNextPage and info.endCursor:
            if len(comments) >= _MOST_COMMENTS:
                gaps["comments"] = f"cut after the first {len(comments):,}"
                break
            following = await self._page(named, info.endCursor)
            comments += following.comments.all
            info = following.comments.pageInfo
        if any(each.replies and each.replies.pageInfo.hasNextPage for each in comments):
            gaps["replies"] = f"cut after the first {_MOST_REPLIES} to a comment"
        return evolve(talk, comments=evolve(talk.comments, nodes=tuple(comments))), gaps

    async def _page(self, named: ParsedId, after: str) -> DiscussionNode:
        owner, _, name = named.repository.partition("/")
        variables: dict[str, JSON] = {"owner": owner, "name": name, "number": int(named.number)}
        first = self.api.page_size(_PER_PAGE)
        reply = await self.api.ask(WHOLE, {**variables, "first": first, "after": after or None})
        answer = read_one(reply, DiscussionAnswer)
        talk = answer.data and answer.data.repository and answer.data.repository.talk
        if talk:
            return talk
        missing = f"{named.repository} has no discussion {named.number} that this login may see"
        for error in answer.errors:
            raise graph_fault(error.type, f"{missing}: {error.message}")
        raise ItemNotFound(missing)

    def _remarks(self, talk: DiscussionNode, below: ContextItem) -> Iterator[ContextItem]:
        """Yield the comments, each with its replies."""
        seen: set[int] = set()
        for comment in talk.comments.all:
            replies = comment.replies.all if comment.replies else ()
            for each in (comment, *replies):
                if each.number not in seen or not each.number:
                    seen.add(each.number)
                    yield self.items.remark(each, below, None if each is comment else comment)
