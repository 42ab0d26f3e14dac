"""A Confluence page that a ticket links to, in the ticket's document."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import attrs
import pytest

from rove.operations.build import build
from rove_core import MemoryStore, PreparedLogin, Secret, open_project
from rove_core.testing import VirtualClock
from rove_jira.settings import JiraSettings
from rove_sim import running, sample_company
from rove_sim.jira import Jira
from rove_sim.jira.confluence import WikiPage

pytestmark = pytest.mark.anyio

SAID = "Decided: enterprise customers sign in with the identity provider they already have."


async def test_a_linked_page_is_quoted_and_cited(tmp_path: Path) -> None:
    """Its words stand in the document with its address, which a person can open."""
    clock = VirtualClock()
    at = datetime(2024, 12, 11, 15, tzinfo=UTC)
    page = WikiPage(id="2201", title="Kick-off", text=SAID, author="priya", at=at)
    async with (
        running(sample_company(), clock=clock) as world,
        open_project(tmp_path, accounts=(), credentials=MemoryStore(), clock=clock) as project,
    ):
        jira = world.vendors["jira"]
        assert isinstance(jira, Jira)
        jira.pages[page.id] = page
        answers = {name: Secret(answer) for name, answer in world.answers.items()}
        for account in world.accounts(project.plugins.kinds, project=project.places.root):
            if account.kind == "jira":
                reading = attrs.evolve(account, settings=JiraSettings(confluence=True))
                await project.log_in(reading, partial(PreparedLogin, "token", answers))
        results = await build(project, tickets=("TB-100",))
        text = results.built[0].document.path.read_text("utf-8")

    assert f"> {SAID}" in text
    assert "https://northwind.atlassian.net/wiki/pages/viewpage.action?pageId=2201" in text
    assert "— *Priya Nair, Dec 11, 2024*" in text.partition(SAID)[2]
