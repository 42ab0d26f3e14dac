from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from types import MappingProxyType

import pytest
from tests.jira.changes import site_changes

from rove_core import Facts, ItemStatus
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_sim import sample_company
from rove_sim.jira import Jira
from rove_sim.server import serve


@asynccontextmanager
async def _northwind() -> AsyncIterator[Vendor]:
    company = sample_company()
    clock = VirtualClock()
    site = Jira(company, clock=clock)
    site.reader_token = "token-of-a-reader"  # noqa: S105  # nobody's
    changes = site_changes(site, clock)
    async with serve(site) as base_url:
        answers = {"email": "robin@northwind.example", "token": company.token}
        yield Vendor(
            base_url=base_url,
            answers=answers,
            steps=changes.steps(),
            there=lambda: changes.there,
            reader=Vendor(base_url=base_url, answers={**answers, "token": site.reader_token}),
        )


class TestJira(SourceTests):
    kind = "jira"
    known, known_kind, unknown = "TB-139", "ticket", "TB-999"
    query = "authentication flow"
    work_container = "TB"
    work_statuses = MappingProxyType(
        {"To Do": "todo", "In Progress": "in_progress", "In Review": "in_progress", "Done": "done"}
    )
    work_guard = False
    comment_edits = True
    mentions = ("see TB-139.", "(https://northwind.atlassian.net/browse/TB-139)")
    in_fields = MappingProxyType({"ticket_title": ("SAML", ("TB-139",))})
    expected = ExpectedItem(
        id="TB-139",
        role="ticket",
        title="SAML for enterprise customers",
        author="Victor Almeida",
        timestamp=datetime(2025, 1, 13, 16, 5, tzinfo=UTC),
        url="https://northwind.atlassian.net/browse/TB-139",
        words=(
            "Many enterprises have SAML 2.0 only.",
            "Asked by: Globex (ADFS in the warehouses), two prospects.",
        ),
        facts=Facts(
            created=datetime(2024, 12, 16, 14, 40, tzinfo=UTC),
            status=ItemStatus(name="Won't Do", category="done"),
            resolution="Won't Do",
            type="Story",
            priority="Medium",
            assignees=("Sarah Chen",),
            reporter="Victor Almeida",
            labels=("enterprise", "saml"),
        ),
        links=(("parent", "TB-100"), ("relates", "TB-123")),
        thread=(
            ExpectedItem(
                author="Ruth Adeyemi",
                timestamp=datetime(2024, 12, 17, 15, 0, tzinfo=UTC),
                words=("To Do", "Deferred"),
                facts=Facts(history=True),
            ),
            ExpectedItem(
                author="Ruth Adeyemi",
                timestamp=datetime(2024, 12, 17, 15, 2, tzinfo=UTC),
                words=("SAML is out of scope for the pilot.",),
            ),
            ExpectedItem(
                author="Priya Nair",
                timestamp=datetime(2025, 1, 9, 10, 15, tzinfo=UTC),
                words=("Deferred", "In Progress"),
                facts=Facts(history=True),
            ),
            ExpectedItem(
                author="Priya Nair",
                timestamp=datetime(2025, 1, 9, 10, 16, tzinfo=UTC),
                words=("Reopened after the outage.", "Globex asked"),
            ),
            ExpectedItem(
                author="Sarah Chen",
                timestamp=datetime(2025, 1, 9, 10, 45, tzinfo=UTC),
                words=("4 weeks", "SAML metadata has certificates"),
            ),
            ExpectedItem(
                author="Ruth Adeyemi",
                timestamp=datetime(2025, 1, 13, 16, 4, tzinfo=UTC),
                words=("Go/no-go of January 13", "Entra ID"),
            ),
            ExpectedItem(
                author="Ruth Adeyemi",
                timestamp=datetime(2025, 1, 13, 16, 5, tzinfo=UTC),
                words=("In Progress", "Won't Do"),
                facts=Facts(history=True),
            ),
        ),
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give the site of the sample company."""
        return _northwind()
