"""The first page keeps its promises short, and its commands are the ones that are checked."""

import re
from pathlib import Path

import pytest


@pytest.fixture
def lines(root: Path) -> list[str]:
    """Return the lines of the README."""
    return (root / "README.md").read_text("utf-8").splitlines()


def test_is_read_in_a_minute(lines: list[str]) -> None:
    """The README has at most 80 lines."""
    assert len(lines) <= 80


def test_shows_code_on_the_first_screen(lines: list[str]) -> None:
    """Whoever opens the README sees a command to paste within 30 lines."""
    assert any(line.startswith("```") for line in lines[:30])


def test_the_checks_run_the_test_command_as_written(lines: list[str], root: Path) -> None:
    """.ci/run holds the README's test command word for word."""
    checks = (root / ".ci" / "run").read_text("utf-8").splitlines()
    (command,) = [line for line in lines if line.endswith("nox -s tests")]

    assert command in [line.strip() for line in checks]


def test_the_demonstration_is_one_command(lines: list[str]) -> None:
    """One line shows Rove at work on a fresh machine."""
    assert sum(line.endswith("rove --demo") for line in lines) == 1


def test_every_linked_file_is_there(lines: list[str], root: Path) -> None:
    """No link of the README leads nowhere in this checkout."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", "\n".join(lines))

    assert [link for link in links if not (root / link).exists()] == []
