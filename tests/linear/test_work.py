"""Issues of Linear as work: what is asked, what is sent, and what is said when it is refused."""

from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime

import pytest
from attrs import evolve

import rove_linear
from rove_core import (
    Conflict,
    ItemNotFound,
    ItemRef,
    NewAttachment,
    NewComment,
    NewWorkItem,
    Unavailable,
    WorkItem,
    WorkItemChange,
    WrongCall,
)
from rove_core.testing import Scene, Vendor
from rove_core.testing.fault_catalogue import Fault
from rove_core.testing.source_under_test import through
from rove_sim import Conduct
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio

KEY = "tests-of-linear-1"
REF = ItemRef(account="linear", kind="ticket", id="TB-2")
NEW = NewWorkItem(container="TB", title="Order a vault", key=KEY)


async def _read(linear: Scene) -> WorkItem:
    work: WorkItem = await linear.awaited("rove_work_item", ref=REF)
    return work


async def _change(linear: Scene, change: WorkItemChange) -> WorkItem:
    work: WorkItem = await linear.awaited("rove_change_work_item", ref=REF, change=change)
    return work


async def _create(linear: Scene, new: NewWorkItem = NEW) -> WorkItem:
    work: WorkItem = await linear.awaited("rove_create_work_item", new=new)
    return work


async def test_an_issue_is_read_field_by_field(linear: Scene) -> None:
    """Its parent is what it is a part of, its cycle is its iteration."""
    work = await _read(linear)

    assert (work.type, work.parent and work.parent.id) == ("subtask", "TB-1")
    assert (work.priority, work.priority_name) == (3, "High")
    assert (work.iteration_name, work.labels) == ("7 Keys", ("auth", "pilot", "keys"))
    assert (work.description, work.assignee and work.assignee.name) == (
        "Once a **day**.",
        "Ben Fox",
    )
    assert {"iteration", "estimate"} < {*work.changeable}


@pytest.mark.parametrize(("ours", "theirs"), [(0, 0), (1, 4), (2, 3), (3, 2), (4, 1)])
async def test_priorities_are_turned_round(
    linear: Scene, workspace: Linear, ours: int, theirs: int
) -> None:
    """Linear counts from 1, urgent, to 4, low; no priority is 0 for both."""
    changed = await _change(linear, WorkItemChange(priority=ours))

    assert (changed.priority, workspace.issue("TB-2").priority) == (ours, theirs)


async def test_states_are_those_of_the_team(linear: Scene) -> None:
    """In the order of a board; the state for duplicates is Linear's own to set."""
    options = await linear.awaited("rove_status_options", ref=REF)

    assert [(each.status.name, each.status.category) for each in options] == [
        ("Backlog", "todo"),
        ("Todo", "todo"),
        ("In Review", "in_progress"),
        ("Done", "done"),
        ("Canceled", "canceled"),
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (WorkItemChange(labels=("auth", "vault")), "no label 'vault' for this team, but auth"),
        (WorkItemChange(status="Duplicate"), "TB-2 cannot become 'Duplicate', only Backlog, Todo"),
        (WorkItemChange(estimate=2.5), "in whole points, not 2.5"),
        (WorkItemChange(assignee="nobody"), "Entity not found: User"),
        (WorkItemChange(parent=evolve(REF, id="TB-99")), "Entity not found: Issue"),
    ],
)
async def test_what_cannot_be_is_refused(
    linear: Scene, workspace: Linear, change: WorkItemChange, said: str
) -> None:
    """A parent that is not there is no reason to take the issue for gone."""
    before = workspace.issue("TB-2")
    with pytest.raises(WrongCall) as refused:
        await _change(linear, change)

    assert said in refused.value.message
    assert workspace.issue("TB-2") is before


async def test_an_issue_can_be_planned_and_moved(linear: Scene) -> None:
    """Into a cycle of its team, and below another issue; and out again."""
    (cycle,) = await linear.awaited("rove_iterations", container="TB")
    there = WorkItemChange(iteration=cycle.id, parent=evolve(REF, id="OPS-4"))
    planned = await _change(linear, there)
    out = await _change(linear, WorkItemChange(clear=("iteration", "parent")))

    assert (planned.iteration, planned.parent and planned.parent.id) == (cycle.id, "OPS-4")
    assert (out.iteration, out.parent, out.type) == ("", None, "ticket")


async def test_a_change_takes_two_requests(linear: Scene, workspace: Linear) -> None:
    """One reads the issue with the states of its team, one changes it and tells how it is."""
    workspace.conduct = Conduct()
    before = len(workspace.exchanges)
    await _change(linear, WorkItemChange(status="Done", title="Rotated keys"))

    assert len(workspace.exchanges) - before == 2


async def test_who_was_faster_is_not_overwritten(linear: Scene, workspace: Linear) -> None:
    """The message says when it was."""
    work = await _read(linear)
    other = datetime(2025, 1, 1, tzinfo=UTC)
    workspace.put(evolve(workspace.issue("TB-2"), title="First", updated=other))
    with pytest.raises(Conflict, match="2025-01-01 00:00:00 UTC"):
        await _change(linear, WorkItemChange(title="Late", if_revision=work.revision))

    assert workspace.issue("TB-2").title == "First"


async def test_a_change_is_sent_once(
    northwind: AbstractAsyncContextManager[Vendor], workspace: Linear
) -> None:
    """When its reply is lost somebody else may be faster than a second try: it is not known."""
    (kind,) = rove_linear.rove_sources()
    lost = Fault(cut_at=0, reset=True)
    async with northwind as vendor, through(kind, vendor, name="linear") as (linear, proxy):
        proxy.play(lost, when=lambda seen: b"issueUpdate" in seen.body)
        with pytest.raises(Unavailable) as unknown:
            await _change(linear, WorkItemChange(title="Rotated keys"))

    assert unknown.value.maybe_done
    sent = [each for each in workspace.exchanges if b"issueUpdate" in each.request.body]
    assert len(sent) == 1


async def test_what_is_in_the_trash_is_gone(linear: Scene, workspace: Linear) -> None:
    """It is not changed any more, and its key makes no second one."""
    made = await _create(linear)
    issue = workspace.issue(made.ref.id)
    workspace.put(evolve(issue, trashed=True))

    with pytest.raises(ItemNotFound, match="deleted in Linear"):
        await linear.awaited("rove_work_item", ref=made.ref)
    with pytest.raises(ItemNotFound, match=f"{made.ref.id} was created with this key, and deleted"):
        await _create(linear)


@pytest.mark.parametrize(
    ("new", "error", "said"),
    [
        (evolve(NEW, container="VAULT"), ItemNotFound, "team VAULT: not found"),
        (evolve(NEW, type="epic"), WrongCall, "a Linear issue cannot be a epic"),
        (evolve(NEW, type_name="Bug"), WrongCall, "a Linear issue cannot be a Bug"),
        (evolve(NEW, title=""), WrongCall, "title must not be empty"),
        (evolve(NEW, parent=evolve(REF, id="TB-99")), WrongCall, "Entity not found: Issue"),
    ],
)
async def test_what_cannot_be_created_is_refused(
    linear: Scene, new: NewWorkItem, error: type[Exception], said: str
) -> None:
    """The message says why."""
    with pytest.raises(error, match=said):
        await _create(linear, new)


async def test_a_part_is_created_below_its_parent(linear: Scene) -> None:
    """As a sub-issue."""
    made = await _create(linear, evolve(NEW, type="subtask", parent=REF))

    assert (made.type, made.parent and made.parent.id) == ("subtask", "TB-2")


async def test_one_key_serves_several_issues(linear: Scene, workspace: Linear) -> None:
    """Comments with it are apart; each takes two requests."""
    comment = NewComment(content="Released in 2.4.", key="release-2-4")
    before = len(workspace.exchanges)
    refs = [
        await linear.awaited("rove_add_comment", ref=evolve(REF, id=name), comment=comment)
        for name in ("TB-1", "TB-2")
    ]

    assert [each.id.partition("/")[0] for each in refs] == ["TB-1", "TB-2"]
    assert len(workspace.exchanges) - before == 4


async def test_an_empty_comment_is_refused(linear: Scene) -> None:
    """In Linear's words."""
    with pytest.raises(WrongCall, match="body must not be empty"):
        await linear.awaited("rove_add_comment", ref=REF, comment=NewComment(content=" ", key=KEY))


async def test_a_file_arrives_as_it_is(linear: Scene, workspace: Linear) -> None:
    """Where Linear keeps it, and it is told among the attachments."""
    file = NewAttachment(name="keys.txt", content=b"a\0b", media_type="text/plain", key=KEY)
    ref = await linear.awaited("rove_add_attachment", ref=REF, attachment=file)

    assert workspace.file(ref.url) == b"a\0b"
    assert (await linear.detail(REF)).facts.attachments == ("keys.txt",)
