"""Settings, login methods and search fields of an Azure DevOps account."""

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from attrs import field, frozen

from rove_core import LoginField, LoginWay, SearchableField
from rove_core.auth.oauth import CLIENT_ID, OAuthSettings

if TYPE_CHECKING:
    from attrs import Attribute

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
OAUTH: Final = LoginWay(
    name="oauth",
    title="Microsoft Entra app of your own, in a browser; it renews itself",
    fields=(CLIENT_ID,),
    url="https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade",
    person=True,
)
_TENANT: Final = re.compile(r"[\w.-]+", re.ASCII)

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
class AzureSettings(OAuthSettings):
    """The settings of an Azure DevOps account: those that every vendor has, and those of an app.

    Azure counts what requests cost it, and not the requests; 100 a minute stay below.

    Attributes:
        projects: Read these projects only. A token then needs no right to list projects.
        tenant: The directory in which one logs in with an app: its id or one of its domains.
        writes: Whether to ask for the right to change work items when one logs in with an app.
    """

    rate_limit: int = 100
    projects: tuple[str, ...] = ()
    tenant: str = field(default="organizations")
    writes: bool = False

    @tenant.validator
    def _is_a_tenant(self, _: "Attribute[str]", name: str) -> None:
        if not _TENANT.fullmatch(name):
            raise ValueError(f"{name!r} is not the id or a domain of a directory")
