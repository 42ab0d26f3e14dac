"""Connecting sources at the command line, and building from them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from rove_core.account_book import AccountBook
from rove_sim import World

#: Runs `rove` with arguments: see conftest.py.
Rove = Callable[..., Any]

PAIRS = [("jira", ("--email", "robin@northwind.example")), ("slack", ()), ("github", ())]


@pytest.fixture
def connected(rove: Rove, world: World, empty: Path) -> None:
    """Connect the simulated Jira, Slack and GitHub as a person would."""
    for kind, options in PAIRS:
        url = world.urls[kind]
        repositories = ("--set", 'repositories=["northwind/backend"]') if kind == "github" else ()
        outcome = rove(
            *("--add-source", kind, "--base-url", url, "--token-stdin", *options, *repositories),
            typed=f"{world.company.token}\n",
        )
        assert outcome.code == 0, outcome.err
    return empty


def test_adding_says_who_one_is(rove: Rove, world: World, empty: Path) -> None:
    """Adding a source tests the log-in and says who one is and what one can read."""
    outcome = rove(
        "sources",
        "add",
        "jira",
        "--base-url",
        world.urls["jira"],
        "--email=robin@northwind.example",
        "--token-stdin",
        typed="t\n",
    )

    assert outcome.out == "jira: you are Robin Doe\n  can read northwind.atlassian.net\n"


def test_a_ticket_is_built_from_all_of_them(rove: Rove, connected: Path) -> None:
    """``--ticket`` builds from every connected source and prints the path alone."""
    outcome = rove("--ticket", "TB-123")

    text = (connected / ".context" / outcome.out.strip().rpartition("/")[2]).read_text("utf-8")

    assert outcome.code == 0
    assert "PR #847: Add OAuth2 provider base class" in text
    assert "Keep a grace window of 30 seconds" in text


def test_two_tickets_in_one_call(rove: Rove, connected: Path) -> None:
    """Several tickets print a path each, in the order asked."""
    outcome = rove("--ticket", "TB-456,TB-123")

    names = [line.rpartition("/")[2] for line in outcome.out.splitlines()]

    assert [name.partition("_")[0] for name in names] == ["TB-456", "TB-123"]


def test_one_of_two_tickets_is_not_there(rove: Rove, connected: Path) -> None:
    """What can be built is built; the other is named, and the exit code says the worst."""
    outcome = rove("--ticket", "TB-123", "--ticket", "TB-999")

    assert outcome.code == 3
    assert outcome.out.count("\n") == 1
    assert "TB-999" in outcome.err


def test_a_source_that_is_down_is_a_row(rove: Rove, connected: Path) -> None:
    """A source that cannot be reached costs its own row, and the exit code says so."""
    book = AccountBook(Path(os.environ["ROVE_DATA_DIR"]))
    slack = next(record for record in book.accounts() if record.name == "slack")
    book.update(attrs.evolve(slack, base_url="http://127.0.0.1:9"))

    outcome = rove("--ticket", "TB-123")
    text = Path(outcome.out.strip()).read_text("utf-8")

    assert outcome.code == 5
    assert "| Slack | 0 | failed: " in text
    assert "PR #847" in text


def test_the_default_source(rove: Rove, connected: Path) -> None:
    """``--set-default-source`` says where tickets are read, and the file is trusted after it."""
    assert rove("--set-default-source", "jira").out == "tickets are read from jira\n"
    assert "jira  Robin Doe  default" in rove("sources", "list").out


def test_a_wrong_token(rove: Rove, world: World, empty: Path) -> None:
    """A token the vendor refuses ends with 4, and nothing is remembered."""
    outcome = rove(
        "--add-source", "slack", "--base-url", world.urls["slack"], "--token-stdin", typed="no\n"
    )

    assert outcome.code == 4
    assert "invalid_auth" in outcome.err
    assert "no account yet" in rove("sources", "list").out


def test_nobody_at_the_terminal(rove: Rove, world: World, empty: Path) -> None:
    """Without a terminal nobody is asked: the variables that would do are named."""
    outcome = rove("--add-source", "slack", "--base-url", world.urls["slack"])

    assert outcome.code == 4
    assert "ROVE_SLACK_TOKEN" in outcome.err


def test_a_site_that_must_be_named(rove: Rove, empty: Path) -> None:
    """A source that answers somewhere else for everyone asks where."""
    outcome = rove("--add-source", "jira", "--token-stdin", typed="t\n")

    assert outcome.code == 2
    assert "--base-url" in outcome.err


def test_no_source_at_all(rove: Rove, empty: Path) -> None:
    """Without a source a ticket cannot be read, and the next command is named."""
    outcome = rove("--ticket", "TB-123")

    assert outcome.code == 7
    assert "rove --add-source" in outcome.err


def test_a_token_never_shows(rove: Rove, connected: Path, world: World) -> None:
    """No file of the project holds the token."""
    rove("--ticket", "TB-123")

    files = [path for path in connected.rglob("*") if path.is_file()]

    assert files
    assert not [path for path in files if world.company.token.encode() in path.read_bytes()]
