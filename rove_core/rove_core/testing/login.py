"""A simulated person for login tests, who answers every question and follows every link."""

import asyncio
import http.client
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import parse_qs, urlsplit

from attrs import define, field

from rove_core.errors import LoginRefused, NotLoggedIn
from rove_core.http import Http
from rove_core.login import LoginField, LoginRedirect
from rove_core.safety.secret import Secret

#: What a redirect must carry back, so that nobody else can have sent it.
_STATE: Final = "state-of-the-test"


@define
class AnsweringLogin:
    """A :class:`~rove_core.login.Login` that answers at once.

    Attributes:
        way: The way to log in that was chosen.
        answers: What to answer, by the field's name.
        http: HTTP without a credential.
        asked: The names of the fields that were asked for.
        secrets: The answers that were given as secrets.
        shown: The pages that were shown.
    """

    way: str
    answers: Mapping[str, str]
    http: Http
    asked: list[str] = field(factory=list, init=False)
    secrets: list[Secret] = field(factory=list, init=False)
    shown: list[str] = field(factory=list, init=False)

    async def ask(self, field: LoginField) -> str:
        """Return the answer."""
        self.asked.append(field.name)
        if field.name not in self.answers:
            raise NotLoggedIn(f"the test has no answer for {field.name!r} ({field.title})")
        return self.answers[field.name]

    async def ask_secret(self, field: LoginField) -> Secret:
        """Return the answer."""
        secret = Secret(await self.ask(field))
        self.secrets.append(secret)
        return secret

    def show(self, url: str, *, note: str = "") -> None:  # noqa: ARG002  # the protocol's
        """Record the page."""
        self.shown.append(url)

    async def redirect(
        self, authorize: Callable[[str, str], str], *, port: int = 0
    ) -> LoginRedirect:
        """Open the vendor's page, consent, and return the redirect."""
        uri = f"http://127.0.0.1:{port or 8123}/"
        location = await asyncio.to_thread(_location, authorize(uri, _STATE))
        parameters = {name: Secret(texts[0]) for name, texts in _query(location).items()}
        if not location.startswith(uri) or parameters.get("state") != Secret(_STATE):
            raise LoginRefused(f"the vendor sent the browser to {location.partition('?')[0]!r}")
        self.secrets += [value for name, value in parameters.items() if name != "state"]
        return LoginRedirect(uri, parameters)


def _location(url: str) -> str:
    """Return where a page sends the browser."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    try:
        connection.request("GET", f"{parts.path}?{parts.query}")
        return connection.getresponse().getheader("Location", "")
    finally:
        connection.close()


def _query(url: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(url).query)
