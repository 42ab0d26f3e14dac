"""Acme as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SearchableField, SourceKind, hookimpl

from rove_acme.settings import LOGINS, AcmeSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_sources"]

#: The version of the plugin interface that this package was written for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[AcmeSettings]]:
    """Bring Acme."""
    title = SearchableField(
        name="ticket_title", field_type="text", description="The title of the ticket"
    )
    text = SearchableField(
        name="ticket_text", field_type="text", description="What the ticket says"
    )
    return [
        SourceKind(
            name="acme",
            title="Acme",
            settings=AcmeSettings,
            connect=_connect,
            logins=LOGINS,
            fields=(title, text),
            id_pattern=r"ACME-[0-9]+",
        )
    ]


def _connect(account: "Account[AcmeSettings]", http: "Http") -> "SourceHooks":
    from rove_acme.source import AcmeSource  # loaded when an account needs it

    return AcmeSource(account, http)
