"""Documents that quote what vendors keep beside issues: discussions, files, projects, branches."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import attrs
import pytest

from rove.operations.build import build
from rove_core import MemoryStore, PreparedLogin, Secret, open_project
from rove_core.testing import VirtualClock
from rove_sim import Company, running, sample_company
from rove_sim.company_jira import DevelopmentEntry
from rove_sim.company_slack import SharedFile

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
JIRA = (
    "**Attachments:** sign-in-flow.png, who-may-do-what.xlsx",
    "> - Pull request Log people in in backend (merged): hxxps://gitlab[.]northwind[.]example/",
    "> - Branch tb-123-login in backend: hxxps://gitlab[.]northwind[.]example/",
    "[1]: https://northwind.atlassian.net/browse/TB-123",
)
SLACK = (
    "About TB-123: we need to support OAuth2 and API key auth",
    "[file: Callback addresses (callbacks.md)]",
    "[file: Decisions about logins]",
    "https://northwind.slack.com/archives/C0BACKEND/p1734264000000100",
)
DEVELOPMENT = (
    DevelopmentEntry(
        kind="branch",
        name="tb-123-login",
        url="https://gitlab.northwind.example/backend/tree/tb-123-login",
        repository="backend",
        application="GitLab",
    ),
    DevelopmentEntry(
        name="Log people in",
        url="https://gitlab.northwind.example/backend/7",
        status="MERGED",
        repository="backend",
        application="GitLab",
    ),
)
FILES = (
    SharedFile(name="callbacks.md", title="Callback addresses", text="One for each customer."),
    SharedFile(name="Decisions about logins", text="<p>Keys rotate.</p>", canvas=True),
)


def _company() -> Company:
    """Return the sample company with a development panel and files where TB-123 is discussed."""
    company = sample_company()
    return attrs.evolve(
        company,
        tickets=tuple(
            attrs.evolve(each, development=DEVELOPMENT) if each.key == "TB-123" else each
            for each in company.tickets
        ),
        messages=tuple(
            attrs.evolve(each, files=FILES) if each.text.startswith("About TB-123:") else each
            for each in company.messages
        ),
    )


@pytest.mark.parametrize(
    ("kinds", "ticket", "expected"),
    [
        (("github",), "northwind/infra#104", GITHUB),
        (("linear",), "OPS-37", LINEAR),
        (("jira",), "TB-123", JIRA),
        (("jira", "slack"), "TB-123", SLACK),
    ],
)
async def test_a_document_quotes_and_cites_them(
    tmp_path: Path, kinds: Sequence[str], ticket: str, expected: Sequence[str]
) -> None:
    """They stand in the document of their ticket, with the address of where they are read."""
    clock = VirtualClock()
    async with (
        running(_company(), clock=clock) as world,
        open_project(tmp_path, accounts=(), credentials=MemoryStore(), clock=clock) as project,
    ):
        answers = {name: Secret(answer) for name, answer in world.answers.items()}
        for account in world.accounts(project.plugins.kinds, project=project.places.root):
            if account.kind in kinds:
                await project.log_in(account, partial(PreparedLogin, "token", answers))
        results = await build(project, tickets=(ticket,))
        text = results.built[0].document.path.read_text("utf-8")

    assert [each for each in expected if each not in text] == []
