from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import attrs
import pytest

from rove_core.testing import SourceTests, Vendor
from rove_sim import sample_company
from rove_sim.github import GitHub
from rove_sim.server import serve


@asynccontextmanager
async def _northwind() -> AsyncIterator[Vendor]:
    company = sample_company()
    pull = company.pull_requests[0]
    older = attrs.evolve(pull, number=846, updated="2024-12-19T10:00:00Z")
    async with serve(GitHub(attrs.evolve(company, pull_requests=(pull, older)))) as base_url:
        settings = {"repositories": (pull.repository,)}
        yield Vendor(base_url=base_url, answers={"token": company.token}, settings=settings)


class TestGitHub(SourceTests):
    kind = "github"
    known, known_kind, unknown = "northwind/backend#847", "pr", "northwind/backend#99999"
    query = "TB-123"
    mentions = (
        "see northwind/backend#847",
        "(https://github.com/northwind/backend/pull/847)",
        "PR #847 is merged",
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give what the sample company has on GitHub, and one pull request more."""
        return _northwind()
