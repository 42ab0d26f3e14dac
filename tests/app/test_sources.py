"""Connecting sources at the command line, and building from them."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_sim import World

if TYPE_CHECKING:
    from tests.app.conftest import Outcome, Rove


@pytest.fixture
def add(rove: "Rove", world: World, empty: Path) -> "Rove":  # noqa: ARG001  # it is where they are added
    """Return what connects a simulated source, as a person does who pipes the token."""

    def call(kind: str, *options: str, typed: str = f"{world.company.token}\n") -> "Outcome":
        return rove(
            *("--add-source", kind, "--base-url", world.urls[kind], "--token-stdin", *options),
            typed=typed,
        )

    return call


@pytest.fixture
def connected(add: "Rove", empty: Path) -> Path:
    """Connect the simulated Jira, Slack and GitHub, and return the project."""
    outcomes = [
        add("jira", "--email", "robin@northwind.example"),
        add("slack"),
        add("github", "--set", 'repositories=["northwind/backend"]'),
    ]

    assert [outcome.code for outcome in outcomes] == [0, 0, 0]
    return empty


def test_adding_says_who_one_is(add: "Rove") -> None:
    """Adding a source tests the login and says who one is and what one can read."""
    outcome = add("jira", "--email", "robin@northwind.example")

    assert outcome.out.startswith("jira: you are Robin Doe\n  can read ")


def test_a_token_may_have_space_around_it(add: "Rove", world: World) -> None:
    """White space that was copied along is no part of the token."""
    assert add("slack", typed=f"  {world.company.token}\t \n").code == 0


@pytest.mark.usefixtures("connected")
def test_a_known_account_logs_in_again(rove: "Rove", world: World) -> None:
    """Whoever logs in again is not asked where the source answers."""
    outcome = rove("--add-source", "slack", "--token-stdin", typed=f"{world.company.token}\n")

    assert (outcome.code, outcome.out.splitlines()[0]) == (0, "slack: you are robin")


@pytest.mark.usefixtures("connected")
def test_a_failed_log_in_leaves_the_one_before(rove: "Rove") -> None:
    """A wrong token does not take the place of one that works."""
    refused = rove("--add-source", "slack", "--token-stdin", typed="no\n")

    assert refused.code == 4
    assert rove("--ticket", "TB-123").code == 0


@pytest.mark.parametrize(
    ("options", "typed"),
    [
        ((), "\n"),
        ((), " \t\n"),
        ((), ""),
        ((), "to\x00ken\n"),
        ((), "to\udcffken\n"),
        (("--email", ""), "t\n"),
        (("--base-url", " "), "t\n"),
        (("--set", "novalue"), "t\n"),
        (("--way", "sso"), "t\n"),
        (("--account", "my account"), "t\n"),
    ],
)
def test_what_cannot_be_an_answer_is_refused(
    add: "Rove", rove: "Rove", options: tuple[str, ...], typed: str
) -> None:
    """An empty or broken answer is a wrong call, and nothing is remembered."""
    outcome = add("slack", *options, typed=typed)

    assert outcome.code == 2
    assert outcome.err.count("\n") == 2
    assert "no account is connected yet" in rove("sources", "list").out


def test_a_way_to_log_in_is_chosen_by_name(add: "Rove") -> None:
    """``--way`` names it; one that is not there is answered with those that are."""
    assert add("slack", "--way", "token").code == 0
    assert "It has: token, oauth" in add("slack", "--way", "sso").err


def test_variables_answer_what_options_do_not(
    rove: "Rove", world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answer may come from an option and the other from a variable."""
    monkeypatch.setenv("ROVE_JIRA_TOKEN", world.company.token)
    options = ("--base-url", world.urls["jira"], "--email", "robin@northwind.example")

    assert rove("--add-source", "jira", *options).code == 0


def test_an_account_of_another_kind(add: "Rove") -> None:
    """A name that an account of another kind has is refused."""
    add("slack", "--account", "work")

    outcome = add("jira", "--account", "work")

    assert outcome.code == 2
    assert "work is an account of slack already" in outcome.err


def test_a_ticket_is_built_from_all_of_them(rove: "Rove", connected: Path) -> None:
    """``--ticket`` builds from every connected source and prints the path alone."""
    outcome = rove("--ticket", "TB-123")

    text = (connected / ".context" / outcome.out.strip().rpartition("/")[2]).read_text("utf-8")

    assert outcome.code == 0
    assert "### Add OAuth2 provider base class" in text
    assert "grace window" in text


@pytest.mark.usefixtures("connected")
def test_two_tickets_in_one_call(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """Several tickets print a path each, in the order asked."""
    # For as many searches as two tickets take one has to wait at other vendors.
    monkeypatch.setenv("ROVE_SOURCES_USE", "jira")
    outcome = rove("--ticket", "TB-456,TB-123")

    names = [line.rpartition("/")[2] for line in outcome.out.splitlines()]

    assert [name.partition("_")[0] for name in names] == ["TB-456", "TB-123"]


@pytest.mark.usefixtures("connected")
def test_one_of_two_tickets_is_not_there(rove: "Rove") -> None:
    """What can be built is built; the other is named, and the exit code says the worst."""
    outcome = rove("--ticket", "TB-123", "--ticket", "TB-999")

    assert outcome.code == 3
    assert outcome.out.count("\n") == 1
    assert "TB-999" in outcome.err


@pytest.mark.usefixtures("connected")
def test_a_source_that_is_down_is_a_row(rove: "Rove") -> None:
    """A source that cannot be reached costs its own row, and the exit code says so."""
    book = AccountStore(Path(os.environ["ROVE_DATA_DIR"]))
    slack = next(record for record in book.accounts() if record.name == "slack")
    book.update(attrs.evolve(slack, base_url="http://127.0.0.1:9"))

    outcome = rove("--ticket", "TB-123")
    text = Path(outcome.out.strip()).read_text("utf-8")

    assert outcome.code == 5
    assert "| Slack | 0 | failed: " in text
    assert "PR #847" in text


@pytest.mark.usefixtures("connected")
def test_the_default_source(rove: "Rove") -> None:
    """``--set-default-source`` says where tickets are read, and the file is trusted after it."""
    assert rove("--set-default-source", "jira").out == "tickets are read from jira\n"
    assert "jira    Robin Doe  logged in  default\n" in rove("sources", "list").out


@pytest.mark.usefixtures("empty")
def test_a_wrong_token(rove: "Rove", world: World) -> None:
    """A token the vendor refuses ends with 4, and nothing is remembered."""
    outcome = rove(
        "--add-source", "slack", "--base-url", world.urls["slack"], "--token-stdin", typed="no\n"
    )

    assert outcome.code == 4
    assert "invalid_auth" in outcome.err
    assert "no account is connected yet" in rove("sources", "list").out


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        (
            "jira",
            "Give it with --email and --token-stdin, or set ROVE_JIRA_EMAIL and ROVE_JIRA_TOKEN",
        ),
        ("slack", "Give it with --token-stdin, or set ROVE_SLACK_TOKEN"),
    ],
)
def test_nobody_at_the_terminal(rove: "Rove", world: World, kind: str, hint: str) -> None:
    """Without a terminal nobody is asked: the options and variables that would do are named."""
    outcome = rove("--add-source", kind, "--base-url", world.urls[kind])

    assert outcome.code == 4
    assert outcome.err.endswith(f"      {hint}\n")


@pytest.mark.usefixtures("empty")
def test_a_site_that_must_be_named(rove: "Rove") -> None:
    """A source that answers somewhere else for everyone asks where."""
    outcome = rove("--add-source", "jira", "--token-stdin", typed="t\n")

    assert outcome.code == 2
    assert "--base-url" in outcome.err


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("url", ["http://[::1", "acme.atlassian.net", "ftp://acme.example", "x"])
def test_a_site_that_is_no_address(rove: "Rove", url: str) -> None:
    """What is not an address is refused before anybody is asked for a token."""
    outcome = rove("--add-source", "jira", "--base-url", url, "--token-stdin", typed="t\n")

    assert outcome.code == 2
    assert f"{url} is not a valid service URL" in outcome.err


@pytest.mark.usefixtures("empty")
def test_no_source_at_all(rove: "Rove") -> None:
    """Without a source a ticket cannot be read, and the next command is named."""
    outcome = rove("--ticket", "TB-123")

    assert outcome.code == 7
    assert "rove --add-source" in outcome.err


def test_a_token_never_shows(rove: "Rove", connected: Path, world: World) -> None:
    """No file of the project holds the token."""
    rove("--ticket", "TB-123")

    files = [path for path in connected.rglob("*") if path.is_file()]

    assert files
    assert not [path for path in files if world.company.token.encode() in path.read_bytes()]


@pytest.mark.usefixtures("connected")
def test_an_account_that_this_project_does_not_use(rove: "Rove") -> None:
    """It is there, and the hint says how to use it."""
    rove("sources", "unuse", "slack")

    outcome = rove("sources", "search", "slack", "tokens")

    assert outcome.code == 7
    assert "this project does not use slack" in outcome.err
    assert "Use it: rove sources use slack" in outcome.err


def test_an_untrusted_file_is_told_once(rove: "Rove", empty: Path) -> None:
    """It ignores three settings, and one sentence names them all."""
    (empty / ".rove").mkdir()
    text = '[ai]\napi_base = "https://elsewhere.example"\nmodel = "other"\n'
    (empty / ".rove" / "settings.toml").write_text(text, "utf-8")

    outcome = rove("sources", "use", "notes")

    assert outcome.out.startswith("this project uses notes once you trust its settings\n")
    assert (outcome.out + outcome.err).count("because you do not trust it") == 1


def test_accounts_in_use_are_not_proposed(rove: "Rove", empty: Path) -> None:
    """Where none of them works, the hint says how to find out why."""
    book = AccountStore(Path(os.environ["ROVE_DATA_DIR"]))
    for name in ("gone", "gone:work"):
        book.add(AccountRecord(name=name, kind="gone"))
    rove("sources", "use", "gone")

    outcome = rove("--ticket", "TB-123")

    assert empty.is_dir()
    assert "no source works in this project (gone: " in outcome.err
    assert "Find out why: rove doctor; or use an account you have: rove sources use gone:work;" in (
        " ".join(outcome.err.split())
    )
