"""The commands of the sync: a status sent, queued, refused, in conflict; pulls; the log."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tests.memory.office import Office, ask
from tests.memory.operating import OPERATIONS

from rove_core import ItemNotFound, Project, ScopeMissing, Unavailable, WrongCall
from rove_core.operations import Operations
from rove_core.store.tasks import due_tasks
from rove_core.tasks.recurring_operations import plan_operations, read_runs
from rove_memory.store import ProjectStore
from rove_memory.sync.intake import GONE
from rove_memory.sync.review_operations import sync_status
from rove_memory.sync.terminal_text import print_status

Day: TypeAlias = Callable[[Project], Awaitable[Any]]
LISTED = '[sync]\ncontainers = ["board/board"]\n'


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """Give an office with a board of two cards."""
    return Office(tmp_path)


def _spend(office: Office, day: Day) -> Any:  # noqa: ANN401  # what the day comes to
    async def spent() -> Any:  # noqa: ANN401  # the same
        async with office.opened() as rove:
            return await day(rove)

    return asyncio.run(spent())


def test_a_status_is_changed_at_its_tracker_and_logged(office: Office) -> None:
    """With a comment, by its name or by what it means; nothing waits afterwards."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "session_start", external_item_id="CARD-1")
        await ask(
            rove,
            "update_ticket_status",
            identifier="CARD-1",
            status="doing",
            add_comment="Begun",
        )
        office.clock.advance(60)
        done = await ask(rove, "update_ticket_status", identifier="CARD-1", status="Done")
        runs, status = await ask(rove, "sync_log"), await ask(rove, "sync_status")
        return done, runs, status, await ask(rove, "session_end")

    ticket, runs, status, session = _spend(office, day)

    card = office.board.cards["CARD-1"]
    assert (card.status, list(card.comments.values())) == ("Done", ["Begun"])
    assert (ticket["status"], ticket["unsent"]) == ("Done", [])
    assert [
        [(each["field"], each["before"], each["value"]) for each in run["changes"]] for run in runs
    ] == [[("status", "Doing", "Done")], [("status", "Open", "Doing"), ("", "", "Begun")]]
    assert (status["pending_changes"], status["is_online"]) == (0, True)
    assert session["changes_pushed"] == 3


def test_a_status_that_cannot_follow_is_refused_with_those_that_can(office: Office) -> None:
    """One that needs a field names it; nothing is queued or sent."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        with pytest.raises(WrongCall, match="is 'Open' and cannot become 'Done' now") as refused:
            await ask(rove, "update_ticket_status", identifier="CARD-1", status="Done")
        office.hooks.needs = ("Resolution",)
        with pytest.raises(WrongCall, match="'Doing' only with a value for Resolution"):
            await ask(rove, "update_ticket_status", identifier="CARD-1", status="Doing")
        with pytest.raises(ItemNotFound, match="no account in use here has a ticket 'NOPE-1'"):
            await ask(rove, "update_ticket_status", identifier="NOPE-1", status="Doing")
        return refused.value.hint, await ask(rove, "sync_status")

    hint, status = _spend(office, day)

    assert hint == "It can become: Doing"
    assert status["pending_changes"] == 0
    assert "change" not in office.hooks.asked


def test_a_ticket_keeps_the_status_it_has_if_that_belongs_to_the_category(office: Office) -> None:
    """A ticket in progress does not move on when it is set to `in_progress`."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        office.board.cards["CARD-1"].status = "Doing"
        return await ask(rove, "update_ticket_status", identifier="CARD-1", status="in_progress")

    ticket = _spend(office, day)

    assert (ticket["status"], ticket["unsent"]) == ("Doing", [])
    assert "change" not in office.hooks.asked


def test_a_category_set_offline_moves_no_ticket_that_belongs_to_it(office: Office) -> None:
    """A ticket in progress stays where it is when a queued `in_progress` is sent."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        office.board.cards["CARD-1"].status = "Doing"
        await ask(rove, "get_ticket", identifier="CARD-1")
        office.hooks.trouble = Unavailable("board does not answer")
        await ask(rove, "update_ticket_status", identifier="CARD-1", status="in_progress")
        office.hooks.trouble = None
        return await ask(rove, "sync_push", force=True)

    sent = _spend(office, day)

    assert (sent["changes_waiting"], sent["errors"]) == (0, [])
    assert office.board.cards["CARD-1"].status == "Doing"


@pytest.mark.parametrize("known_to_read", [True, False])
def test_a_login_that_may_only_read_is_refused_and_nothing_is_queued(
    tmp_path: Path, *, known_to_read: bool
) -> None:
    """The tracker's own words name the scope, whether Rove knew of it before or not."""
    office = Office(tmp_path, writes=False, known_to_read=known_to_read)

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        with pytest.raises(ScopeMissing, match="the scope board:write"):
            await ask(rove, "update_ticket_status", identifier="CARD-1", status="Doing")
        seen = await ask(rove, "get_ticket", identifier="CARD-1")
        return seen["ticket"]["status"], await ask(rove, "sync_status")

    seen, status = _spend(office, day)

    assert (seen, status["pending_changes"], status["dead_letters"]) == ("Open", 0, 0)


def test_offline_work_waits_and_is_sent_later(office: Office) -> None:
    """The ticket shows the new status at once, a dry run tells what waits, a push sends it."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "get_ticket", identifier="CARD-1")
        office.hooks.trouble = Unavailable("board does not answer")
        queued = await ask(rove, "update_ticket_status", identifier="CARD-1", status="doing")
        with pytest.raises(Unavailable):
            await ask(
                rove,
                "update_ticket_status",
                identifier="CARD-1",
                status="Done",
                queue_if_offline=False,
            )
        failed = await ask(rove, "sync_push", force=True)
        planned = await ask(rove, "sync_push", dry_run=True)
        office.hooks.trouble = None
        asked = len(office.hooks.asked)
        sent = await ask(rove, "sync_push", force=True)
        return queued, failed, planned, sent, office.hooks.asked[asked:]

    queued, failed, planned, sent, asked = _spend(office, day)

    assert (queued["status"], queued["unsent"]) == ("doing", ["status"])
    assert (failed["status"], failed["changes_waiting"]) == ("failed", 1)
    assert "does not answer" in failed["errors"][0]
    (edit,) = planned["planned"]
    assert (edit["ticket"], edit["before"], edit["value"]) == ("CARD-1", "Open", "doing")
    assert (sent["changes_sent"], sent["changes_waiting"]) == (1, 0)
    # Offline nobody could say how the status is spelled: the refusal does.
    assert asked == ["read", "change", "read", "change"]
    assert office.board.cards["CARD-1"].status == "Doing"


def test_a_conflict_is_decided_by_a_person(office: Office) -> None:
    """Nothing is overwritten: both values are listed until somebody says which one holds."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "get_ticket", identifier="CARD-2")
        office.hooks.trouble = Unavailable("board does not answer")
        await ask(rove, "update_ticket_status", identifier="CARD-2", status="Doing")
        office.hooks.trouble = None
        card = office.board.cards["CARD-2"]
        card.status = "Done"
        office.board.changed(card)
        pushed = await ask(rove, "sync_push", force=True)
        (conflict,) = await ask(rove, "sync_conflicts")
        there = card.status
        sent = await ask(
            rove, "sync_resolve_conflict", change_id=conflict["id"], resolution="keep_local"
        )
        await ask(rove, "sync_push", force=True)
        return pushed, conflict, there, sent, await ask(rove, "sync_conflicts")

    pushed, conflict, there, sent, left = _spend(office, day)

    assert (pushed["conflicts"], there, sent, left) == (1, "Done", True, [])
    assert (conflict["value"], conflict["remote"], conflict["status"]) == (
        "Doing",
        "Done",
        "conflict",
    )
    assert office.board.cards["CARD-2"].status == "Doing"


def test_a_push_says_which_ticket_was_deleted(office: Office) -> None:
    """It fails, names the ticket, and says where its edits are kept."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "get_ticket", identifier="CARD-1")
        office.hooks.trouble = Unavailable("board does not answer")
        await ask(rove, "update_ticket_status", identifier="CARD-1", status="Doing")
        office.hooks.trouble = None
        del office.board.cards["CARD-1"]
        return await ask(rove, "sync_push", force=True)

    pushed = _spend(office, day)

    assert pushed["status"] == "failed"
    assert pushed["errors"] == [f"CARD-1: {GONE}; its edits are kept: rove sync conflicts"]


def test_a_field_that_no_sync_has_read_is_refused_offline_with_the_way_out(office: Office) -> None:
    """The error says how to read the ticket; after that the edit waits."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        words = {"identifier": "CARD-1", "title": "Log in with keys"}
        await ask(rove, "get_ticket", identifier="CARD-1")
        office.hooks.trouble = Unavailable("board does not answer")
        with pytest.raises(Unavailable) as refused:
            await ask(rove, "update_ticket", **words)
        office.hooks.trouble = None
        await ask(rove, "sync_pull", full=True)
        office.hooks.trouble = Unavailable("board does not answer")
        return refused.value.hint, (await ask(rove, "update_ticket", **words))["unsent"]

    hint, unsent = _spend(office, day)

    assert "rove sync pull" in str(hint)
    assert unsent == ["title"]


def test_statuses_are_merged_only_if_their_order_is_known(office: Office) -> None:
    """A status that was set offline, and that no known ticket has, needs a choice by a person."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "get_ticket", identifier="CARD-1")
        office.hooks.trouble = Unavailable("board does not answer")
        await ask(rove, "update_ticket_status", identifier="CARD-1", status="Done")
        office.hooks.trouble = None
        office.board.cards["CARD-1"].status = "Doing"
        office.board.changed(office.board.cards["CARD-1"])
        await ask(rove, "sync_push", force=True)
        words = {"change_id": (await ask(rove, "sync_conflicts"))[0]["id"], "resolution": "merge"}
        with pytest.raises(WrongCall, match="which status is further on, 'Done' or 'Doing'"):
            await ask(rove, "sync_resolve_conflict", **words)
        office.board.cards["CARD-2"].status = "Done"
        office.board.changed(office.board.cards["CARD-2"])
        await ask(rove, "get_ticket", identifier="CARD-2")
        return await ask(rove, "sync_resolve_conflict", **words)

    assert _spend(office, day) is True


def test_an_edit_of_a_deleted_ticket_is_kept_with_its_whole_text(office: Office) -> None:
    """It is listed until somebody drops it, and sent nowhere."""
    long = "Begun. " * 400

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "get_ticket", identifier="CARD-1")
        office.hooks.trouble = Unavailable("board does not answer")
        words = {"identifier": "CARD-1", "status": "Doing", "add_comment": long}
        await ask(rove, "update_ticket_status", **words)
        office.hooks.trouble = None
        del office.board.cards["CARD-1"]
        await ask(rove, "sync_push", force=True)
        dead = await ask(rove, "sync_conflicts")
        for each in dead:
            identifier = each["id"]
            await ask(rove, "sync_resolve_conflict", change_id=identifier, resolution="keep_remote")
        return dead, await ask(rove, "sync_conflicts")

    dead, left = _spend(office, day)

    assert [(each["status"], each["change_type"]) for each in dead] == [
        ("failed", "field"),
        ("failed", "comment"),
    ]
    assert dead[1]["value"] == long.strip()
    assert "deleted" in dead[0]["reason"]
    assert left == []


def test_an_edit_of_a_deleted_ticket_cannot_be_kept(office: Office) -> None:
    """Deciding for it is refused, and the ticket shows what its tracker had last."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "get_ticket", identifier="CARD-1")
        before = await ask(rove, "get_ticket", identifier="CARD-1")
        office.hooks.trouble = Unavailable("board does not answer")
        await ask(rove, "update_ticket_status", identifier="CARD-1", status="Doing")
        office.hooks.trouble = None
        del office.board.cards["CARD-1"]
        await ask(rove, "sync_push", force=True)
        [dead] = await ask(rove, "sync_conflicts")
        words = {"change_id": dead["id"], "resolution": "keep_local"}
        with pytest.raises(WrongCall, match="CARD-1 was deleted at its tracker"):
            await ask(rove, "sync_resolve_conflict", **words)
        after = await ask(rove, "get_ticket", identifier="CARD-1")
        return before["ticket"]["status"], after["ticket"]["status"]

    before, after = _spend(office, day)

    assert (before, after) == (before, before)


def test_a_container_is_listed_and_read_again_only_where_it_changed(office: Office) -> None:
    """The second pull is one listing; a type that is not wanted is left out."""
    office.settings(LISTED)

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        epics = await ask(rove, "sync_pull", item_types=["epic"])
        first = await ask(rove, "sync_pull")
        office.hooks.asked.clear()
        second = await ask(rove, "sync_pull")
        return epics, first, second, list(office.hooks.asked)

    epics, first, second, asked = _spend(office, day)

    assert (epics["items_created"], first["items_created"]) == (0, 2)
    assert (second["items_created"], second["items_updated"]) == (0, 0)
    assert asked == ["list"]


def test_two_processes_do_not_sync_one_account_at_once(office: Office) -> None:
    """A person is told after a wait; the schedule leaves it to the other process."""
    office.settings(LISTED)

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "sync_pull")
        office.hooks.asked.clear()
        lock = ProjectStore.of(rove).lock("sync-board")
        assert lock.try_acquire()
        office.clock.advance(3_600)
        pulled = await ask(rove, "sync_pull")
        scheduled = await ask(rove, "sync_now")
        lock.release()
        return pulled, scheduled, list(office.hooks.asked)

    pulled, scheduled, asked = _spend(office, day)

    assert (pulled["status"], scheduled["status"], asked) == ("failed", "success", [])
    assert "synced by another process" in pulled["errors"][0]


def test_the_queue_has_a_bound_and_takes_no_secret(office: Office) -> None:
    """Both are refused before anything is queued, with the setting or the place named."""
    office.settings("[sync]\nmax_queued_changes = 1\nauto_push_on_status_change = false\n")
    token = "AKIA" + "QYLPMN5HFZ7RWTK2"

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        words = {"identifier": "CARD-1", "status": "Doing", "add_comment": f"see {token}"}
        with pytest.raises(WrongCall, match="the comment contains a secret") as refused:
            await ask(rove, "update_ticket_status", **words)
        await ask(rove, "update_ticket_status", identifier="CARD-1", status="Doing")
        with pytest.raises(WrongCall, match="max_queued_changes"):
            await ask(rove, "update_ticket_status", identifier="CARD-2", status="Doing")
        return str(refused.value), await ask(rove, "sync_status")

    refused, status = _spend(office, day)

    assert token not in refused
    assert status["pending_changes"] == 1
    assert office.board.cards["CARD-1"].status == "Open"


def test_criteria_are_one_comment_on_request_only(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is changed in place, and holds no evidence; without the setting there is none."""
    office.board.cards["CARD-1"].description = "## Acceptance criteria\n- Keys expire\n- Logged"

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "sync_pull")
        await ask(rove, "session_start", external_item_id="CARD-1")
        await ask(rove, "sync_pull")
        await ask(rove, "ac_verify", criterion_id="CARD-1#1", status="verified", notes="secretly")
        await ask(rove, "sync_push", force=True)
        return dict(office.board.cards["CARD-1"].comments)

    async def next_day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "sync_push", force=True)
        await ask(rove, "sync_push", force=True)
        await ask(rove, "ac_verify", criterion_id="CARD-1#2", status="failed", notes="secretly")
        await ask(rove, "sync_push", force=True)
        return office.board.cards["CARD-1"].comments

    before = _spend(office, day)
    monkeypatch.setenv("ROVE_SYNC_PUSH_CRITERIA", "true")
    after = _spend(office, next_day)

    assert before == {}
    assert list(after.values()) == [
        "**Acceptance criteria**\n\n- [x] 1. Keys expire\n- [ ] 2. Logged (failed)"
    ]
    assert office.hooks.asked.count("comment") == 2


def test_a_session_lets_the_server_sync_and_waits_for_nothing(office: Office) -> None:
    """The planned run is brought forward by a start, and again by an end with an edit waiting."""
    office.settings("[sync]\nauto_push_on_status_change = false\n")

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "sync_pull")
        due = []
        for name in ("session_start", "session_end"):
            office.clock.advance(600)
            await plan_operations(rove.store, {"sync_now": "12h"})
            if name == "session_end":
                await ask(rove, "update_ticket_status", identifier="CARD-1", status="Doing")
            await ask(rove, name)
            runs = await rove.store.read(read_runs, "sync_now")
            due.append(runs.active is not None and runs.active.due_at <= office.clock.now())
            office.clock.advance(10)  # past the debounce
            (task,) = await rove.store.read(due_tasks, now=office.clock.now())
            await rove.run_queued(_operations(), task.id)
        return due

    assert _spend(office, day) == [True, True]
    assert office.board.cards["CARD-1"].status == "Doing"


def test_an_edit_that_waits_lets_the_server_send_it(office: Office) -> None:
    """The planned run is brought forward when a tracker does not answer."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "get_ticket", identifier="CARD-1")
        office.clock.advance(600)
        await plan_operations(rove.store, {"sync_now": "12h"})
        office.hooks.trouble = Unavailable("board does not answer")
        await ask(rove, "update_ticket_status", identifier="CARD-1", status="Doing")
        runs = await rove.store.read(read_runs, "sync_now")
        return runs.active is not None and runs.active.due_at <= office.clock.now()

    assert _spend(office, day)


def test_a_container_of_an_unused_account_is_told(office: Office) -> None:
    """A pull that leaves it out does not look like one that found nothing."""
    office.settings('[sync]\ncontainers = ["jira/TB"]\n')
    pulled = _spend(office, lambda rove: ask(rove, "sync_pull"))

    assert pulled["errors"] == ["jira/TB is not read: no account jira that keeps tickets is in use"]


def test_a_full_pull_asks_only_for_what_its_listing_does_not_tell(office: Office) -> None:
    """Each ticket counts once."""
    office.settings(LISTED)

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "sync_pull")
        office.hooks.asked.clear()
        office.clock.advance(600)
        full = await ask(rove, "sync_pull", full=True)
        return full["items_unchanged"], list(office.hooks.asked)

    assert _spend(office, day) == (2, ["list"])


def _operations() -> Operations:
    offered = Operations()
    for each in OPERATIONS.values():
        offered.add(each, "rove-memory")
    return offered


def test_the_active_sprint_of_a_listed_container_is_known(office: Office) -> None:
    """With its goal and all its tickets; a ticket of it is suggested before others."""
    office.settings(LISTED)
    office.board.cards["CARD-2"].iteration = "W2"

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "sync_pull")
        return await ask(rove, "sprint_status"), await ask(rove, "sprint_suggest")

    sprint, suggested = _spend(office, day)

    assert (sprint["sprint"]["name"], sprint["sprint"]["state"]) == ("Week 2", "active")
    assert [each["identifier"] for each in sprint["tickets"]] == ["CARD-2"]
    assert sprint["note"] == "All tickets of board/board are listed here."
    assert suggested[0]["ticket"]["identifier"] == "CARD-2"
    assert "in Week 2" in suggested[0]["reasons"]


def test_a_pull_with_nothing_to_read_says_how_to_begin(office: Office) -> None:
    """Where no ticket is known and no container is listed; not once there is one."""

    async def day(rove: Project) -> tuple[Any, Any]:
        first = await ask(rove, "sync_pull")
        await ask(rove, "update_ticket", identifier="CARD-1", priority=1)
        return first, await ask(rove, "sync_pull")

    first, later = _spend(office, day)

    assert "rove ticket show" in first["note"]
    assert later["note"] == ""


def test_the_status_shows_why_an_edit_waits(office: Office) -> None:
    """Also after a pull for which nothing had to be asked."""

    async def day(rove: Project) -> Any:  # noqa: ANN401  # JSON
        await ask(rove, "update_ticket", identifier="CARD-1", priority=1)
        office.hooks.trouble = Unavailable("board does not answer")
        await ask(rove, "update_ticket", identifier="CARD-1", priority=2)
        await ask(rove, "sync_push", force=True)
        await ask(rove, "sync_pull")
        return await sync_status(rove)

    status = _spend(office, day)

    assert "board does not answer" in print_status(status)
