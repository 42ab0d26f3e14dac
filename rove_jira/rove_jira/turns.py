"""Merge results of several places in order while fetching all at once."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack
from typing import TypeVar

Thing = TypeVar("Thing")


async def in_turn(
    parts: Sequence[AsyncGenerator[Thing, None]],
) -> AsyncGenerator[Thing, None]:
    """Yield what each part yields, in their order; all of them begin when the first one does."""
    async with AsyncExitStack() as opened:
        for part in parts:
            opened.push_async_callback(part.aclose)
        begun = [asyncio.ensure_future(_first_page(part)) for part in parts]
        opened.push_async_callback(_stop, begun)
        for part, first in zip(parts, begun, strict=True):
            for thing in await first:
                yield thing
            async for thing in part:
                yield thing


async def _first_page(part: AsyncGenerator[Thing, None]) -> Sequence[Thing]:
    try:
        return [await anext(part)]
    except StopAsyncIteration:
        return []


async def _stop(begun: "Sequence[asyncio.Future[Sequence[Thing]]]") -> None:
    """Cancel unneeded tasks and ignore their errors."""
    for first in begun:
        first.cancel()
    await asyncio.gather(*begun, return_exceptions=True)
