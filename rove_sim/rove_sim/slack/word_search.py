"""The older search: by words, phrases and modifiers, in numbered pages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from rove_sim.parameters import flag, one_of, taking, text, within
from rove_sim.routes import RoutedRequest
from rove_sim.server import Response
from rove_sim.slack.cursors import cursor, place
from rove_sim.slack.errors import refuse
from rove_sim.slack.methods import MethodDescription
from rove_sim.slack.query import Reader, share
from rove_sim.slack.search_results import Findings
from rove_sim.slack.store import PostedMessage
from rove_sim.slack.typed_text import tokens

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_sim.slack.workspace import Slack

_MOST_COUNT = 100
_MOST_PAGES = 100
_DEFAULT_COUNT = 20


@frozen
class ByWords:
    """Answers ``search.messages``."""

    slack: "Slack"
    findings: Findings

    def methods(self) -> Sequence[MethodDescription]:
        """Return what can be called."""
        by_words = taking(
            "query",
            query=text,
            count=within(1, _MOST_COUNT),
            page=within(1, _MOST_PAGES),
            cursor=text,
            sort=one_of("score", "timestamp"),
            sort_dir=one_of("asc", "desc", ""),
            team_id=text,
            search_exclude_bots=flag,
        )
        return [
            MethodDescription(
                "search.messages", self.search, by_words, needs="search:read", bots=False
            )
        ]

    def search(self, call: RoutedRequest) -> Response:
        """Give a page of the messages that a query's words and modifiers find."""
        query = call.text("query")
        if not query.strip():
            refuse("No query passed")
        tests = Reader.of(self.slack).tests(query)
        bots = not call.flag("search_exclude_bots", default=True)
        found = [
            posted
            for posted in self.slack.conversations.everything()
            if (bots or not posted.author.bot) and all(test(posted) for test in tests)
        ]
        newest = call.text("sort_dir", "desc") != "asc"
        if call.text("sort", "score") == "score":
            found.sort(key=lambda posted: (share(tokens(query), posted), posted.ts), reverse=newest)
        else:
            found.sort(key=lambda posted: posted.ts, reverse=newest)
        return self._counted(call, query, found)

    def _counted(self, call: RoutedRequest, query: str, found: Sequence[PostedMessage]) -> Response:
        """Return a page by number, or by cursor when there is one."""
        most = self.slack.conduct.page(call.number("count", _DEFAULT_COUNT), _MOST_COUNT)
        position = call.text("cursor")
        number = call.number("page", 1)
        if position:
            number = 1 if position == "*" else int(place("page", position))
        pages = -(-len(found) // most)
        start = (number - 1) * most
        shown = found[start : start + most]
        # The end of what can be reached by cursor is told by an empty one.
        more = cursor("page", str(number + 1)) if number < min(pages, _MOST_PAGES) else ""
        following: dict[str, JSON] = {"next_cursor": more} if position else {}
        return Response(
            {
                "ok": True,
                "query": query,
                "messages": {
                    "total": len(found),
                    "matches": [self.findings.match(posted) for posted in shown],
                    "pagination": {
                        "total_count": len(found),
                        "page": number,
                        "per_page": most,
                        "page_count": pages,
                        "first": start + 1 if shown else 0,
                        "last": start + len(shown),
                        **following,
                    },
                    "paging": {
                        "count": most,
                        "total": len(found),
                        "page": number,
                        "pages": pages,
                        **following,
                    },
                },
            }
        )
