"""What an account of Slack may set, and how one logs in."""

from typing import Final

from attrs import frozen

from rove_core import LoginField, LoginWay
from rove_core.auth.oauth import CLIENT_ID, OAuthSettings

#: Where a person makes an app, and finds its token.
APPS: Final = "https://api.slack.com/apps"

USER_TOKEN: Final = LoginField(
    name="token",
    title="User token (xoxp-...)",
    secret=True,
    help="OAuth & Permissions, User OAuth Token: a bot's token cannot search.",
    environment=("SLACK_USER_TOKEN",),
)
TOKEN: Final = LoginWay(
    name="token",
    title="User token of an app of your own",
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
    """The settings of a Slack account: those that every vendor has, and those of an app."""

    rate_limit: int = 50
    page_size: int = 100
