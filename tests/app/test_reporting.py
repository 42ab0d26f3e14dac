"""How errors and progress are told."""

import json
from datetime import UTC, datetime

import pytest

from rove.reporting import printable, report, tell_event
from rove_core.errors import DocumentNotFound
from rove_core.events import Event

AT = datetime(2024, 12, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Event(task="t", at=AT, stage="ticket", account="jira"), "jira      reading the ticket"),
        (
            Event(task="t", at=AT, stage="search", account="jira:work", done=2),
            "jira:work searched, 2 found",
        ),
        (
            Event(task="t", at=AT, stage="search", account="slack", note="rate-limited"),
            "slack     searched, 0 found: rate-limited",
        ),
        (
            Event(task="t", at=AT, stage="hop", done=2, total=3, note="TB-456"),
            "hop       2 of 3: TB-456",
        ),
        (Event(task="t", at=AT, stage="write", note="TB-1_x.md"), "write     TB-1_x.md"),
        (Event(task="t", at=AT, stage="sync", account="asana"), "asana     sync"),
        (Event(task="t", at=AT, stage="sync", note="half done"), "sync      half done"),
        (Event(task="t", at=AT, stage="sync"), "sync"),
        (
            Event(task="t", at=AT, stage="hop", done=2, total=3, note="{a}\x1b[2J\u202e"),
            "hop       2 of 3: {a}\\x1b[2J\\u202e",
        ),
    ],
)
def test_a_step_is_a_line(event: Event, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Who, what and how much stand in columns; what vendors wrote moves no cursor."""
    tell_event(event)

    assert capsys.readouterr() == ("", f"{line}\n")


def test_a_long_text_is_cut() -> None:
    """Nobody reads ten million letters."""
    assert len(printable("x" * 10_000_000)) < 2000


def test_an_error_is_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """The first says what is wrong, the second what to do; neither holds a line break."""
    report(DocumentNotFound("no\ndocument", hint="Build\nit."))

    assert capsys.readouterr().err == "rove: no\\ndocument [ROVE-ITEM-002]\n      Build\\nit.\n"


def test_an_error_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    """For programs the same is JSON."""
    report(DocumentNotFound("none", hint="Build it."), as_json=True)

    assert json.loads(capsys.readouterr().err) == {
        "code": "ROVE-ITEM-002",
        "message": "none",
        "hint": "Build it.",
        "docs": "docs/reference/errors.md#rove-item-002",
    }
