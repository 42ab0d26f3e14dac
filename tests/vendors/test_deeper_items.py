"""Documents that quote what trackers keep beside issues: discussions, pages, projects, updates."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from rove.operations.build import build
from rove_core import MemoryStore, PreparedLogin, Secret, open_project
from rove_core.testing import VirtualClock
from rove_sim import running, sample_company

pytestmark = pytest.mark.anyio

GITHUB = (
    "**Status in Housekeeping:** In progress",
    "has the part northwind/infra#106 Back up the wiki's pictures (open)",
    "> Fourteen daily dumps and one a month for a year",
    "— *Answer on infra#107 by radeyemi",
    "https://github.com/northwind/infra/discussions/107#discussioncomment-5702",
)
LINEAR = (
    "> Decided: the support team sits next to the kitchen",
    "> There are two sockets at that wall, we need six.",
    "> The lift company comes a week later than promised",
    "> The lease of the second floor ends in March.",
    "https://linear.app/northwind/document/who-sits-where-",
)


@pytest.mark.parametrize(
    ("kind", "ticket", "expected"),
    [("github", "northwind/infra#104", GITHUB), ("linear", "OPS-37", LINEAR)],
)
async def test_a_document_quotes_and_cites_them(
    tmp_path: Path, kind: str, ticket: str, expected: Sequence[str]
) -> None:
    """They are found by the issue's number or linked from it, and each quote has its address."""
    clock = VirtualClock()
    async with (
        running(sample_company(), clock=clock) as world,
        open_project(tmp_path, accounts=(), credentials=MemoryStore(), clock=clock) as project,
    ):
        answers = {name: Secret(answer) for name, answer in world.answers.items()}
        for account in world.accounts(project.plugins.kinds, project=project.places.root):
            if account.kind == kind:
                await project.log_in(account, partial(PreparedLogin, "token", answers))
        results = await build(project, tickets=(ticket,))
        text = results.built[0].document.path.read_text("utf-8")

    assert [each for each in expected if each not in text] == []
