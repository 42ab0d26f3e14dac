"""What plugins add to the command line, and what they cannot do to it."""

import json
import os
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.app_commands import APP
from rove.commands import SECTIONS
from rove.operations import OWN
from rove_core.errors import PluginFailed

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Spawn

Install = Callable[..., None]

PLUGIN = """
from datetime import date
from typing import Literal
from attrs import frozen
from rove_core import hookimpl, Operation, Project

@frozen
class Person:
    name: str
    born: date | None = None

async def greet(rove: Project, *, person: Person, on: date | None = None,
                mood: Literal["calm", "glad"] = "calm", times: tuple[int, ...] = ()) -> str:
    \"\"\"Greet a person.\"\"\"
    return f"{person.name} {on} {mood} {times}"

async def fail(rove: Project) -> None:
    \"\"\"Fail.\"\"\"
    raise ZeroDivisionError("on purpose")

async def leave(rove: Project) -> None:
    \"\"\"Leave.\"\"\"
    raise SystemExit(0)

async def status(rove: Project) -> None:
    \"\"\"Take the place of what Rove does.\"\"\"

@hookimpl
def rove_operations():
    return [
        Operation(
            greet, command="acme greet", group="Be polite.", offline=True, show=str
        ),
        Operation(fail, offline=True),
        Operation(leave, offline=True),
        Operation(status, offline=True),
    ]
"""


@pytest.fixture
def acme(install_plugin: Install, empty: Path) -> None:  # noqa: ARG001  # it is where it is used
    """Install a plugin that brings commands."""
    install_plugin("rove-acme", text=PLUGIN)


def _manifest() -> Path:
    return Path(os.environ["ROVE_DATA_DIR"]) / "plugin-commands.json"


@pytest.mark.usefixtures("acme")
def test_help_shows_the_commands_of_plugins(rove: "Rove") -> None:
    """The help page of Rove, and of a group, names what plugins bring, and what it is for."""
    shown = [line.split() for line in rove("--help").out.splitlines()]

    assert ["fail", "Fail."] in shown
    assert ["acme", "Be", "polite."] in shown
    assert "  Be polite.\n" in rove("acme", "--help").out
    assert "  greet  Greet a person.\n" in rove("acme", "--help").out


def test_each_command_of_rove_has_a_section() -> None:
    """``rove --help`` lists the commands of plugins, and no other, as those of plugins."""
    own = {command.partition(" ")[0] for command in (*OWN, *APP)}

    assert own == set(chain.from_iterable(SECTIONS.values()))


@pytest.mark.usefixtures("acme")
def test_arguments_are_what_the_operation_takes(rove: "Rove") -> None:
    """A record is JSON, a date is a date, a choice is one of its values."""
    options = ("--on", "2024-12-15", "--mood", "glad", "--times", "1", "--times", "2")

    outcome = rove("acme", "greet", '{"name": "Robin"}', *options)

    assert (outcome.code, outcome.out) == (0, "Robin 2024-12-15 glad (1, 2)\n")


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Robin"], "person: expected an object, got text"),
        (['{"name": "Robin"'], "person: expected an object, got text"),
        (["[" * 100_000], "person: expected an object, got text"),
        (['{"name": 7}'], "person.name: expected text, got a number (7)"),
        (['{"name": "R"}', "--on", "soon"], "'--on': 'soon' is not a date like 2024-12-15"),
        (['{"name": "R"}', "--mood", "sad"], "'sad' is not one of 'calm', 'glad'"),
        (['{"name": "R"}', "--times", "two"], "'two' is not a valid integer"),
    ],
)
def test_wrong_arguments_are_named(rove: "Rove", arguments: list[str], said: str) -> None:
    """What does not fit is a wrong call that names value and expectation."""
    outcome = rove("acme", "greet", *arguments)

    assert outcome.code == 2
    assert said in outcome.err


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize("command", ["fail", "leave"])
def test_what_a_plugin_raises_is_the_plugins(rove: "Rove", command: str) -> None:
    """An operation that raises or exits costs one line, which names its distribution."""
    outcome = rove(command)

    assert outcome.code == 1
    assert outcome.err.startswith(f"rove: rove-acme: {command} raises ")
    assert "[ROVE-PLUG-001]" in outcome.err


@pytest.mark.usefixtures("acme")
def test_its_author_may_see_where(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``ROVE_DEBUG`` the error comes with its trace."""
    monkeypatch.setenv("ROVE_DEBUG", "1")

    with pytest.raises(PluginFailed) as caught:
        rove("fail")

    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.usefixtures("acme")
def test_roves_own_commands_stay(rove: "Rove") -> None:
    """No plugin takes the place of a command of Rove's own."""
    assert rove("status").out.startswith("0 documents; 0 tasks; ")
    assert "Take the place" not in rove("--help").out


@pytest.mark.usefixtures("acme")
def test_help_loads_no_plugin(rove: "Rove") -> None:
    """Once the list of commands is known, no plugin is imported to show it."""
    rove("--help")
    del sys.modules["rove_acme"]

    outcome = rove("--help")

    assert "Fail." in outcome.out
    assert "rove_acme" not in sys.modules


@pytest.mark.usefixtures("acme")
def test_a_command_that_came_since(rove: "Rove") -> None:
    """Whoever works on a plugin finds a new command without installing it again."""
    rove("--help")
    kept = json.loads(_manifest().read_bytes())
    del kept["commands"]["fail"], kept["commands"]["acme greet"]
    _manifest().write_text(json.dumps(kept))

    assert "rove-acme: fail raises" in rove("fail").err
    assert rove("acme", "greet", "{}").code == 2


@pytest.mark.usefixtures("acme")
def test_a_command_that_went_since(rove: "Rove") -> None:
    """A command that is no longer there is not there, whatever the list says."""
    rove("--help")
    kept = json.loads(_manifest().read_bytes())
    kept["commands"]["gone"] = "Go."
    _manifest().write_text(json.dumps(kept))

    assert "there is no command 'gone'" in rove("gone").err
    assert "gone" not in rove("--help").out


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    "damaged", [b"", b"\xff", b"[]", b"[" * 100_000, b"{}", b'{"stamp": [], "commands": 7}']
)
def test_a_damaged_list_is_made_anew(rove: "Rove", damaged: bytes) -> None:
    """Whatever lies in the place of the list, the help page is right."""
    rove("--help")
    _manifest().write_bytes(damaged)

    assert "Fail." in rove("--help").out
    assert json.loads(_manifest().read_bytes())["commands"]["fail"] == "Fail."


@pytest.mark.usefixtures("empty")
def test_two_make_the_list_at_once(spawn: "Spawn") -> None:
    """Two first help pages at the same time leave one whole list."""
    runs = [spawn("--help"), spawn("--help")]

    pages = [run.communicate() for run in runs]

    assert pages[0] == pages[1]
    assert isinstance(json.loads(_manifest().read_bytes())["commands"], dict)


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("text", ["1 / 0", "raise SystemExit", "print('hello')", "def ("])
def test_a_broken_plugin_is_listed(rove: "Rove", install_plugin: Install, text: str) -> None:
    """A plugin that cannot be loaded is named with the reason, and stops nobody else."""
    install_plugin("rove-broken", text=text)

    outcome = rove("--source-plugins")
    line = next(line for line in outcome.out.splitlines() if line.startswith("rove-broken"))

    assert line.split()[:4] == ["rove-broken", "rove-broken", "1.0", "broken"]
    assert "at import" in line
    assert rove("--help").code == 0
