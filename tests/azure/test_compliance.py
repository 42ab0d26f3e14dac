from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, date, datetime
from types import MappingProxyType

import pytest
from attrs import evolve
from tests.azure.changes import organization_changes
from tests.changes import changing

from rove_core import Facts, ItemStatus, NamedValue
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_sim.azure import AzureDevOps

EXPECTED = ExpectedItem(
    id="2",
    role="ticket",
    title="Rotate keys",
    author="Ann Lee",
    timestamp=datetime(2024, 12, 12, 9, 0, 0, 120_000, tzinfo=UTC),
    url="https://dev.azure.com/northwind/_workitems/edit/2",
    words=("Once a **day**.", "Old keys work for an hour", "First the *pilot*"),
    facts=Facts(
        status=ItemStatus(name="Active", category="in_progress"),
        created=datetime(2024, 12, 1, 9, tzinfo=UTC),
        type="User Story",
        labels=("auth", "pilot"),
        project="Tracker",
        priority="1",
        iteration="Sprint 7",
        attachments=("keys.md",),
        assignees=("Ben Fox",),
        due=date(2024, 12, 24),
        estimate=5.0,
        fields=(NamedValue(name="Customer", value="Globex"),),
    ),
    links=(("parent", "1"), ("relates", "3"), ("duplicates", "5")),
    thread=(
        ExpectedItem(
            author="Ann Lee",
            timestamp=datetime(2024, 12, 10, 9, tzinfo=UTC),
            words=("How often?",),
        ),
        ExpectedItem(
            author="Ben Fox",
            timestamp=datetime(2024, 12, 11, 9, tzinfo=UTC),
            words=("And who?",),
        ),
        ExpectedItem(
            author="Ann Lee",
            timestamp=datetime(2024, 12, 12, 9, tzinfo=UTC),
            words=("**One** hour",),
        ),
    ),
)


class TestAzure(SourceTests):
    kind = "azure"
    known, known_kind, unknown = "2", "ticket", "999"
    query = "keys"
    in_fields = {"ticket_title": ("keys", ("2",)), "labels": ("pilot", ("2",))}  # noqa: RUF012  # as its original
    mentions = (
        "see AB#2",
        "https://dev.azure.com/northwind/Tracker/_workitems/edit/2/",
        "https://northwind.visualstudio.com/Tracker/_boards/board/t/Team?workitem=2",
    )
    expected = EXPECTED
    work_container = "Tracker"
    work_statuses = MappingProxyType(
        {"New": "todo", "Active": "in_progress", "Resolved": "in_progress", "Closed": "done"}
    )
    work_guard = True
    comment_edits = True

    @pytest.fixture
    def vendor(
        self, organization: AzureDevOps, northwind: AbstractAsyncContextManager[Vendor]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give the simulator."""
        organization.reader = "pat-of-a-reader"
        changes = organization_changes(organization, VirtualClock())
        return _with_a_reader(changing(northwind, changes), organization)


@asynccontextmanager
async def _with_a_reader(
    opened: AbstractAsyncContextManager[Vendor], organization: AzureDevOps
) -> AsyncIterator[Vendor]:
    async with opened as vendor:
        answers = {"token": organization.reader}
        yield evolve(vendor, reader=Vendor(base_url=vendor.base_url, answers=answers))
