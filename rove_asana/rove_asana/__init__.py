"""Asana as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_asana.settings import OAUTH, TOKEN_WAY, AsanaSettings
from rove_core import SearchableField, SourceKind, hookimpl

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_api", "rove_sources"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[AsanaSettings]]:
    """Bring Asana."""
    return [
        SourceKind(
            name="asana",
            title="Asana",
            containers="projects",
            settings=AsanaSettings,
            connect=_connect,
            logins=(TOKEN_WAY, OAUTH),
            fields=(
                SearchableField("ticket_title", "text", "What the task is called"),
                SearchableField("ticket_description", "text", "What the task says"),
                SearchableField("labels", "keyword", "The task's tags, each by its whole name"),
            ),
            id_pattern=r"[0-9]{10,20}",
            base_url="https://app.asana.com",
            hosts=("app.asana.com",),
        )
    ]


def _connect(account: "Account[AsanaSettings]", http: "Http") -> "SourceHooks":
    from rove_asana.source import AsanaSource  # noqa: PLC0415  # loaded when an account needs it

    return AsanaSource(account, http)
