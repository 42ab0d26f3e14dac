"""Search with the newer API where available, else the older one; bots scan."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rove_core import Query, ScopeMissing
from rove_core.json_reader import mapping, objects, string
from rove_slack.api import (
    BY_MEANING,
    BY_WORDS,
    HISTORY,
    PAST,
    SEARCH,
    Arguments,
    pages,
)
from rove_slack.channels import readable_channels
from rove_slack.errors import fault_of_meaning, no_search_by_meaning
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

_MOST_BY_MEANING: Final = 20
_MOST_BY_WORDS: Final = 100
_MOST_PAST: Final = 200


class _NotByMeaningError(Exception):
    """The newer search is not to be had here."""


@define
class SlackSearch:
    """Searches one workspace.

    Attributes:
        http: The account's requests.
        names: Who and where, as far as is known.
        scan: Searches for a bot, which no search of Slack answers.
        page_size: How many messages to ask for at once.
        why_not_by_meaning: Slack's word for why the newer search is not to be had; empty as long
            as nothing is known against it.
    """

    http: "Http"
    names: SlackNames
    scan: ChannelScan
    page_size: int
    why_not_by_meaning: str = field(default="", init=False)

    async def hits(
        self, query: Query, granted: "GrantedScopes"
    ) -> AsyncGenerator[MessageHit, None]:
        """Yield one message of each thread that answers a query: its newest that does."""
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
        """Yield the messages in which the words occur, the newest first."""
        if granted.is_bot:
            async with aclosing(self.scan.hits(terms, granted)) as hits:
                async for hit in hits:
                    yield hit
            return
        kinds = granted.kinds(SEARCH)
        unseen = {*granted.kinds(HISTORY)} - {*kinds}
        if not kinds or (unseen and granted.has(*BY_WORDS.scopes)):
            self.why_not_by_meaning = self.why_not_by_meaning or "missing_scope"
        if not self.why_not_by_meaning:
            try:
                async with aclosing(self._by_meaning(terms, kinds)) as hits:
                    async for hit in hits:
                        yield hit
            except _NotByMeaningError as error:
                self.why_not_by_meaning = str(error)
            else:
                return
        try:
            async with aclosing(self._by_words(terms)) as hits:
                async for hit in hits:
                    yield hit
        except ScopeMissing as error:
            error.message += f"; and the newer search answers {self.why_not_by_meaning}"
            error.args = (error.message,)
            raise

    async def _by_meaning(
        self, terms: SearchTerms, kinds: tuple[str, ...]
    ) -> AsyncGenerator[MessageHit, None]:
        arguments: Arguments = {
            "query": terms.phrases,
            "channel_types": ",".join(kinds),
            "content_types": "messages",
            "include_bots": True,
            "include_archived_channels": True,
            "include_message_blocks": True,
            "disable_semantic_search": True,  # All words must occur; what is like them is noise.
            "sort": "timestamp",
            "limit": min(self.page_size, _MOST_BY_MEANING),
            **terms.seconds("after", "before", wider=1),
        }
        http = self.http.reading(fault_of_meaning)
        async with aclosing(pages(http, BY_MEANING, arguments)) as replies:
            async for reply in replies:
                if why := no_search_by_meaning(reply):
                    raise _NotByMeaningError(why)
                found = mapping(mapping(reply.json()).get("results")).get("messages")
                for hit in await hits_of(objects(found), self.names, terms):
                    yield hit
                if terms.query.one_page:
                    return

    async def _by_words(self, terms: SearchTerms) -> AsyncGenerator[MessageHit, None]:
        arguments: Arguments = {
            "query": terms.phrases_and_days,
            "sort": "timestamp",
            "count": min(self.page_size, _MOST_BY_WORDS),
            "search_exclude_bots": False,
        }
        walk = pages(self.http, BY_WORDS, arguments, following=_cursor_of_words, first="*")
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
                    async with aclosing(self._past(channel, terms)) as hits:
                        async for hit in hits:
                            yield hit

    async def _past(
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


def _cursor_of_words(reply: "Reply") -> str:
    found = mapping(mapping(reply.json()).get("messages"))
    return string(found, "pagination", "next_cursor") or string(found, "paging", "next_cursor")
