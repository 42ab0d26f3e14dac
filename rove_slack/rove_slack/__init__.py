"""Slack as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SourceKind, hookimpl
from rove_slack.settings import TOKEN, SlackSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_sources"]


@hookimpl
def rove_sources() -> Sequence[SourceKind[SlackSettings]]:
    """Bring Slack."""
    return [
        SourceKind(
            name="slack",
            title="Slack",
            settings=SlackSettings,
            connect=_connect,
            logins=(TOKEN,),
            base_url="https://slack.com",
        )
    ]


def _connect(account: "Account[SlackSettings]", http: "Http") -> "SourceHooks":
    from rove_slack.source import SlackSource  # noqa: PLC0415  # loaded when an account needs it

    return SlackSource(account, http)
