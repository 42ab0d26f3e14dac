"""A third party's plugin, typed: nothing in it is for the type checker's sake."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from rove_core import CommonSettings, LoginField, LoginWay, SourceKind, hookimpl

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

KEY = LoginField(name="key", title="Key", secret=True)


@frozen(kw_only=True)
class AcmeSettings(CommonSettings):
    """What an account of Acme may set."""

    board: str = "main"


def _connect(account: "Account[AcmeSettings]", http: "Http") -> "SourceHooks":
    from tests.typing.acme.source import AcmeSource  # noqa: PLC0415  # as plugins do

    return AcmeSource(account, http)


@hookimpl
def rove_sources() -> Sequence[SourceKind[AcmeSettings]]:
    """Bring Acme."""
    return [
        SourceKind(
            name="acme",
            title="Acme",
            settings=AcmeSettings,
            connect=_connect,
            logins=(LoginWay(name="key", title="Key", fields=(KEY,)),),
            base_url="https://acme.invalid",
        )
    ]
