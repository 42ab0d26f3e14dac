"""What an account of Jira may set, and how one logs in."""

from attrs import frozen

from rove_core import CommonSettings, LoginField, LoginWay

EMAIL = LoginField(name="email", title="E-mail of your Atlassian account")
API_TOKEN = LoginField(
    name="token",
    title="API token",
    secret=True,
    help="Make one under Security, API tokens; it is shown once.",
)
TOKEN = LoginWay(
    name="token",
    title="API token",
    fields=(EMAIL, API_TOKEN),
    url="https://id.atlassian.com/manage-profile/security/api-tokens",
)


@frozen(kw_only=True)
class JiraSettings(CommonSettings):
    """The settings of a Jira account: those that every vendor has."""

    rate_limit: int = 100
