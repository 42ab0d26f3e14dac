"""Settings and login methods of a Slack account."""

from typing import Final

from attrs import field, frozen, validators

from rove_core import LoginField, LoginWay
from rove_core.auth.oauth import CLIENT_ID, OAuthSettings

#: Where a person makes an app, and finds its token.
APPS: Final = "https://api.slack.com/apps"

USER_TOKEN: Final = LoginField(
    name="token",
    title="User token (xoxp-...), or bot token (xoxb-...)",
    secret=True,
    help="OAuth & Permissions. A user token searches; a bot's scans the channels it is in.",
    environment=("SLACK_USER_TOKEN",),
)
TOKEN: Final = LoginWay(
    name="token",
    title="Token of an app of your own",
    fields=(USER_TOKEN,),
    url=APPS,
)
OAUTH: Final = LoginWay(
    name="oauth",
    title="App of your own, in a browser (OAuth with PKCE)",
    fields=(CLIENT_ID,),
    url=APPS,
    person=True,
)


@frozen(kw_only=True)
class SlackSettings(OAuthSettings):
    """The settings of a Slack account: those that every vendor has, and those of an app.

    Attributes:
        scan_days: How many days back a bot's token scans the channels it is in.
    """

    rate_limit: int = 50
    page_size: int = 100
    scan_days: int = field(default=30, validator=validators.ge(1))
