"""Standard tests of what the fields of a work item mean."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

import attrs
import pytest

from rove_core.errors import RoveError, ScopeMissing, WrongCall
from rove_core.items import ContextItem, ItemRef
from rove_core.testing.clock import VirtualClock
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import logged_in
from rove_core.testing.work_tests import WorkTests
from rove_core.testing.work_values import own_id, values_for
from rove_core.work.changes import NewAttachment, NewWorkItem, WorkItemChange
from rove_core.work.items import Assignee, WorkItem

#: Priorities whose names mean the same everywhere.
_PRIORITIES: Final[Mapping[str, int]] = MappingProxyType(
    {"low": 1, "medium": 2, "normal": 2, "high": 3, "urgent": 4, "highest": 4, "critical": 4}
)
#: How many of the listed items are compared.
_SOME: Final = 4
#: Fields that people do not see.
_FOR_PROGRAMS: Final = frozenset(
    {"ref", "iteration", "description_source", "revision", "changeable", "raw"}
)
#: What a status means that ends the work.
_CLOSED: Final = frozenset({"done", "canceled"})


class WorkFieldTests(WorkTests):
    """Tests of the fields of work items."""

    @silver
    @logged_in("rove_change_work_item")
    async def test_priorities_mean_what_they_are_called(self, scene: Scene) -> None:
        """Urgent is 4 and low is 1, whatever numbers the vendor uses."""
        ref = self.work_ref(scene)
        before = await scene.awaited("rove_work_item", ref=ref)
        if "priority" not in before.changeable:
            pytest.skip(f"{ref.id} has no priority that can be changed")
        levels: dict[str, int | None] = {}
        for level in range(1, 5):
            change = WorkItemChange(priority=level)
            with suppress(WrongCall):  # The vendor has fewer priorities.
                work = await scene.awaited("rove_change_work_item", ref=ref, change=change)
                levels[work.priority_name.lower()] = work.priority
        named = levels.keys() & _PRIORITIES.keys()

        assert {name: levels[name] for name in named} == {name: _PRIORITIES[name] for name in named}

    @silver
    @logged_in("rove_item_detail", "rove_change_work_item")
    async def test_item_has_the_facts_of_its_work(self, scene: Scene) -> None:
        """The labels, the assignee and the due date of a work item are facts of the item, too."""
        ref = self.work_ref(scene)
        before = await scene.awaited("rove_work_item", ref=ref)
        values = values_for(before, self.work_assignee or own_id(scene))
        changes: Any = {name: values[name] for name in ("assignee", "due") if name in values}
        if "labels" in values:
            changes["labels"] = (*before.labels, "suite")
        if not changes:
            pytest.skip(f"{ref.id} has no labels, assignee or due date that can be changed")
        change = WorkItemChange(**changes)
        work = await scene.awaited("rove_change_work_item", ref=ref, change=change)
        facts = (await scene.detail(ref)).facts

        assert {*facts.labels} >= {*work.labels}
        assert facts.due == work.due
        assert not work.assignee or work.assignee.name in facts.assignees

    @silver
    @logged_in("rove_work_item", "rove_item_detail")
    async def test_work_and_item_agree(self, scene: Scene) -> None:
        """What a work item says is what the item says: status, people, dates, parent."""
        refs = [self.work_ref(scene)]
        if scene.has("rove_list"):
            listed = (await scene.list_changes())[0]
            refs += [each.item.ref for each in listed if each.item and each.work][:_SOME]
        for ref in refs:
            work: WorkItem = await scene.awaited("rove_work_item", ref=ref)
            item = await scene.detail(ref)

            assert [*_disagreements(work, item)] == [], ref.id

    @gold
    @logged_in("rove_work_item")
    async def test_work_item_has_the_given_fields(self, scene: Scene) -> None:
        """The work item has the given values, as a person sees them at the vendor."""
        if not self.work_fields:
            pytest.skip(f"{MISSING}give work_fields: the work item as a person sees it")
        work = await scene.awaited("rove_work_item", ref=self.work_ref(scene))
        if missing := _fields_set(work) - self.work_fields.keys():
            pytest.skip(f"{MISSING}give work_fields, too, for {', '.join(sorted(missing))}")

        assert {name: _shown(work, name) for name in self.work_fields} == {**self.work_fields}

    @silver
    @logged_in("rove_change_work_item", "rove_status_options")
    async def test_finished_work_can_be_taken_up_again(self, scene: Scene) -> None:
        """What is done or canceled and gets an open status is no longer done."""
        ref = self.work_ref(scene)
        finishing = [name for name, meaning in self.work_statuses.items() if meaning in _CLOSED]
        if not finishing:
            pytest.skip(f"no work_statuses are given for {self.kind} that end its work")
        for name in [*self.work_statuses][: [*self.work_statuses].index(finishing[0]) + 1]:
            change = WorkItemChange(status=name)
            await scene.awaited("rove_change_work_item", ref=ref, change=change)
        offered = await scene.awaited("rove_status_options", ref=ref)
        opened = [each.status for each in offered if each.status.category not in _CLOSED]
        for status in opened:
            change = WorkItemChange(status=status.name)
            with suppress(WrongCall):  # Whether what is offered can be taken is another test's.
                await scene.awaited("rove_change_work_item", ref=ref, change=change)

                assert (await scene.awaited("rove_work_item", ref=ref)).status == status
                return
        pytest.skip(f"{finishing[0]} is the end of {ref.id}: no open status follows it")

    @silver
    @logged_in("rove_change_work_item")
    async def test_value_that_is_not_there_is_a_wrong_call(self, scene: Scene) -> None:
        """If an assignee, parent or iteration is unknown, no error says that the item is."""
        ref = self.work_ref(scene)
        changeable = (await scene.awaited("rove_work_item", ref=ref)).changeable
        values: Any = {
            "assignee": f"{self.work_assignee or own_id(scene)}0",
            "parent": attrs.evolve(ref, id=self.unknown),
            "iteration": "999999",
        }
        told: dict[str, object] = {}
        for name in values.keys() & {*changeable}:
            change = WorkItemChange(**{name: values[name]})
            try:
                await scene.awaited("rove_change_work_item", ref=ref, change=change)
            except (WrongCall, ScopeMissing):
                continue
            except RoveError as error:
                told[name] = error
        if not values.keys() & {*changeable}:
            pytest.skip(f"{ref.id} has no assignee, parent or iteration that can be changed")

        assert told == {}, "raise WrongCall: the item itself is there"

    @silver
    @logged_in("rove_create_work_item", "rove_work_item")
    async def test_work_item_is_created_below_its_parent(self, scene: Scene) -> None:
        """A new item has the given parent or is refused; it is never created elsewhere."""
        parent = self.work_ref(scene)
        if (made := await self._part_of(scene, parent)) is None:
            return
        read = await scene.awaited("rove_work_item", ref=made.ref)

        assert [each.parent and each.parent.id for each in (made, read)] == [parent.id] * 2

    @silver
    @logged_in("rove_create_work_item", "rove_item_detail")
    async def test_parent_and_part_name_each_other_rightly(self, scene: Scene) -> None:
        """Of an item below another one, each says the right relation, if it says any."""
        parent = self.work_ref(scene)
        if (made := await self._part_of(scene, parent)) is None:
            pytest.skip(f"{self.kind} creates nothing below {parent.id}")
        above, below = await scene.detail(parent), await scene.detail(made.ref)

        assert _relations(above, below) <= {"child"}
        assert _relations(below, above) <= {"parent"}

    @silver
    @logged_in("rove_create_work_item", "rove_change_work_item")
    async def test_parent_can_be_taken_away(self, scene: Scene) -> None:
        """An item that was below another one and gets no parent has none, where that can change."""
        made = await self._part_of(scene, self.work_ref(scene))
        if made is None or made.parent is None or "parent" not in made.changeable:
            pytest.skip(f"{self.kind} creates nothing with a parent that can be changed")
        change = WorkItemChange(clear=("parent",))
        changed = await scene.awaited("rove_change_work_item", ref=made.ref, change=change)

        assert changed.parent is None

    @silver
    @logged_in("rove_add_attachment", "rove_item_detail")
    async def test_other_file_of_the_same_name_is_attached(self, scene: Scene) -> None:
        """A file with another key and content is another file, whatever its name."""
        ref, name = self.work_ref(scene), "suite.txt"
        for content in (b"one", b"another"):
            key = f"rove-suite-000{len(content)}"
            file = NewAttachment(name=name, content=content, media_type="text/plain", key=key)
            await scene.awaited("rove_add_attachment", ref=ref, attachment=file)
        names = (await scene.detail(ref)).facts.attachments

        assert len([each for each in names if "suite" in each]) == 2

    @silver
    @logged_in("rove_iterations")
    async def test_iterations_begin_before_they_end(self, scene: Scene) -> None:
        """If an iteration has both times, its start is before its end."""
        if not self.work_container:
            pytest.skip(f"{MISSING}give work_container: what has sprints or cycles")
        found = await scene.awaited("rove_iterations", container=self.work_container)
        dated = [(each.starts, each.ends) for each in found if each.starts and each.ends]

        assert [times for times in dated if times[0] >= times[1]] == []

    @silver
    @logged_in("rove_iterations", "rove_work_item")
    async def test_planned_iteration_is_one_of_its_container(self, scene: Scene) -> None:
        """What a work item is planned in is an iteration with that name; a backlog is none."""
        names = {self.work_container} - {""}
        if scene.has("rove_containers"):
            names |= {each.name for each in await scene.awaited("rove_containers")}
        iterations: dict[str, str] = {}
        for name in sorted(names):
            found = await scene.awaited("rove_iterations", container=name)
            iterations |= {each.id: each.name for each in found}
        works = [await scene.awaited("rove_work_item", ref=self.work_ref(scene))]
        if scene.has("rove_list"):
            works += [each.work for each in (await scene.list_changes())[0] if each.work]
        planned = {each.iteration: each.iteration_name for each in works if each.iteration}

        assert {id_: name for id_, name in planned.items() if iterations.get(id_) != name} == {}

    @silver
    @logged_in("rove_iterations")
    async def test_iteration_is_not_over_before_its_end(self, scene: Scene) -> None:
        """On its last day an iteration is not over."""
        if not self.work_container:
            pytest.skip(f"{MISSING}give work_container: what has sprints or cycles")
        found = await scene.awaited("rove_iterations", container=self.work_container)
        clock = scene.clock
        assert isinstance(clock, VirtualClock)
        for each in (each for each in found if each.starts and each.ends):
            states = []
            for at in (each.starts, each.ends):
                clock.put(at)
                again = await scene.awaited("rove_iterations", container=self.work_container)
                states += [other.state for other in again if other.id == each.id]
            assert states != ["active", "completed"], each.name

    async def _part_of(self, scene: Scene, parent: ItemRef) -> WorkItem | None:
        """Return a new item below another one; None if the source refuses to create it."""
        if not self.work_container:
            pytest.skip(f"{MISSING}give work_container: where items may be created")
        new = NewWorkItem(
            container=self.work_container,
            title="A part of it",
            type="subtask",
            parent=parent,
            key="rove-suite-0003",
        )
        with suppress(WrongCall):
            made: WorkItem = await scene.awaited("rove_create_work_item", new=new)
            return made
        return None


def _fields_set(work: WorkItem) -> set[str]:
    """Return the names of the fields that have a value for people."""
    values = {name: getattr(work, name) for name in attrs.fields_dict(WorkItem)}
    return {name for name, value in values.items() if value} - _FOR_PROGRAMS


def _shown(work: WorkItem, name: str) -> object:
    """Return a value of a work item as a person sees it."""
    value = getattr(work, name)
    match value:
        case Assignee():
            return value.name
        case ItemRef():
            return value.id
    return value


def _disagreements(work: WorkItem, item: ContextItem) -> Iterator[str]:
    """Yield what a work item and its item say differently; what only one says is no such thing."""
    facts = item.facts
    pairs: Mapping[str, tuple[object, object]] = {
        "created": (work.created, facts.created),
        "updated": (work.updated, item.timestamp),
        "priority": (work.priority_name, facts.priority),
        "labels": ({*work.labels}, {*facts.labels}),
        "iteration": (work.iteration_name, facts.iteration),
        "due": (work.due, facts.due),
        "estimate": (work.estimate, facts.estimate),
        "status": (work.status.category, facts.status and facts.status.category),
        "address": (work.ref.url, item.ref.url),
    }
    for name, (one, other) in pairs.items():
        if one != other and one and other:
            yield f"{name}: {one!r} and {other!r}"
    if work.title not in item.title:
        yield f"title: {work.title!r} and {item.title!r}"
    if work.assignee and facts.assignees and work.assignee.name not in facts.assignees:
        yield f"assignee: {work.assignee.name!r} and {facts.assignees!r}"
    parents = {link.ref.id for link in item.links if link.relation == "parent"}
    if work.parent and parents and work.parent.id not in parents:
        yield f"parent: {work.parent.id!r} and {sorted(parents)!r}"


def _relations(one: ContextItem, other: ContextItem) -> set[str]:
    """Return what an item says that another one is to it."""
    return {each.relation for each in one.links if each.ref.id == other.ref.id}
