"""The methods of Slack's Web API that Rove calls, with their scopes and rate limits."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from rove_core.http import cursor_pages
from rove_core.json_reader import string

if TYPE_CHECKING:
    from rove_core import Http, Reply

Arguments: TypeAlias = Mapping[str, str | int | bool]

#: A thread may be long, and Slack may return few messages per page.
_MOST_PAGES: Final = 1000

#: The scopes that let one search, read and name each kind of conversation.
SEARCH: Final = {
    "public_channel": "search:read.public",
    "private_channel": "search:read.private",
    "mpim": "search:read.mpim",
    "im": "search:read.im",
}
HISTORY: Final = {
    "public_channel": "channels:history",
    "private_channel": "groups:history",
    "mpim": "mpim:history",
    "im": "im:history",
}
READ: Final = {
    "public_channel": "channels:read",
    "private_channel": "groups:read",
    "mpim": "mpim:read",
    "im": "im:read",
}


@frozen
class SlackMethod:
    """One method.

    Attributes:
        name: Slack's own name for it.
        per_minute: How many calls its tier allows.
        scopes: Its scopes, each for a part of what it can do.
    """

    name: str
    per_minute: int
    scopes: tuple[str, ...] = ()


WHO: Final = SlackMethod("auth.test", 100)
#: Slack does not document the limit of this method; this is the limit of its other search.
CONTEXT_SEARCH: Final = SlackMethod("assistant.search.context", 20, tuple(SEARCH.values()))
MESSAGE_SEARCH: Final = SlackMethod("search.messages", 20, ("search:read",))
REPLIES: Final = SlackMethod("conversations.replies", 50, tuple(HISTORY.values()))
PAST: Final = SlackMethod("conversations.history", 50, tuple(HISTORY.values()))
CHANNEL: Final = SlackMethod("conversations.info", 50, tuple(READ.values()))
CHANNELS: Final = SlackMethod("conversations.list", 20, tuple(READ.values()))
MEMBERSHIPS: Final = SlackMethod("users.conversations", 50, tuple(READ.values()))
USER: Final = SlackMethod("users.info", 100, ("users:read",))
USERS: Final = SlackMethod("users.list", 20, ("users:read",))
FILE: Final = SlackMethod("files.info", 100, ("files:read",))
REVOKE: Final = SlackMethod("auth.revoke", 50)

METHODS: Final = (
    *(WHO, CONTEXT_SEARCH, MESSAGE_SEARCH, REPLIES, PAST),
    *(CHANNEL, CHANNELS, MEMBERSHIPS, USER, USERS, FILE, REVOKE),
)


async def ask(http: "Http", method: SlackMethod, arguments: Arguments) -> "Reply":
    """Return the reply to a call; it goes as a form, the one way that every method takes."""
    form = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in arguments.items()
    }
    # Some know Slack by the address of its methods, and write that.
    below = "" if http.base_url.endswith("/api/") else "api/"
    return await http.post(
        f"{below}{method.name}",
        form=form,
        repeatable=True,
        kind=method.name,
        per_minute=method.per_minute,
    )


def next_cursor(reply: "Reply") -> str:
    """Return the cursor of the page after this one; an empty text after the last."""
    return string(reply.json(), "response_metadata", "next_cursor")


async def pages(
    http: "Http",
    method: SlackMethod,
    arguments: Arguments,
    *,
    following: "Callable[[Reply], str]" = next_cursor,
    first: str = "",
) -> "AsyncGenerator[Reply, None]":
    """Yield the replies to a call, page after page.

    Args:
        http: The account's requests.
        method: What to call.
        arguments: What each page is asked with.
        following: Finds the cursor of the next page.
        first: The cursor of the first page, for a method that wants one.
    """

    async def fetch(cursor: str | None) -> "Reply":
        place = {"cursor": cursor} if cursor else {}
        return await ask(http, method, {**arguments, **place})

    walk = cursor_pages(fetch, following, first=first or None, most=_MOST_PAGES)
    async with aclosing(walk) as replies:
        async for reply in replies:
            yield reply
