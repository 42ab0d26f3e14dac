"""Files and canvases of messages: read when they are asked for, by the name the message shows."""

import attrs
import pytest

from rove_core import Account, ItemNotFound, ItemRef, ScopeMissing
from rove_core.testing import Scene
from rove_sim.company import Company
from rove_sim.company_slack import SharedFile
from rove_sim.slack import Slack
from rove_slack.login import file_hosts, hosts_of
from rove_slack.settings import SlackSettings

pytestmark = pytest.mark.anyio

FILES = (
    SharedFile(name="plan.md", title="The plan", text="# Plan\n\nOne hour, for everybody."),
    SharedFile(name="decisions", text="<h1>Decisions</h1><p>Keys <b>rotate</b>.</p>", canvas=True),
    SharedFile(name="flow.png", size=4000),
    SharedFile(name="sheet", elsewhere="https://drive.example/sheet"),
    SharedFile(name="all.log", size=2_000_000),
)

TOO_LARGE = (
    "application/octet-stream, 2,000,000 bytes: not read, only files up to 1,000,000 bytes are"
)


@pytest.fixture
def company(company: Company) -> Company:
    """Give a workspace in which a reply has five files."""
    first, *rest = company.messages
    *replies, last = first.replies
    told = attrs.evolve(first, replies=(*replies, attrs.evolve(last, files=FILES)))
    return attrs.evolve(company, messages=(told, *rest))


async def _file(slack: Scene, name: str) -> ItemRef:
    thread = await slack.detail(
        ItemRef(account="slack", kind="thread", id="C0BACKEND/1734264000.000100")
    )
    (said,) = [part for part in thread.thread if part.facts.attachments]
    return said.ref.file(name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("The plan (plan.md)", "# Plan\n\nOne hour, for everybody."),
        ("decisions", "# Decisions\n\nKeys **rotate**."),
        ("flow.png", "image/png, 4,000 bytes: no text"),
        ("all.log", TOO_LARGE),
        ("sheet", "application/octet-stream: not kept by Slack, not read"),
    ],
)
async def test_a_file_is_read_by_its_name(slack: Scene, name: str, content: str) -> None:
    """Text and canvases with their words; of all else it is said why there are none."""
    item = await slack.detail(await _file(slack, name))

    assert (item.role, item.title, item.author) == ("file", name, "Robin Doe")
    assert item.content.strip() == content


async def test_a_token_without_the_scope_says_so(slack: Scene, workspace: Slack) -> None:
    """Nothing else needs it."""
    ref = await _file(slack, "decisions")
    workspace.scopes.remove("files:read")

    with pytest.raises(ScopeMissing, match=r"files:read"):
        await slack.detail(ref)


async def test_a_file_that_is_not_there_is_not_found(slack: Scene) -> None:
    """The error has its name."""
    with pytest.raises(ItemNotFound, match=r"no file 'other\.md'"):
        await slack.detail(await _file(slack, "other.md"))


def test_a_login_counts_where_slack_keeps_files() -> None:
    """At Slack itself these are another host; at any other address they are not."""
    real = Account(
        name="slack", kind="slack", settings=SlackSettings(), base_url="https://slack.com"
    )
    other = attrs.evolve(real, base_url="http://127.0.0.1:8080")

    assert hosts_of(real) == ("slack.com", "files.slack.com")
    assert hosts_of(other) == ("127.0.0.1:8080",)
    assert file_hosts(other) == ()
