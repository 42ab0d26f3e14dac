"""Jira as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SourceKind, hookimpl
from rove_jira.settings import BEARER, FIELDS, OAUTH, PAT, TOKEN, JiraSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_api", "rove_sources"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[JiraSettings]]:
    """Bring Jira."""
    return [
        SourceKind(
            name="jira",
            title="Jira",
            containers="projects",
            settings=JiraSettings,
            connect=_connect,
            logins=(TOKEN, PAT, OAUTH, BEARER),
            fields=FIELDS,
            id_pattern=r"[A-Z][A-Z0-9_]+-\d+",
            unlisted_parts="linked pages and development panels",
        )
    ]


def _connect(account: "Account[JiraSettings]", http: "Http") -> "SourceHooks":
    from rove_jira.tracker import connect  # noqa: PLC0415  # loaded when an account needs it

    return connect(account, http)
