from contextlib import AbstractAsyncContextManager

import pytest

from rove_core.testing import SourceTests, Vendor

ROOT = "https://northwind.slack.com/archives/C0BACKEND/p1734264000000100"
REPLY = (
    "https://northwind.slack.com/archives/C0BACKEND/p1734264600000100?thread_ts=1734264000.000100"
)


class TestSlack(SourceTests):
    kind = "slack"
    known, known_kind, unknown = "C0BACKEND/1734264000.000100", "thread", "C0BACKEND/1.000000"
    query = "tokens"
    mentions = (f"see {ROOT}", f"<{REPLY}>", f"{REPLY}&cid=C0BACKEND.", f"[it]({ROOT})")

    @pytest.fixture
    def vendor(
        self, northwind: AbstractAsyncContextManager[Vendor]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give a workspace whose pages hold two things."""
        return northwind
