"""Update several mirrors at once, so that a slow vendor delays no other."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final

from rove_core.errors import RoveError
from rove_core.mirror.update import MirrorUpdated

#: Mirrors that are updated at once: each holds some pages of items in memory.
_AT_ONCE: Final = 4


async def update_all(
    accounts: Iterable[str], update: Callable[[str], Awaitable[MirrorUpdated]]
) -> Mapping[str, MirrorUpdated]:
    """Update the mirrors of some accounts; one that cannot be opened is a failure of its own.

    Each account has limits of its own. A person's build goes first at each, because an update takes
    only a share of them and holds no place in the queue.

    Args:
        accounts: The accounts.
        update: Updates the mirror of one.
    """
    turns = asyncio.Semaphore(_AT_ONCE)

    async def updated(account: str) -> MirrorUpdated:
        async with turns:
            try:
                return await update(account)
            except RoveError as error:
                return MirrorUpdated(failure=error)

    names = [*accounts]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(updated(each)) for each in names]
    return {name: task.result() for name, task in zip(names, tasks, strict=True)}
