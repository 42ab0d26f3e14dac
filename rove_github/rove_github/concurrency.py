"""Run several requests concurrently, and cancel all when one fails."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

Result = TypeVar("Result")


async def together(calls: Iterable[Awaitable[Result]]) -> list[Result]:
    """Return the results in order; after all have ended, raise the first error."""
    return [good(each) for each in await asyncio.gather(*calls, return_exceptions=True)]


def good(outcome: Result | BaseException) -> Result:
    """Return the result of a call, or raise its error."""
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
