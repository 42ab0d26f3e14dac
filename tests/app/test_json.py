"""``--json``: every command has it, and what it prints is what its schema says."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import jsonschema
import pytest

from rove.app_commands import APP
from rove.operations import OWN
from rove.root_command import root
from rove_core.plugins.loader import load_plugins

if TYPE_CHECKING:
    from tests.app.conftest import Rove

#: Arguments with which a command has something to say.
ARGUMENTS = {
    "build": ["TB-999"],
    "cancel": ["--all"],
    "explain": ["TB-123"],
    "find": ["TB-123"],
    "mirror drop": ["all"],
    "mirror scope": ["notes"],
    "mirror start": ["notes"],
    "mirror stop": ["notes"],
    "open": ["TB-123", "--no-browser"],
    "preview": ["pilot"],
    "refresh": ["TB-999"],
    "remove": ["TB-123"],
    "search": ["authentication flow"],
    "settings get": ["ai.max_hops"],
    "settings set": ["ai.max_hops", "2"],
    "settings unset": ["ai.max_hops"],
    "show": ["TB-123"],
    "sources item": ["notes", "notes/pilot.md"],
    "sources recognise": ["notes/pilot.md"],
    "sources remove": ["notes"],
    "sources schema": ["jira"],
    "sources search": ["notes", "pilot"],
    "sources test": ["notes"],
    "sources unuse": ["notes"],
    "sources use": ["notes"],
    "sources default": ["jira"],
    "verify": ["TB-123"],
}


def commands(command: click.Command, words: str = "") -> Iterator[str]:
    """Return every command of the tree."""
    if not isinstance(command, click.Group):
        yield words
        return
    if command.invoke_without_command and words:
        yield words
    context = click.Context(command)
    for word in command.list_commands(context):
        below = command.get_command(context, word)
        assert below is not None
        yield from commands(below, f"{words} {word}".strip())


def test_the_tree_is_complete() -> None:
    """Every operation is a command, Rove's own and the plugins', and so is each of the app's."""
    plugins = [each.command for plugin in load_plugins().working for each in plugin.operations]

    assert sorted([*OWN, *APP, *plugins]) == sorted(commands(root()))


@pytest.mark.parametrize("command", OWN)
def test_json_is_what_the_schema_says(rove: "Rove", project: Path, command: str) -> None:
    """What ``--json`` prints is valid by the operation's published schema."""
    schema = OWN[command].load().output_schema()
    (project / "notes").mkdir(exist_ok=True)
    (project / "notes" / "pilot.md").write_text("# The pilot\n", "utf-8")
    rove("--add-source", "notes")

    outcome = rove(*command.split(), *ARGUMENTS.get(command, []), "--json")

    if outcome.out:
        jsonschema.validate(json.loads(outcome.out), schema)
    else:
        assert set(json.loads(outcome.err)) == {"code", "message", "hint", "docs", "retry_at"}


@pytest.mark.parametrize("command", OWN)
def test_the_table_tells_the_truth(command: str) -> None:
    """The titles on the help page are those of the operations."""
    operation = OWN[command].load()

    assert (OWN[command].title, command) == (operation.title, operation.command)
