"""Search messages with ``assistant.search.context``, else with ``search.messages``.

Not every workspace has the first. Bots may use neither: they scan channels.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rove_core import Query, ScopeMissing
from rove_core.json_reader import mapping, objects, string
from rove_slack.api import (
    CONTEXT_SEARCH,
    HISTORY,
    MESSAGE_SEARCH,
    PAST,
    SEARCH,
    Arguments,
    pages,
)
from rove_slack.channels import readable_channels
from rove_slack.errors import context_search_fault, context_search_refusal
from rove_slack.hits import MessageHit, hits_of
from rove_slack.names import SlackNames
from rove_slack.scan import ChannelScan
from rove_slack.search_terms import SearchTerms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core import JSON, Http, Reply
    from rove_slack.scopes import GrantedScopes

CONTENT: Final = "message_content"
REPLIES: Final = "thread_replies"
CHANNEL: Final = "channel_name"

_MOST_IN_CONTEXT_SEARCH: Final = 20
_MOST_IN_MESSAGE_SEARCH: Final = 100
_MOST_PAST: Final = 200


class _NoContextSearchError(Exception):
    """``assistant.search.context`` is not available here."""


@define
class SlackSearch:
    """Searches one workspace.

    Attributes:
        http: The account's requests.
        names: The known names of people and channels.
        scan: The search of a bot, which may not use Slack's own.
        page_size: How many messages to ask for at once.
        why_no_context_search: Slack's error code if ``assistant.search.context`` is not
            available; empty if it may be.
    """

    http: "Http"
    names: SlackNames
    scan: ChannelScan
    page_size: int
    why_no_context_search: str = field(default="", init=False)

    async def hits(
        self, query: Query, granted: "GrantedScopes"
    ) -> AsyncGenerator[MessageHit, None]:
        """Yield the newest matching message of each thread."""
        terms = SearchTerms.of(query)
        seen: set[str] = set()
        async with aclosing(self._all(terms, granted)) as found:
            async for hit in found:
                if hit.link.thread in seen or not terms.query.covers(hit.at):
                    continue
                seen.add(hit.link.thread)
                yield hit
                if len(seen) >= query.limit:
                    return

    async def _all(
        self, terms: SearchTerms, granted: "GrantedScopes"
    ) -> AsyncGenerator[MessageHit, None]:
        fields = terms.query.fields or (CONTENT, REPLIES)
        if not terms.terms:
            return
        if {CONTENT, REPLIES} & {*fields}:
            async with aclosing(self._search_messages(terms, granted)) as hits:
                async for hit in hits:
                    if (CONTENT if hit.link.ts == hit.link.root else REPLIES) in fields:
                        yield hit
        if CHANNEL in fields:
            async with aclosing(self._in_channels(terms, granted)) as hits:
                async for hit in hits:
                    yield hit

    async def _search_messages(
        self, terms: SearchTerms, granted: "GrantedScopes"
    ) -> AsyncGenerator[MessageHit, None]:
        """Yield the messages that contain the words, newest first."""
        if granted.is_bot:
            async with aclosing(self.scan.hits(terms, granted)) as hits:
                async for hit in hits:
                    yield hit
            return
        kinds = granted.kinds(SEARCH)
        unseen = {*granted.kinds(HISTORY)} - {*kinds}
        if not kinds or (unseen and granted.has(*MESSAGE_SEARCH.scopes)):
            self.why_no_context_search = self.why_no_context_search or "missing_scope"
        if not self.why_no_context_search:
            try:
                async with aclosing(self._with_context_search(terms, kinds)) as hits:
                    async for hit in hits:
                        yield hit
            except _NoContextSearchError as error:
                self.why_no_context_search = str(error)
            else:
                return
        try:
            async with aclosing(self._with_message_search(terms)) as hits:
                async for hit in hits:
                    yield hit
        except ScopeMissing as error:
            error.message += f"; and the newer search answers {self.why_no_context_search}"
            error.args = (error.message,)
            raise

    async def _with_context_search(
        self, terms: SearchTerms, kinds: tuple[str, ...]
    ) -> AsyncGenerator[MessageHit, None]:
        arguments: Arguments = {
            "query": terms.phrases,
            "channel_types": ",".join(kinds),
            "content_types": "messages",
            "include_bots": True,
            "include_archived_channels": True,
            "include_message_blocks": True,
            "disable_semantic_search": True,  # All words must occur; similar ones are noise.
            "sort": "timestamp",
            "limit": min(self.page_size, _MOST_IN_CONTEXT_SEARCH),
            **terms.seconds("after", "before", wider=1),
        }
        http = self.http.reading(context_search_fault)
        async with aclosing(pages(http, CONTEXT_SEARCH, arguments)) as replies:
            async for reply in replies:
                if why := context_search_refusal(reply):
                    raise _NoContextSearchError(why)
                found = mapping(mapping(reply.json()).get("results")).get("messages")
                for hit in await hits_of(objects(found), self.names, terms):
                    yield hit
                if terms.query.one_page:
                    return

    async def _with_message_search(self, terms: SearchTerms) -> AsyncGenerator[MessageHit, None]:
        arguments: Arguments = {
            "query": terms.phrases_and_days,
            "sort": "timestamp",
            "count": min(self.page_size, _MOST_IN_MESSAGE_SEARCH),
            "search_exclude_bots": False,
        }
        walk = pages(
            self.http, MESSAGE_SEARCH, arguments, following=_message_search_cursor, first="*"
        )
        async with aclosing(walk) as replies:
            async for reply in replies:
                found = mapping(mapping(reply.json()).get("messages")).get("matches")
                for hit in await hits_of(objects(found), self.names, terms):
                    yield hit
                if terms.query.one_page:
                    return

    async def _in_channels(
        self, terms: SearchTerms, granted: "GrantedScopes"
    ) -> AsyncGenerator[MessageHit, None]:
        """Yield messages in channels whose names contain the words."""
        async with aclosing(readable_channels(self.http, granted)) as channels:
            async for _, channel in channels:
                if terms.in_all([f"#{string(channel, 'name')}"]):
                    async with aclosing(self._channel_messages(channel, terms)) as hits:
                        async for hit in hits:
                            yield hit

    async def _channel_messages(
        self, channel: "Mapping[str, JSON]", terms: SearchTerms
    ) -> AsyncGenerator[MessageHit, None]:
        arguments: Arguments = {
            "channel": string(channel, "id"),
            "limit": min(self.page_size, _MOST_PAST),
            "inclusive": True,
            **terms.seconds("oldest", "latest"),
        }
        async with aclosing(pages(self.http, PAST, arguments)) as replies:
            async for reply in replies:
                found = objects(mapping(reply.json()).get("messages"))
                placed = ({**each, "channel": channel} for each in found)
                for hit in await hits_of(placed, self.names):
                    yield hit


def _message_search_cursor(reply: "Reply") -> str:
    found = mapping(mapping(reply.json()).get("messages"))
    return string(found, "pagination", "next_cursor") or string(found, "paging", "next_cursor")
