"""Scopes of tokens, and rate limits of methods."""

from typing import Final

from rove_sim.limits import Limit

#: What the app of a careful user asks for.
USER_SCOPES: Final = (
    "search:read",
    "search:read.public",
    "search:read.private",
    "search:read.im",
    "search:read.mpim",
    "search:read.files",
    "files:read",
    "search:read.users",
    "channels:history",
    "groups:history",
    "im:history",
    "mpim:history",
    "channels:read",
    "groups:read",
    "im:read",
    "mpim:read",
    "users:read",
)
BOT_SCOPES: Final = (
    "channels:history",
    "groups:history",
    "channels:read",
    "groups:read",
    "files:read",
    "search:read.public",
    "users:read",
)
#: How scopes call the kinds of channels.
PREFIXES: Final = {"public": "channels", "private": "groups", "im": "im", "mpim": "mpim"}
#: How the search's scopes call what callers name by type.
SEARCHABLE: Final = {
    "public_channel": "search:read.public",
    "private_channel": "search:read.private",
    "im": "search:read.im",
    "mpim": "search:read.mpim",
}
TYPES: Final = {
    "public_channel": "public",
    "private_channel": "private",
    "im": "im",
    "mpim": "mpim",
}

_TIER_2: Final = Limit(20, 60)
_TIER_3: Final = Limit(50, 60)
_TIER_4: Final = Limit(100, 60)
_SPECIAL: Final = Limit(100, 60)
#: For apps that are sold without being listed: one call a minute to what reads messages.
RESTRICTED: Final = Limit(1, 60)
RESTRICTED_METHODS: Final = frozenset({"conversations.history", "conversations.replies"})
RESTRICTED_PAGE: Final = 15
TIERS: Final = {
    "assistant.search.context": _TIER_2,
    "assistant.search.info": _TIER_2,
    "auth.revoke": _TIER_3,
    "auth.test": _SPECIAL,
    "chat.getPermalink": _SPECIAL,
    "conversations.history": _TIER_3,
    "conversations.info": _TIER_3,
    "conversations.list": _TIER_2,
    "conversations.replies": _TIER_3,
    "files.info": _TIER_4,
    "oauth.v2.access": _TIER_4,
    "search.messages": _TIER_2,
    "users.conversations": _TIER_3,
    "users.info": _TIER_4,
    "users.list": _TIER_2,
}
