"""Logins that the environment holds, for machines where no person is: they come first."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core.account_names import environment_name
from rove_core.errors import NotLoggedIn
from rove_core.login import LoginField, LoginWay, Redirected
from rove_core.secret import Secret

if TYPE_CHECKING:
    from rove_core.http import Http


def account_variable(account: str) -> str:
    """Return what the account's variables begin with: ``ROVE_JIRA_WORK`` for ``jira:work``."""
    return f"ROVE_{environment_name(account)}"


def clashes(name: str, existing: Iterable[str]) -> str | None:
    """Return the account whose variables a new account would share, if there is one.

    Args:
        name: The new account.
        existing: The accounts there are; the new one itself does not count.
    """
    variable = account_variable(name)
    others = (other for other in existing if other.lower() != name.lower())
    return next((other for other in others if account_variable(other) == variable), None)


def environment_answers(
    account: str, way: LoginWay, environ: Mapping[str, str]
) -> Mapping[str, Secret] | None:
    """Return what the environment answers to all that a way of logging in asks.

    A field is looked for as ``ROVE_<ACCOUNT>_<FIELD>`` and then under the vendor's own
    names. A variable that is empty counts as absent: build servers set those.

    Args:
        account: The account's name.
        way: The way to log in.
        environ: The environment.

    Returns:
        The answers by field name, or None unless there is one to every field.
    """
    answers = {
        field.name: Secret(text)
        for field in way.fields
        if (text := _answer(account, field, environ))
    }
    return answers if way.fields and len(answers) == len(way.fields) else None


@frozen(kw_only=True)
class EnvironmentLogin:
    """Answers a source with what the environment holds, and needs no person.

    Attributes:
        account: The account that logs in.
        way: The name of the way it does.
        answers: From :func:`environment_answers`.
        http: HTTP without any credential.
    """

    account: str
    way: str
    answers: Mapping[str, Secret]
    http: "Http"

    async def ask(self, field: LoginField) -> str:
        """Return what the environment answers."""
        return (await self.ask_secret(field)).reveal()

    async def ask_secret(self, field: LoginField) -> Secret:
        """Return what the environment answers."""
        if field.name in self.answers:
            return self.answers[field.name]
        raise NotLoggedIn(
            f"{_variable(self.account, field)} is not in the environment",
            hint="Set it, or log in at a terminal with: rove --add-source KIND",
            account=self.account,
        )

    def show(self, url: str, *, note: str = "") -> None:
        """Show nothing: nobody is there to see it."""

    async def redirect(
        self,
        authorize: Callable[[str, str], str],  # noqa: ARG002  # the protocol has it
        *,
        port: int = 0,  # noqa: ARG002  # the protocol has it
    ) -> Redirected:
        """Refuse: a browser needs a person.

        Raises:
            NotLoggedIn: Always.
        """
        raise NotLoggedIn(
            f"{self.account} logs in through a browser ({self.way}), and that needs a person",
            hint="Log in at a terminal with: rove --add-source KIND",
            account=self.account,
        )


def _variable(account: str, field: LoginField) -> str:
    return f"{account_variable(account)}_{environment_name(field.name)}"


def _answer(account: str, field: LoginField, environ: Mapping[str, str]) -> str:
    names = (_variable(account, field), *field.environment)
    return next(filter(None, (environ.get(name, "").strip() for name in names)), "")
