"""Update several mirrors at once, so that a slow vendor delays no other."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final

from rove_core.errors import RoveError
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.update import MirrorUpdated

#: Mirrors that are updated at once: each holds some pages of items in memory.
_AT_ONCE: Final = 4
#: Seconds after which a changed scope is noticed while other mirrors are updated.
_LOOK_EVERY: Final = 2.0


async def update_all(
    accounts: Iterable[str],
    update: Callable[[str], Awaitable[MirrorUpdated]],
    scope_number: Callable[[str], int | None] = lambda _: 0,
) -> Mapping[str, MirrorUpdated]:
    """Update the mirrors of some accounts; one that cannot be opened is a failure of its own.

    Each account has limits of its own. A person's build goes first at each, because an update takes
    only a share of them and holds no place in the queue. While some still wait for a vendor, the
    others whose scope a person changes are updated again.

    Args:
        accounts: The accounts.
        update: Updates the mirror of one.
        scope_number: How often an account's scope was chosen; None while it has no mirror.
    """
    turns = asyncio.Semaphore(_AT_ONCE)

    async def updated(account: str) -> MirrorUpdated:
        async with turns:
            try:
                return await update(account)
            except RoveError as error:
                return MirrorUpdated(failure=error)

    names = [*accounts]
    numbers: dict[str, int | None] = {}
    tasks: dict[str, asyncio.Task[MirrorUpdated]] = {}
    async with asyncio.TaskGroup() as group:
        while True:
            idle = [name for name in names if name not in tasks or tasks[name].done()]
            for name in idle:
                if (number := scope_number(name)) not in {None, numbers.get(name)}:
                    numbers[name] = number
                    tasks[name] = group.create_task(updated(name))
            left = [each for each in tasks.values() if not each.done()]
            if not left:
                break
            await asyncio.wait(left, timeout=_LOOK_EVERY, return_when=asyncio.FIRST_COMPLETED)
    return {name: task.result() for name, task in tasks.items()}


def scope_number_of(mirror: Mirror) -> int | None:
    """Return how often a mirror's scope was chosen; None if it is missing."""
    try:
        state = mirror.state()
    except RoveError:
        return -1  # It is damaged, as its update will say.
    return state.generation if state else None
