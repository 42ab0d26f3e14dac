"""Settings and login methods of an Asana account."""

from typing import Final

from attrs import frozen

from rove_core import LoginField, LoginWay
from rove_core.auth.oauth import CLIENT_ID, CLIENT_SECRET, OAuthSettings

#: What a login needs to read, and what it needs besides to change tasks.
READING: Final = (
    *("attachments:read", "custom_fields:read", "projects:read", "stories:read", "tags:read"),
    *("tasks:read", "users:read", "workspaces:read", "workspaces.typeahead:read"),
)
WRITING: Final = ("attachments:write", "stories:write", "tasks:write")

_APPS: Final = "https://app.asana.com/0/my-apps"

TOKEN: Final = LoginField(
    name="token",
    title="Personal access token",
    secret=True,
    help="Create new token, under Personal access tokens; it is shown once.",
    environment=("ASANA_ACCESS_TOKEN",),
)
TOKEN_WAY: Final = LoginWay(name="token", title="Personal access token", fields=(TOKEN,), url=_APPS)
OAUTH: Final = LoginWay(
    name="oauth",
    title="OAuth app of your own, in a browser; it renews itself",
    fields=(CLIENT_ID, CLIENT_SECRET),
    url=_APPS,
    person=True,
)


@frozen(kw_only=True)
class AsanaSettings(OAuthSettings):
    """The settings of an Asana account: those that every vendor has, and those of an app.

    Asana allows 150 requests a minute on its free plan and 1,500 on the others.

    Attributes:
        workspace: The workspace to read, by its name or id, for a person who is in several.
        writes: Whether to ask for the right to change tasks when one logs in with an app.
    """

    rate_limit: int = 140
    page_size: int = 100
    workspace: str = ""
    writes: bool = False
