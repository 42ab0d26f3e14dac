"""Logging in at a terminal: what was not given already is asked for there."""

import sys
from collections.abc import Callable, Mapping

import click
from attrs import frozen

from rove_core.errors import NotLoggedIn
from rove_core.http import Http
from rove_core.login import LoginField, Redirected
from rove_core.secret import Secret


@frozen(kw_only=True)
class TerminalLogin:
    """A :class:`~rove_core.login.Login` of the person at the terminal.

    Attributes:
        way: The way to log in that was chosen.
        given: What options and variables have answered already, by the field's name.
        otherwise: How to answer without a terminal.
        http: HTTP without a credential.
    """

    way: str
    given: Mapping[str, Secret]
    otherwise: str
    http: Http

    async def ask(self, field: LoginField) -> str:
        """Return the person's answer."""
        return self._answer(field, hidden=False).reveal()

    async def ask_secret(self, field: LoginField) -> Secret:
        """Return the person's answer, typed unseen."""
        return self._answer(field, hidden=True)

    def show(self, url: str, *, note: str = "") -> None:
        """Print a page to open."""
        click.echo(" ".join(filter(None, (note, url))), err=True)

    async def redirect(
        self,
        authorize: Callable[[str, str], str],  # noqa: ARG002  # the protocol has it
        *,
        port: int = 0,  # noqa: ARG002  # the protocol has it
    ) -> Redirected:
        """Refuse: at a terminal one logs in with what can be typed.

        Raises:
            NotLoggedIn: Always.
        """
        raise NotLoggedIn(f"{self.way!r} needs a browser; a terminal takes what can be typed")

    def _answer(self, field: LoginField, *, hidden: bool) -> Secret:
        if field.name in self.given:
            return self.given[field.name]
        if not sys.stdin.isatty():
            raise NotLoggedIn(
                f"{field.title} is asked for, and nobody is at a terminal", hint=self.otherwise
            )
        if field.help:
            click.echo(field.help, err=True)
        return Secret(click.prompt(field.title, hide_input=hidden, err=True))
