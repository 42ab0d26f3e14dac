"""Acme as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SourceKind, hookimpl

from rove_acme.settings import AcmeSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_sources"]

#: The version of the plugin interface that this package was written for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[AcmeSettings]]:
    """Bring Acme."""
    return [
        SourceKind(
            name="acme",
            title="Acme",
            settings=AcmeSettings,
            connect=_connect,
            id_pattern=r"ACME-[0-9]+",
        )
    ]


def _connect(account: "Account[AcmeSettings]", _: "Http") -> "SourceHooks":
    from rove_acme.source import AcmeSource  # loaded when an account needs it

    return AcmeSource(account)
