"""A project's repository, and the other readable ones."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rove_code.access import OwnAccess
from rove_code.settings import CodeSettings
from rove_core import checkout_of

if TYPE_CHECKING:
    from rove_core import LocalProject, Secret

_ACCOUNT = "code"


def settings_of(project: "LocalProject") -> CodeSettings:
    """Return the settings of code that hold in a project, whether it uses the source or not."""
    records = (record for record in project.book.accounts() if record.name == _ACCOUNT)
    own_settings = next((record.settings for record in records), {})
    return project.settings.account_settings(_ACCOUNT, _ACCOUNT, CodeSettings, given=own_settings)


def placed(root: Path, folder: str) -> Path:
    """Return a configured folder without links, relative to the project."""
    return (root / Path(folder).expanduser()).resolve()


def repository_of(project: "LocalProject") -> Path:
    """Return the folder of a project's repository."""
    return placed(project.places.root, settings_of(project).folder)


def checkout_here(project: "LocalProject") -> Path:
    """Return the checkout of a project's repository that contains the current folder.

    That is the repository itself unless the current folder lies in another git worktree of it.
    """
    repository, root = repository_of(project), project.places.root.resolve()
    checkout = checkout_of(project.places.root).resolve()
    if checkout == root or not repository.is_relative_to(root):
        return repository
    return checkout / repository.relative_to(root)


def access_of(
    project: "LocalProject", *, allow: Iterable[str] = (), token: "Secret | None" = None
) -> OwnAccess:
    """Return the access that the settings of a project give.

    Args:
        project: The project.
        allow: Further repositories that may be read; relative ones are below the current folder.
        token: What tells that it is the user who asks.
    """
    settings, root = settings_of(project), project.places.root
    named = {placed(root, folder) for folder in (settings.folder, *settings.also)}
    allowed = {placed(Path.cwd(), folder) for folder in allow}
    hosts = frozenset(host.lower() for host in settings.clone_from)
    return OwnAccess(frozenset(named | allowed), hosts, token)
