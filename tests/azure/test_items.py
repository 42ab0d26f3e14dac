"""What is read of a work item."""

import pytest
from attrs import evolve
from tests.azure.conftest import day

from rove_azure.facts import CATEGORIES, facts_of
from rove_azure.replies import WorkItemReply
from rove_azure.texts import as_markdown, name_of
from rove_core import ContextItem, ItemNotFound, ItemRef, ItemStatus, NamedValue
from rove_core.testing import Scene
from rove_sim import Conduct
from rove_sim.azure import AzureDevOps
from rove_sim.company_azure import AzureComment, AzureWorkItem

pytestmark = pytest.mark.anyio


async def read(scene: Scene, name: str) -> ContextItem:
    """Return a work item."""
    return await scene.detail(ItemRef(account="azure", kind="ticket", id=name))


async def test_a_work_item_is_read_whole(azure: Scene) -> None:
    """Its texts, each under the name of its field, and what it points at."""
    item = await read(azure, "2")

    assert item.content == (
        "Once a **day**.\n\n"
        "**Acceptance Criteria:**\n\n- Old keys work for an hour\n\n"
        "**Rollout Plan:**\n\nFirst the *pilot*\n\n"
        "**Linked:**\n\n"
        "- Pull Request: https://dev.azure.com/northwind/a1b2c3d4-0000-0000-0000-000000000001/"
        "_git/a1b2c3d4-0000-0000-0000-000000000002/pullrequest/847\n"
        "- The API: https://github.com/acme/api/pull/847"
    )
    assert item.ref.url == "https://dev.azure.com/northwind/_workitems/edit/2"
    assert item.facts.fields == (NamedValue(name="Customer", value="Globex"),)
    assert (item.facts.estimate, str(item.facts.due)) == (5.0, "2024-12-24")


async def test_links_have_titles_and_states(azure: Scene) -> None:
    """One request brings them all."""
    links = {each.ref.id: each for each in (await read(azure, "2")).links}

    assert (links["1"].title, links["1"].status, links["1"].words) == ("Sign in", "New", "parent")
    assert links["5"].relation == "duplicates"


async def test_the_history_is_kept(azure: Scene) -> None:
    """Who changed what, oldest first."""
    history = (await read(azure, "2")).metadata["history"]

    assert history == [
        {"at": "2024-12-03T09:00:00Z", "by": "Ben Fox", "field": "State"}
        | {"from": "New", "to": "Active"},
        {"at": "2024-12-05T09:00:00Z", "by": "Ann Lee", "field": "Assigned To"}
        | {"from": "", "to": "Ben Fox"},
    ]


@pytest.mark.parametrize("name", ["#2", "AB#2", "ab#2"])
async def test_a_number_may_be_typed_in_other_ways(azure: Scene, name: str) -> None:
    """They all name one work item."""
    assert (await read(azure, name)).ref.id == "2"


async def test_a_deleted_work_item_is_not_found(azure: Scene, organization: AzureDevOps) -> None:
    """Azure says nothing else of what one may not see."""
    organization.remove(2)
    with pytest.raises(ItemNotFound, match="no work item 2"):
        await read(azure, "2")


async def test_a_long_discussion_is_read_in_few_requests(
    azure: Scene, organization: AzureDevOps
) -> None:
    """Item, comments, history, type, and the titles around it: nothing twice."""
    organization.conduct = Conduct()
    said = tuple(AzureComment(number=n, author="ben", at=day(n), text=f"No {n}") for n in range(60))
    organization.put(evolve(organization.item(2), comments=said))
    before = len(organization.exchanges)
    item = await read(azure, "2")

    assert len(item.thread) == 60
    assert len(organization.exchanges) - before == 5


async def test_markdown_mentions_people_by_name(azure: Scene, organization: AzureDevOps) -> None:
    """Azure keeps an id there; who said something here has a name."""
    ann = organization.company.person("ann").azure
    said = (
        AzureComment(number=1, author="ann", at=day(1), text="<div>Hm</div>"),
        AzureComment(number=2, author="ben", at=day(2), text=f"Ask @<{ann}>", markdown=True),
    )
    organization.put(
        AzureWorkItem(id=8, project="Web", title="A", author="ann", created=day(1), comments=said)
    )

    assert [each.content for each in (await read(azure, "8")).thread] == ["Hm", "Ask @Ann Lee"]


def test_what_is_resolved_is_not_done() -> None:
    """Somebody still checks it."""
    reply = WorkItemReply(id=1, fields={"System.State": "Resolved"})

    assert CATEGORIES["Resolved"] == "in_progress"
    assert facts_of(reply, "in_progress").status == ItemStatus(
        name="Resolved", category="in_progress"
    )


@pytest.mark.parametrize(
    ("value", "format_", "shown"),
    [
        ("<div>a</div><div>b</div>", "html", "a\nb"),
        ("# a\n\n- b", "markdown", "# a\n\n- b"),
        ("# a\n\n- b", "", "# a\n\n- b"),
        ("a &lt; b", "", "a < b"),
        ("<p>a\nb</p>", "", "a b"),
    ],
)
def test_a_text_is_html_or_markdown(value: str, format_: str, shown: str) -> None:
    """Where Azure does not tell which, its lines do."""
    assert as_markdown(value, format_) == shown


def test_people_of_older_servers_are_texts() -> None:
    """Their name stands before the address."""
    reply = WorkItemReply(id=1, fields={"System.AssignedTo": "Ann Lee <ACME\\ann>"})

    assert facts_of(reply, None).assignees == ("Ann Lee",)


def test_fields_of_ones_own_have_names() -> None:
    """They are made of what Azure calls them."""
    assert name_of("Custom.RolloutPlan") == "Rollout Plan"
    assert name_of("Custom.SLAHours") == "SLA Hours"
