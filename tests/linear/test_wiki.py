"""Documents, projects and initiatives: found, read, and linked from the issues they belong to."""

import pytest

from rove_core import ContextItem, ItemNotFound, ItemRef, ItemStatus, Query
from rove_core.testing import Scene
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio


async def _found(linear: Scene, text: str) -> list[ContextItem]:
    query = Query(account="linear", text=text)
    return [item async for item in linear.source.rove_search(query=query)]


async def _one(linear: Scene, kind: str, text: str) -> ContextItem:
    """Return the only thing of a kind that a search finds, read whole."""
    (found,) = [item for item in await _found(linear, text) if item.ref.kind == kind]
    return await linear.detail(found.ref)


async def test_a_document_is_read_with_its_comments(linear: Scene) -> None:
    """It is a page with an address, and leads to its project and its issue."""
    page = await _one(linear, "document", "ice")

    assert page.role == "page"
    assert page.title == "Document: Which data is cold"
    assert page.content == "See TB-1: glacier ice is what nobody reads for a year."
    assert page.author == "Ann Lee"
    assert page.ref.url.startswith("https://linear.app/northwind/document/which-data-is-cold-")
    assert [(each.content, each.facts.on) for each in page.thread] == [
        ("Logs, too?", "Which data is cold")
    ]
    assert [link.ref.kind for link in page.links] == ["ticket", "project"]


async def test_a_project_is_read_with_its_updates(linear: Scene) -> None:
    """Oldest first, each with how the project does; it leads to its documents and initiatives."""
    project = await _one(linear, "project", "glacier")

    assert (
        project.content == "Move the cold data.\n\nNothing older than a year stays on fast disks."
    )
    assert project.facts.assignees == ("Ben Fox",)
    assert project.facts.status == ItemStatus(name="Started", category="in_progress")
    assert [(each.title, each.content) for each in project.thread] == [
        ("Update of Glacier: on track", "We have begun."),
        ("Update of Glacier: at risk", "Two months late."),
    ]
    assert [link.title for link in project.links] == ["Which data is cold", "Thaw"]


async def test_an_initiative_leads_to_its_projects(linear: Scene) -> None:
    """It is found by its name."""
    initiative = await _one(linear, "initiative", "thaw")

    assert initiative.content == "Spend half on storage."
    assert initiative.facts.status == ItemStatus(name="Active", category="in_progress")
    assert [(link.ref.kind, link.title) for link in initiative.links] == [("project", "Glacier")]


async def test_an_issue_leads_to_its_documents(linear: Scene) -> None:
    """Their addresses are known in any text, with and without a title."""
    issue = await linear.detail(ItemRef(account="linear", kind="ticket", id="OPS-4"))
    (ref,) = [link.ref for link in issue.links if link.ref.kind == "document"]
    short = f"https://linear.app/northwind/{ref.id}"

    assert list(linear.source.rove_recognise(f"see {ref.url}.", None)) == [ref]
    assert [each.id for each in linear.source.rove_recognise(short, None)] == [ref.id]


async def test_a_search_takes_one_request(linear: Scene, workspace: Linear) -> None:
    """Issues and all else are found by one question."""
    before = len(workspace.exchanges)
    found = await _found(linear, "glacier")

    assert {item.ref.kind for item in found} == {"document", "project"}
    assert len(workspace.exchanges) == before + 1


async def test_what_is_not_there_is_not_found(linear: Scene) -> None:
    """The error names it, and whose login it is."""
    with pytest.raises(ItemNotFound, match="document/0123456789ab is not in Linear"):
        await linear.detail(ItemRef(account="linear", kind="document", id="document/0123456789ab"))


async def test_a_linear_that_knows_issues_alone_is_asked_for_more_once(
    linear: Scene, workspace: Linear
) -> None:
    """Issues are found and read as before; what was refused is not asked for again."""
    workspace.lacks = frozenset({"searchDocuments"})
    before = len(workspace.exchanges)
    for text in ("rotate", "vault", "glacier"):
        assert {item.ref.kind for item in await _found(linear, text)} <= {"ticket"}
    await linear.detail(ItemRef(account="linear", kind="ticket", id="OPS-4"))

    assert len(workspace.exchanges) == before + 6  # The second search has two pages.
