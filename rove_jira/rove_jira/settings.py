"""Settings, login methods and search fields of a Jira account."""

from typing import Final

from attrs import frozen

from rove_core import LoginField, LoginWay, SearchableField
from rove_core.auth.oauth import CLIENT_ID, CLIENT_SECRET, OAuthSettings

#: What an identity has in the place of a site's name at the gateway, which there is not.
DATA_CENTER: Final = "data-center"
#: What a token with scopes needs.
SCOPES: Final = ("read:jira-work", "read:jira-user")
#: What it needs as well to change tickets.
WRITE_SCOPE: Final = "write:jira-work"
#: What an app's login needs to read pages; Confluence's older scopes do not open its newer API.
PAGE_SCOPE: Final = "read:page:confluence"

EMAIL: Final = LoginField(name="email", title="E-mail of your Atlassian account")
API_TOKEN: Final = LoginField(
    name="token",
    title="API token",
    secret=True,
    help="Make one under Security, API tokens; it is shown once.",
)
ACCESS_TOKEN: Final = LoginField(
    name="token",
    title="Access token",
    secret=True,
    help=f"An OAuth 2.0 access token with the scopes {' and '.join(SCOPES)}, and {PAGE_SCOPE} for "
    "pages; it lives an hour.",
)
TOKEN: Final = LoginWay(
    name="token",
    title="API token",
    fields=(EMAIL, API_TOKEN),
    url="https://id.atlassian.com/manage-profile/security/api-tokens",
)
BEARER: Final = LoginWay(
    name="bearer",
    title="Access token of an OAuth 2.0 app of your own",
    fields=(ACCESS_TOKEN,),
    url="https://developer.atlassian.com/console/myapps/",
)
PAT: Final = LoginWay(
    name="pat",
    title="Personal access token of Jira Data Center",
    fields=(
        LoginField(
            name="token",
            title="Personal access token",
            secret=True,
            help="Make one in your Jira under Profile, Personal Access Tokens.",
        ),
    ),
)

SITE: Final = LoginField(name="site", title="Which of your sites?")
OAUTH: Final = LoginWay(
    name="oauth",
    title="OAuth 2.0 app of your own, in a browser; it renews itself",
    fields=(CLIENT_ID, CLIENT_SECRET, SITE),
    url="https://developer.atlassian.com/console/myapps/",
    person=True,
    base_url="https://api.atlassian.com",
)

FIELDS: Final = (
    SearchableField("ticket_id", "id_reference", "The key of a ticket, like TB-123."),
    SearchableField("ticket_title", "text", "Words in its title."),
    SearchableField("ticket_description", "text", "Words in its description."),
    SearchableField("comments", "text", "Words in its comments."),
    SearchableField(
        "related_tickets", "id_reference", "The key of a ticket it is linked to, above or below."
    ),
    SearchableField("labels", "keyword", "Its labels, each as a whole."),
)


@frozen(kw_only=True)
class JiraSettings(OAuthSettings):
    """The settings of a Jira account: those that every vendor has, and those of an app.

    Attributes:
        confluence: Whether to read the pages of the site's Confluence that anybody links to.
        writes: Whether to ask for the right to change tickets when one logs in with an app.
    """

    rate_limit: int = 100
    confluence: bool = False
    writes: bool = False
