"""``rove ticket set``: what is written, what is refused before, and what waits."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.memory.office import Office, ask

from rove_core import Unavailable, WrongCall


@pytest.fixture
def office(tmp_path: Path) -> Office:
    """Give an office with a board of two cards."""
    return Office(tmp_path)


def _set(office: Office, *changes: dict[str, object]) -> list[Any]:
    async def day() -> list[Any]:
        async with office.opened() as rove:
            return [await ask(rove, "update_ticket", **each) for each in changes]

    return asyncio.run(day())


def test_fields_are_written_and_nothing_else(office: Office) -> None:
    """Labels are added to those there are; a field with its value already is no change."""
    card = office.board.cards["CARD-1"]
    card.labels = ("keys", "old")
    told, again = _set(
        office,
        {
            "identifier": "CARD-1",
            "title": "Login with two keys",
            "priority": 3,
            "assignee": "robin",
            "add_labels": ["pilot"],
            "remove_labels": ["old"],
            "due": "2031-01-15",
            "estimate": 3.0,
        },
        {"identifier": "CARD-1", "priority": 3, "clear": ["due"]},
    )

    assert (card.title, card.priority, card.assignee) == ("Login with two keys", 3, "robin")
    assert (card.labels, card.estimate, card.due) == (("keys", "pilot"), 3.0, None)
    assert card.description == "Keys stay valid until June."
    assert {each["field"]: (each["before"], each["value"]) for each in told["changes"]} == {
        "title": ("Login with keys", "Login with two keys"),
        "priority": ("0", "3"),
        "due": ("", "2031-01-15"),
        "estimate": ("", "3.0"),
        "assignee": ("", "robin"),
        "labels": ("keys, old", "keys, pilot"),
    }
    assert [each["field"] for each in again["changes"]] == ["due"]


def test_a_dry_run_sends_and_keeps_nothing(office: Office) -> None:
    """It only reads the ticket, and tells each value before and after."""
    (told,) = _set(office, {"identifier": "CARD-1", "priority": 4, "dry_run": True})

    assert told["dry_run"]
    assert [each["value"] for each in told["changes"]] == ["4"]
    assert (office.hooks.asked, office.board.cards["CARD-1"].priority) == (["read"], 0)


def test_a_sprint_is_named_as_people_name_it(office: Office) -> None:
    """One that nobody knows is refused with those that are known."""
    office.settings('[sync]\ncontainers = ["board/board"]\n')

    async def day() -> None:
        async with office.opened() as rove:
            await ask(rove, "sync_pull")
            await ask(rove, "update_ticket", identifier="CARD-1", sprint="week 2")

    asyncio.run(day())

    assert office.board.cards["CARD-1"].iteration == "W2"
    with pytest.raises(WrongCall, match="no sprint 'Week 9' is known") as refused:
        _set(office, {"identifier": "CARD-1", "sprint": "Week 9"})
    assert "Week 2" in refused.value.hint


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, "nothing to change"),
        ({"priority": 7}, "7"),
        ({"due": "2031-01-15", "clear": ["due"]}, "set and cleared at once"),
        ({"assignee": "me"}, "does not tell who you are"),
        ({"description": f"see {'AKIA' + 'QYLPMN5HFZ7RWTK2'}"}, "description contains a secret"),
    ],
)
def test_what_makes_no_sense_is_refused(
    office: Office, change: dict[str, object], why: str
) -> None:
    """Before anything is written."""
    with pytest.raises(WrongCall, match=why):
        _set(office, {"identifier": "CARD-1", **change})

    assert "change" not in office.hooks.asked


def test_a_field_that_its_tracker_lacks_is_refused_with_those_that_it_has(office: Office) -> None:
    """By the words of the command."""
    office.hooks.changeable = ("title", "iteration")
    with pytest.raises(WrongCall, match="CARD-1 has no priority that can be changed") as refused:
        _set(office, {"identifier": "CARD-1", "priority": 3})

    assert refused.value.hint == "What can be changed: title, sprint"


def test_offline_the_change_waits(office: Office) -> None:
    """Where the values were read before; else there is nothing to compare with."""

    async def day() -> tuple[Any, int, Any]:
        async with office.opened() as rove:
            await ask(rove, "update_ticket", identifier="CARD-1", priority=1)
            office.clock.advance(60)
            office.hooks.trouble = Unavailable("board does not answer")
            told = await ask(rove, "update_ticket", identifier="CARD-1", priority=2)
            with pytest.raises(Unavailable):
                await ask(rove, "update_ticket", identifier="CARD-2", priority=2)
            there = office.board.cards["CARD-1"].priority
            office.hooks.trouble = None
            return told, there, await ask(rove, "sync_push", force=True)

    told, there, pushed = asyncio.run(day())

    assert (told["unsent"], there) == (["priority"], 1)
    assert (pushed["changes_sent"], office.board.cards["CARD-1"].priority) == (1, 2)
