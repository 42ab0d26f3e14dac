"""Logins from environment variables, for CI; they take precedence."""

from collections.abc import Mapping

from rove_core.auth.account_names import account_variable, environment_name
from rove_core.login import LoginField, LoginWay
from rove_core.safety.secret import Secret


def field_variable(account: str, field: LoginField) -> str:
    """Return the variable of Rove's own that answers a field: ``ROVE_JIRA_WORK_TOKEN``."""
    return f"{account_variable(account)}_{environment_name(field.name)}"


def environment_answers(
    account: str, way: LoginWay, environ: Mapping[str, str]
) -> Mapping[str, Secret]:
    """Return the answers to a login method's fields that the environment provides.

    A field is looked for in its :func:`field_variable` and then under the vendor's own names. A
    variable that is empty counts as absent: build servers set those.

    Args:
        account: The account's name.
        way: The way to log in.
        environ: The environment.
    """
    return {
        field.name: Secret(text)
        for field in way.fields
        if (text := _answer(account, field, environ))
    }


def _answer(account: str, field: LoginField, environ: Mapping[str, str]) -> str:
    names = (field_variable(account, field), *field.environment)
    return next(filter(None, (environ.get(name, "").strip() for name in names)), "")


def is_answered(account: str, way: LoginWay, environ: Mapping[str, str]) -> bool:
    """Return whether the environment alone can log in by a way."""
    if way.person or not way.fields:
        return False
    return len(environment_answers(account, way, environ)) == len(way.fields)
