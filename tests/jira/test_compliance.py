from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from rove_core.testing import SourceTests, Vendor
from rove_sim import sample_company
from rove_sim.jira import Jira
from rove_sim.server import serve


@asynccontextmanager
async def _northwind() -> AsyncIterator[Vendor]:
    company = sample_company()
    async with serve(Jira(company)) as base_url:
        answers = {"email": "robin@northwind.example", "token": company.token}
        yield Vendor(base_url=base_url, answers=answers)


class TestJira(SourceTests):
    kind = "jira"
    known, known_kind, unknown = "TB-123", "ticket", "TB-999"
    query = "authentication flow"
    mentions = ("see TB-123.", "(https://northwind.atlassian.net/browse/TB-123)")

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give the site of the sample company."""
        return _northwind()
