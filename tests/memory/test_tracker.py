"""Tickets as their tracker has them, and sprints as far as Rove has read them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tests.core.team import Team
from tests.memory.operating import OPERATIONS, call

from rove_core import ItemNotFound, ItemStatus, Project, StatusCategory, Unavailable, WrongCall
from rove_core.project.local import LocalProject
from rove_memory.store import ProjectStore
from rove_memory.tickets.table import ensure_ticket

Ask: TypeAlias = Callable[..., Awaitable[Any]]
CRITERIA = "## Acceptance criteria\n- PNG is shown\n- GIF is refused"


@pytest.fixture
def team() -> Team:
    """Give a team with one ticket, and two comments on it."""
    team = Team()
    _put(team, "T-1", CRITERIA, iteration="Sprint 7", estimate=2.5, priority="High")
    team.tickets.reply("T-1", "PNG works on my machine")
    team.tickets.reply("T-1", "GIF does not")
    return team


def _put(
    team: Team, name: str, text: str, category: StatusCategory = "todo", **facts: object
) -> None:
    status = ItemStatus(name=category.title(), category=category)
    team.tickets.put(name, text, kind="ticket", title=f"Avatars {name}", status=status, **facts)


def _asked(
    team: Team, folder: Path, name: str, before: Callable[[], None] | None = None, **words: object
) -> Any:  # noqa: ANN401  # JSON
    """Return what an operation gives: twice with a change between, the second time."""

    async def ask() -> Any:  # noqa: ANN401  # JSON
        async with team.opened(folder) as rove:
            if before:
                await _ask(rove, "get_ticket", identifier="T-1")
                before()
            return await _ask(rove, name, **words)

    return asyncio.run(ask())


async def _ask(rove: Project, name: str, **words: object) -> Any:  # noqa: ANN401  # JSON
    return await OPERATIONS[name].call(rove, words)  # type: ignore[arg-type]  # JSON


def test_a_ticket_comes_with_all_that_belongs_to_it(team: Team, tmp_path: Path) -> None:
    """Its tracker's facts and discussion, and what the memory has on it, are in one answer."""

    async def asked() -> Any:  # noqa: ANN401  # JSON
        async with team.opened(tmp_path) as rove:
            await _ask(rove, "session_start", external_item_id="T-1")
            await _ask(rove, "plan_create", title="Resize", external_item_id="T-1")
            await _ask(
                rove,
                "memory_store",
                key="png",
                content="PNG first",
                memory_type="decision",
                related_items=["T-1"],
            )
            return await _ask(rove, "get_ticket", identifier="T-1", include_history=True)

    found = asyncio.run(asked())

    ticket = found["ticket"]
    assert (ticket["title"], ticket["sprint"], ticket["estimate"], ticket["priority"]) == (
        "Avatars T-1",
        "Sprint 7",
        2.5,
        3,
    )
    assert [each["text"] for each in found["acceptance_criteria"]] == [
        "PNG is shown",
        "GIF is refused",
    ]
    assert [each["content"] for each in found["discussion"]][-1] == "GIF does not"
    assert [each["title"] for each in found["plans"]] == ["Resize"]
    assert [each["key"] for each in found["memory"]] == ["png"]
    assert [each["status"] for each in found["sessions"]] == ["active"]
    assert found["warnings"] == []


def test_a_tracker_that_is_down_leaves_the_ticket_as_it_was(team: Team, tmp_path: Path) -> None:
    """What was read before is shown, with the day and the reason; what never was is an error."""

    def down() -> None:
        team.tickets.trouble = Unavailable("tickets does not answer")

    found = _asked(team, tmp_path, "get_ticket", down, identifier="T-1")

    assert found["ticket"]["title"] == "Avatars T-1"
    assert "tickets does not answer" in found["warnings"][0]
    with pytest.raises(Unavailable):
        _asked(team, tmp_path / "new", "get_ticket", identifier="T-1")


def test_the_longest_ticket_fits_the_budget(team: Team, tmp_path: Path) -> None:
    """A ticket of a million characters, with as long a discussion, takes what it may."""
    _put(team, "T-2", "word " * 200_000)
    for _ in range(50):
        team.tickets.reply("T-2", "said " * 2_000)

    found = _asked(team, tmp_path, "get_ticket", identifier="T-2", max_tokens=2_000)

    assert len(str(found)) < 3.5 * 2_000
    assert found["discussion_left_out"] > 40


def test_reading_anew_tells_what_changed(team: Team, tmp_path: Path) -> None:
    """An edit is counted as changed, and a ticket that is no longer there as gone."""

    def edited() -> None:
        team.clock.advance(600)
        _put(team, "T-1", CRITERIA, "in_progress")

    def gone() -> None:
        del team.tickets.items["T-1"]

    changed = _asked(team, tmp_path / "a", "sync_pull", edited, full=True)
    lost = _asked(team, tmp_path / "b", "sync_pull", gone, full=True)

    assert (changed["status"], changed["items_updated"], changed["errors"]) == ("success", 1, [])
    assert (lost["status"], lost["items_deleted"]) == ("success", 1)


def test_a_failed_reading_is_kept_in_mind(team: Team, tmp_path: Path) -> None:
    """The status tells the error, and how old the tickets are."""

    async def asked() -> Any:  # noqa: ANN401  # JSON
        async with team.opened(tmp_path) as rove:
            await _ask(rove, "get_ticket", identifier="T-1")
            team.clock.advance(3_600)
            team.tickets.trouble = Unavailable("tickets does not answer")
            pulled = await _ask(rove, "sync_pull")
            return pulled, await _ask(rove, "sync_status")

    pulled, status = asyncio.run(asked())

    assert (pulled["status"], pulled["errors"]) == ("failed", ["T-1: tickets does not answer"])
    assert (status["is_online"], status["last_error"]) == (False, pulled["errors"][0])
    assert (status["staleness_seconds"], status["tickets"]) == (3_600, 1)


def test_a_sprint_is_counted_from_what_was_read(team: Team, tmp_path: Path) -> None:
    """Its tickets stand by status, with criteria, blockers and points, and the note says whence."""

    async def asked() -> Any:  # noqa: ANN401  # JSON
        _put(team, "T-2", "Store", "done", iteration="Sprint 7", estimate=3)
        _put(team, "T-3", "Later", iteration="Sprint 8")
        async with team.opened(tmp_path) as rove:
            for name in ("T-3", "T-1", "T-2"):
                await _ask(rove, "get_ticket", identifier=name)
            await _ask(rove, "ac_verify", criterion_id="T-1#1", status="verified")
            await _ask(rove, "dependency_add", source_id="T-3", target_id="T-1", relation="blocks")
            return (
                await _ask(rove, "sprint_status", sprint="sprint 7"),
                await _ask(rove, "sprint_suggest"),
            )

    sprint, suggested = asyncio.run(asked())

    assert [(each["identifier"], each["ac_completion"]) for each in sprint["tickets"]] == [
        ("T-1", 50.0),
        ("T-2", None),
    ]
    assert sprint["tickets"][0]["blocker_count"] == 1
    assert sprint["summary"] == {"todo": 1, "in_progress": 0, "done": 1, "canceled": 0}
    assert sprint["velocity"]["completed_points"] == 3
    assert sprint["velocity"]["remaining_points"] == 2.5
    assert "2 tickets of Sprint 7 that Rove has read" in sprint["note"]
    assert [each["ticket"]["identifier"] for each in suggested] == ["T-3", "T-1"]
    assert "blocked by T-3 (Todo)" in suggested[1]["reasons"]
    assert "1 of 2 criteria open" in suggested[1]["reasons"]


def test_without_a_sprint_the_next_step_is_named(rove: LocalProject) -> None:
    """Nothing is made up: the error says how tickets come to be known."""
    with pytest.raises(ItemNotFound, match="no ticket read here") as caught:
        call(rove, "sprint_status")

    assert "sync.containers" in caught.value.hint


def test_the_sprint_that_is_worked_on_is_shown(store: ProjectStore, rove: LocalProject) -> None:
    """Without a name it is that of the latest ticket in progress, in any case of letters."""
    tickets = (
        ("T-1", "Week 1", "in_progress", 2),
        ("T-2", "Week 1", "todo", 9),
        ("T-3", "Week 2", "in_progress", 5),
        ("T-4", "WEEK 2", None, 1),
        ("T-5", "Week 3", "done", 8),
    )
    with store.writing() as db:
        for name, sprint, category, day in tickets:
            ticket = ensure_ticket(db, store, name)
            db.execute(
                "UPDATE external_items SET sprint_name = ?, status_category = ?, "
                "updated_at_provider = ? WHERE id = ?",
                [sprint, category, f"2026-03-0{day}T09:00:00.000000Z", ticket.id],
            )

    shown = call(rove, "sprint_status")

    assert shown["sprint"]["name"] == "Week 2"
    assert [each["identifier"] for each in shown["tickets"]] == ["T-3", "T-4"]


def test_a_ticket_of_a_source_without_work_items_is_not_changed(team: Team, tmp_path: Path) -> None:
    """Nothing is queued in pretence: the error names the account."""
    with pytest.raises(WrongCall, match="Rove cannot change tickets of tickets"):
        _asked(team, tmp_path, "update_ticket_status", identifier="T-1", status="Done")
