"""Slack as a source for Rove."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SearchableField, SourceKind, hookimpl
from rove_slack.settings import OAUTH, TOKEN, SlackSettings

if TYPE_CHECKING:
    from rove_core import Account, Http, SourceHooks

__all__ = ["rove_api", "rove_sources"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> Sequence[SourceKind[SlackSettings]]:
    """Bring Slack."""
    return [
        SourceKind(
            name="slack",
            title="Slack",
            mirror_terms=(
                "Slack's API terms forbid copies and indexes to apps that are distributed beyond "
                "your organisation; they allow them to an internal app, as yours is if you made it "
                "in your own workspace. Ask your admin whether your company allows a copy on your "
                "machine. Rove reads channels for it, never the search."
            ),
            # Slack's terms for its search: what it returns must not be stored or copied.
            keeps_hits=False,
            containers="channels",
            settings=SlackSettings,
            connect=_connect,
            logins=(TOKEN, OAUTH),
            fields=(
                SearchableField("message_content", "text", "What stands in a channel itself"),
                SearchableField("thread_replies", "text", "What was answered in threads"),
                SearchableField(
                    "channel_name",
                    "keyword",
                    "The names of channels: all that was said there; only when it is asked for",
                ),
            ),
            id_pattern=r"[A-Z][A-Z0-9]+/\d{1,10}\.\d{1,6}|file/F[A-Z0-9]+",
            base_url="https://slack.com",
        )
    ]


def _connect(account: "Account[SlackSettings]", http: "Http") -> "SourceHooks":
    from rove_slack.source import SlackSource  # noqa: PLC0415  # loaded when an account needs it

    return SlackSource(account, http)
