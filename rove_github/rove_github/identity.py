"""Identity of an account, and what it may read."""

from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from rove_core import (
    Account,
    Identity,
    ItemNotFound,
    MalformedReply,
    Reply,
    RoveError,
    ScopeMissing,
    WrongSetting,
)
from rove_core.json_reader import read_one
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.concurrency import together
from rove_github.references import web_host
from rove_github.scopes import owners_of, readable
from rove_github.settings import GitHubSettings

_MOST_NAMED: Final = 10
_ADDRESSES: Final = (
    "GitHub's API is https://api.github.com, or https://HOST/api/v3 on an Enterprise Server."
)


async def who_is(api: GitHubApi, account: Account[GitHubSettings]) -> Identity:
    """Return the user of the login."""
    try:
        reply = await _request_user(api)
        me = read_one(reply, replies.UserReply)
        if not me.login and (data := read_one(reply, replies.ViewerData).data):
            me = data.viewer
    except ItemNotFound as error:
        raise WrongSetting(_not_github(account, error.message), hint=_ADDRESSES) from error
    except MalformedReply as error:
        hint = f"Check for a proxy or login page in between. {_ADDRESSES}"
        raise MalformedReply(_not_github(account, error.message), hint=hint) from error
    if not me.login:
        raise WrongSetting(_not_github(account, "it names no user"), hint=_ADDRESSES)
    settings = account.settings
    own = [] if settings.repositories or settings.owners else await readable(api)
    return Identity(
        name=me.login,
        id=str(me.id),
        reads=(*(_first_few(own) or await _reads(api, settings)), *_scopes(reply)),
        prefixes=tuple(f"{each}/" for each in owners_of(own)),
        writes=_writes(reply),
        login_ends_at=_login_end(reply),
        hosts=((urlsplit(me.html_url).netloc or web_host(account)).lower(),),
    )


async def _request_user(api: GitHubApi) -> Reply:
    """Return the user behind the login; for an app, its bot, which only GraphQL knows."""
    try:
        return await api.get("user")
    except ScopeMissing:
        return await api.ask("query { viewer { login html_url: url } }", {})


async def _reads(api: GitHubApi, settings: GitHubSettings) -> list[str]:
    """Return which repositories can be read; raise if those that are set cannot."""
    errors: list[RoveError] = []
    found = await together(_readable(api, each, errors) for each in settings.repositories)
    if errors and not any(found) and not settings.owners:
        raise errors[0]
    return [*filter(None, found), *(f"the repositories of {each}" for each in settings.owners)]


async def _readable(api: GitHubApi, repository: str, errors: list[RoveError]) -> str:
    """Return the name of a repository that can be read, else nothing, with the reason."""
    try:
        reply = await api.get(repository_path(repository))
    except (ItemNotFound, ScopeMissing) as error:
        errors.append(error)
        return ""
    return read_one(reply, replies.RepositoryReply).full_name or repository


def _first_few(names: list[str]) -> list[str]:
    """Return a few of all the repositories that can be read, and how many more there are."""
    more = len(names) - _MOST_NAMED
    if more <= 0:
        return names
    return [*names[:_MOST_NAMED], f"{more} more repositories" if more < 90 else "many more"]


def _scopes(reply: Reply) -> list[str]:
    """Return the scopes of a classic token; a fine-grained one does not list them."""
    if "x-oauth-scopes" not in reply.headers:
        return []
    scopes = reply.headers["x-oauth-scopes"].strip()
    return [f"what the scopes of the token allow: {scopes}" if scopes else "public things only"]


def _writes(reply: Reply) -> bool | None:
    """Return whether a classic token may change issues; a fine-grained one does not say."""
    if "x-oauth-scopes" not in reply.headers:
        return None
    scopes = {scope.strip() for scope in reply.headers["x-oauth-scopes"].split(",")}
    return bool(scopes & {"repo", "public_repo"})


def _login_end(reply: Reply) -> datetime | None:
    """Return when the token ends; GitHub says so with each reply if it ends at all."""
    text = reply.headers.get("github-authentication-token-expiration", "").replace("UTC", "+0000")
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").astimezone(UTC)
    except ValueError:
        return None


def _not_github(account: Account[GitHubSettings], why: str) -> str:
    return f"{account.base_url} does not answer as GitHub's API does: {why}"
