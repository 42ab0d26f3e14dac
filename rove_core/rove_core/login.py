"""Logging in: what a source asks the user, and the credential it returns."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from attrs import field, frozen

from rove_core.safety.secret import Secret

if TYPE_CHECKING:
    from rove_core.http import Http
    from rove_core.items import AnyAccount


@frozen(kw_only=True)
class Credential:
    """A credential. The source creates it; the core stores it and attaches it to requests.

    Attributes:
        headers: Sent with each request, exactly as they stand here.
        hosts: The only hosts they are sent to (``acme.atlassian.net``).
        access: The access token, for a source that needs it elsewhere than in a header.
        refresh: What the source exchanges for the next credential.
        expires_at: When it stops working; None when the vendor does not say.
        ends_at: When its user has to log in again, however often it is renewed until then; None
            when the vendor does not say. What is renewed ends when what it was made of ends.
        scopes: What it allows, in the vendor's words.
        extra: Whatever else the source needs to refresh it (a client secret).
    """

    headers: Mapping[str, Secret]
    hosts: tuple[str, ...]
    access: Secret | None = None
    refresh: Secret | None = None
    expires_at: datetime | None = None
    ends_at: datetime | None = None
    scopes: tuple[str, ...] = ()
    extra: Mapping[str, Secret] = field(factory=dict)

    @property
    def lasts_until(self) -> datetime | None:
        """Return when a new login is needed, if known."""
        return self.ends_at or (None if self.refresh else self.expires_at)


def authorization(account: "AnyAccount", value: str) -> Credential:
    """Return the credential that is an ``Authorization`` header, sent where the vendor answers.

    Args:
        account: The account it lets in.
        value: The whole header, with its scheme if it has one (``Bearer xoxp-...``).
    """
    return Credential(
        headers={"Authorization": Secret(value)}, hosts=(urlsplit(account.base_url).netloc,)
    )


@frozen(kw_only=True)
class LoginField:
    """One thing to ask a person.

    Attributes:
        name: How a variable names it (``token``: ``ROVE_JIRA_TOKEN``). Only ``token`` and ``email``
            have options too (``--token-stdin``, ``--email``): without a terminal, a field of
            another name is read from its variable.
        title: How a person is asked for it.
        secret: Whether it is typed unseen and kept as a :class:`Secret`.
        help: Where to get it, in one line.
        environment: The vendor's own variables that may hold it (``GH_TOKEN``), first wins.
        choices: The only answers there are, where they are few; a person picks one.
    """

    name: str
    title: str
    secret: bool = False
    help: str = ""
    environment: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


@frozen(kw_only=True)
class LoginWay:
    """One way to log in to a kind of source.

    Attributes:
        name: How options name it (``token``, ``oauth``).
        title: One line for people.
        fields: All it may ask; with each of them in the environment nobody is asked.
        url: The page where a person gets what is asked for; or what gives it for the address at
            which the account's vendor answers, where people host that themselves.
        person: Whether a person has to be there, whatever the environment answers: to agree in
            a browser, or to type a code there.
        base_url: Where the vendor answers who logs in by this way, if that is one place for all.
        default: Whether it is taken without a question unless another is asked for: it does what
            the vendor itself asks for.
    """

    name: str
    title: str
    fields: tuple[LoginField, ...] = ()
    url: str | Callable[[str], str] = ""
    person: bool = False
    base_url: str = ""
    default: bool = False

    def page(self, base_url: str) -> str:
        """Return the page where a person creates the requested token or app.

        Args:
            base_url: Where the account's vendor answers.
        """
        return self.url(base_url) if callable(self.url) else self.url


@frozen
class LoginRedirect:
    """The vendor's redirect after a browser login.

    Attributes:
        uri: The redirect address that was used; vendors want it again.
        parameters: The query of the redirect; ``state`` is already checked.
    """

    uri: str
    parameters: Mapping[str, Secret]


class Login(Protocol):
    """The dialogue with the person who logs in: terminal, variables or test."""

    @property
    def way(self) -> str:
        """The name of the :class:`LoginWay` that was chosen."""

    @property
    def http(self) -> "Http":
        """HTTP without any credential, for the vendor's own login endpoints."""

    async def ask(self, field: LoginField) -> str:
        """Return the person's answer."""

    async def ask_secret(self, field: LoginField) -> Secret:
        """Return the person's answer, typed unseen."""

    def show(self, url: str, *, note: str = "") -> None:
        """Show a page to open, with what to do or type there."""

    async def redirect(
        self, authorize: Callable[[str, str], str], *, port: int = 0
    ) -> LoginRedirect:
        """Open the vendor's page for the user and return the parameters of the redirect.

        Args:
            authorize: Gives the vendor's page for a redirect address and a ``state``.
            port: The loopback port, where the vendor wants it fixed; any free one if 0.
        """
