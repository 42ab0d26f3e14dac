"""Identity of an account on its site, and what it may read."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from rove_core import (
    JSON,
    Account,
    Identity,
    MalformedReply,
    NotFound,
    ScopeMissing,
    WrongSetting,
)
from rove_core.json_reader import elements, mapping, text, value_at
from rove_jira.api import JiraApi, thing
from rove_jira.settings import DATA_CENTER, WRITE_SCOPE, JiraSettings

_MOST_NAMED: Final = 20
#: What somebody may do who changes tickets.
_EDITING: Final = ("EDIT_ISSUES", "ADD_COMMENTS", "CREATE_ISSUES")
_HINT: Final = (
    "Give the address that people open in a browser: --base-url https://YOURS.atlassian.net, "
    "or that of your own Jira Data Center."
)


async def identity(
    account: Account[JiraSettings], site: JiraApi, scopes: Sequence[str] = ()
) -> Identity:
    """Return the identity of the login: user, site and readable projects.

    Args:
        account: The account.
        site: The site.
        scopes: What the login of an app allows.

    Raises:
        WrongSetting: What answers there is no Jira.
    """
    try:
        me, server = await _request_user(site)
    except NotFound as error:
        raise _no_jira(account) from error
    except MalformedReply as error:
        error.hint = f"Is {account.base_url} a site of Jira? {_HINT}"
        raise
    name = text(me, "displayName") or text(me, "accountId")
    expected = {"Server"} if site.is_data_center else {"", "Cloud"}
    if not name or text(server, "deploymentType") not in expected:
        raise _no_jira(account)
    projects = await projects_of(site)
    here = urlsplit(account.base_url).netloc
    # Data Center may not know under which address people reach it.
    site_host = "" if site.is_data_center else urlsplit(text(server, "baseUrl")).netloc
    host = (site_host or here).lower()
    return Identity(
        name=name,
        id=text(me, "accountId") or text(me, "name") or text(me, "key"),
        reads=_reads(projects, host),
        prefixes=tuple(each.key for each in projects or ()),
        hosts=(host,),
        workspace=DATA_CENTER if site.is_data_center else site.cloud,
        writes=await _writes(site, scopes),
    )


async def _request_user(site: JiraApi) -> tuple[JSON, JSON]:
    """Return the current user and server information; without Cloud's API, of Data Center."""
    try:
        me = (await site.get("myself", kind="myself")).json()
    except NotFound:
        if site.is_data_center:
            raise
        site.is_data_center = True
        me = (await site.get("myself", kind="myself")).json()
    return me, thing(await site.get("serverInfo", kind="serverInfo"), "baseUrl")


async def _writes(site: JiraApi, scopes: Sequence[str]) -> bool | None:
    """Return whether the login may change tickets anywhere; None if unknown.

    Jira tells what the person may do. What a token with scopes allows, it tells an app alone.
    """
    if scopes and WRITE_SCOPE not in scopes:
        return False
    try:
        reply = await site.get(
            "mypermissions", kind="mypermissions", permissions=",".join(_EDITING)
        )
    except (NotFound, ScopeMissing):
        return None
    permissions = mapping(reply.json(), "permissions")
    flags = [
        value_at(permissions.get(name), "havePermission")
        for name in _EDITING
        if name in permissions
    ]
    if not any(flags):
        return False if flags else None
    return True if scopes or not site.cloud else None


def _no_jira(account: Account[JiraSettings]) -> WrongSetting:
    message = f"no Jira answers at {account.base_url}"
    return WrongSetting(message, hint=_HINT, account=account.name)


@frozen
class ReadableProject:
    """A project that the account may read.

    Attributes:
        key: The prefix of its tickets' keys.
        name: Its name.
        private: Whether only some people may read it.
    """

    key: str
    name: str
    private: bool


async def projects_of(site: JiraApi) -> list[ReadableProject] | None:
    """Return the projects; None if they cannot be listed."""
    path = "project/search"
    with suppress(NotFound):
        if site.is_data_center:
            reply = await site.get("project", kind="project")
            if not isinstance(reply.json(), list):
                raise MalformedReply(f"{reply.where} sent no list of projects")
            return [*_named(elements(reply.json()))]
        found = await site.listed(path, "values", kind="project/search", orderBy="key")
        return [*_named(found.things)]
    return None


def _named(projects: Iterable[JSON]) -> Iterator[ReadableProject]:
    for each in projects:
        if key := text(each, "key"):
            private = value_at(each, "isPrivate") is True
            yield ReadableProject(key, text(each, "name"), private)


def _reads(projects: Sequence[ReadableProject] | None, host: str) -> tuple[str, ...]:
    """Return what can be read, a line for each project, but not for hundreds of them."""
    if projects is None:
        return (host,)
    lines = [f"{each.key} {each.name}".strip() for each in projects[:_MOST_NAMED]]
    if more := len(projects) - len(lines):
        lines.append(f"and {more} more projects of {host}")
    return tuple(lines) or (f"{host}, but no project of it",)
