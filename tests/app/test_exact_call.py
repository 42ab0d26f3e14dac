"""Commands whose arguments fit exactly: the same values as Click's, without loading Click."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rove.exact_call import InexactCall, values_of
from rove.operation_command import command_of
from rove.operations import OWN
from rove.parameter_types import BARE, choices, single_type
from rove_core.operations import Operation
from rove_memory import operations as memory

OPERATIONS = [
    *(OWN[command].load() for command in OWN),
    *memory.operations(),
]
TEXTS = ["TB-1", "3", "0.5", "true", "[1]", "2024-12-15", "two words", "-", "-1", "--", "", "--no"]
#: What takes its time to load, and what only wrong calls and help need.
PARSER = {"click", "rove.commands", "rove.operation_command"}


def _tokens(operation: Operation) -> Sequence[str]:
    flags = [f"--{each.name.replace('_', '-')}" for each in operation.parameters]
    values = [
        str(value)
        for each in operation.parameters
        for value in choices(single_type(each.type)[0]) or ()
    ]
    no = [f"--no-{flag[2:]}" for flag in flags]
    return [*flags, *no, *(f"{flag}=3" for flag in flags), *values, *TEXTS, "--json", "--help"]


def _by_click(operation: Operation, arguments: Sequence[str], bare: str) -> Mapping[str, Any]:
    command = command_of(operation, bare=bare)
    parsed = command.make_context("it", list(arguments)).params
    return {name: value for name, value in parsed.items() if value is not None and value != ()}


@settings(max_examples=1500, deadline=None)
@given(st.data())
def test_the_values_are_those_of_click(data: st.DataObject) -> None:
    """Whatever the arguments, values without Click are the values that Click parses."""
    operation = data.draw(st.sampled_from(OPERATIONS))
    bare = BARE.get(operation.command, "") or operation.bare
    arguments = data.draw(st.lists(st.sampled_from(_tokens(operation)), max_size=6))
    try:
        values = values_of(operation, arguments, bare=bare)
    except InexactCall:
        return

    expected = dict(_by_click(operation, arguments, bare))
    expected.pop("detach", None)

    assert values == expected


@pytest.mark.parametrize(
    "arguments",
    [
        ["key"],
        ["key", "text", "warning", "more"],
        ["key", "text", "nonsense"],
        ["key", "text", "warning", "--importance", "much"],
        ["key", "text", "warning", "--importance"],
        ["key", "text", "warning", "--importance", "1", "--importance", "2"],
        ["key", "text", "warning", "--unknown"],
        ["key", "text", "warning", "--json=yes"],
        ["key", "text", "warning", "-h"],
    ],
    ids=" ".join,
)
def test_anything_else_is_left_to_click(arguments: list[str]) -> None:
    """A missing, wrong or unknown argument, a repeated option and a call for help are for Click."""
    store = next(each for each in memory.operations() if each.command == "memory store")

    with pytest.raises(InexactCall):
        values_of(store, arguments)


@pytest.mark.parametrize(
    "line", ["list", "settings get ai.max_hops", "memory store a text warning", "settings set a b"]
)
@pytest.mark.usefixtures("project")
def test_click_is_not_loaded(line: str) -> None:
    """A command whose arguments fit exactly loads no Click, even if the command then fails."""
    program = (
        "import sys\nfrom rove.cli import cli\ncode = cli(sys.argv[1:])\n"
        "print('loaded', *sys.modules)"
    )
    run = subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-c", program, *line.split()], capture_output=True, text=True, check=True
    )

    assert set() == PARSER & set(run.stdout.splitlines()[-1].split())
