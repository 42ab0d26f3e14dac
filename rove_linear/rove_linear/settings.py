"""Settings and login methods of a Linear account."""

from typing import Final

from attrs import frozen

from rove_core import LoginField, LoginWay
from rove_core.auth.oauth import CLIENT_ID, OAuthSettings

API_KEY: Final = LoginField(
    name="token",
    title="Personal API key (lin_api_...)",
    secret=True,
    help="New API key, with the permission Read; it is shown once.",
    environment=("LINEAR_API_KEY",),
)
KEY: Final = LoginWay(
    name="token",
    title="Personal API key",
    fields=(API_KEY,),
    url="https://linear.app/settings/account/security",
)
OAUTH: Final = LoginWay(
    name="oauth",
    title="OAuth app of your own, in a browser; it renews itself",
    fields=(CLIENT_ID,),
    url="https://linear.app/settings/api/applications/new",
    person=True,
)


@frozen(kw_only=True)
class LinearSettings(OAuthSettings):
    """The settings of a Linear account: those that every vendor has, and those of an app.

    Linear allows a key 2,500 requests an hour; 40 a minute stay below.

    Attributes:
        writes: Whether to ask for the right to change issues when one logs in with an app.
    """

    rate_limit: int = 40
    writes: bool = False
