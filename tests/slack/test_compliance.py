import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from attrs import evolve
from tests.changes import changing
from tests.slack.changes import channel_changes
from tests.slack.conftest import CHANNELS, MESSAGES, PEOPLE, TOKEN

from rove_core import (
    Facts,
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    RoveError,
    ScopeMissing,
    Unavailable,
    WrongCall,
)
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_core.testing.faults import Fault
from rove_core.testing.recording_tests import RecordingTests
from rove_sim.company import Company
from rove_sim.company_slack import SharedFile, SlackMessage
from rove_sim.server import serve
from rove_sim.slack import Slack

THREAD = "https://northwind.slack.com/archives/C0BACKEND/p"
ROOT = "https://northwind.slack.com/archives/C0BACKEND/p1734264000000100"
REPLY = (
    "https://northwind.slack.com/archives/C0BACKEND/p1734264600000100?thread_ts=1734264000.000100"
)


def _error(name: str, **more: str) -> Fault:
    """Return a reply that reports a failure as Slack does."""
    return Fault(body=json.dumps({"ok": False, "error": name, **more}).encode())


FAILURES = MappingProxyType(
    {
        "revoked": _error("token_revoked"),
        "not a user": _error("not_allowed_token_type"),
        "not allowed": _error("restricted_action"),
        "no feature": _error("feature_not_enabled"),
        "a scope": _error("missing_scope", needed="search:read", provided="channels:read"),
        "gone": _error("channel_not_found"),
        "no thread": _error("thread_not_found"),
        "an error": _error("internal_error"),
        "a limit": _error("ratelimited"),
        "too long": _error("query_too_long"),
        "new": _error("an_error_of_tomorrow"),
    }
)


ERRORS: Mapping[str, type[RoveError]] = MappingProxyType(
    {
        "revoked": LoginRefused,
        "not a user": LoginRefused,
        "not allowed": ScopeMissing,
        "no feature": ScopeMissing,
        "a scope": ScopeMissing,
        "gone": ItemNotFound,
        "no thread": ItemNotFound,
        "an error": Unavailable,
        "a limit": RateLimited,
        "too long": WrongCall,
        "new": MalformedReply,
    }
)


#: A thread of what people write about code, which is easily read for markup.
LITERAL = SlackMessage(
    channel="backend-team",
    author="robin",
    at=datetime(2024, 12, 16, 8, microsecond=100, tzinfo=UTC),
    text="*Map<K, V>*, not <b>: an hour, as old-plans says, &lt;i&gt; too.\n"
    "> See https://plan.example/a?b=1&c=2.",
    edited=datetime(2024, 12, 16, 8, 5, tzinfo=UTC),
    replies=(
        SlackMessage(
            author="sarah",
            at=datetime(2024, 12, 16, 8, 10, microsecond=100, tzinfo=UTC),
            text="If a<b && c>d, `x<y` and 2*3*4; _so_ ~not~ [it](that) <!--",
        ),
    ),
)


class TestSlack(SourceTests):
    kind = "slack"
    recordings = Path(__file__).with_name("recordings")
    vendor_failures = FAILURES
    failure_errors = ERRORS
    known, known_kind, unknown = "C0BACKEND/1734264000.000100", "thread", "C0BACKEND/1.000000"
    user = "robin"
    query = "tokens"
    in_fields = MappingProxyType(
        {
            "message_content": ("hour", ("C0BACKEND/1734336000.000100",)),
            "thread_replies": ("TB-123", ("C0BACKEND/1734264000.000100",)),
            "channel_name": ("old-plans", ("C0OLD/1734270000.000100",)),
        }
    )
    private = ("G0HIRING", "D0SARAH")
    expected = ExpectedItem(
        id="C0BACKEND/1734264000.000100",
        role="talk",
        author="Sarah Chen",
        title="TB-123: how long do tokens live?",
        url=ROOT,
        timestamp=datetime(2024, 12, 15, 12, tzinfo=UTC),
        words=("TB-123: how long do", "tokens", "live? See", "https://example.com/a?b=1&c=2"),
        facts=Facts(channel="backend-team"),
        thread=(
            ExpectedItem(
                author="Robin Doe",
                timestamp=datetime(2024, 12, 15, 12, 10, tzinfo=UTC),
                url=f"{THREAD}1734264600000100?thread_ts=1734264000.000100&cid=C0BACKEND",
                words=("One hour, @Sarah Chen says. TB-123 is right.",),
            ),
            ExpectedItem(
                author="Omar Haddad",
                timestamp=datetime(2024, 12, 15, 12, 20, tzinfo=UTC),
                url=f"{THREAD}1734265200000100?thread_ts=1734264000.000100&cid=C0BACKEND",
                words=("Fine with me",),
                facts=Facts(guest=True),
            ),
            ExpectedItem(
                author="Robin Doe",
                timestamp=datetime(2024, 12, 15, 12, 30, tzinfo=UTC),
                url=f"{THREAD}1734265800000100?thread_ts=1734264000.000100&cid=C0BACKEND",
                words=("The plan", "[file: tokens.pdf]"),
                facts=Facts(attachments=("tokens.pdf",)),
            ),
        ),
    )
    more_expected = (
        ExpectedItem(
            id="C0BACKEND/1734268800.000100",
            role="talk",
            author="deploybot",
            title="Deployed TB-123 to `prod`",
            timestamp=datetime(2024, 12, 15, 13, 20, tzinfo=UTC),
            words=("Deployed **TB-123** to `prod`",),
            facts=Facts(channel="backend-team", robot=True),
            thread=(),
        ),
        ExpectedItem(
            id="D0SARAH/1734270600.000100",
            author="Sarah Chen",
            title="TB-123, between us",
            words=("TB-123, between us",),
            thread=(),
            facts=Facts(short_name="Direct message with Sarah Chen"),
        ),
        ExpectedItem(
            id="C0OLD/1734270000.000100",
            author="Omar Haddad",
            facts=Facts(channel="old-plans", guest=True),
            thread=(),
        ),
        ExpectedItem(
            id="C0BACKEND/1734336000.000100",
            author="Robin Doe",
            timestamp=datetime(2024, 12, 16, 8, tzinfo=UTC),
            words=(
                r"**Map\<K, V>**, not \<b>: an hour, as old-plans says, \<i> too.",
                "> See https://plan.example/a?b=1&c=2.",
            ),
            facts=Facts(channel="backend-team"),
            thread=(
                ExpectedItem(
                    author="Sarah Chen",
                    timestamp=datetime(2024, 12, 16, 8, 10, tzinfo=UTC),
                    words=(r"If a\<b && c>d, `x<y` and 2\*3\*4; *so* ~~not~~ [it\](that) \<!--",),
                ),
            ),
        ),
    )
    mentions = (f"see {ROOT}", f"<{REPLY}>", f"{REPLY}&cid=C0BACKEND.", f"[it]({ROOT})")

    @pytest.fixture
    def company(self, company: Company) -> Company:
        """Give the company with a thread about code."""
        return evolve(company, messages=(*company.messages, LITERAL))

    @pytest.fixture
    def vendor_clock(self) -> VirtualClock:
        """Give a clock that only the changes move."""
        return VirtualClock()

    @pytest.fixture
    def vendor(
        self,
        workspace: Slack,
        northwind: AbstractAsyncContextManager[Vendor],
        vendor_clock: VirtualClock,
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give a workspace whose pages hold two things."""
        return changing(northwind, channel_changes(workspace, vendor_clock))


def _typed(minutes: int, **parts: Any) -> SlackMessage:  # noqa: ANN401  # as a message has them
    at = datetime(2024, 12, 16, 9, 30, tzinfo=UTC) + timedelta(minutes=minutes)
    return SlackMessage(**{"channel": "backend-team", "author": "sarah", "at": at, **parts})


def _markup(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


#: Messages with all that people and programs write, for the tokens that `query` finds.
WRITTEN = (
    _typed(0, text="tokens: a literal &lt;b&gt; and <b> & more"),
    _typed(
        1,
        author="deploybot",
        blocks=(
            _markup("tokens: <https://plan.example/a?b=1&amp;c=2|The plan> &amp;lt; ~gone~ _so_"),
            _markup("> quoted\n```a *b* &lt;c&gt;```\n1. one\n\u2022 two"),
            {"type": "divider"},
            {"type": "header", "text": {"type": "plain_text", "text": "tokens & more"}},
        ),
    ),
    _typed(
        2,
        author="omar",
        text="tokens in two parts",
        edited=datetime(2024, 12, 16, 10, 30, tzinfo=UTC),
        files=(SharedFile(name="tokens.pdf"), SharedFile(name="more.txt")),
        replies=(
            SlackMessage(
                author="robin",
                at=datetime(2024, 12, 17, 9, 30, tzinfo=UTC),
                text="A file of mine about tokens",
                files=(SharedFile(name="mine.pdf"),),
            ),
        ),
    ),
    _typed(3, channel="hiring", author="robin", text="tokens for @omar in #backend-team, :tada:"),
)


class WrittenMessages(RecordingTests):
    """Recordings of a workspace with further messages."""

    kind = "slack"
    recordings = Path(__file__).with_name("recordings")
    known, known_kind, unknown = TestSlack.known, "thread", TestSlack.unknown
    query = "tokens"
    mentions = TestSlack.mentions

    @pytest.fixture
    def company(self) -> Company:
        """Give a company that writes in every way."""
        return Company(
            name="Northwind",
            token=TOKEN,
            people=PEOPLE,
            channels=CHANNELS,
            messages=(*MESSAGES, *WRITTEN),
        )

    vendor_clock = TestSlack.vendor_clock
    vendor = TestSlack.vendor


class TestSlackWritten(WrittenMessages):
    """All of these messages, as a person reads them."""


class TestSlackOlderSearch(WrittenMessages):
    """A workspace without the newer search."""

    @pytest.fixture
    def workspace(self, workspace: Slack) -> Slack:
        """Give the workspace, where only the older search answers."""
        workspace.search_error = "feature_not_enabled"
        return workspace


class TestSlackWithABot(WrittenMessages):
    """A bot that is in one public and one private channel."""

    @pytest.fixture
    def northwind(self, workspace: Slack) -> AbstractAsyncContextManager[Vendor]:
        """Give the workspace, which one enters with the token of a bot."""
        workspace.invite("backend-team", "hiring")

        @asynccontextmanager
        async def opened() -> AsyncIterator[Vendor]:
            async with serve(workspace) as base_url:
                yield Vendor(base_url=base_url, answers={"token": workspace.bot_token})

        return opened()
