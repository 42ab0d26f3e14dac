"""Azure DevOps as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_azure.settings import FIELDS, OAUTH, TOKEN, AzureSettings
from rove_core import SourceKind, hookimpl

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_api", "rove_sources"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[AzureSettings]]:
    """Bring Azure DevOps."""
    return [
        SourceKind(
            name="azure",
            title="Azure DevOps",
            containers="projects",
            settings=AzureSettings,
            connect=_connect,
            logins=(TOKEN, OAUTH),
            fields=FIELDS,
            id_pattern=r"(?:AB#|#)?(?P<number>[1-9][0-9]{0,9})",
            id_forms=("AB#{number}",),
        )
    ]


def _connect(account: "Account[AzureSettings]", http: "Http") -> "SourceHooks":
    from rove_azure.source import AzureSource  # noqa: PLC0415  # loaded when an account needs it

    return AzureSource(account, http)
