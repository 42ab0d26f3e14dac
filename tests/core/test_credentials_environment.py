from collections.abc import Mapping

import pytest

from rove_core.auth.credentials import environment_answers, field_variable
from rove_core.login import LoginField, LoginWay
from rove_core.safety.secret import Secret

_URL = LoginField(name="url", title="Site")
_TOKEN = LoginField(
    name="token", title="API token", secret=True, environment=("JIRA_API_TOKEN", "JIRA_TOKEN")
)
_WAY = LoginWay(name="token", title="API token", fields=(_URL, _TOKEN))


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
    ("environ", "answered"),
    [
        ({}, set()),
        ({"ROVE_JIRA_URL": "u"}, {"url"}),
        ({"ROVE_JIRA_URL": "u", "ROVE_JIRA_TOKEN": ""}, {"url"}),
        ({"ROVE_JIRA_WORK_TOKEN": "t0p"}, set()),
    ],
)
def test_only_what_is_there_is_answered(environ: Mapping[str, str], answered: set[str]) -> None:
    """An empty variable is absent, and another account's answers nothing."""
    assert set(environment_answers("jira", _WAY, environ)) == answered


def test_an_answer_does_not_print() -> None:
    """A token of the environment is a secret like any other."""
    answers = environment_answers(
        "jira", _WAY, {"ROVE_JIRA_URL": "u", "ROVE_JIRA_TOKEN": "canary-hunter2"}
    )

    assert "canary" not in repr(answers)


@pytest.mark.parametrize(
    ("account", "variable"),
    [
        ("jira", "ROVE_JIRA_TOKEN"),
        ("jira:work", "ROVE_JIRA_WORK_TOKEN"),
        ("my-wiki:a-b", "ROVE_MY_WIKI_A_B_TOKEN"),
    ],
)
def test_a_field_has_a_variable(account: str, variable: str) -> None:
    """Colons and dashes become underscores."""
    assert field_variable(account, _TOKEN) == variable
