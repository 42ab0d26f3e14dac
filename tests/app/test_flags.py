"""Each flag is another spelling of a command, and nothing else."""

import shutil
from typing import TYPE_CHECKING

import pytest

from rove.flags import FLAGS, as_command

if TYPE_CHECKING:
    from tests.app.conftest import Rove

#: What to give a flag that takes something.
VALUES = {
    "ID": "TB-123",
    "WORDS": "authentication",
    "KIND": "nonsense",
    "NAME": "jira",
    "[DIR]": "demo",
}


#: What these say depends on what was before; test_server_start.py is about them.
SERVER = {
    "--start-server": ["server", "start"],
    "--stop-server": ["server", "stop"],
    "--server-status": ["server", "status"],
}


@pytest.mark.parametrize("flag", SERVER)
def test_a_flag_of_the_server_is_its_command(flag: str) -> None:
    """A flag of the server becomes its command, with its options."""
    assert as_command([flag, "--json"]) == [*SERVER[flag], "--json"]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("flag", [flag for flag in FLAGS if flag not in SERVER])
def test_a_flag_is_its_command(rove: "Rove", flag: str) -> None:
    """A flag does and prints what its command does, to the letter."""
    words, takes, _ = FLAGS[flag]
    value = [VALUES[takes]] if takes else []
    before = rove(*words, *value)
    shutil.rmtree("demo", ignore_errors=True)
    after = rove(flag, *value)

    assert (before.code, before.out) == (after.code, after.out)
    # How far a demonstration is comes in the order in which its sources answer.
    assert flag == "--demo" or before.err == after.err


def test_options_may_stand_anywhere() -> None:
    """Options of the command may stand before the flag or behind it."""
    assert as_command(["--find", "TB-123", "--json"]) == ["find", "TB-123", "--json"]
    assert as_command(["--json", "--find", "TB-123"]) == ["find", "--json", "TB-123"]


def test_several_tickets() -> None:
    """``--ticket`` may be given more than once; the order stays."""
    arguments = ["--ticket", "TB-1", "--ticket=TB-2", "TB-3", "--ticket", "TB-4"]

    assert as_command(arguments) == ["build", "TB-1", "TB-2", "TB-3", "TB-4"]


def test_options_of_a_ticket() -> None:
    """``--ticket`` takes the options of ``build``, wherever they stand."""
    arguments = ["--ticket", "LIN-456", "--source", "linear", "--since", "30 days ago"]

    assert as_command(arguments) == [
        "build",
        "LIN-456",
        "--source",
        "linear",
        "--since",
        "30 days ago",
    ]
    assert as_command(["--since=7d", "--ticket=TB-1"]) == ["build", "--since=7d", "TB-1"]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("option", "value"), [("--since", "whenever"), ("--until", "2024-13-01")])
def test_a_window_is_checked(rove: "Rove", option: str, value: str) -> None:
    """A time that is none is refused before anybody is asked."""
    outcome = rove("--ticket", "TB-123", option, value)

    assert outcome.code == 2
    assert f"{value!r} is not a valid time" in outcome.err


def test_what_is_behind_two_dashes_is_a_value() -> None:
    """Behind ``--`` nothing is a flag."""
    arguments = ["--ticket", "TB-1", "--", "--find", "-x"]

    assert as_command(arguments) == ["build", "TB-1", "--", "--find", "-x"]
    assert as_command(["--", "--find"]) == ["--", "--find"]


@pytest.mark.usefixtures("project")
def test_a_value_that_looks_like_an_option(rove: "Rove") -> None:
    """What begins with a dash is a value when it stands behind an equals sign."""
    assert as_command(["--search=--help"]) == ["search", "--", "--help"]
    assert rove("--search=--help").code == 0


@pytest.mark.parametrize("flag", [flag for flag, (_, takes, _) in FLAGS.items() if takes])
def test_an_equals_sign_does(flag: str) -> None:
    """A value may stand behind an equals sign."""
    value = VALUES[FLAGS[flag][1]]

    assert as_command([flag, value]) == as_command([f"{flag}={value}"])


@pytest.mark.usefixtures("project")
def test_two_flags_do_not_mix(rove: "Rove") -> None:
    """Two flags are two commands: that is a wrong call."""
    assert rove("--status", "--find", "TB-123").code == 2


def test_a_command_is_left_alone() -> None:
    """What begins with a command is that command's, flags or not."""
    assert as_command(["find", "--ticket", "TB-1"]) == ["find", "--ticket", "TB-1"]


def test_json_may_stand_before_the_command() -> None:
    """It is an option of the command, wherever it stands; a value behind dashes stays one."""
    assert as_command(["--json", "list"]) == ["list", "--json"]
    assert as_command(["--json", "find", "--", "-1"]) == ["find", "--json", "--", "-1"]
    assert as_command(["--json"]) == ["--json"]


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
        *SERVER,
    }

    assert promised <= set(FLAGS)
