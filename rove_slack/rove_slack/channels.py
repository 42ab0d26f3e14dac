"""The channels a token may read."""

from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from rove_core import MalformedReply
from rove_core.json_reader import mapping, objects, string
from rove_slack.api import CHANNELS, MEMBERSHIPS, READ, Arguments, pages

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from rove_core import JSON, Http
    from rove_slack.scopes import GrantedScopes

_PAGE: Final = 999


async def readable_channels(
    http: "Http", granted: "GrantedScopes"
) -> "AsyncGenerator[tuple[str, Mapping[str, JSON]], None]":
    """Yield the channels that a token may read, with their ids; a bot reads those it is in."""
    method = MEMBERSHIPS if granted.is_bot else CHANNELS
    arguments: Arguments = {"types": ",".join(granted.kinds(READ)), "limit": _PAGE}
    async with aclosing(pages(http, method, arguments)) as replies:
        async for reply in replies:
            channels = mapping(reply.json()).get("channels")
            if not isinstance(channels, list):
                raise MalformedReply(f"{reply.where} sent no list of channels")
            for channel in objects(channels):
                if name := string(channel, "id"):
                    yield name, channel
