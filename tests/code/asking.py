"""Asking a repository as the command line does."""

import asyncio
from collections.abc import Mapping
from typing import Any

import rove_code
from rove_code.engines import close_engines
from rove_code.operations import operations
from rove_core import JSON, Event, MemoryStore, open_project

OPERATIONS = {operation.name: operation for operation in operations()}


def called(name: str, /, **arguments: JSON) -> Any:  # noqa: ANN401  # a result of any kind
    """Return the result of an operation, as the command line gets it."""
    return listened([], name, arguments)


def listened(events: list[Event], name: str, arguments: Mapping[str, JSON]) -> Any:  # noqa: ANN401  # as above
    """Return the result of an operation, and hear how far it is meanwhile."""

    async def call() -> object:
        async with open_project(
            accounts=[], plugins=[rove_code], credentials=MemoryStore(), on_event=events.append
        ) as rove:
            return await OPERATIONS[name].run(rove, arguments)

    try:
        return asyncio.run(call())
    finally:
        # The next call looks again, as another process would.
        close_engines()
