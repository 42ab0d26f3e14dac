"""Lines with styles on a page for a terminal."""

import pytest

from rove_core import page, styled_line
from rove_core.terminal.screen import PREFERENCES


@pytest.fixture(autouse=True)
def _colored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the output have colours."""
    monkeypatch.setattr(PREFERENCES, "color", "always")


def test_a_style_stays_on_a_page() -> None:
    """What a terminal reads as a style is not printed as text."""
    assert page([styled_line("  Note: read", "yellow"), "plain"]) == (
        "\x1b[33m  Note: read\x1b[0m\nplain"
    )


def test_what_others_wrote_styles_nothing() -> None:
    """Its own escapes have no effect."""
    assert page([styled_line("a\x1b[31mb\x1b]8;;evil\x07", "bold")]) == (
        "\x1b[1ma[31mb]8;;evil\x1b[0m"
    )
