"""Logging in with answers that are there already."""

import asyncio

import pytest

from rove_core.auth.prepared_login import PreparedLogin
from rove_core.errors import NotLoggedIn
from rove_core.http import Http
from rove_core.login import LoginField
from rove_core.safety.secret import Secret

SITE = LoginField(name="url", title="Site")
TOKEN = LoginField(name="token", title="API token", secret=True)


@pytest.fixture
def login() -> PreparedLogin:
    """Give a login of which only the token is known."""
    http = Http(account="jira", base_url="")
    return PreparedLogin("token", {"token": Secret("t0p")}, http, otherwise="Set ROVE_JIRA_URL.")


def test_it_answers_a_source(login: PreparedLogin) -> None:
    """The source cannot tell it from a person."""
    assert asyncio.run(login.ask_secret(TOKEN)) == Secret("t0p")
    assert asyncio.run(login.ask(TOKEN)) == "t0p"


def test_a_missing_answer_is_named(login: PreparedLogin) -> None:
    """Whoever prepared it reads what is missing, and what to do."""
    with pytest.raises(NotLoggedIn, match="missing url: Site") as caught:
        asyncio.run(login.ask(SITE))

    assert caught.value.hint == "Set ROVE_JIRA_URL."


def test_a_browser_needs_a_person(login: PreparedLogin) -> None:
    """Nothing is opened where nobody sits."""
    login.show("https://acme.example/token", note="copy it")

    with pytest.raises(NotLoggedIn, match="by 'token' needs a browser"):
        asyncio.run(login.redirect(lambda uri, state: uri + state))
