"""Each flag is another spelling of a command, and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rove.flags import FLAGS, as_command

#: Runs `rove` with arguments: see conftest.py.
Rove = Callable[..., Any]

#: What to give a flag that takes something.
VALUES = {
    "ID": "TB-123",
    "WORDS": "authentication",
    "KIND": "nonsense",
    "NAME": "jira",
    "[DIR]": "demo",
}


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_is_its_command(rove: Rove, project: Path, flag: str) -> None:
    """A flag does and prints what its command does, to the letter."""
    words, takes, _ = FLAGS[flag]
    value = [VALUES[takes]] if takes else []

    assert rove(*words, *value) == rove(flag, *value)


@pytest.mark.parametrize("flag", [flag for flag, (_, takes, _) in FLAGS.items() if takes])
def test_an_equals_sign_does(flag: str) -> None:
    """A value may stand behind an equals sign."""
    value = VALUES[FLAGS[flag][1]]

    assert as_command([flag, value]) == as_command([f"{flag}={value}"])


def test_options_may_stand_anywhere() -> None:
    """Options of the command may stand before the flag or behind it."""
    behind = as_command(["--find", "TB-123", "--json"])

    assert behind == as_command(["--json", "--find", "TB-123"])
    assert behind == ["find", "--json", "--", "TB-123"]


def test_several_tickets() -> None:
    """``--ticket`` may be given more than once."""
    assert as_command(["--ticket", "TB-1", "--ticket=TB-2"]) == ["build", "--", "TB-1", "TB-2"]


def test_a_value_that_looks_like_an_option(rove: Rove, project: Path) -> None:
    """What begins with a dash is a value when it stands behind an equals sign."""
    assert as_command(["--search=--help"]) == ["search", "--", "--help"]
    assert rove("--search=--help").code == 0


def test_two_flags_do_not_mix(rove: Rove, project: Path) -> None:
    """Two flags are two commands: that is a wrong call."""
    assert rove("--status", "--find", "TB-123").code == 2


def test_a_command_is_left_alone() -> None:
    """What begins with a command is that command's, flags or not."""
    assert as_command(["find", "--ticket", "TB-1"]) == ["find", "--ticket", "TB-1"]


def test_every_seed_spelling_is_there() -> None:
    """The spellings that people were promised stay."""
    promised = {
        "--ticket",
        "--status",
        "--source-plugins",
        "--add-source",
        "--set-default-source",
        "--find",
        "--search",
        "--api-find",
        "--api-search",
    }

    assert promised <= set(FLAGS)
