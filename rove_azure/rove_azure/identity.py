"""Identity of an account in its organization, and its projects."""

from collections.abc import Sequence
from contextlib import aclosing
from typing import Final
from urllib.parse import urlsplit

from rove_azure.api import AzureApi, listed
from rove_azure.errors import login_command
from rove_azure.references import places_of
from rove_azure.replies import ProjectReply
from rove_azure.settings import AzureSettings, token_page
from rove_core import (
    Account,
    Identity,
    LoginRefused,
    MalformedReply,
    NotFound,
    ScopeMissing,
    WrongSetting,
)
from rove_core.json_reader import read_each, text, value_at

_MOST_NAMED: Final = 20
#: Who asks a public organization without any login.
_NOBODY: Final = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"
_HINT: Final = (
    "Give the address of your organization: --base-url https://dev.azure.com/YOUR-ORGANIZATION"
)


async def identity(account: Account[AzureSettings], api: AzureApi) -> Identity:
    """Return the identity of the login, and the readable projects.

    Raises:
        WrongSetting: What answers there is no organization.
    """
    try:
        who = value_at((await api.me()).json(), "authenticatedUser")
    except NotFound as error:
        message = f"no organization of Azure DevOps answers at {account.base_url}"
        raise WrongSetting(message, hint=_HINT, account=account.name) from error
    except MalformedReply as error:
        error.hint = f"Is {account.base_url} an organization of Azure DevOps? {_HINT}"
        raise
    name = text(who, "providerDisplayName") or text(who, "customDisplayName")
    if not name or text(who, "id") == _NOBODY:
        raise LoginRefused(
            f"{account.base_url}: Azure DevOps did not identify the login",
            hint=f"Make a token at {token_page(account.base_url)}, then: {login_command(account)}",
        )
    projects = await projects_of(account, api)
    site = _site(account, projects)
    return Identity(
        name=name,
        id=text(who, "properties", "Account", "$value") or text(who, "id"),
        reads=_reads([each.name for each in projects], site),
        hosts=tuple(dict.fromkeys(each.partition("/")[0].lower() for each in places_of(site))),
        workspace=urlsplit(site).path.strip("/"),
    )


async def projects_of(account: Account[AzureSettings], api: AzureApi) -> list[ProjectReply]:
    """Return the projects that can be read: those that the settings name, or all.

    Raises:
        ScopeMissing: The login may not list projects.
    """
    if account.settings.projects:
        return [ProjectReply(name=name) for name in account.settings.projects]
    return await _listed_projects(account, api)


async def readable_projects(account: Account[AzureSettings], api: AzureApi) -> list[str]:
    """Return the names of the account's projects that can be read now.

    Those that the settings name are all taken for readable if the login may not list projects.
    """
    named = account.settings.projects
    try:
        found = [each.name for each in await _listed_projects(account, api)]
    except ScopeMissing:
        if not named:
            raise
        return [*named]
    there = {each.lower() for each in found}
    return [each for each in named if each.lower() in there] if named else found


async def _listed_projects(account: Account[AzureSettings], api: AzureApi) -> list[ProjectReply]:
    """Return the projects that the organization lists for the login."""
    found: list[ProjectReply] = []
    try:
        async with aclosing(api.projects()) as pages:
            async for page in pages:
                found += read_each(listed(page, "value"), ProjectReply)
    except (LoginRefused, ScopeMissing) as error:
        await api.me()  # A login that is no good at all is told as that.
        raise ScopeMissing(
            "the login may not list projects",
            hint="Make a token that has Project and Team (Read), too, at "
            f"{token_page(account.base_url)}; or name your projects: "
            f"{login_command(account)} --set 'projects=[\"ONE\"]'",
        ) from error
    return [each for each in found if each.name]


def site_of(account: Account[AzureSettings]) -> str:
    """Return the web address of an account's organization, if known."""
    login = account.identity
    if login is None or not login.hosts or not login.workspace:
        return account.base_url.rstrip("/")
    here = urlsplit(account.base_url)
    scheme = here.scheme if here.netloc.lower() == login.hosts[0] else "https"
    return f"{scheme}://{login.hosts[0]}/{login.workspace}"


def _site(account: Account[AzureSettings], projects: Sequence[ProjectReply]) -> str:
    """Return the web address of an organization, as it reports it."""
    for each in projects:
        place, found, _ = each.url.partition("/_apis/")
        if found and urlsplit(place).netloc:
            return place
    return account.base_url.rstrip("/")


def _reads(names: Sequence[str], site: str) -> tuple[str, ...]:
    """Return what can be read, a line for each project, but not for hundreds of them."""
    lines = [*names[:_MOST_NAMED]]
    if more := len(names) - len(lines):
        lines.append(f"and {more} more projects of {site}")
    return tuple(lines) or (f"{site}, but no project of it",)
