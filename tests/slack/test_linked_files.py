"""Files and canvases that a text links to: read by Slack's own id of them."""

from datetime import UTC, datetime

import attrs
import pytest

from rove_core import ItemNotFound, ItemRef
from rove_core.testing import Scene
from rove_sim.company import Company
from rove_sim.company_slack import SharedFile
from rove_sim.slack import Slack
from rove_slack.references import file_links

pytestmark = pytest.mark.anyio

SITE = "https://northwind.slack.com"
FILES = (
    SharedFile(id="F0PLAN", name="plan.md", title="The plan", text="One hour, for everybody."),
    SharedFile(id="F0KEYS", name="Keys", text="<p>Keys <b>rotate</b>.</p>", canvas=True),
    SharedFile(id="F0FLOW", name="flow.png", size=4000),
    SharedFile(id="F0DUMP", name="all.bin", text="\0\1"),
    SharedFile(id="F0FULL", name="all.log", size=2_000_000),
    SharedFile(id="F0ELSE", name="sheet", elsewhere="https://drive.example/sheet"),
)


@pytest.fixture
def company(company: Company) -> Company:
    """Give a workspace in which the first message has these files."""
    first, *rest = company.messages
    return attrs.evolve(company, messages=(attrs.evolve(first, files=FILES), *rest))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"see {SITE}/files/U012AB/F0PLAN/plan.md.", ["file/F0PLAN"]),
        (f"<{SITE}/docs/T012AB/F0KEYS|Keys>", ["file/F0KEYS"]),
        ("https://Northwind.Slack.com/docs/T012AB/F0KEYS", ["file/F0KEYS"]),
        (f"{SITE}/docs/T012AB/F0KEYS, {SITE}/docs/T012AB/F0KEYS?x=1", ["file/F0KEYS"]),
        (f"{SITE}/docs/T012AB/f0keys", []),
        (f"{SITE}/files/F0PLAN", []),
        (f"{SITE}/files/U012AB/F0PLAN-1", []),
        ("https://acme.slack.com/docs/T012AB/F0KEYS", []),
        ("file/F0KEYS", []),
    ],
)
async def test_addresses_of_files_are_recognised(slack: Scene, text: str, found: list[str]) -> None:
    """On the workspace's own host, each once, with or without the file's name."""
    assert list(dict.fromkeys(ref.id for ref in slack.recognise(text))) == found


@pytest.mark.parametrize(
    ("id_", "role", "title", "content"),
    [
        ("F0PLAN", "file", "The plan", "One hour, for everybody."),
        ("F0KEYS", "page", "Keys", "Keys **rotate**."),
    ],
)
async def test_a_linked_file_is_read(
    slack: Scene, id_: str, role: str, title: str, content: str
) -> None:
    """With its author, the time it was made, and the address that Slack gives."""
    item = await slack.detail(ItemRef(account="slack", kind="file", id=f"file/{id_}"))

    assert (item.role, item.title, item.author) == (role, title, "Sarah Chen")
    assert item.timestamp == datetime(2024, 12, 15, 12, tzinfo=UTC)
    assert item.content.strip() == content
    assert item.url.startswith(f"{SITE}/")
    assert [link.id for link in file_links(item.url)] == [item.ref.id]


@pytest.mark.parametrize(
    ("id_", "why"),
    [
        ("F0FLOW", "no text: image/png"),
        ("F0DUMP", "no text: application/octet-stream"),
        ("F0FULL", "only files up to 1,000,000 bytes"),
        ("F0ELSE", "not kept by Slack"),
        ("F0GONE", "file_not_found"),
    ],
)
async def test_a_file_without_text_is_no_item(slack: Scene, id_: str, why: str) -> None:
    """A document has nothing to quote of it; the error says why."""
    with pytest.raises(ItemNotFound, match=why):
        await slack.detail(ItemRef(account="slack", kind="file", id=f"file/{id_}"))


async def test_a_token_without_the_scope_finds_none(slack: Scene, workspace: Slack) -> None:
    """A link is then left alone, and nothing else fails."""
    workspace.scopes.remove("files:read")

    with pytest.raises(ItemNotFound, match=r"files:read"):
        await slack.detail(ItemRef(account="slack", kind="file", id="file/F0KEYS"))
