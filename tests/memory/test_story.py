"""A ticket over two sessions, as an agent lives it: by commands, killed, in other checkouts."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.memory.conftest import Checkout

ORIGIN = "git@github.com:acme/api.git"


@pytest.fixture
def folder(checkout: Checkout) -> Path:
    """Give a clone with a commit on the ticket's branch."""
    folder = checkout("api", origin=ORIGIN)
    for command in (
        ["checkout", "-q", "-b", "TB-123-tokens"],
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x", "--allow-empty"],
    ):
        subprocess.run(["git", "-C", folder, *command], check=True)  # noqa: S603, S607  # the test's own repository
    return folder


def _rove(folder: Path, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-m", "rove", *arguments],
        cwd=folder,
        env={**os.environ, "ROVE_LOAD_PLUGINS": "memory", "ROVE_DAEMON": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _json(folder: Path, *arguments: str) -> Any:  # noqa: ANN401  # any JSON
    return json.loads(_rove(folder, *arguments, "--json"))


def test_a_ticket_over_two_sessions(folder: Path, checkout: Checkout, tmp_path: Path) -> None:
    """What was noted and planned is there after kill -9, next time, and in other checkouts."""
    session = _json(folder, "session", "start", "TB-123")["session_id"]
    _rove(folder, "plan", "create", "Rotate the key", "--external-item-id", "TB-123")
    note = [sys.executable, "-m", "rove", "session", "note", "decision", "lost or kept"]
    with subprocess.Popen(note, cwd=folder, stdout=subprocess.DEVNULL) as killed:  # noqa: S603  # our own interpreter
        killed.send_signal(signal.SIGKILL)
    _rove(folder, "session", "note", "decision", "Tokens live 15 minutes", "--importance", "high")
    again = _json(folder, "session", "start", "TB-123")
    ended = _json(folder, "session", "end", "--outcome", "partial")

    assert (again["session_id"], again["resumed"]) == (session, True)
    assert (ended["memories_created"], ended["outcome"]) == (1, "partial")

    worktree, clone = tmp_path / "worktree", checkout("clone", origin="https://github.com/Acme/api")
    subprocess.run(  # noqa: S603  # the test's own repository
        ["git", "-C", folder, "worktree", "add", "-q", "-b", "TB-123-more", worktree],  # noqa: S607  # as above
        check=True,
    )
    primed = _rove(worktree, "prime")
    told = _json(clone, "session", "start", "TB-123")

    assert "Last session" in primed
    assert "Rotate the key" in primed
    assert [item["content"] for item in told["recent_memory"]] == ["Tokens live 15 minutes"]
    assert "Decided: Tokens live 15 minutes" in told["last_session_summary"]
