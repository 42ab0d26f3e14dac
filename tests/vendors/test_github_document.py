"""The document of an issue on GitHub: its sub-issues, its project, and a discussion about it."""

from functools import partial
from pathlib import Path

import pytest

from rove.operations.build import build
from rove_core import MemoryStore, PreparedLogin, Secret, open_project
from rove_core.testing import VirtualClock
from rove_sim import running, sample_company

pytestmark = pytest.mark.anyio

ANSWER = "Fourteen daily dumps and one a month for a year"


async def test_a_discussion_is_quoted_and_its_answer_is_named(tmp_path: Path) -> None:
    """It is found by the issue's number; relations and the status in the project are facts."""
    clock = VirtualClock()
    async with (
        running(sample_company(), clock=clock) as world,
        open_project(tmp_path, accounts=(), credentials=MemoryStore(), clock=clock) as project,
    ):
        answers = {name: Secret(answer) for name, answer in world.answers.items()}
        for account in world.accounts(project.plugins.kinds, project=project.places.root):
            if account.kind == "github":
                await project.log_in(account, partial(PreparedLogin, "token", answers))
        results = await build(project, tickets=("northwind/infra#104",))
        text = results.built[0].document.path.read_text("utf-8")

    assert "**Status in Housekeeping:** In progress" in text
    assert "has the part northwind/infra#106 Back up the wiki's pictures (open)" in text
    assert "— *Answer on infra#107 by " in text.partition(ANSWER)[2]
    assert "https://github.com/northwind/infra/discussions/107#discussioncomment-5702" in text
