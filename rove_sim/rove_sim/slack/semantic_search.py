"""The newer search: by meaning where available, over more than messages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core import JSON
from rove_sim.company_slack import time_of
from rove_sim.parameters import flag, integer, one_of, some_of, taking, text, within
from rove_sim.routes import RoutedRequest
from rove_sim.server import Response
from rove_sim.slack.arguments import texts
from rove_sim.slack.cursors import page
from rove_sim.slack.errors import refuse
from rove_sim.slack.methods import MethodDescription
from rove_sim.slack.query import Reader, Test, every_word, share
from rove_sim.slack.scopes import SEARCHABLE, TYPES
from rove_sim.slack.search_results import Findings
from rove_sim.slack.store import PostedMessage
from rove_sim.slack.typed_text import tokens

if TYPE_CHECKING:
    from rove_sim.slack.workspace import Slack

_MOST_LIMIT = 20
_LONGEST_QUERY = 500
_ENOUGH = 0.5
_CONTENT = ("messages", "files", "channels", "users")


@frozen
class ByMeaning:
    """Answers ``assistant.search.context`` and its capabilities."""

    slack: "Slack"
    findings: Findings

    def methods(self) -> Sequence[MethodDescription]:
        """Return what can be called."""
        by_meaning = taking(
            "query",
            query=text,
            action_token=text,
            channel_types=some_of(*SEARCHABLE),
            content_types=some_of(*_CONTENT),
            include_bots=flag,
            include_context_messages=flag,
            include_message_blocks=flag,
            include_archived_channels=flag,
            include_deleted_users=flag,
            disable_semantic_search=flag,
            term_clauses=texts,
            modifiers=text,
            after=integer,
            before=integer,
            sort=one_of("score", "timestamp"),
            sort_dir=one_of("asc", "desc"),
            cursor=text,
            limit=within(1, _MOST_LIMIT),
        )
        return [
            MethodDescription("assistant.search.context", self.search, by_meaning, json=True),
            MethodDescription("assistant.search.info", self.info, taking(), json=True),
        ]

    def info(self, call: RoutedRequest) -> Response:
        """Say whether the search goes by meaning."""
        self.slack.need(call, "search:read.public")
        return Response({"ok": True, "is_ai_search_enabled": self.slack.semantic})

    def search(self, call: RoutedRequest) -> Response:
        """Give a page of what a question finds: messages, and what else it asks for."""
        self._allow(call)
        most = self.slack.conduct.page(call.number("limit", _MOST_LIMIT), _MOST_LIMIT)
        kinds = call.words("content_types", ("messages",))
        found = [(kind, each) for kind in kinds for each in self._found(kind, call)]
        shown, next_cursor = page("search", found, call.text("cursor"), most)
        results = {kind: [each for name, each in shown if name == kind] for kind in kinds}
        metadata: JSON = {"next_cursor": next_cursor}
        return Response({"ok": True, "results": results, "response_metadata": metadata})

    def _found(self, kind: str, call: RoutedRequest) -> Sequence[JSON]:
        finders = {
            "messages": self._messages,
            "files": self._files,
            "channels": self._channels,
            "users": self._users,
        }
        return finders[kind](call)

    def _messages(self, call: RoutedRequest) -> list[JSON]:
        found: list[JSON] = []
        for posted in self._relevant(call):
            hit = self.findings.message(posted)
            if call.flag("include_message_blocks"):
                hit["blocks"] = list(posted.blocks)
            if call.flag("include_context_messages"):
                hit["context_messages"] = self.findings.around(posted)
            found.append(hit)
        return found

    def _files(self, call: RoutedRequest) -> list[JSON]:
        terms = set(tokens(call.text("query")))
        return [
            self.findings.file(posted, file)
            for posted in self.slack.conversations.everything()
            for file in posted.message.files
            if terms & set(tokens(f"{file.name} {file.title}"))
        ]

    def _channels(self, call: RoutedRequest) -> list[JSON]:
        terms = set(tokens(call.text("query")))
        return [
            self.findings.channel(channel)
            for channel in self.slack.conversations.channels()
            if channel.kind == "public"
            and terms & set(tokens(f"{channel.name} {channel.topic} {channel.purpose}"))
        ]

    def _users(self, call: RoutedRequest) -> list[JSON]:
        terms = set(tokens(call.text("query")))
        deleted = call.flag("include_deleted_users")
        return [
            self.findings.user(person)
            for person in self.slack.company.people
            if terms & set(tokens(person.name)) and (person.active or deleted) and not person.bot
        ]

    def _allow(self, call: RoutedRequest) -> None:
        """Refuse what the workspace or the token does not allow."""
        if self.slack.search_error:
            refuse(self.slack.search_error)
        if len(call.text("query")) > _LONGEST_QUERY:
            refuse("query_too_long")
        for kind in call.words("channel_types", ("public_channel",)):
            self.slack.need(call, SEARCHABLE[kind])
        for kind in set(call.words("content_types")) & {"files", "users"}:
            self.slack.need(call, f"search:read.{kind}")
        if self.slack.is_bot(call.request) and not call.text("action_token"):
            refuse("invalid_action_token")

    def _relevant(self, call: RoutedRequest) -> list[PostedMessage]:
        kinds = {TYPES[each] for each in call.words("channel_types", ("public_channel",))}
        tests = [*self._window(call), *self._clauses(call)]
        bots, archived = call.flag("include_bots"), call.flag("include_archived_channels")
        found = [
            posted
            for posted in self.slack.conversations.everything()
            if posted.channel.kind in kinds
            and (bots or not posted.author.bot)
            and (archived or not posted.channel.archived)
            and all(test(posted) for test in tests)
        ]
        newest = call.text("sort_dir", "desc") == "desc"
        words = tokens(call.text("query"))
        if call.text("sort", "score") == "score":
            found.sort(key=lambda posted: (share(words, posted), posted.ts), reverse=newest)
        else:
            found.sort(key=lambda posted: posted.ts, reverse=newest)
        return found

    def _window(self, call: RoutedRequest) -> list[Test]:
        after, before = call.number("after"), call.number("before")
        tests: list[Test] = []
        if after:
            tests.append(lambda posted: time_of(posted.ts).timestamp() > after)
        if before:
            tests.append(lambda posted: time_of(posted.ts).timestamp() < before)
        return tests

    def _clauses(self, call: RoutedRequest) -> list[Test]:
        """Return what the words must meet: with meaning, half of them are enough."""
        clauses = call.words("term_clauses")
        if clauses:
            modifiers = Reader.of(self.slack).tests(call.text("modifiers"))
            return [*modifiers, *(_any_word(clause) for clause in clauses)]
        query = call.text("query")
        if not self.slack.semantic or call.flag("disable_semantic_search") or '"' in query:
            return Reader.of(self.slack).tests(query)
        words = tokens(query)
        return [lambda posted: share(words, posted) >= _ENOUGH]


def _any_word(clause: str) -> Test:
    tests = [every_word(word) for word in clause.split()]
    return lambda posted: any(test(posted) for test in tests)
