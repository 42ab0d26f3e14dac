"""Log in with prepared answers: from variables, options or a demo."""

from collections.abc import Callable, Mapping

from attrs import field, frozen

from rove_core.errors import NotLoggedIn
from rove_core.http import Http
from rove_core.login import LoginField, LoginRedirect
from rove_core.safety.secret import Secret


@frozen
class PreparedLogin:
    """A :class:`~rove_core.login.Login` without a person.

    Attributes:
        way: The way to log in that was chosen.
        answers: What to answer, by the field's name.
        http: HTTP without a credential.
        otherwise: What to do about an answer that is not there.
    """

    way: str
    answers: Mapping[str, Secret]
    http: Http
    otherwise: str = field(default="", kw_only=True)

    async def ask(self, field: LoginField) -> str:
        """Return the answer."""
        return (await self.ask_secret(field)).reveal()

    async def ask_secret(self, field: LoginField) -> Secret:
        """Return the answer.

        Raises:
            NotLoggedIn: There is none.
        """
        if field.name not in self.answers:
            raise NotLoggedIn(f"missing {field.name}: {field.title}", hint=self.otherwise)
        return self.answers[field.name]

    def show(self, url: str, *, note: str = "") -> None:
        """Ignore the message, since nobody is there to read it."""

    async def redirect(
        self,
        authorize: Callable[[str, str], str],  # noqa: ARG002  # the protocol's
        *,
        port: int = 0,  # noqa: ARG002  # the protocol's
    ) -> LoginRedirect:
        """Refuse, since there is no browser.

        Raises:
            NotLoggedIn: Always.
        """
        raise NotLoggedIn(
            f"the login by {self.way!r} needs a browser, which cannot be opened here",
            hint=self.otherwise,
        )
