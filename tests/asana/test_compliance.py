from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date
from types import MappingProxyType

import pytest
from attrs import evolve
from tests.asana.changes import workspace_changes
from tests.asana.conftest import AUDIT, KEYS, SIGN_IN, VAULT, WORKSPACE, day
from tests.changes import changing

from rove_core import Facts, ItemStatus, NamedValue, StatusCategory
from rove_core.testing import LOOKALIKES, ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_sim.asana import Asana
from rove_sim.company_asana import asana_gid
from rove_sim.server import serve

EXPECTED = ExpectedItem(
    id=KEYS,
    role="ticket",
    title="Rotate keys",
    author="Ann Lee",
    timestamp=day(11),
    url=f"https://app.asana.com/1/{WORKSPACE}/task/{KEYS}",
    words=("Once a **day**, if a\\<b.", "See the vault.", "PR 847"),
    facts=Facts(
        short_name="TB-2",
        created=day(0),
        status=ItemStatus(name="In progress", category="in_progress"),
        labels=("auth", "pilot", "keys", "needs review"),
        project="Pilot",
        priority="High",
        assignees=("Ben Fox",),
        due=date(2024, 12, 24),
        fields=(NamedValue(name="Customer", value="Globex"),),
        attachments=("plan.pdf",),
    ),
    links=(("parent", SIGN_IN), ("child", AUDIT), ("blocked_by", VAULT)),
    thread=(
        ExpectedItem(author="Ann Lee", timestamp=day(9), words=("How often?",)),
        ExpectedItem(author="Ben Fox", timestamp=day(10), words=("Every *hour*.\nBy hand.",)),
        ExpectedItem(
            author="Ben Fox",
            timestamp=day(11),
            words=('to "In progress"',),
            facts=Facts(history=True),
        ),
    ),
)
MORE_EXPECTED = (
    ExpectedItem(
        id=VAULT,
        author="Ben Fox",
        words=("Holds the keys",),
        facts=Facts(created=day(3), status=ItemStatus(name="Completed", category="done")),
        links=(("blocks", KEYS),),
    ),
    ExpectedItem(id=AUDIT, links=(("parent", KEYS),), thread=()),
)
MENTIONS = (
    f"see https://app.asana.com/1/{WORKSPACE}/project/1200000000000099/task/{KEYS}?focus=true",
    f"https://app.asana.com/0/1200000000000099/{KEYS}/f",
)


#: The task of the same number in a workspace that is not the account's.
ELSEWHERE = f"see https://app.asana.com/1/999/task/{KEYS}"

STATUSES: Mapping[str, StatusCategory] = MappingProxyType(
    {"In progress": "in_progress", "Completed": "done"}
)


class TestAsana(SourceTests):
    kind = "asana"
    known, known_kind, unknown = KEYS, "task", "1200000000099999"
    query = "keys"
    in_fields = MappingProxyType(
        {"ticket_title": ("vault", (VAULT,)), "ticket_description": ("vault", (KEYS,))}
    )
    mentions = MENTIONS
    no_mentions = (*LOOKALIKES, ELSEWHERE)
    expected = EXPECTED
    more_expected = MORE_EXPECTED
    work_container = asana_gid("project/Pilot")
    work_statuses = STATUSES
    work_fields = MappingProxyType(
        {
            "title": "Rotate keys",
            "assignee": "Ben Fox",
            "labels": ("auth", "pilot", "keys", "needs review"),
            "parent": SIGN_IN,
            "due": date(2024, 12, 24),
            "created": day(0),
            "updated": day(11),
        }
    )
    work_guard = False
    comment_edits = False

    @pytest.fixture
    def vendor(
        self, workspace: Asana, northwind: AbstractAsyncContextManager[Vendor]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give the simulator."""
        workspace.reading_token = "CANARY-asana-token-of-a-reader"  # noqa: S105  # nobody's
        changes = workspace_changes(workspace, VirtualClock())
        return _with_a_reader(changing(northwind, changes), workspace)


@asynccontextmanager
async def _with_a_reader(
    opened: AbstractAsyncContextManager[Vendor], workspace: Asana
) -> AsyncIterator[Vendor]:
    async with opened as vendor:
        answers = {"token": workspace.reading_token}
        yield evolve(vendor, reader=Vendor(base_url=vendor.base_url, answers=answers))


class TestAsanaWithAnApp(SourceTests):
    kind = "asana"
    known, known_kind, unknown = KEYS, "task", "1200000000099999"
    query = "keys"
    in_fields = MappingProxyType({"labels": ("keys", (KEYS,))})
    mentions = MENTIONS
    no_mentions = (*LOOKALIKES, ELSEWHERE)
    expected = EXPECTED
    more_expected = MORE_EXPECTED
    work_container = asana_gid("project/Pilot")
    work_statuses = STATUSES
    work_guard = False
    comment_edits = False

    @pytest.fixture
    def vendor(self, workspace: Asana) -> AbstractAsyncContextManager[Vendor]:
        """Give the simulator on the free plan, which one enters with a browser."""
        free = Asana(workspace.company, conduct=workspace.conduct)
        free.plan = "free"
        return changing(_with_an_app(free), workspace_changes(free, VirtualClock()))


@asynccontextmanager
async def _with_an_app(workspace: Asana) -> AsyncIterator[Vendor]:
    answers = {
        "client_id": workspace.oauth.client_id,
        "client_secret": workspace.oauth.client_secret,
    }
    async with serve(workspace) as base_url:
        reader = Vendor(base_url=base_url, answers=answers, way="oauth")
        yield evolve(reader, settings={"writes": True}, reader=reader)
