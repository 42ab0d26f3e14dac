from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from rove_core.testing import SourceTests, Vendor
from rove_sim import sample_company
from rove_sim.server import serve
from rove_sim.slack import Slack

REPLY = (
    "https://northwind.slack.com/archives/C0BACKEND/p1734264600000200?thread_ts=1734264000.000100"
)


@asynccontextmanager
async def _northwind() -> AsyncIterator[Vendor]:
    company = sample_company()
    async with serve(Slack(company)) as base_url:
        yield Vendor(base_url=base_url, answers={"token": company.token})


class TestSlack(SourceTests):
    kind = "slack"
    known, known_kind, unknown = "C0BACKEND/1734264000.000100", "thread", "C0BACKEND/1.000000"
    query = "pilot"
    mentions = (
        "see https://northwind.slack.com/archives/C0BACKEND/p1734264000000100",
        f"<{REPLY}>",
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give the workspace of the sample company."""
        return _northwind()
