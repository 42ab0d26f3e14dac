"""Search scope of an account: configured places, or the user's own."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Final

from attrs import define, field

from rove_core import Account, ItemNotFound, MalformedReply, ScopeMissing, WrongSetting
from rove_core.json_reader import read_all, read_one
from rove_github import replies
from rove_github.api import GitHubApi
from rove_github.errors import sign_on_needed
from rove_github.graphql_replies import OwnerAnswer
from rove_github.references import remotes_of
from rove_github.settings import GitHubSettings

#: What GitHub adds to a list without the organizations whose single sign-on has lapsed.
_LEFT_OUT: Final = re.compile(r"partial-results; *organizations=([0-9, ]+)")
_OWNER: Final = """
query ($login: String!) {
  repositoryOwner(login: $login) { ... on Organization { databaseId } }
}
"""
#: So that one search can name them all.
_MOST_OWNERS: Final = 5


@define(eq=False)
class Scopes:
    """The places in which one account searches.

    Attributes:
        api: Requests to the vendor.
        account: Whose they are.
    """

    api: GitHubApi
    account: Account[GitHubSettings]
    _owners: Sequence[str] | None = field(default=None, init=False)

    @property
    def are_implied(self) -> bool:
        """Whether the settings name no scope."""
        settings = self.account.settings
        return not (settings.repositories or settings.owners or settings.everywhere)

    async def read(self) -> Sequence[str]:
        """Return the places in GitHub's words; none means all of GitHub, which is a choice.

        Raises:
            WrongSetting: There is no place to look in.
        """
        settings = self.account.settings
        if not self.are_implied:
            named = [f"repo:{each}" for each in settings.repositories]
            return named + [f"org:{each}" for each in settings.owners]
        owners = await self._readable_owners()
        remotes = [
            f"repo:{each}"
            for each in remotes_of(self.account)
            if each.partition("/")[0] not in map(str.lower, owners)
        ]
        if not remotes and not owners:
            raise WrongSetting(
                "the token reads no repository, and the project has none on GitHub",
                hint='Name some: repositories = ["OWNER/NAME"] in [sources.github]; '
                "or search all of GitHub: everywhere = true",
            )
        return [*remotes[:1], *(f"user:{each}" for each in owners)][: _MOST_OWNERS + 1]

    async def repositories(self) -> list[str]:
        """Return the repositories in these places; a named one may not be readable."""
        return _once([*self._named, *await self._theirs()])

    async def readable_repositories(self, among: Sequence[str] | None = None) -> list[str]:
        """Return the repositories in these places that the account may read now.

        Args:
            among: The only ones to return, and to request by their names; all if None.
        """
        requested = None if among is None else {each.lower() for each in among}
        theirs = [
            each for each in await self._theirs() if requested is None or each.lower() in requested
        ]
        their_names = {each.lower() for each in theirs}
        # Of a repository that is requested and not listed, the single sign-on may have lapsed.
        named = self._named if among is None else among
        unknown = [each for each in named if each.lower() not in their_names]
        readable = await asyncio.gather(*map(self._is_readable, unknown))
        return _once([*compress(unknown, readable), *theirs])

    async def check_lost(self, repository: str) -> None:
        """Check that GitHub does not answer 404 for another reason than that it is not readable.

        Raises:
            MalformedReply: It answers 404 to everything.
            ScopeMissing: The single sign-on of its organization has lapsed.
        """
        await self.check_site()
        owner = repository.partition("/")[0]
        try:
            listed = await self.api.get("user/repos", params={"per_page": 100})
        except (ItemNotFound, ScopeMissing):
            return  # An app's token has no user, and no single sign-on.
        left_out = _LEFT_OUT.search(listed.headers.get("x-github-sso", ""))
        names = (each.full_name for each in read_all(listed, replies.RepositoryReply))
        if not left_out or owner.lower() in map(str.lower, owners_of([*names])):
            return
        if await self._organization(owner) in left_out[1].replace(" ", "").split(","):
            raise sign_on_needed(f"{repository}: its organization wants its single sign-on")

    async def _organization(self, owner: str) -> str:
        """Return the number of an owner of repositories; empty for a person."""
        answer = read_one(await self.api.ask(_OWNER, {"login": owner}), OwnerAnswer)
        number = answer.data.repositoryOwner.databaseId if answer.data else 0
        return str(number or "")

    async def check_site(self) -> None:
        """Check that GitHub answers at all, so that a 404 means that a repository is not readable.

        Raises:
            MalformedReply: It answers 404 to everything.
        """
        try:
            await self.api.get("user")
        except ScopeMissing:
            return  # An app's token has no user.
        except ItemNotFound as error:
            raise MalformedReply("GitHub answered 404 to everything, even for the user") from error

    @property
    def _named(self) -> Sequence[str]:
        settings = self.account.settings
        return [*settings.repositories, *(remotes_of(self.account) if self.are_implied else ())]

    async def _theirs(self) -> Sequence[str]:
        """Return the repositories that GitHub itself lists, of the places."""
        settings = self.account.settings
        owners = {each.lower() for each in settings.owners}
        all_ = self.are_implied or settings.everywhere
        if not (all_ or owners):
            return []
        return [
            each.full_name
            for each in await self.api.list("user/repos", replies.RepositoryReply)
            if all_ or each.full_name.partition("/")[0].lower() in owners
        ]

    async def _is_readable(self, repository: str) -> bool:
        """Return whether a repository is readable, also if the login lacks a permission now."""
        try:
            await self.api.get(f"repos/{repository}")
        except ScopeMissing:
            return True
        except ItemNotFound:
            try:
                await self.check_lost(repository)
            except ScopeMissing:
                return True
            return False
        return True

    async def _readable_owners(self) -> Sequence[str]:
        """Return the readable owners, from the login or one request."""
        if self._owners is None:
            identity = self.account.identity
            prefixes = identity.prefixes if identity else ()
            self._owners = [each.rstrip("/") for each in prefixes] or owners_of(
                await readable(self.api)
            )
        return self._owners[:_MOST_OWNERS]


def _once(names: Iterable[str]) -> list[str]:
    """Return names without those that differ in capitals alone."""
    return [*{each.lower(): each for each in names if each}.values()]


async def readable(api: GitHubApi) -> list[str]:
    """Return the repositories that a token reads, those with the latest pushes first."""
    reply = await api.get("user/repos", params={"per_page": 100, "sort": "pushed"})
    return [each.full_name for each in read_all(reply, replies.RepositoryReply) if each.full_name]


def owners_of(repositories: Sequence[str]) -> list[str]:
    """Return the owners of repositories, each once."""
    return [*dict.fromkeys(each.partition("/")[0] for each in repositories)]
