"""GitHub as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SourceKind, hookimpl
from rove_github.settings import FIELDS, LOGINS, GitHubSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_api", "rove_sources"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[GitHubSettings]]:
    """Bring GitHub."""
    return [
        SourceKind(
            name="github",
            title="GitHub",
            containers="repositories",
            settings=GitHubSettings,
            connect=_connect,
            logins=LOGINS,
            fields=FIELDS,
            id_pattern=r"[\w.-]+/[\w.-]+(?:#(?P<number>\d+)|@[0-9a-f]{7,40})",
            id_forms=("#{number}", "pull/{number}"),
            base_url="https://api.github.com",
            hosts=("github.com",),
            unlisted="discussions",
        )
    ]


def _connect(account: "Account[GitHubSettings]", http: "Http") -> "SourceHooks":
    from rove_github.source import GitHubSource  # noqa: PLC0415  # loaded when an account needs it

    return GitHubSource(account, http)
