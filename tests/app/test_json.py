"""``--json``: every command has it, and what it prints is what its schema says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rove.cli import root
from rove.commands import APP
from rove_core.own_operations import OWN

#: Runs `rove` with arguments: see conftest.py.
Rove = Callable[..., Any]

#: Arguments with which a command has something to say.
ARGUMENTS = {
    "build": ["TB-999"],
    "find": ["TB-123"],
    "search": ["authentication flow"],
    "sources schema": ["jira"],
    "sources default": ["jira"],
}


def commands(group=None, words=""):
    """Return every command of the tree."""
    group = group or root()
    for word in group.list_commands(None):
        command, path = group.get_command(None, word), f"{words} {word}".strip()
        if hasattr(command, "list_commands"):
            yield from commands(command, path)
        else:
            yield path


def test_the_tree_is_complete() -> None:
    """Every operation of Rove's own is a command, and so is each of the app's."""
    assert sorted([*OWN, *APP]) == sorted(commands())


@pytest.mark.parametrize("command", OWN)
def test_json_is_what_the_schema_says(rove: Rove, project: Path, command: str) -> None:
    """What ``--json`` prints is valid by the operation's published schema."""
    schema = OWN[command].load().output_schema()

    outcome = rove(*command.split(), *ARGUMENTS.get(command, []), "--json")

    if outcome.out:
        jsonschema.validate(json.loads(outcome.out), schema)
    else:
        assert set(json.loads(outcome.err)) == {"code", "message", "hint", "docs"}


@pytest.mark.parametrize("command", OWN)
def test_the_table_tells_the_truth(command: str) -> None:
    """The titles on the help page are those of the operations."""
    operation = OWN[command].load()

    assert (OWN[command].title, command) == (operation.title, operation.command)
