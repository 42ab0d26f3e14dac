"""Plans and dependencies as agents and people use them."""

from datetime import timedelta
from pathlib import Path

import pytest
from benchmarks.claims import race
from tests.memory.operating import call

from rove_core import Conflict, ItemNotFound, WrongCall, estimated_tokens, json_text
from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.store import ProjectStore
from rove_memory.tickets.table import ensure_ticket


def _plan(rove: LocalProject, title: str, **more: object) -> str:
    return str(call(rove, "plan_create", title=title, **more)["id"])


def test_a_plan_is_what_was_said(rove: LocalProject) -> None:
    """What makes a plan comes back with it, and the ticket by its tracker's name."""
    made = call(
        rove,
        "plan_create",
        title="Write  the parser",
        description="All of it",
        external_item_id="TB-1",
        priority=3,
        tags=["fast", "fast"],
    )

    (found,) = call(rove, "plan_list", external_item_id="tb-1", tags=["fast"])
    assert found == made
    assert (found["title"], found["external_item_id"]) == ("Write the parser", "TB-1")
    assert (found["status"], found["tags"], found["priority"]) == ("pending", ["fast"], 3)


def test_a_list_fits_its_budget(rove: LocalProject) -> None:
    """Texts are cut before plans are left out; the rest comes with an offset, one alone whole."""
    for number in range(60):
        _plan(rove, f"Step {number}", description=f"word{number} " * 2_000)
    first = call(rove, "plan_list")
    one = call(rove, "plan_list", limit=1)
    rest = call(rove, "plan_list", offset=len(first))

    assert estimated_tokens(json_text(first)) <= 8_000
    assert len(first) > 30
    assert {each["id"] for each in first}.isdisjoint(each["id"] for each in rest)
    assert len(one[0]["description"]) > 5_000


def test_secrets_are_not_kept(rove: LocalProject) -> None:
    """A token in a plan is redacted before it is stored."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    made = call(rove, "plan_create", title=f"use {token}", description=f"with {token}")

    assert token not in str(made)


def test_blockers_hold_a_plan_back_until_they_are_done(rove: LocalProject) -> None:
    """What waits becomes ready when the last of its blockers is completed or canceled."""
    first, second = _plan(rove, "one"), _plan(rove, "two")
    last = _plan(rove, "three", blocked_by=[first, second])
    assert [each["id"] for each in call(rove, "get_ready_work")] == [first, second]

    call(rove, "plan_update", plan_id=first, status="in_progress")
    call(rove, "plan_update", plan_id=first, status="completed")
    call(rove, "plan_update", plan_id=second, status="canceled")

    (ready,) = call(rove, "get_ready_work")
    assert ready["id"] == last
    assert ready["reason"] == f"no longer blocked by {first} (completed), {second} (canceled)"
    resolved = call(rove, "get_blockers", item_id=last, include_resolved=True)
    assert [each["resolved"] for each in resolved] == [True, True]
    assert call(rove, "get_blockers", item_id=last) == []


def test_a_circle_is_refused_with_the_way_round(rove: LocalProject) -> None:
    """What would block itself in the end is refused, and the error shows how."""
    one, two, three = (_plan(rove, title) for title in ("one", "two", "three"))
    call(rove, "dependency_add", source_id=one, target_id=two, relation="blocks")
    call(rove, "dependency_add", source_id=two, target_id=three, relation="blocks")

    with pytest.raises(Conflict, match=f"{one} → {two} → {three} → {one}"):
        call(rove, "dependency_add", source_id=three, target_id=one, relation="blocks")
    with pytest.raises(WrongCall, match="cannot depend on itself"):
        call(rove, "dependency_add", source_id=one, target_id=one, relation="related_to")
    with pytest.raises(Conflict, match="neither could start"):
        call(
            rove,
            "dependency_add",
            source_id=one,
            target_id=three,
            relation="blocks",
            bidirectional=True,
        )

    assert call(rove, "get_dependency_graph")["cycles"] == []


def test_a_plan_that_would_make_a_circle_is_not_made(rove: LocalProject) -> None:
    """When one of a plan's dependencies is refused, nothing of it is kept."""
    one = _plan(rove, "one")

    with pytest.raises(Conflict):
        _plan(rove, "two", blocks=[one], blocked_by=[one])

    assert [each["id"] for each in call(rove, "plan_list")] == [one]


def test_links_both_ways_are_removed_together(rove: LocalProject) -> None:
    """A relation that holds both ways is two rows, and goes as it came."""
    one, two = _plan(rove, "one"), _plan(rove, "two")
    link = {"source_id": one, "target_id": two}
    call(rove, "dependency_add", **link, relation="related_to", bidirectional=True)
    call(rove, "dependency_add", **link, relation="blocks", notes="first things first")
    again = call(rove, "dependency_add", **link, relation="blocks")

    assert again["notes"] == "first things first"
    assert len(call(rove, "get_dependency_graph")["edges"]) == 3
    assert call(rove, "dependency_remove", **link, relation="blocks") == 1
    assert call(rove, "dependency_remove", **link) == 2
    assert call(rove, "get_dependency_graph")["orphans"] == [one, two]


def test_what_was_found_on_the_way_leads_back(rove: LocalProject) -> None:
    """A discovered plan knows from what; that alone blocks nothing."""
    one = _plan(rove, "one")
    two = _plan(rove, "two", discovered_from=one)

    (edge,) = call(rove, "get_dependency_graph", root_id=two)["edges"]

    assert edge == {"source": two, "target": one, "relation": "discovered_from"}
    assert len(call(rove, "get_ready_work")) == 2


def test_tickets_wait_for_plans_too(rove: LocalProject, clock: VirtualClock) -> None:
    """Tickets and plans are in one graph; deleting a plan takes its dependencies along."""
    store = ProjectStore.of(rove)
    with store.writing() as db:
        ensure_ticket(db, store, "TB-1")
    clock.advance(60)
    step = _plan(rove, "step", blocks=["TB-1"])

    (waits,) = call(rove, "get_dependents", item_id=step, item_type="local")
    assert (waits["item"]["id"], waits["depth"]) == ("TB-1", 1)
    assert [each["id"] for each in call(rove, "get_ready_work")] == [step]

    assert call(rove, "plan_delete", plan_id=step) is True
    assert [each["id"] for each in call(rove, "get_ready_work")] == ["TB-1"]
    assert call(rove, "get_ready_work", include_external=False) == []


def test_a_claim_holds_until_its_lease_ends(rove: LocalProject, clock: VirtualClock) -> None:
    """What one agent has claimed no other gets, unless it gives it back or its time is over."""
    one = _plan(rove, "one")
    claim = {"claim": True, "item": one}
    (taken,) = call(rove, "get_ready_work", **claim, agent="ana", lease_minutes=60)

    assert taken["claimed_by"].startswith("ana in ")
    assert call(rove, "get_ready_work", claim=True, agent="bob") == []
    with pytest.raises(Conflict, match=f"{one} cannot be claimed: claimed by ana"):
        call(rove, "get_ready_work", **claim, agent="bob")
    with pytest.raises(Conflict, match=r"ana .* has claimed it until"):
        call(rove, "release_work", item_id=one, agent="bob")
    (again,) = call(rove, "get_ready_work", **claim, agent="ana", lease_minutes=120)
    assert again["lease_until"] > taken["lease_until"]

    clock.advance(timedelta(minutes=121).total_seconds())
    (other,) = call(rove, "get_ready_work", claim=True, agent="bob")
    assert other["id"] == one
    assert call(rove, "release_work", item_id=one, agent="bob") is True
    assert call(rove, "release_work", item_id=one, agent="bob") is False


def test_one_of_eight_processes_wins(tmp_path: Path) -> None:
    """However many claim an item at once, exactly one gets it."""
    (tmp_path / "race" / ".rove").mkdir(parents=True)

    assert race(tmp_path / "race", processes=8, items=15) == [1] * 15


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("plan_update", {"plan_id": "p-none"}, "there is no plan 'p-none'"),
        ("plan_delete", {"plan_id": "p-none"}, "there is no plan 'p-none'"),
        ("get_blockers", {"item_id": "TB-9"}, "no ticket 'TB-9'"),
        ("release_work", {"item_id": "p-none"}, "there is no plan 'p-none'"),
    ],
)
def test_an_unknown_id_is_named(
    rove: LocalProject, name: str, arguments: dict[str, str], words: str
) -> None:
    """An id that is not there is in the error."""
    with pytest.raises(ItemNotFound, match=words):
        call(rove, name, **arguments)


def test_an_unknown_id_names_what_is_near(rove: LocalProject) -> None:
    """A plan's id with a slip, or a word of its title, leads to the plan."""
    plan = _plan(rove, "Write the parser")

    for text in (f"{plan[:-1]}_", "parser"):
        with pytest.raises(ItemNotFound) as caught:
            call(rove, "plan_update", plan_id=text)
        assert f"{plan} (Write the parser)" in caught.value.message


def test_an_unknown_plan_is_not_taken_for_a_ticket(rove: LocalProject) -> None:
    """Where a ticket or a plan may be named, a plan's id with a slip leads to the plan."""
    plan = _plan(rove, "Write the parser")

    with pytest.raises(ItemNotFound, match="there is no plan") as caught:
        call(rove, "get_blockers", item_id=f"{plan[:-1]}_")

    assert f"{plan} (Write the parser)" in caught.value.message


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("plan_create", {"title": " "}, "the title is empty"),
        ("plan_create", {"title": "x", "priority": 5}, "priority 5: expected 0"),
        ("plan_list", {"limit": 0}, "limit 0"),
        ("get_ready_work", {"limit": 0}, "limit 0"),
        ("plan_list", {"offset": 10**20}, "offset 1000"),
        ("get_ready_work", {"offset": 10**20}, "offset 1000"),
        ("get_ready_work", {"claim": True, "lease_minutes": 10**20}, "a lease of 1000"),
        ("get_ready_work", {"item": "p-1"}, "item is only used with a claim"),
        ("get_ready_work", {"claim": True, "lease_minutes": 0}, "a lease of 0 minutes"),
        ("get_dependency_graph", {"max_depth": -1}, "max_depth -1"),
    ],
)
def test_a_wrong_value_is_named(
    rove: LocalProject, name: str, arguments: dict[str, object], words: str
) -> None:
    """What cannot be is refused with the value and what was expected."""
    with pytest.raises(WrongCall, match=words):
        call(rove, name, **arguments)


def test_reading_creates_nothing(rove: LocalProject, data_dir: Path) -> None:
    """Before anything is written there is nothing to see, and no file."""
    assert call(rove, "plan_list") == []
    assert call(rove, "get_ready_work") == []
    assert call(rove, "get_dependency_graph")["nodes"] == []
    assert not list(data_dir.rglob("*.db"))
