"""Linear as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SearchableField, SourceKind, hookimpl
from rove_linear.settings import KEY, OAUTH, LinearSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_api", "rove_sources"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[LinearSettings]]:
    """Bring Linear."""
    return [
        SourceKind(
            name="linear",
            title="Linear",
            containers="teams",
            settings=LinearSettings,
            connect=_connect,
            logins=(KEY, OAUTH),
            fields=(
                SearchableField("ticket_id", "id_reference", "The issue's identifier, like TB-123"),
                SearchableField("ticket_title", "text", "What the issue is called"),
                SearchableField("ticket_description", "text", "What the issue says"),
                SearchableField("comments", "text", "What was said below the issue"),
                SearchableField("labels", "keyword", "The issue's labels, each by its whole name"),
            ),
            id_pattern=r"[A-Z][A-Z0-9_]*-\d+",
            base_url="https://api.linear.app",
            hosts=("linear.app",),
            unlisted="documents",
        )
    ]


def _connect(account: "Account[LinearSettings]", http: "Http") -> "SourceHooks":
    from rove_linear.source import LinearSource  # noqa: PLC0415  # loaded when an account needs it

    return LinearSource(account, http)
