"""How commands end, as scripts see it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.memory.conftest import Checkout


@pytest.fixture
def folder(checkout: Checkout) -> Path:
    """Give a repository without a memory."""
    return checkout("api")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("memory recall tokens", 3),
        ("memory recall tokens --json", 3),
        ("memory recall", 0),
        ("memory list", 0),
        ("ready --claim", 3),
        ("ready", 0),
        ("plan list", 0),
        ("session list", 0),
    ],
)
def test_an_empty_answer(folder: Path, command: str, code: int) -> None:
    """An empty list ends with 0; a question or a claim without a result with 3, as for find."""
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-m", "rove", *command.split()],
        cwd=folder,
        env={**os.environ, "ROVE_LOAD_PLUGINS": "memory", "ROVE_DAEMON": "0"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout
