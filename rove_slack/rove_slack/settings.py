"""What an account of Slack may set, and how one logs in."""

from attrs import frozen

from rove_core import CommonSettings, LoginField, LoginWay

USER_TOKEN = LoginField(
    name="token",
    title="User token (xoxp-...)",
    secret=True,
    help="OAuth & Permissions, User OAuth Token: a bot's token cannot search.",
    environment=("SLACK_USER_TOKEN",),
)
TOKEN = LoginWay(
    name="token",
    title="User token of an app of your own",
    fields=(USER_TOKEN,),
    url="https://api.slack.com/apps",
)


@frozen(kw_only=True)
class SlackSettings(CommonSettings):
    """The settings of a Slack account: those that every vendor has."""

    rate_limit: int = 50
    page_size: int = 100
