"""Resolve the repositories of a request to folders that may be read."""

import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from rove_code.access import OWNER, Visitor
from rove_code.model import Boost
from rove_code.project_code import placed, repository_of
from rove_code.wire import RepositoryBody
from rove_core import RepositoryRefused, WrongCall, state_folder

if TYPE_CHECKING:
    from rove_core import LocalProject, ProjectPaths

_WORKSPACE: Final = "workspace"
_HERE: Final = frozenset({"", "localhost", "127.0.0.1", "::1"})


@frozen
class ReadableRepository:
    """A repository that the caller may read.

    Attributes:
        names: How the request names it.
        folder: Where it is; None if it is elsewhere.
        origin: Where it is cloned from, if it is elsewhere.
        version: Which version of it.
    """

    names: tuple[str, ...]
    folder: Path | None
    origin: str
    version: str

    @classmethod
    def of(
        cls, request: RepositoryBody, visitor: Visitor, project: "LocalProject"
    ) -> "ReadableRepository":
        """Return the requested repository, after checking that it may be read.

        Raises:
            WrongCall: It is not a folder of this machine, nor an address.
            RepositoryRefused: Nobody has allowed to read it.
        """
        path, origin = request.checkout_path or request.repo_path or "", request.origin_uri or ""
        names = tuple(filter(None, (request.checkout_path, request.repo_path, request.origin_uri)))
        version = request.version or _WORKSPACE
        if not _is_here(request.checkout_host or ""):
            if not origin:
                what = f"checkoutHost {request.checkout_host!r} is another machine"
                raise WrongCall(what, hint="Give originUri, so that it can be cloned.")
            path = ""
        if path or not origin:
            folder = _folder(path, project)
            _check(folder, path, visitor)
            return cls(names, folder, "", version)
        visitor.check(origin)
        return cls(names, None, origin, version)

    def there(self, project: "LocalProject") -> tuple[Path, str]:
        """Return its folder and version; a remote one is cloned or updated."""
        if self.folder is not None:
            return self.folder, self.version
        from rove_code.repositories import checkout  # noqa: PLC0415  # few ask for what is elsewhere

        return checkout(self.origin, copies_folder(project.places)), self.version


def copies_folder(places: "ProjectPaths") -> Path:
    """Return the folder of cloned repositories.

    It is not in the project: git does what the settings of a copy say, and they could come with a
    checkout.
    """
    return state_folder("code", project=places if places.is_alone else None) / "checkouts"


def boosts_there(
    boosts: Iterable[Boost],
    repositories: Sequence[ReadableRepository],
    there: Sequence[tuple[Path, str]],
) -> tuple[Boost, ...]:
    """Return boosts with the folders of the repositories that they name.

    Args:
        boosts: As the request names them.
        repositories: The repositories of the request.
        there: Where they are.
    """
    folders = {
        name: str(folder)
        for each, (folder, _) in zip(repositories, there, strict=True)
        for name in (*each.names, str(folder))
    }
    return tuple(evolve(each, repository=_named(each.repository, folders)) for each in boosts)


def _named(repository: str, folders: dict[str, str]) -> str:
    if repository and repository not in folders:
        raise WrongCall(f"boosts: the repository {repository!r} is not among repos")
    return folders.get(repository, "")


def _is_here(host: str) -> bool:
    return host.lower() in {*_HERE, platform.node().lower()}


def _check(folder: Path, path: str, visitor: Visitor) -> None:
    """Check a folder; a refusal does not tell others where a path of this machine leads."""
    try:
        visitor.check(folder)
    except RepositoryRefused:
        if visitor.user.name == OWNER:
            raise
        what = path or "the repository of this server"
        raise RepositoryRefused(f"{visitor.user.name} may not read {what}") from None


def _folder(path: str, project: "LocalProject") -> Path:
    if not path:
        return repository_of(project)
    try:
        return placed(project.places.root, path)
    except (OSError, ValueError, RuntimeError) as error:
        raise WrongCall(f"{path!r} can be no folder of this machine") from error
