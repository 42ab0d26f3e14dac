"""Issues as work: what GitHub leaves out in silence, what it hides, and what is no work."""

import pytest
from attrs import evolve
from tests.github.conftest import DAY

from rove_core import (
    ItemRef,
    NewComment,
    NewWorkItem,
    ScopeMissing,
    WorkItem,
    WorkItemChange,
    WrongCall,
)
from rove_core.testing import Scene
from rove_sim.company_github import RepositoryComment, RepositoryIssue
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio


def ref(name: str) -> ItemRef:
    """Return a reference to an issue."""
    return ItemRef(account="github", kind="issue", id=name)


async def read(scene: Scene, name: str = "acme/api#12") -> WorkItem:
    """Return an issue as work."""
    work: WorkItem = await scene.awaited("rove_work_item", ref=ref(name))
    return work


async def change(scene: Scene, **fields: object) -> WorkItem:
    """Change an issue."""
    made = WorkItemChange(**fields)  # type: ignore[arg-type]  # as the test has them
    work: WorkItem = await scene.awaited(
        "rove_change_work_item", ref=ref("acme/api#12"), change=made
    )
    return work


async def test_an_issue_is_work(scene: Scene) -> None:
    """With its state as a status, its first assignee and its labels."""
    work = await read(scene)

    assert (work.title, work.status.name, work.labels) == (
        "Keys are never rotated",
        "open",
        ("bug", "auth"),
    )
    assert work.assignee is not None
    assert work.assignee.id == "ben-doe"


@pytest.mark.parametrize(
    ("status", "reason"),
    [("completed", "completed"), ("not planned", "not_planned"), ("duplicate", "duplicate")],
)
async def test_a_status_is_a_state_and_its_reason(
    scene: Scene, github: GitHub, status: str, reason: str
) -> None:
    """Closed for a reason, and open again without one."""
    await change(scene, status=status)
    item = github.hub.item("acme/api", 12)
    assert isinstance(item, RepositoryIssue)
    assert (item.state, item.reason) == ("closed", reason)

    assert (await change(scene, status="open")).status.category == "todo"


async def test_what_github_leaves_out_is_told(scene: Scene) -> None:
    """Somebody who cannot be assigned is left out in silence; Rove says so."""
    with pytest.raises(ScopeMissing, match="did not set the assignee"):
        await change(scene, assignee="nobody-here")


async def test_two_changes_in_a_second_are_two_revisions(scene: Scene) -> None:
    """GitHub's times are whole seconds."""
    once = await change(scene, title="One")
    twice = await change(scene, title="Two")

    assert once.revision != twice.revision


async def test_a_pull_request_is_no_work(scene: Scene) -> None:
    """What is planned is its issue."""
    with pytest.raises(WrongCall, match="is a pull request"):
        await read(scene, "acme/api#847")


async def test_a_field_that_github_lacks_is_named(scene: Scene) -> None:
    """An issue has no priority."""
    with pytest.raises(WrongCall, match="has no priority"):
        await change(scene, priority=3)


async def test_a_field_that_github_misses_is_named(scene: Scene) -> None:
    """GitHub tells it by a code, and without a word."""
    with pytest.raises(WrongCall, match="title: missing_field"):
        await change(scene, title="")


async def test_a_key_is_never_seen(scene: Scene, github: GitHub) -> None:
    """Neither in the description nor in a comment, and a new description keeps it."""
    new = NewWorkItem(container="acme/api", title="New", description="Words", key="once-0001")
    made: WorkItem = await scene.awaited("rove_create_work_item", new=new)
    said = NewComment(content="Begun", key="comment-1")
    await scene.awaited("rove_add_comment", ref=made.ref, comment=said)
    await scene.awaited(
        "rove_change_work_item", ref=made.ref, change=WorkItemChange(description="Other words")
    )
    again: WorkItem = await scene.awaited("rove_create_work_item", new=new)
    shown = await scene.detail(made.ref)

    assert again.ref == made.ref
    assert (shown.content, [each.content for each in shown.thread]) == ("Other words", ["Begun"])
    assert "rove:once-0001" in str(github.hub.item("acme/api", int(made.ref.id.rpartition("#")[2])))


async def test_a_copied_key_is_nobodys(scene: Scene, github: GitHub) -> None:
    """Somebody else's comment with the same key stays theirs, and Rove's is added."""
    theirs = RepositoryComment(
        author="ben", at=DAY, text="Mine\n\n<!-- rove:comment-1 -->", id="99"
    )
    item = github.hub.item("acme/api", 12)
    assert item is not None
    github.put(evolve(item, comments=(*item.comments, theirs)))
    said = NewComment(content="Begun", key="comment-1")
    await scene.awaited("rove_add_comment", ref=ref("acme/api#12"), comment=said)

    shown = await scene.detail(ref("acme/api#12"))
    assert sorted(each.content for each in shown.thread[-2:]) == ["Begun", "Mine"]


async def test_a_listing_has_issues_as_work(scene: Scene, github: GitHub) -> None:
    """With the revision that reading tells, and pull requests without."""
    github.put(
        RepositoryIssue(
            repository="acme/api", number=15, title="Old", author="ann", created=DAY, reason=""
        )
    )
    listed, _ = await scene.list_changes(containers=("acme/api",))
    work = {each.item.ref.id: each.work for each in listed if each.item}

    listed_work = work["acme/api#12"]
    assert listed_work is not None
    assert listed_work == evolve(await read(scene), ref=listed_work.ref, raw=listed_work.raw)
    assert work["acme/api#847"] is None


async def test_an_issue_is_put_below_others(scene: Scene, github: GitHub) -> None:
    """Below one, then below another one with another title, then below none."""
    _issues(github, 20, 21)
    first = await change(scene, parent=ref("acme/api#20"))
    moved = await change(scene, parent=ref("acme/api#21"), title="Keys")
    listed = await scene.detail(ref("acme/api#21"))
    out = await change(scene, clear=("parent",))

    assert first.parent is not None
    assert moved.parent is not None
    assert (first.parent.id, moved.parent.id, moved.title) == ("acme/api#20", "acme/api#21", "Keys")
    assert [each.ref.id for each in listed.links if each.relation == "child"] == ["acme/api#12"]
    assert (out.parent, out.title) == (None, "Keys")
    assert len({first.revision, moved.revision, out.revision}) == 3


async def test_a_part_is_created_once_below_its_parent(scene: Scene, github: GitHub) -> None:
    """Also if it was made by a try that did not come to the parent."""
    _issues(github, 20)
    new = NewWorkItem(container="acme/api", title="Part", type="subtask", key="once-0001")
    alone = await scene.awaited("rove_create_work_item", new=new)
    below = await scene.awaited("rove_create_work_item", new=evolve(new, parent=ref("acme/api#20")))

    assert (alone.parent, below.ref.id) == (None, alone.ref.id)
    assert below.parent.id == "acme/api#20"


@pytest.mark.parametrize("parent", ["acme/api#999", "acme/api#12", "acme/api#847"])
async def test_what_cannot_be_a_parent_is_refused(scene: Scene, parent: str) -> None:
    """What is not there, the same issue, a pull request; the title stays as it was."""
    with pytest.raises(WrongCall, match=f"{parent} cannot be the parent of acme/api#12"):
        await change(scene, parent=ref(parent), title="Another")

    assert (await read(scene)).title == "Keys are never rotated"


async def test_a_server_without_sub_issues_says_so(scene: Scene, github: GitHub) -> None:
    """It does not know the address."""
    _issues(github, 20)
    github.has_sub_issues = False
    with pytest.raises(ScopeMissing, match="did not move acme/api#12 below acme/api#20") as told:
        await change(scene, parent=ref("acme/api#20"))

    assert "no sub-issues" in told.value.hint


def _issues(github: GitHub, *numbers: int) -> None:
    for number in numbers:
        github.put(
            RepositoryIssue(
                repository="acme/api", number=number, title="Plan", author="ann", created=DAY
            )
        )
