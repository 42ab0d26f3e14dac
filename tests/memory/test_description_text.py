"""A ticket's description at a terminal."""

import pytest

from rove_memory.tickets.description_text import description_lines

TABLE = """Limits:

| plan | requests |
|:-----|---------:|
| free | 10 |
| team | a \\| b |

That is all."""


def test_a_table_is_columns() -> None:
    """What aligns it in Markdown is not printed, and an escaped bar is one."""
    assert list(description_lines(TABLE)) == [
        "Limits:",
        "",
        "plan  requests",
        "free  10",
        "team  a | b",
        "",
        "That is all.",
    ]


def test_a_table_that_is_too_wide_is_a_list() -> None:
    """Nothing of it is cut: each cell stands behind the name of its column."""
    assert list(description_lines(TABLE, room=12))[2:8] == [
        "plan: free",
        "requests: 10",
        "",
        "plan: team",
        "requests: a",
        "  | b",
    ]


@pytest.mark.parametrize(
    "text", ["a | b", "```\n| a | b |\n|---|---|\n```", "| a |\n|---|---|", "- a\n- b"]
)
def test_what_is_no_table_stays(text: str) -> None:
    """Code, a line with a bar, and a head with other columns are printed as they are."""
    assert list(description_lines(text)) == text.splitlines()
