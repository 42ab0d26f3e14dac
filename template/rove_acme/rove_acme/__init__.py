"""Acme as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SearchableField, SourceKind, hookimpl

from rove_acme.settings import AcmeSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_sources"]


@hookimpl
def rove_sources() -> Sequence[SourceKind[AcmeSettings]]:
    """Bring Acme."""
    return [
        SourceKind(
            name="acme",
            title="Acme",
            settings=AcmeSettings,
            connect=_connect,
            fields=(
                SearchableField("ticket_title", "text", "The ticket's title"),
                SearchableField("ticket_description", "text", "What the ticket says"),
            ),
            id_pattern=r"ACME-\d+",
        )
    ]


def _connect(account: "Account[AcmeSettings]", _: "Http") -> "SourceHooks":
    from rove_acme.source import AcmeSource  # loaded when an account needs it

    return AcmeSource(account)
