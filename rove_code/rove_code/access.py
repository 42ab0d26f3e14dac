"""Authentication and repository access of the code server."""

import logging
import re
from pathlib import Path
from typing import Final, Protocol, Self
from urllib.parse import urlsplit

from attrs import frozen

from rove_code.tokens import CodeToken, CodeTokens
from rove_core import FixSettings, LoginRefused, NotLoggedIn, RepositoryRefused, Secret

_LOG: Final = logging.getLogger("rove.code")
#: What the one user is called that Rove works for; nobody else is.
OWNER: Final = "owner"
_WHERE: Final = "Use the token of the address that rove code serve printed."
#: ``git@github.com:acme/shop.git``, as ssh has it.
_SHORT: Final = re.compile(r"(?:[^@/:]*@)?([^@/:]+):")


@frozen
class User:
    """A user of the code server.

    Attributes:
        name: What they are called.
        repositories: The repositories that they may read; None for all that the server may.
        folders: The folders in them that they may see; everything if there are none.
    """

    name: str
    repositories: frozenset[Path] | None = None
    folders: tuple[str, ...] = ()


class Access(Protocol):
    """Access checks of the code server."""

    def validate_token(self, token: str) -> User:
        """Return the user of a token.

        Raises:
            NotLoggedIn: There is none, and one is needed.
            LoginRefused: It is nobody's.
        """

    def check_access(self, user: User, repository: Path | str) -> None:
        """Raise RepositoryRefused unless the user may read a repository.

        Args:
            user: Who asks.
            repository: Its folder, without links; or the address that it is cloned from.
        """


@frozen
class Visitor:
    """An authenticated caller.

    Attributes:
        user: Who it is.
        access: What says what they may read.
    """

    user: User
    access: Access

    @classmethod
    def of(cls, access: Access, token: str = "") -> Self:
        """Authenticate a request's token."""
        return cls(access.validate_token(token), access)

    def check(self, repository: Path | str) -> None:
        """Raise RepositoryRefused unless they may read a repository."""
        self.access.check_access(self.user, repository)


@frozen
class OwnAccess:
    """The access of the one user that Rove works for.

    Attributes:
        folders: The repositories that they may read, without links; their worktrees as well.
        hosts: The hosts from which they may clone.
        token: What tells that it is them; None where the door lets nobody else in.
    """

    folders: frozenset[Path]
    hosts: frozenset[str] = frozenset()
    token: Secret | None = None

    def validate_token(self, token: str) -> User:
        """Return the user whom Rove works for."""
        if self.token is not None:
            if not token:
                raise NotLoggedIn("the request has no token", hint=_WHERE)
            # What JSON can hold, and no token does, cannot even be compared.
            if not token.isascii() or Secret(token) != self.token:
                raise LoginRefused("wrong token for this server", hint=_WHERE)
        return User(OWNER)

    def check_access(
        self,
        user: User,  # noqa: ARG002  # there is but one
        repository: Path | str,
    ) -> None:
        """Allow only the listed repositories."""
        if isinstance(repository, Path):
            if repository not in self.folders and not self._has_worktree(repository):
                raise RepositoryRefused(f"{repository} is not one of the readable repositories")
        elif (host := _host(repository)) not in self.hosts:
            raise RepositoryRefused(f"cloning is not allowed from {host or 'this address'}")

    def _has_worktree(self, folder: Path) -> bool:
        from rove_code.repositories.worktrees import (  # noqa: PLC0415  # few ask for another folder
            is_worktree_of,
        )

        return any(is_worktree_of(folder, each) for each in self.folders)


@frozen
class SharedAccess:
    """The access of the owner, and of those to whom they gave tokens of their own.

    Attributes:
        own: What the owner may read: nobody else may read more.
        tokens: The tokens of the others.
    """

    own: OwnAccess
    tokens: CodeTokens

    def validate_token(self, token: str) -> User:
        """Return the user of a token."""
        grant = self._find_token(token)
        if grant is None:
            return self.own.validate_token(token)
        repositories = frozenset(map(Path, grant.repositories)) or None
        return User(grant.name, repositories, grant.folders)

    def check_access(self, user: User, repository: Path | str) -> None:
        """Allow the repositories of a user that the server may read at all."""
        if user.repositories is not None and repository not in user.repositories:
            raise RepositoryRefused(f"{user.name} may not read {repository}")
        self.own.check_access(user, repository)

    def _find_token(self, token: str) -> CodeToken | None:
        try:
            return self.tokens.find(token) if token else None
        except FixSettings as error:
            # The owner gets in without that file. Others are not told where it is.
            _LOG.warning("%s", error)
            return None


def _host(address: str) -> str:
    """Return the host of a URL; empty if it is not certain."""
    if "\\" in address or not address.isprintable():
        return ""
    try:
        host = urlsplit(address).hostname if "://" in address else _short(address)
    except ValueError:
        return ""
    return (host or "").lower()


def _short(address: str) -> str:
    found = _SHORT.match(address)
    return found[1] if found else ""
