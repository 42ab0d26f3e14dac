"""Run several requests concurrently, and cancel all when one fails."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

Result = TypeVar("Result")


async def together(calls: Iterable[Awaitable[Result]]) -> list[Result]:
    """Return what the calls return, in their order; raise the first error when all are done."""
    return [good(each) for each in await asyncio.gather(*calls, return_exceptions=True)]


def good(outcome: Result | BaseException) -> Result:
    """Return what a call returned, or raise what it raised."""
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
