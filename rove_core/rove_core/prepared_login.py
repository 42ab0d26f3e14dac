"""Logging in with answers that are there already: from variables, options, or a demonstration."""

from collections.abc import Callable, Mapping

from attrs import frozen

from rove_core.errors import NotLoggedIn
from rove_core.http import Http
from rove_core.login import LoginField, Redirected
from rove_core.secret import Secret


@frozen
class PreparedLogin:
    """A :class:`~rove_core.login.Login` that asks nobody.

    Attributes:
        way: The way to log in that was chosen.
        answers: What to answer, by the field's name.
        http: HTTP without a credential.
    """

    way: str
    answers: Mapping[str, Secret]
    http: Http

    async def ask(self, field: LoginField) -> str:
        """Return the answer."""
        return (await self.ask_secret(field)).reveal()

    async def ask_secret(self, field: LoginField) -> Secret:
        """Return the answer."""
        if field.name not in self.answers:
            raise NotLoggedIn(f"nothing was given for {field.name!r} ({field.title})")
        return self.answers[field.name]

    def show(self, url: str, *, note: str = "") -> None:
        """Show nothing: nobody looks."""

    async def redirect(
        self,
        authorize: Callable[[str, str], str],  # noqa: ARG002  # the protocol's
        *,
        port: int = 0,  # noqa: ARG002  # the protocol's
    ) -> Redirected:
        """Refuse: a browser needs a person."""
        raise NotLoggedIn(f"the log-in by {self.way!r} opens a browser and needs a person")
