"""What an account of Azure DevOps may set, how one logs in, and what can be looked for."""

from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from rove_core import CommonSettings, LoginField, LoginWay, SearchableField

#: Where Microsoft's own service answers.
CLOUD: Final = "dev.azure.com"


def token_page(base_url: str) -> str:
    """Return the page where a person makes a token, for the address of an organization."""
    parts = urlsplit(base_url)
    if not parts.netloc:
        return f"https://{CLOUD}/YOUR-ORGANIZATION/_usersSettings/tokens"
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/_usersSettings/tokens"


ACCESS_TOKEN: Final = LoginField(
    name="token",
    title="Personal access token",
    secret=True,
    help="New Token, with Work Items (Read) and Project and Team (Read); it is shown once.",
    environment=("AZURE_DEVOPS_EXT_PAT",),
)
TOKEN: Final = LoginWay(
    name="token", title="Personal access token", fields=(ACCESS_TOKEN,), url=token_page
)

FIELDS: Final = (
    SearchableField("ticket_id", "id_reference", "The number of a work item, like 123"),
    SearchableField("ticket_title", "text", "Words in its title"),
    SearchableField(
        "ticket_description", "text", "Words in its description, steps or acceptance criteria"
    ),
    SearchableField("comments", "text", "Words in its discussion"),
    SearchableField("labels", "keyword", "Its tags, each as a whole"),
)


@frozen(kw_only=True)
class AzureSettings(CommonSettings):
    """The settings of an Azure DevOps account.

    Azure counts what requests cost it, and not the requests; 100 a minute stay below.

    Attributes:
        projects: Read these projects only. A token then needs no right to list projects.
    """

    rate_limit: int = 100
    projects: tuple[str, ...] = ()
