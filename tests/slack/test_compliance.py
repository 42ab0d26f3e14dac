from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from types import MappingProxyType

import pytest
from tests.changes import changing
from tests.slack.changes import channel_changes

from rove_core import Facts
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_sim.slack import Slack

ROOT = "https://northwind.slack.com/archives/C0BACKEND/p1734264000000100"
REPLY = (
    "https://northwind.slack.com/archives/C0BACKEND/p1734264600000100?thread_ts=1734264000.000100"
)


class TestSlack(SourceTests):
    kind = "slack"
    known, known_kind, unknown = "C0BACKEND/1734264000.000100", "thread", "C0BACKEND/1.000000"
    query = "tokens"
    in_fields = MappingProxyType({"thread_replies": ("TB-123", ("C0BACKEND/1734264000.000100",))})
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
                words=("One hour,", "says. TB-123 is right."),
            ),
            ExpectedItem(
                author="Omar Haddad",
                timestamp=datetime(2024, 12, 15, 12, 20, tzinfo=UTC),
                words=("Fine with me",),
                facts=Facts(guest=True),
            ),
            ExpectedItem(
                author="Robin Doe",
                timestamp=datetime(2024, 12, 15, 12, 30, tzinfo=UTC),
                words=("The plan", "tokens.pdf"),
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
        ),
        ExpectedItem(
            id="C0OLD/1734270000.000100",
            author="Omar Haddad",
            facts=Facts(channel="old-plans", guest=True),
            thread=(),
        ),
    )
    mentions = (f"see {ROOT}", f"<{REPLY}>", f"{REPLY}&cid=C0BACKEND.", f"[it]({ROOT})")

    @pytest.fixture
    def vendor(
        self, workspace: Slack, northwind: AbstractAsyncContextManager[Vendor]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give a workspace whose pages hold two things."""
        return changing(northwind, channel_changes(workspace, VirtualClock()))
