from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType

import pytest
from attrs import evolve
from tests.azure.changes import organization_changes
from tests.changes import changing

from rove_core import (
    Conflict,
    Facts,
    ItemStatus,
    LoginRefused,
    NamedValue,
    RateLimited,
    RoveError,
    WrongSetting,
)
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_core.testing.faults import Fault
from rove_sim.azure import AzureDevOps
from rove_sim.company_azure import AzureComment, AzureLink, AzureWorkItem
from rove_sim.ids import uuid

_REPOSITORY = "a1b2c3d4-0000-0000-0000-000000000001/_git/a1b2c3d4-0000-0000-0000-000000000002"

EXPECTED = ExpectedItem(
    id="2",
    role="ticket",
    title="Rotate keys",
    author="Ann Lee",
    timestamp=datetime(2024, 12, 12, 9, 0, 0, 120_000, tzinfo=UTC),
    url="https://dev.azure.com/northwind/_workitems/edit/2",
    words=(
        "Once a **day**.",
        "**Acceptance Criteria:**",
        "Old keys work for an hour",
        "**Rollout Plan:**",
        "First the *pilot*",
        "**Linked:**",
        f"- Pull Request: https://dev.azure.com/northwind/{_REPOSITORY}/pullrequest/847",
        "- The API: https://github.com/acme/api/pull/847",
    ),
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
    links=(("parent", "1", "Sign in"), ("relates", "3", "Vault 3"), ("duplicates", "5", "Vault 5")),
    thread=(
        ExpectedItem(
            author="Ann Lee",
            timestamp=datetime(2024, 12, 10, 9, tzinfo=UTC),
            url="/_workitems/edit/2#11",
            words=("How often?",),
        ),
        ExpectedItem(
            author="Ben Fox",
            timestamp=datetime(2024, 12, 11, 9, tzinfo=UTC),
            url="/_workitems/edit/2#12",
            words=("And who?",),
        ),
        ExpectedItem(
            author="Ann Lee",
            timestamp=datetime(2024, 12, 12, 9, tzinfo=UTC),
            url="/_workitems/edit/2#13",
            words=("**One** hour",),
        ),
    ),
)


def _day(day: int) -> datetime:
    return datetime(2024, 11, day, 9, tzinfo=UTC)


#: A work item with what number 2 lacks.
AUDIT = AzureWorkItem(
    id=80,
    project="Tracker",
    type="Bug",
    title="Audit of the safe",
    description="Who of the 2 has *one*, if a<b? See <https://northwind.example/>. How often?",
    markdown=True,
    author="ann",
    created=_day(1),
    updated=_day(9),
    state="Closed",
    priority=3,
    values={
        "Microsoft.VSTS.Common.Severity": "2 - High",
        "System.AreaPath": "Tracker\\Safe",
        # Set east of Greenwich: the day begins there while it is the day before here.
        "Microsoft.VSTS.Scheduling.DueDate": "2024-12-29T23:00:00Z",
    },
    links=(
        AzureLink(kind="Dependency-Forward", to="3"),
        AzureLink(kind="Dependency-Reverse", to="5"),
        AzureLink(kind="Duplicate-Forward", to="1"),
        AzureLink(kind="Hyperlink", to="https://northwind.example/api", name="Its *API*"),
    ),
    comments=(
        AzureComment(
            number=81,
            author="ben",
            at=_day(3),
            text="<div>Since &lt;when&gt;?</div>",
            updated=_day(5),
        ),
        AzureComment(
            number=82,
            author="ann",
            at=_day(4),
            text=f"Once, @<{uuid('azure/user/ben')}>, since May.",
            markdown=True,
        ),
    ),
)
#: A part of it.
PART = AzureWorkItem(
    id=81,
    project="Tracker",
    type="Task",
    title="The second safe",
    author="ben",
    created=_day(2),
    links=(AzureLink(kind="Hierarchy-Reverse", to="80"),),
)
MORE_EXPECTED = (
    ExpectedItem(
        id="80",
        author="Ann Lee",
        timestamp=_day(9),
        words=(
            "Who of the 2 has *one*, if a<b? See <https://northwind.example/>. How often?",
            "**Linked:**",
            "- Its \\*API\\*: https://northwind.example/api",
        ),
        facts=Facts(
            created=_day(1),
            status=ItemStatus(name="Closed", category="done"),
            type="Bug",
            priority="3",
            due=date(2024, 12, 30),
            project="Tracker",
            fields=(
                NamedValue(name="Area", value="Safe"),
                NamedValue(name="Severity", value="2 - High"),
            ),
        ),
        links=(
            ("child", "81", "The second safe"),
            ("blocks", "3", "Vault 3"),
            ("blocked_by", "5", "Vault 5"),
            ("duplicated_by", "1", "Sign in"),
        ),
        thread=(
            ExpectedItem(
                author="Ben Fox",
                timestamp=_day(5),
                url="/_workitems/edit/80#81",
                words=("Since \\<when>?",),
                facts=Facts(on="#80", created=_day(3)),
            ),
            ExpectedItem(
                author="Ann Lee", timestamp=_day(4), words=("Once, @Ben Fox, since May.",)
            ),
        ),
    ),
    ExpectedItem(id="3", facts=Facts(status=ItemStatus(name="New", category="todo"), type="Task")),
)


FAILURES = MappingProxyType(
    {
        "sign-in": Fault(status=203, body=b"<html>Sign in</html>"),
        "redirect": Fault(status=302, headers={"location": "/_signin?x=1"}),
        "blocked": Fault(status=403, body=b'{"message": "TF400733: Request was blocked"}'),
        "conflict": Fault(status=412, body=b'{"message": "TF26071: changed"}'),
        "no project": Fault(status=404, body=b'{"message": "TF200016: no such project"}'),
    }
)


ERRORS: Mapping[str, type[RoveError]] = MappingProxyType(
    {
        "sign-in": LoginRefused,
        "redirect": LoginRefused,
        "blocked": RateLimited,
        "conflict": Conflict,
        "no project": WrongSetting,
    }
)


class TestAzure(SourceTests):
    kind = "azure"
    recordings = Path(__file__).with_name("recordings")
    vendor_failures = FAILURES
    failure_errors = ERRORS
    change_errors = MappingProxyType(
        {name: error for name, error in ERRORS.items() if name != "no project"}
    )
    known, known_kind, unknown = "2", "ticket", "999"
    user = "Ann Lee"
    query = "keys"
    in_fields = MappingProxyType(
        {
            "ticket_id": ("2", ("2",)),
            "ticket_title": ("keys", ("2",)),
            "ticket_description": ("once", ("2",)),
            "comments": ("often", ("2",)),
            "labels": ("pilot", ("2",)),
        }
    )
    private = ()
    narrowing = MappingProxyType({"projects": (("Tracker",), ("4", "5"))})
    mentions = (
        "see AB#2",
        "https://dev.azure.com/northwind/Tracker/_workitems/edit/2/",
        "https://northwind.visualstudio.com/Tracker/_boards/board/t/Team?workitem=2",
    )
    expected = EXPECTED
    more_expected = MORE_EXPECTED
    work_container = "Tracker"
    work_statuses = MappingProxyType(
        {
            "Removed": "canceled",
            "New": "todo",
            "Active": "in_progress",
            "Resolved": "in_progress",
            "Closed": "done",
        }
    )
    work_fields = MappingProxyType(
        {
            "type": "ticket",
            "type_name": "User Story",
            "status": ItemStatus(name="Active", category="in_progress"),
            "estimate_unit": "points",
            "title": "Rotate keys",
            "description": "Once a **day**.",
            "priority": 4,
            "priority_name": "1",
            "assignee": "Ben Fox",
            "labels": ("auth", "pilot"),
            "parent": "1",
            "iteration_name": "Sprint 7",
            "due": date(2024, 12, 24),
            "estimate": 5.0,
            "created": datetime(2024, 12, 1, 9, tzinfo=UTC),
            "updated": datetime(2024, 12, 12, 9, 0, 0, 120_000, tzinfo=UTC),
        }
    )
    work_guard = True
    comment_edits = True

    @pytest.fixture
    def vendor(
        self, organization: AzureDevOps, northwind: AbstractAsyncContextManager[Vendor]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give the simulator."""
        organization.reader = "pat-of-a-reader"
        organization.public = True
        organization.put(AUDIT)
        organization.put(PART)
        changes = organization_changes(organization, VirtualClock())
        return _with_a_reader(changing(northwind, changes), organization)


@asynccontextmanager
async def _with_a_reader(
    opened: AbstractAsyncContextManager[Vendor], organization: AzureDevOps
) -> AsyncIterator[Vendor]:
    async with opened as vendor:
        answers = {"token": organization.reader}
        yield evolve(vendor, reader=Vendor(base_url=vendor.base_url, answers=answers))
