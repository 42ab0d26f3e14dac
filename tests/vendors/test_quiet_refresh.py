"""A refresh with nothing new: what it asks four vendors."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from rove.operations.build import build
from rove.operations.refresh import refresh
from rove_core import MemoryStore, PreparedLogin, Project, Secret, open_project
from rove_core.http import MemoryLimits
from rove_core.testing import VirtualClock
from rove_sim import Conduct, World, running, sample_company
from rove_sim.server import Request

pytestmark = pytest.mark.anyio

VENDORS = ("github", "jira", "linear", "slack")
MOST = 12
HOURS = 4


async def connect(project: Project, world: World) -> None:
    """Log in to all vendors of a world."""
    answers = {name: Secret(answer) for name, answer in world.answers.items()}
    for account in world.accounts(project.plugins.kinds, project=project.places.root):
        if account.kind in VENDORS:
            await project.log_in(account, partial(PreparedLogin, "token", answers))


def question(request: Request) -> tuple[str, str]:
    """Return what kind of question a request is; GitHub says it in the words of its search."""
    words = request.query.get("q", "").split()
    kind = next((each for each in words if each.startswith("is:")), "")
    branch = "branch" if "(head:" in request.query.get("q", "") else ""
    return request.path, f"{kind}{branch}"


async def test_a_refresh_with_nothing_new_asks_little(tmp_path: Path) -> None:
    """Each kind is asked once; GitHub takes all but the search of commits in one question."""
    clock = VirtualClock()
    async with (
        running(sample_company(), clock=clock, conduct=Conduct(limits=False)) as world,
        open_project(
            tmp_path,
            accounts=(),
            credentials=MemoryStore(),
            clock=clock,
            limits=MemoryLimits(clock=clock),
        ) as project,
    ):
        await connect(project, world)
        await build(project, tickets=("TB-123",))
        before = {kind: len(vendor.exchanges) for kind, vendor in world.vendors.items()}
        clock.advance(HOURS * 3600)
        results = await refresh(project, tickets=("TB-123",))
        asked = Counter(
            (kind, *question(exchange.request))
            for kind, vendor in world.vendors.items()
            for exchange in vendor.exchanges[before[kind] :]
        )

    assert [dict(each.failures) for each in results.built] == [{}]
    assert {kind for kind, *_ in asked} == {*VENDORS}
    assert asked.total() <= MOST
    assert [kind for kind, count in asked.items() if count > 1] == []
