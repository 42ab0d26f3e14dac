"""How errors and progress are told."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from rove import streams
from rove.progress import LineProgress, LiveBlock
from rove.reports import printable, report
from rove_core.errors import DocumentNotFound
from rove_core.events import Event

AT = datetime(2024, 12, 15, tzinfo=UTC)


def step(stage: str, account: str = "", *, task: str = "t", **more: Any) -> Event:  # noqa: ANN401  # what an event has
    """Return a step of a task."""
    return Event(task=task, at=AT, stage=stage, account=account, **more)


def told(capsys: pytest.CaptureFixture[str], *events: Event) -> list[str]:
    """Return the lines that are told of some steps."""
    tell = LineProgress()
    for event in events:
        tell(event)
    tell.end()
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (step("ticket", "jira", note="TB-1"), "TB-1  jira      reading the ticket"),
        (
            step("waiting", "slack", note="until 10:13:40 UTC"),
            "slack     waiting for its limit until 10:13:40 UTC",
        ),
        (step("hop", done=2, total=3, note="TB-456"), "hop       2 of 3: TB-456"),
        (step("write", note="TB-1_x.md"), "write     TB-1_x.md"),
        (step("sync", note="half done"), "sync      half done"),
        (step("sync"), "sync"),
        (
            step("hop", done=2, total=3, note="{a}\x1b[2J\u202e"),
            "hop       2 of 3: {a}\\x1b[2J\\u202e",
        ),
        (
            step("hop", done=3, total=3, note=", ".join(f"TB-{n}" for n in range(9))),
            "hop       3 of 3: TB-0, TB-1, TB-2, TB-3, TB-4 and 4 more",
        ),
    ],
)
def test_a_step_is_a_line(event: Event, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Who, what and how much stand in columns; what vendors wrote moves no cursor."""
    assert told(capsys, event) == [line]


def test_waits_within_a_minute_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A limit lets requests out one by one; the next minute is news."""
    times = ("10:13:40", "10:13:43", "10:14:41")
    waits = [step("waiting", "slack", note=f"until {at} UTC") for at in times]

    assert told(capsys, *waits) == [
        "slack     waiting for its limit until 10:13:40 UTC",
        "slack     waiting for its limit until 10:14:41 UTC",
    ]


def test_each_source_has_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """What a source brings in all rounds is told in one line, before the writing."""
    lines = told(
        capsys,
        step("search", "jira:work", done=2),
        step("search", "slack", done=0),
        step("search", "jira:work", done=3),
        step("write", note="TB-1_x.md"),
        step("write", note="and something else"),
    )

    assert lines == [
        "jira:work 5 found",
        "write     TB-1_x.md",
        "write     and something else",
        "slack     nothing new",
    ]


def test_what_a_later_pass_brings_is_not_denied_before(capsys: pytest.CaptureFixture[str]) -> None:
    """A source whose limit was reached in the first pass is no source without news."""
    lines = told(
        capsys,
        step("ticket", "jira", note="TB-1"),
        step("search", "slack", done=0),
        step("write", note="TB-1_x.md"),
        step("ticket", "jira", note="TB-1"),
        step("search", "slack", done=3),
        step("write", note="TB-1_x.md"),
    )

    assert lines == [
        "TB-1  jira      reading the ticket",
        "TB-1  write     TB-1_x.md",
        "TB-1  slack     3 found",
        "TB-1  write     TB-1_x.md",
        "TB-1  jira      nothing new",
    ]


def test_a_failure_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A source that fails is marked as soon as that is known, once; what it brought is told."""
    lines = told(
        capsys,
        step("search", "slack", done=2, note="rate-limited until 14:05"),
        step("search", "github", note="login refused"),
        step("search", "slack", note="rate-limited until 14:05"),
        step("write", note="TB-1_x.md"),
    )

    assert lines == [
        "slack     FAILED: rate-limited until 14:05",
        "github    FAILED: login refused",
        "slack     2 found before it failed",
        "write     TB-1_x.md",
    ]


def test_tasks_do_not_mix(capsys: pytest.CaptureFixture[str]) -> None:
    """What is found for one document is not told of another."""
    lines = told(
        capsys,
        step("search", "jira", task="one", done=1),
        step("search", "jira", task="two", done=7),
        step("write", task="one", note="a.md"),
        step("write", task="two", note="b.md"),
    )

    assert lines == ["jira      1 found", "write     a.md", "jira      7 found", "write     b.md"]


def drawn(
    capsys: pytest.CaptureFixture[str], *events: Event, expected: int = 1
) -> tuple[list[str], list[str]]:
    """Return the last block that is drawn of some steps, and the summary that replaces it."""
    block = LiveBlock(expected)
    for event in events:
        block(event)
    last = capsys.readouterr().err.rpartition("\x1b[J")[2].splitlines()
    block.end()
    return last, capsys.readouterr().err.rpartition("\x1b[J")[2].splitlines()


def test_a_terminal_shows_what_each_source_does(capsys: pytest.CaptureFixture[str]) -> None:
    """A limit is shown with its end, and the summary has three lines."""
    block, summary = drawn(
        capsys,
        step("ticket", "jira", note="TB-1"),
        step("search", "jira", done=2),
        step("search", "slack", done=3),
        step("read", "slack", done=1),
        step("waiting", "slack", note="until 10:13:40 UTC"),
        step("search", "github", note="login refused"),
        step("write", note="TB-1_x.md"),
    )

    assert block == [
        "TB-1  0:00",
        "  jira      done: 2 found",
        "  slack     waiting until 10:13:40 UTC (rate limit), 3 found, 1 read",
        "  github    failed: login refused",
    ]
    assert summary == [
        "1 document in 0:00: TB-1",
        "jira 2 found, 0 read; slack 3 found, 1 read",
        "missing: github (login refused)",
    ]


def test_a_summary_names_sources_without_news(capsys: pytest.CaptureFixture[str]) -> None:
    """A refresh mostly finds nothing new, and says so in words."""
    _, summary = drawn(
        capsys,
        step("ticket", "jira", note="TB-1"),
        step("search", "jira"),
        step("search", "slack"),
        step("search", "github", done=3),
        step("write", note="TB-1_x.md"),
    )

    assert summary == [
        "1 document in 0:00: TB-1",
        "github 3 found, 0 read; nothing new from jira, slack",
        "all sources answered",
    ]


def test_a_terminal_shows_a_line_for_each_of_several_tickets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It names what is still being done."""
    block, _ = drawn(
        capsys,
        step("ticket", "jira", task="one", note="TB-1"),
        step("ticket", "jira", task="two", note="TB-20"),
        step("search", "jira", task="one", done=1),
        step("write", task="one", note="TB-1_x.md"),
    )

    assert block == [
        "0:00  1 of 2 written",
        "  TB-1   written",
        "  TB-20  jira reading the ticket",
    ]


def test_tickets_that_have_not_begun_count(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever asked for four is never told of fewer, nor shown one as if it were all."""
    block, _ = drawn(capsys, step("ticket", "jira", note="TB-1"), expected=4)

    assert block == ["0:00  0 of 4 written", "  TB-1  jira reading the ticket"]


def test_tickets_that_wait_say_until_when(capsys: pytest.CaptureFixture[str]) -> None:
    """The time comes first, and the accounts after it: a narrow terminal shows it, too."""
    until = "until 10:13:40 UTC"
    block, _ = drawn(
        capsys,
        step("ticket", "jira", task="one", note="TB-1"),
        step("ticket", "jira", task="two", note="TB-2"),
        step("read", "jira", task="two", done=1),
        step("waiting", "slack", task="one", note=until),
        step("waiting", "github", task="one", note=until),
        step("search", "jira", task="one", done=1),
        step("write", task="one", note="TB-1_x.md"),
    )

    assert block == [
        "0:00  1 of 2 written, 1 being completed",
        "  TB-1  waiting: slack, github until 10:13:40 UTC",
        "  TB-2  jira reading the ticket, 1 read",
    ]


def test_where_nothing_was_written_there_is_no_summary(capsys: pytest.CaptureFixture[str]) -> None:
    """The error says why, and nothing above it says that all went well."""
    _, summary = drawn(capsys, step("ticket", "jira", note="TB-9999"))

    assert summary == []


def test_a_summary_is_wrapped_between_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A narrow terminal cuts no word of it."""
    monkeypatch.setenv("COLUMNS", "30")
    _, summary = drawn(
        capsys,
        step("search", "jira", done=12),
        step("search", "github", done=30),
        step("write", note="TB-1_x.md"),
    )

    assert summary[1:3] == ["jira 12 found, 0 read; github", "  30 found, 0 read"]


def test_a_block_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines are cut, and those that do not fit are counted."""
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "4")
    steps = [step("search", f"source{n}", done=1) for n in range(6)]
    block, _ = drawn(capsys, *steps)

    assert block == ["build  0:00", "  source0   readin…", "  and 5 more"]


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
        "docs": "rove help ROVE-ITEM-002",
        "retry_at": None,
    }


def test_errors_fit_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines end between words, and begin as the hint does."""
    monkeypatch.setattr(streams, "width", lambda _: 40)

    report(
        DocumentNotFound(
            "there is no document for 'TB-999'", hint="Build it with: rove --ticket TB-999"
        )
    )

    assert capsys.readouterr().err.splitlines() == [
        "rove: there is no document for 'TB-999'",
        "      [ROVE-ITEM-002]",
        "      Build it with:",
        "      rove --ticket TB-999",
    ]
