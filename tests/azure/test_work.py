"""Work items are changed as Azure allows it, and what it refuses is told."""

import asyncio
from datetime import UTC, date, datetime

import pytest
from attrs import evolve
from tests.azure.conftest import day

from rove_azure.facts import due
from rove_azure.patches import marked
from rove_azure.replies import WorkItemReply
from rove_core import (
    ItemNotFound,
    ItemRef,
    NewAttachment,
    NewComment,
    NewWorkItem,
    ScopeMissing,
    WorkItem,
    WorkItemChange,
    WrongCall,
    hidden_mark,
)
from rove_core.testing import Scene
from rove_sim.azure import AzureDevOps
from rove_sim.company_azure import AzureComment, AzureWorkItem

pytestmark = pytest.mark.anyio

KEY = "rove-test-0001"


def ref(name: str) -> ItemRef:
    """Return a reference to a work item."""
    return ItemRef(account="azure", kind="ticket", id=name)


async def change(scene: Scene, name: str, wanted: WorkItemChange) -> WorkItem:
    """Change a work item."""
    work: WorkItem = await scene.awaited("rove_change_work_item", ref=ref(name), change=wanted)
    return work


async def create(scene: Scene, new: NewWorkItem) -> WorkItem:
    """Create a work item."""
    work: WorkItem = await scene.awaited("rove_create_work_item", new=new)
    return work


async def comment(scene: Scene, name: str, words: str) -> ItemRef:
    """Comment on a work item."""
    said = NewComment(content=words, key=KEY)
    there: ItemRef = await scene.awaited("rove_add_comment", ref=ref(name), comment=said)
    return there


async def test_a_work_item_has_the_fields_of_its_type(azure: Scene) -> None:
    """Priorities count the other way round, and the criteria stand in what came."""
    work = await azure.awaited("rove_work_item", ref=ref("2"))

    assert (work.type, work.type_name, work.priority, work.priority_name) == (
        ("ticket", "User Story", 4, "1")
    )
    assert (work.description, work.description_source) == (
        "Once a **day**.",
        "<div>Once a <b>day</b>.</div>",
    )
    assert (work.iteration, work.iteration_name) == ("Tracker\\Sprint 7", "Sprint 7")
    assert (work.estimate, work.estimate_unit, work.due) == (5.0, "points", date(2024, 12, 24))
    assert work.assignee
    assert work.assignee.id == "ben@northwind.example"
    assert work.parent
    assert work.parent.id == "1"
    assert "Old keys" in work.raw["fields"]["Microsoft.VSTS.Common.AcceptanceCriteria"]


async def test_only_states_that_may_follow_are_offered(azure: Scene) -> None:
    """What is removed has to be new first; the refusal names what is possible."""
    await change(azure, "2", WorkItemChange(status="Removed"))
    options = await azure.awaited("rove_status_options", ref=ref("2"))
    with pytest.raises(WrongCall, match="2 cannot become 'Closed', only New"):
        await change(azure, "2", WorkItemChange(status="Closed"))

    assert [(each.status.name, each.status.category) for each in options] == [("New", "todo")]


async def test_a_field_that_a_rule_needs_is_named(azure: Scene, organization: AzureDevOps) -> None:
    """Azure tells it when it refuses the change; nothing changed."""
    organization.board.gates["Closed"] = "Custom.ReleaseNotes"
    with pytest.raises(WrongCall, match=r"needs a value in Custom\.ReleaseNotes"):
        await change(azure, "2", WorkItemChange(title="New", status="Closed"))

    assert organization.item(2).title == "Rotate keys"


async def test_changes_at_the_same_time_are_both_made(azure: Scene) -> None:
    """Each is guarded by the revision that it read; who comes second reads once more."""
    await asyncio.gather(
        change(azure, "2", WorkItemChange(title="New")),
        change(azure, "2", WorkItemChange(priority=1)),
    )
    work = await azure.awaited("rove_work_item", ref=ref("2"))

    assert (work.title, work.priority) == ("New", 1)


async def test_a_work_item_gets_another_parent(azure: Scene, organization: AzureDevOps) -> None:
    """Azure takes one parent only: the other goes in the same change."""
    changed = await change(azure, "2", WorkItemChange(parent=ref("4")))
    cleared = await change(azure, "2", WorkItemChange(clear=("parent",)))

    assert changed.parent
    assert changed.parent.id == "4"
    assert cleared.parent is None
    assert [each.kind for each in organization.item(2).links][:2] == [
        "Related",
        "Duplicate-Reverse",
    ]


async def test_a_work_item_is_planned_in_a_sprint(azure: Scene) -> None:
    """Sprints are known by their paths; the backlog is none."""
    sprints = await azure.awaited("rove_iterations", container="Tracker")
    later = next(each for each in sprints if each.name == "Sprint 8")
    moved = await change(azure, "2", WorkItemChange(iteration=later.id))
    cleared = await change(azure, "2", WorkItemChange(clear=("iteration",)))

    assert {each.name: each.state for each in sprints}["Sprint 8"] == "planned"
    assert (moved.iteration, moved.iteration_name) == ("Tracker\\Sprint 8", "Sprint 8")
    assert cleared.iteration == ""


async def test_markdown_stays_markdown(azure: Scene, organization: AzureDevOps) -> None:
    """And HTML stays HTML: Azure cannot turn a field back."""
    organization.put(
        AzureWorkItem(
            id=8,
            project="Web",
            title="A",
            description="# Old",
            markdown=True,
            author="ann",
            created=day(1),
        )
    )
    words = "# New\n\n- **one**"
    markdown = await change(azure, "8", WorkItemChange(description=words))
    html = await change(azure, "2", WorkItemChange(description=words))

    assert organization.item(8).description == words
    assert organization.item(2).description.startswith("<h1>New</h1>")
    assert (markdown.description, html.description) == (words, words)
    assert markdown.description_source == ""


async def test_a_bug_is_described_by_its_steps(azure: Scene, organization: AzureDevOps) -> None:
    """The form of a bug shows no description."""
    new = NewWorkItem(
        container="Web", title="It fails", description="Do *this*", type_name="Bug", key=KEY
    )
    created = await create(azure, new)
    changed = await change(azure, created.ref.id, WorkItemChange(description="Do that"))
    again = await create(azure, new)

    assert (created.description, changed.description) == ("Do *this*", "Do that")
    assert again.ref.id == created.ref.id
    assert organization.item(created.ref.id).description == ""


@pytest.mark.parametrize(
    ("kind", "name"), [("ticket", "User Story"), ("subtask", "Task"), ("epic", "Epic")]
)
async def test_the_process_knows_what_a_type_is_called(azure: Scene, kind: str, name: str) -> None:
    """Others call a user story an issue, a requirement or a backlog item."""
    parent = ref("1") if kind != "epic" else None
    new = NewWorkItem(container="Tracker", title="A", type=kind, parent=parent, key=KEY)  # type: ignore[arg-type]  # one of a table
    work = await create(azure, new)

    assert (work.type, work.type_name) == (kind, name)
    assert (work.parent and work.parent.id) == (parent and "1")


async def test_what_cannot_be_is_refused(azure: Scene) -> None:
    """With what would be possible, or what is missing."""
    with pytest.raises(WrongCall, match="cannot be a sprint"):
        await create(azure, NewWorkItem(container="Web", title="A", type="sprint", key=KEY))
    with pytest.raises(ItemNotFound, match="does not exist: Nowhere"):
        await create(azure, NewWorkItem(container="Nowhere", title="A", key=KEY))
    with pytest.raises(WrongCall, match="unknown identity"):
        await change(azure, "2", WorkItemChange(assignee="nobody@acme.example"))
    with pytest.raises(WrongCall, match="no comma"):
        await change(azure, "2", WorkItemChange(labels=("a, b",)))
    with pytest.raises(WrongCall, match="Invalid tree name"):
        await change(azure, "2", WorkItemChange(iteration="Tracker\\Sprint 99"))


async def test_a_copied_mark_is_no_comment_of_rove(azure: Scene, organization: AzureDevOps) -> None:
    """Somebody else may paste what they see; and what was deleted is said again."""
    copied = f"<p>First{hidden_mark(KEY)}</p>"
    said = AzureComment(number=40, author="ben", at=day(3), text=copied)
    organization.put(evolve(organization.item(1), comments=(said,), updated=day(3)))
    there = await comment(azure, "1", "First")

    assert there.id == "1/41"
    assert there.url == "https://dev.azure.com/northwind/_workitems/edit/1#41"


async def test_a_reader_may_not_comment_nor_attach(
    stranger: Scene, organization: AzureDevOps
) -> None:
    """The scope is named, and the page where a token has it."""
    organization.reader = "pat-of-a-reader"
    stranger.credential = await stranger.awaited(
        "rove_authenticate", login=stranger.login({"token": organization.reader})
    )
    file = NewAttachment(name="a.txt", content=b"a", key=KEY)
    for call in (
        comment(stranger, "2", "Hm"),
        stranger.awaited("rove_add_attachment", ref=ref("2"), attachment=file),
        create(stranger, NewWorkItem(container="Web", title="A", key=KEY)),
    ):
        with pytest.raises(ScopeMissing, match=r"vso\.work_write") as missing:
            await call
        assert "Work Items (Read & write)" in missing.value.hint


def test_a_mark_stands_at_the_end_of_the_words() -> None:
    """Inside of the last paragraph, where an editor leaves it."""
    assert marked("<p>a</p>\n<p>b</p>\n", "!") == "<p>a</p>\n<p>b!</p>"
    assert marked("a", "!") == "a!"
    assert marked("", "!") == "!"


@pytest.mark.parametrize(
    "at",
    [
        datetime(2024, 12, 24, 8, tzinfo=UTC),
        datetime(2024, 12, 24, tzinfo=UTC),
        datetime(2024, 12, 24, 10, tzinfo=UTC),
        datetime(2024, 12, 23, 15, tzinfo=UTC),
    ],
)
def test_a_day_is_the_day_of_who_set_it(at: datetime) -> None:
    """Los Angeles, London, Rove, Tokyo: each keeps the moment when its own day begins."""
    told = {"Microsoft.VSTS.Scheduling.DueDate": at.isoformat()}

    assert due(WorkItemReply(id=1, fields=told)) == date(2024, 12, 24)
