import asyncio
from collections.abc import Mapping

import pytest

from rove_core.credentials import (
    EnvironmentLogin,
    account_variable,
    clashes,
    environment_answers,
)
from rove_core.errors import NotLoggedIn
from rove_core.http import Http
from rove_core.login import Login, LoginField, LoginWay
from rove_core.secret import Secret

_URL = LoginField(name="url", title="Site")
_TOKEN = LoginField(
    name="token", title="API token", secret=True, environment=("JIRA_API_TOKEN", "JIRA_TOKEN")
)
_WAY = LoginWay(name="token", title="API token", fields=(_URL, _TOKEN))


@pytest.fixture
def login() -> Login:
    """Give a log-in to jira of which only the token is known."""
    http = Http(account="jira", base_url="")
    return EnvironmentLogin(
        account="jira", way="token", answers={"token": Secret("t0p")}, http=http
    )


def test_every_field_has_a_variable_of_its_account() -> None:
    """The account and the field make its name."""
    environ = {"ROVE_JIRA_WORK_URL": "https://acme.example", "ROVE_JIRA_WORK_TOKEN": "t0p"}

    answers = environment_answers("jira:work", _WAY, environ)

    assert answers == {"url": Secret("https://acme.example"), "token": Secret("t0p")}


@pytest.mark.parametrize(
    ("environ", "token"),
    [
        ({"JIRA_TOKEN": "second"}, "second"),
        ({"JIRA_TOKEN": "second", "JIRA_API_TOKEN": "first"}, "first"),
        ({"JIRA_API_TOKEN": "first", "ROVE_JIRA_TOKEN": "own"}, "own"),
        ({"JIRA_API_TOKEN": "first", "ROVE_JIRA_TOKEN": ""}, "first"),
        ({"ROVE_JIRA_TOKEN": " own\n"}, "own"),
    ],
)
def test_roves_variable_comes_before_the_vendors(environ: Mapping[str, str], token: str) -> None:
    """Then the vendor's, in the order in which the field names them."""
    answers = environment_answers("jira", _WAY, {"ROVE_JIRA_URL": "u", **environ})

    assert answers == {"url": Secret("u"), "token": Secret(token)}


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"ROVE_JIRA_URL": "u"},
        {"ROVE_JIRA_TOKEN": "t0p"},
        {"ROVE_JIRA_URL": "u", "ROVE_JIRA_TOKEN": ""},
        {"ROVE_JIRA_URL": "u", "ROVE_JIRA_WORK_TOKEN": "t0p"},
    ],
)
def test_half_a_login_is_none(environ: Mapping[str, str]) -> None:
    """A person, or the store, is asked for all of it."""
    assert environment_answers("jira", _WAY, environ) is None


def test_a_way_that_asks_nothing_is_not_in_the_environment() -> None:
    """An empty answer would count as a login."""
    assert environment_answers("jira", LoginWay(name="oauth", title="OAuth"), {}) is None


def test_an_answer_does_not_print() -> None:
    """A token of the environment is a secret like any other."""
    answers = environment_answers(
        "jira", _WAY, {"ROVE_JIRA_URL": "u", "ROVE_JIRA_TOKEN": "canary-hunter2"}
    )

    assert "canary" not in repr(answers)


@pytest.mark.parametrize(
    ("account", "variable"),
    [("jira", "ROVE_JIRA"), ("jira:work", "ROVE_JIRA_WORK"), ("my-wiki:a-b", "ROVE_MY_WIKI_A_B")],
)
def test_an_account_has_a_variable(account: str, variable: str) -> None:
    """Colons and dashes become underscores."""
    assert account_variable(account) == variable


@pytest.mark.parametrize(
    ("name", "existing", "other"),
    [
        ("jira-work", ["slack", "jira:work"], "jira:work"),
        ("jira:work", ["jira", "slack"], None),
        ("jira:work", ["jira:work", "Jira:Work"], None),
        ("jira", [], None),
    ],
)
def test_accounts_that_share_a_variable_clash(
    name: str, existing: list[str], other: str | None
) -> None:
    """An account does not clash with itself."""
    assert clashes(name, existing) == other


def test_the_environment_answers_a_source(login: Login) -> None:
    """The source cannot tell it from a person."""
    assert asyncio.run(login.ask_secret(_TOKEN)) == Secret("t0p")
    assert asyncio.run(login.ask(_TOKEN)) == "t0p"


def test_a_missing_answer_names_its_variable(login: Login) -> None:
    """Whoever runs the build server reads what to set."""
    with pytest.raises(NotLoggedIn, match="ROVE_JIRA_URL is not in the environment"):
        asyncio.run(login.ask(_URL))


def test_a_browser_needs_a_person(login: Login) -> None:
    """Nothing is opened where nobody sits."""
    login.show("https://acme.example/token", note="copy it")

    with pytest.raises(NotLoggedIn, match="jira logs in through a browser"):
        asyncio.run(login.redirect(lambda uri, state: uri + state))
