"""Paging, with protection against loops."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

from rove_core.errors import MalformedReply
from rove_core.http.addresses import Address, parse_address
from rove_core.http.reply import Reply

MOST_PAGES: Final = 100


async def cursor_pages(
    fetch: Callable[[str | None], Awaitable[Reply]],
    next_cursor: Callable[[Reply], str | None],
    *,
    first: str | None = None,
    most: int = MOST_PAGES,
) -> AsyncGenerator[Reply, None]:
    """Yield page after page of a vendor that gives a cursor for the next one.

    Args:
        fetch: Asks for the page at a cursor.
        next_cursor: Finds the next cursor in a page; None or an empty text after the last.
        first: The cursor of the first page.
        most: How many pages there may be.
    """
    cursor = first
    seen = {first}
    while True:
        reply = await fetch(cursor)
        yield reply
        cursor = next_cursor(reply) or None
        if cursor is None:
            return
        if cursor in seen:
            raise MalformedReply(f"{reply.where} repeats page {len(seen)}: its cursor loops")
        if len(seen) == most:
            raise MalformedReply(f"{reply.where} has more than {most} pages")
        seen.add(cursor)


def next_address(reply: Reply, url: str, *, first: Address) -> str:
    """Return the absolute address of a next page; refuse one on another host.

    Args:
        reply: The page that names it.
        url: How the page names it.
        first: Where the first page was.
    """
    try:
        address = parse_address(url, base=reply.url)
    except ValueError as error:
        raise MalformedReply(f"{reply.where} has no valid next page") from error
    if (address.scheme, address.host) != (first.scheme, first.host):
        raise MalformedReply(
            f"{reply.where} has its next page on another host, {address.host}: not followed"
        )
    return address.url
