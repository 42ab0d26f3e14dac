"""Linear as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SourceKind, hookimpl
from rove_linear.settings import KEY, LinearSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_sources"]


@hookimpl
def rove_sources() -> Sequence[SourceKind[LinearSettings]]:
    """Bring Linear."""
    return [
        SourceKind(
            name="linear",
            title="Linear",
            settings=LinearSettings,
            connect=_connect,
            logins=(KEY,),
            id_pattern=r"[A-Z][A-Z0-9_]*-\d+",
            base_url="https://api.linear.app",
        )
    ]


def _connect(account: "Account[LinearSettings]", http: "Http") -> "SourceHooks":
    from rove_linear.source import LinearSource  # noqa: PLC0415  # loaded when an account needs it

    return LinearSource(account, http)
