"""Tasks of Asana as work: what is asked, what is sent, and what is said when it is refused."""

from contextlib import AbstractAsyncContextManager

import pytest
from attrs import evolve
from tests.asana.conftest import KEYS, SIGN_IN, VAULT, day

import rove_asana
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
    hidden_mark,
)
from rove_core.testing import Scene, Vendor
from rove_core.testing.fault_catalogue import Fault
from rove_core.testing.source_under_test import through
from rove_sim import Conduct
from rove_sim.asana import Asana
from rove_sim.company_asana import asana_gid

pytestmark = pytest.mark.anyio

KEY = "tests-of-asana-1"
REF = ItemRef(account="asana", kind="task", id=KEYS)
NEW = NewWorkItem(container="Pilot", title="Order a vault", key=KEY)


async def _read(asana: Scene, ref: ItemRef = REF) -> WorkItem:
    work: WorkItem = await asana.awaited("rove_work_item", ref=ref)
    return work


async def _change(asana: Scene, change: WorkItemChange, ref: ItemRef = REF) -> WorkItem:
    work: WorkItem = await asana.awaited("rove_change_work_item", ref=ref, change=change)
    return work


async def _create(asana: Scene, new: NewWorkItem = NEW) -> WorkItem:
    work: WorkItem = await asana.awaited("rove_create_work_item", new=new)
    return work


async def _options(asana: Scene, ref: ItemRef = REF) -> list[tuple[str, str]]:
    options = await asana.awaited("rove_status_options", ref=ref)
    return [(each.status.name, each.status.category) for each in options]


async def test_a_task_is_read_field_by_field(asana: Scene) -> None:
    """Also by the id that a field numbers; priority and estimate are custom fields."""
    work = await _read(asana, evolve(REF, id="TB-2"))

    assert (work.ref.id, work.type, work.parent and work.parent.id) == (KEYS, "subtask", SIGN_IN)
    assert (work.priority, work.priority_name, work.estimate_unit) == (3, "High", "points")
    assert work.description == "Once a **day**, if a\\<b.\nSee the vault."
    assert work.description_source.startswith("<body>Once a <strong>")
    assert {"priority", "estimate"} < {*work.changeable}


async def test_sections_of_the_first_project_are_statuses(asana: Scene, workspace: Asana) -> None:
    """And completed; back in a section, a task is open again."""
    assert await _options(asana) == [
        ("To do", "todo"),
        ("Done", "done"),
        ("Completed", "done"),
    ]
    done = await _change(asana, WorkItemChange(status="Completed"))
    again = await _change(asana, WorkItemChange(status="Done"))

    assert (done.status.name, again.status.name) == ("Completed", "Done")
    assert workspace.task(KEYS).completed is None


async def test_without_sections_a_task_is_open_or_completed(asana: Scene) -> None:
    """A project's only section has no name."""
    assert await _options(asana, evolve(REF, id=VAULT)) == [("Open", "todo")]


async def test_a_field_called_status_says_more_than_a_section(
    asana: Scene, workspace: Asana
) -> None:
    """Its options are the statuses."""
    fields = workspace.company.asana_projects[0].fields
    status = evolve(fields[0], name="Status", options=("Backlog", "Doing", "Cancelled"))
    pilot = evolve(workspace.company.asana_projects[0], fields=(status,))
    workspace.workspace.set_up(pilot)

    assert [name for name, _ in await _options(asana)] == [
        *("Backlog", "Doing", "Cancelled", "Completed")
    ]
    changed = await _change(asana, WorkItemChange(status="Cancelled", title="No keys"))
    assert (changed.status.name, changed.status.category) == ("Cancelled", "canceled")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (WorkItemChange(labels=("auth", "vault")), "no tag 'vault' in this workspace, but auth"),
        (WorkItemChange(status="Open"), f"{KEYS} cannot become 'Open', only To do, In progress"),
        (WorkItemChange(assignee="nobody"), "Not a user in Organization: nobody"),
        (WorkItemChange(parent=evolve(REF, id="99")), "parent: Unknown object: 99"),
        (WorkItemChange(iteration="7"), f"{KEYS} has no iteration"),
    ],
)
async def test_what_cannot_be_is_refused(
    asana: Scene, workspace: Asana, change: WorkItemChange, said: str
) -> None:
    """The message says what is possible, and nothing changes."""
    before = workspace.task(KEYS)
    with pytest.raises(WrongCall) as refused:
        await _change(asana, change)

    assert said in refused.value.message
    assert workspace.task(KEYS) is before


async def test_a_change_of_fields_takes_three_requests(asana: Scene, workspace: Asana) -> None:
    """One reads the task, one changes it, and one reads it again."""
    workspace.conduct = Conduct()
    before = len(workspace.exchanges)
    change = WorkItemChange(title="Turn keys", description="Each *hour*", priority=4, estimate=3.0)
    work = await _change(asana, change)

    assert len(workspace.exchanges) - before == 3
    assert (work.title, work.description, work.priority, work.estimate) == (
        *("Turn keys", "Each *hour*", 4, 3.0),
    )


async def test_who_was_faster_is_not_overwritten(asana: Scene, workspace: Asana) -> None:
    """Also if they only moved it to another section, which Asana takes for no change."""
    work = await _read(asana)
    task = workspace.task(KEYS)
    places = (evolve(task.places[0], section="Done"), task.places[1])
    workspace.put(evolve(task, places=places))
    with pytest.raises(Conflict, match=f"changed at {day(11):%Y-%m-%d %H:%M:%S} UTC"):
        await _change(asana, WorkItemChange(title="Late", if_revision=work.revision))

    assert workspace.task(KEYS).name == "Rotate keys"


async def test_a_change_is_sent_once(
    northwind: AbstractAsyncContextManager[Vendor], workspace: Asana
) -> None:
    """When its reply is lost somebody else may be faster than a second try: it is not known."""
    (kind,) = rove_asana.rove_sources()
    lost = Fault(cut_at=0, reset=True)
    async with northwind as vendor, through(kind, vendor, name="asana") as (asana, proxy):
        proxy.play(lost, when=lambda seen: b"Turn keys" in seen.body)
        with pytest.raises(Unavailable) as unknown:
            await _change(asana, WorkItemChange(title="Turn keys"))

    assert unknown.value.maybe_done
    sent = [each for each in workspace.exchanges if each.request.method == "PUT"]
    assert len(sent) == 1


@pytest.mark.parametrize(
    ("new", "error", "said"),
    [
        (evolve(NEW, container="Cellar"), ItemNotFound, "project Cellar: not found"),
        (evolve(NEW, type="epic"), WrongCall, "an Asana task cannot be a epic"),
        (evolve(NEW, parent=evolve(REF, id="99")), ItemNotFound, "Unknown object: 99"),
    ],
)
async def test_what_cannot_be_created_is_refused(
    asana: Scene, new: NewWorkItem, error: type[Exception], said: str
) -> None:
    """The message says why."""
    with pytest.raises(error, match=said):
        await _create(asana, new)


async def test_a_part_is_created_once_below_its_parent(asana: Scene) -> None:
    """As a subtask, in no project of its own."""
    parts = [await _create(asana, evolve(NEW, type="subtask", parent=REF)) for _ in range(2)]

    assert len({each.ref.id for each in parts}) == 1
    assert (parts[0].type, parts[0].parent and parts[0].parent.id) == ("subtask", KEYS)


async def test_a_key_is_seen_by_nobody_and_stays(asana: Scene, workspace: Asana) -> None:
    """Whoever changes the description later does not lose it."""
    made = await _create(asana, evolve(NEW, description="By *March*"))
    await _change(asana, WorkItemChange(description="By **April**"), made.ref)
    again = await _create(asana)

    assert workspace.task(made.ref.id).notes == f"By <strong>April</strong>{hidden_mark(KEY)}"
    assert not any(each.isprintable() for each in hidden_mark(KEY))
    assert (again.ref, again.description) == (made.ref, "By **April**")


async def test_comments_of_others_are_left_alone(asana: Scene, workspace: Asana) -> None:
    """Also if they copied the mark of a key with the words."""
    comment = NewComment(content="Released in 2.4.", key=KEY)
    ref = await asana.awaited("rove_add_comment", ref=REF, comment=comment)
    task = workspace.task(KEYS)
    copied = evolve(task.stories[-1], author="ben", gid="77")
    workspace.put(evolve(task, stories=(copied, *task.stories)))
    again = await asana.awaited(
        "rove_add_comment", ref=REF, comment=evolve(comment, content="In 2.5.")
    )

    assert again == ref
    assert workspace.task(KEYS).stories[0] == copied


async def test_an_empty_comment_is_refused(asana: Scene) -> None:
    """It would show nothing."""
    with pytest.raises(WrongCall, match="empty"):
        await asana.awaited("rove_add_comment", ref=REF, comment=NewComment(content=" ", key=KEY))


async def test_the_same_file_is_attached_once(asana: Scene, workspace: Asana) -> None:
    """Another one of that name and size is another file."""
    file = NewAttachment(name="keys.txt", content=b"a\0b", media_type="text/plain", key=KEY)
    others = (file, evolve(file, key="tests-of-asana-2"), evolve(file, content=b"b\0a"))
    refs = [await asana.awaited("rove_add_attachment", ref=REF, attachment=each) for each in others]

    assert refs[0] == refs[1] != refs[2]
    assert [*workspace.workspace.files.values()] == [b"a\0b", b"b\0a"]


async def test_priorities_can_be_taken_away(asana: Scene) -> None:
    """No priority is no choice."""
    assert (await _change(asana, WorkItemChange(priority=0))).priority is None


async def test_a_project_may_be_given_by_its_id(asana: Scene) -> None:
    """As it stands among the containers."""
    made = await _create(asana, evolve(NEW, container=asana_gid("project/Vault")))

    assert made.status.name == "Open"
