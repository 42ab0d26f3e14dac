"""Lines with styles on a page for a terminal."""

import pytest

from rove_core import page, styled_line
from rove_core.terminal.screen import PREFERENCES, styled


@pytest.fixture(autouse=True)
def _colored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the output have colours, on a terminal that does not tell its background."""
    monkeypatch.setattr(PREFERENCES, "color", "always")
    monkeypatch.delenv("COLORFGBG", raising=False)


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


@pytest.mark.parametrize(
    ("background", "cyan", "blue"),
    [
        ("0;15", "34", "34"),
        ("0;default;7", "34", "34"),
        ("15;0", "36", "36"),
        ("12;8", "36", "36"),
        ("", "36", "34"),
        ("0;default", "36", "34"),
    ],
)
def test_colours_stand_out_from_the_background(
    monkeypatch: pytest.MonkeyPatch, background: str, cyan: str, blue: str
) -> None:
    """Cyan is hard to read on white, and blue on black."""
    monkeypatch.setenv("COLORFGBG", background)

    assert styled("TB-1", "bold", "cyan") == f"\x1b[1;{cyan}mTB-1\x1b[0m"
    assert styled("[1]", "blue") == f"\x1b[{blue}m[1]\x1b[0m"
