"""Settings, login methods and search fields of a GitHub account."""

import re
from typing import Final
from urllib.parse import urlsplit

from attrs import Attribute, field, frozen

from rove_core import CommonSettings, LoginField, LoginWay, SearchableField
from rove_core.auth.oauth import CLIENT_ID


def _page(base_url: str, name: str) -> str:
    """Return a page of a person's settings, on the host that people see of an API."""
    address = urlsplit(base_url)
    host = address.netloc.removeprefix("api.") or "github.com"
    return f"{address.scheme or 'https'}://{host}/settings/{name}"


ACCESS_TOKEN: Final = LoginField(
    name="token",
    title="Personal access token",
    secret=True,
    help="A fine-grained token that may read issues, pull requests and contents.",
    environment=("GH_TOKEN", "GITHUB_TOKEN"),
)
#: The way in through the login of GitHub's own command line, which asks nobody anything.
GH: Final = "gh"
DEVICE: Final = LoginWay(
    name="device",
    title="App of your own, with a code to type in a browser",
    fields=(CLIENT_ID,),
    url=lambda base_url: _page(base_url, "apps"),
    person=True,
)
LOGINS: Final = (
    LoginWay(
        name="token",
        title="Personal access token",
        fields=(ACCESS_TOKEN,),
        url=lambda base_url: _page(base_url, "personal-access-tokens/new"),
    ),
    LoginWay(name=GH, title="The login of GitHub's command line (gh auth token)"),
    DEVICE,
)
FIELDS: Final = (
    SearchableField("pr_title", "text", "Titles of pull requests"),
    SearchableField("pr_description", "text", "Descriptions of pull requests"),
    SearchableField("pr_comments", "text", "Comments and reviews of pull requests"),
    SearchableField("commit_messages", "text", "Messages of commits on default branches"),
    SearchableField("issue_title", "text", "Titles of issues"),
    SearchableField("issue_body", "text", "Descriptions of issues"),
    SearchableField("discussions", "text", "Titles, texts and comments of discussions"),
)

_OWNER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_REPOSITORY: Final = re.compile(rf"{_OWNER.pattern}/[A-Za-z0-9._-]+")


@frozen(kw_only=True)
class GitHubSettings(CommonSettings):
    """The settings of a GitHub account.

    Attributes:
        repositories: Where to look and what a bare ``#847`` may mean (``acme/api``).
        owners: Whose repositories to look in, all of them (``acme``).
        everywhere: Whether to look in all of GitHub, public repositories of strangers included.
        client_id: The client id of an app of your own, to log in with a code; asked for when empty.
    """

    rate_limit: int = 600
    page_size: int = 100
    repositories: tuple[str, ...] = field(default=())
    owners: tuple[str, ...] = field(default=())
    everywhere: bool = False
    client_id: str = ""

    @repositories.validator
    def _are_repositories(self, _: "Attribute[tuple[str, ...]]", names: tuple[str, ...]) -> None:
        _check(names, _REPOSITORY, "a repository: write it as OWNER/NAME")

    @owners.validator
    def _are_owners(self, _: "Attribute[tuple[str, ...]]", names: tuple[str, ...]) -> None:
        _check(names, _OWNER, "the name of an owner")


def _check(names: tuple[str, ...], pattern: re.Pattern[str], expected: str) -> None:
    for name in names:
        if not pattern.fullmatch(name):
            raise ValueError(f"{name!r} is not {expected}")
