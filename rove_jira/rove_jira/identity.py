"""Who an account is at its site, and what it may read there."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from rove_core import Account, Identity, MalformedReply, NotFound, WrongSetting
from rove_jira.reading import text
from rove_jira.settings import JiraSettings
from rove_jira.site import Site, thing

_MOST_NAMED: Final = 20
_HINT: Final = "Give the address of your site alone: --base-url https://YOURS.atlassian.net"


async def identity(account: Account[JiraSettings], site: Site) -> Identity:
    """Return whose login it is, the site it opens, and the projects it may read.

    Raises:
        WrongSetting: What answers there is no Jira Cloud.
    """
    try:
        me = (await site.get("rest/api/3/myself", kind="myself")).json()
        reply = await site.get("rest/api/3/serverInfo", kind="serverInfo")
        server = thing(reply, "baseUrl")
    except NotFound as error:
        raise _no_jira(account) from error
    except MalformedReply as error:
        error.hint = f"Is {account.base_url} a site of Jira Cloud? {_HINT}"
        raise
    name = text(me, "displayName") or text(me, "accountId")
    if not name or text(server, "deploymentType") not in {"", "Cloud"}:
        raise _no_jira(account)
    projects = await _projects(site)
    host = (urlsplit(text(server, "baseUrl")).netloc or urlsplit(account.base_url).netloc).lower()
    return Identity(
        name=name,
        id=text(me, "accountId"),
        reads=_reads(projects, host),
        prefixes=tuple(key for key, _ in projects or ()),
        hosts=(host,),
        workspace=site.cloud,
    )


def _no_jira(account: Account[JiraSettings]) -> WrongSetting:
    said = f"no Jira Cloud answers at {account.base_url}"
    return WrongSetting(said, hint=_HINT, account=account.name)


async def _projects(site: Site) -> list[tuple[str, str]] | None:
    """Return the keys and names of the projects; None where nobody tells them."""
    path = "rest/api/3/project/search"
    with suppress(NotFound):
        found = await site.listed(path, "values", kind="project/search", orderBy="key")
        return [
            (key, text(project, "name"))
            for project in found.things
            if (key := text(project, "key"))
        ]
    return None


def _reads(projects: Sequence[tuple[str, str]] | None, host: str) -> tuple[str, ...]:
    """Return what can be read, a line for each project, but not for hundreds of them."""
    if projects is None:
        return (host,)
    lines = [f"{key} {name}".strip() for key, name in projects[:_MOST_NAMED]]
    if more := len(projects) - len(lines):
        lines.append(f"and {more} more projects of {host}")
    return tuple(lines) or (f"{host}, but no project of it",)
