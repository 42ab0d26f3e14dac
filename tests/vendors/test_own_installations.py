"""The sample company on installations of its own: Jira Data Center and GitHub Enterprise Server."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rove.operations.build import build
from rove_core import Account, MemoryStore, PreparedLogin, Secret, open_project
from rove_core.testing import VirtualClock
from rove_github.settings import GitHubSettings
from rove_jira.settings import JiraSettings
from rove_sim import sample_company
from rove_sim.github import GitHubEnterprise
from rove_sim.github.enterprise import ENTERPRISE_HTML
from rove_sim.jira import JiraDataCenter
from rove_sim.server import serve

pytestmark = pytest.mark.anyio


async def test_a_ticket_of_a_data_center_is_quoted_and_cited_there(tmp_path: Path) -> None:
    """Text in wiki markup is quoted as it reads there, with the address of each comment."""
    async with serve(JiraDataCenter(sample_company())) as url:
        account = Account(name="jira", kind="jira", settings=JiraSettings(), base_url=url)
        text = await _document(tmp_path, account, "pat", "TB-123")

    assert "> Decided to use python-jose for JWT handling" in text
    assert "- authorization code flow with PKCE, one callback address per customer" in text
    assert f"{url}/browse/TB-123?focusedCommentId=" in text


async def test_an_issue_of_an_enterprise_server_is_quoted_and_cited_there(tmp_path: Path) -> None:
    """Sub-issues, discussions and a project's status come from its own address."""
    async with serve(GitHubEnterprise(sample_company())) as url:
        account = Account(
            name="github",
            kind="github",
            settings=GitHubSettings(owners=("northwind",)),
            base_url=f"{url}/api/v3",
        )
        text = await _document(tmp_path, account, "token", "northwind/infra#104")

    assert "**Status in Housekeeping:** In progress" in text
    assert "> Fourteen daily dumps and one a month for a year" in text
    assert f"{ENTERPRISE_HTML}/northwind/infra/discussions/107#discussioncomment-" in text


async def _document(folder: Path, account: Account[Any], way: str, ticket: str) -> str:
    """Return the document of a ticket that one account knows."""
    answers = {"token": Secret(sample_company().token)}
    async with open_project(
        folder, accounts=(), credentials=MemoryStore(), clock=VirtualClock()
    ) as project:
        await project.log_in(account, partial(PreparedLogin, way, answers))
        results = await build(project, tickets=(ticket,))
        return results.built[0].document.path.read_text("utf-8")
