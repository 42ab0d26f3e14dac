"""Lines that are wider than the terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.terminal import tables
from rove_core.terminal.line_breaks import fitted
from rove_core.terminal.screen import columns_of


def test_a_line_is_broken_between_words_below_its_indent() -> None:
    """What was beside a name stays beside it as far as there is room."""
    assert fitted("  jira  you can read TB Toolbox", 20) == "  jira  you can read\n    TB Toolbox"


def test_a_path_is_not_broken() -> None:
    """It stands on a line of its own."""
    assert fitted("/home/you/project/file.md is removed", 20) == (
        "/home/you/project/file.md\n  is removed"
    )


def test_a_command_keeps_its_words_and_not_what_follows() -> None:
    """It is there to be pasted."""
    line = "for the document of a ticket: rove --ticket TB-123 [ROVE-USE-001]"

    assert fitted(line, 40).splitlines() == [
        "for the document of a ticket:",
        "  rove --ticket TB-123 [ROVE-USE-001]",
    ]


@given(st.text(alphabet="ab \u4e2d", max_size=200), st.integers(8, 40))
def test_no_line_of_several_words_is_too_wide(text: str, room: int) -> None:
    """And no word is lost or broken."""
    lines = fitted(text, room).split("\n")

    assert "".join(fitted(text, room).split()) == "".join(text.split())
    assert all(columns_of(line) <= room or len(line.split()) == 1 for line in lines)


def test_a_row_without_room_goes_on_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is whole there, and a title is shortened to the width of the terminal."""
    monkeypatch.setattr(tables, "width", lambda: 30)
    rows = [("claude", "written", "/home/you/project/AGENTS.md", "The words of a long title there")]

    assert tables.columns(rows) == [
        "claude  written\n    /home/you/project/AGENTS.md\n    The words of a long title…"
    ]


def test_a_column_without_text_takes_no_room() -> None:
    """Its gap would make a line wider than the terminal."""
    rows = [("fresh", "", "TB-123"), ("gone", "", "TB-124")]

    assert tables.columns(rows) == ["fresh  TB-123", "gone   TB-124"]
