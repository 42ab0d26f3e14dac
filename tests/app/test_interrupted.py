"""Ctrl-C: the work stops, nothing is left half done, and the exit code says so."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.store.connection import open_for_reading
from rove_core.store.tasks import TaskState, list_tasks

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Spawn, Terminal

    from rove_sim import World


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a Jira that takes every question and answers none."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        host = f"127.0.0.1:{server.getsockname()[1]}"
        book = AccountStore(Path(os.environ["ROVE_DATA_DIR"]))
        book.add(AccountRecord(name="jira", kind="jira", base_url=f"http://{host}", hosts=(host,)))
        monkeypatch.setenv("ROVE_SOURCES_USE", "jira")
        monkeypatch.setenv("ROVE_JIRA_EMAIL", "robin@northwind.example")
        monkeypatch.setenv("ROVE_JIRA_TOKEN", "t")
        yield


@pytest.mark.usefixtures("silent")
def test_a_build_is_interrupted(spawn: "Spawn", empty: Path) -> None:
    """Its task is cancelled, nothing is printed as a result, and no trace is shown."""
    run = spawn("--ticket", "TB-123")
    assert run.stderr
    assert run.stderr.readline() == "TB-123  jira      reading the ticket\n"

    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    with open_for_reading(empty / ".rove" / "index.db") as db:
        states = [task.state for task in list_tasks(db)]

    assert (run.returncode, out, err.strip()) == (130, "", "rove: interrupted")
    assert states == [TaskState.CANCELLED]


@pytest.mark.usefixtures("empty")
def test_a_token_is_typed_unseen(spawn: "Spawn", world: "World", terminal: "Terminal") -> None:
    """At a terminal the site and then the token are asked for; an empty answer is asked again."""
    run = spawn("--add-source", "jira", stdin=terminal.end, stderr=terminal.end)

    terminal.wait_for("Number [1]: ")
    terminal.type("")
    terminal.wait_for("Your Jira URL (https://...): ")
    terminal.type(world.urls["jira"])
    terminal.wait_for("E-mail of your Atlassian account: ")
    terminal.type("  ")
    terminal.wait_for("Error: no input\r\nE-mail of your Atlassian account: ")
    terminal.type("robin@northwind.example")
    terminal.wait_for("it is shown once.\r\nAPI token: ")
    terminal.type(f" {world.company.token} ")
    out, _ = run.communicate()

    assert (run.returncode, out.splitlines()[0]) == (0, "jira: you are Robin Doe")
    assert world.company.token not in terminal.seen


@pytest.mark.usefixtures("empty")
def test_a_question_is_interrupted(
    spawn: "Spawn", rove: "Rove", world: "World", terminal: "Terminal"
) -> None:
    """Ctrl-C at a question ends at once, and nothing is remembered."""
    run = spawn(
        *("--add-source", "slack", "--base-url", world.urls["slack"]),
        stdin=terminal.end,
        stderr=terminal.end,
    )
    terminal.wait_for("Number [1]: ")
    terminal.type("")
    terminal.wait_for("bot token (xoxb-...): ")

    run.send_signal(signal.SIGINT)
    run.communicate()
    terminal.wait_for("rove: interrupted\r\n")

    assert run.returncode == 130
    assert terminal.seen.endswith("(xoxb-...): \r\n\r\nrove: interrupted\r\n")
    assert "no account is connected yet" in rove("sources", "list").out
