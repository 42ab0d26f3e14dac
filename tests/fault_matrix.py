"""Every fault at one call: it ends in time, helps, and leaves nothing lost or doubled."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from rove_core import RoveError
from rove_core.http import Caps
from rove_core.testing import FAULTS, FaultProxy, VirtualClock
from rove_core.testing.faults import SeenRequest

_HOUR: Final = 3600


async def check_each_fault(
    proxy: FaultProxy,
    ask: Callable[[Any], Awaitable[object]],
    when: Callable[[SeenRequest], bool],
    connect: Callable[..., Any],
    clock: VirtualClock,
) -> None:
    """Play each fault on some requests of a call, and make the call once more afterwards.

    Args:
        proxy: What stands between the source and its vendor.
        ask: The call; it can be made again without another effect.
        when: Which of its requests go wrong.
        connect: Makes a source, given how much a request may take.
        clock: What the source waits by.
    """
    expected = await ask(connect())
    for name, fault in sorted(FAULTS.items()):
        source = connect(caps=Caps(deadline=0.2))
        proxy.play(fault, times=3, when=when)
        async with asyncio.timeout(60):
            meanwhile = await outcome(ask, source)
            proxy.stop()
            clock.advance(_HOUR)
            # On a busy machine even the right answer may take longer than the deadline.
            healed = await outcome(ask, connect())

        assert healed == expected, name
        assert meanwhile == expected or helps(meanwhile), (name, meanwhile)


async def outcome(ask: Callable[[Any], Awaitable[object]], source: object) -> object:
    """Return what comes of a call, be it an error of Rove's."""
    try:
        return await ask(source)
    except RoveError as error:
        return error


def helps(found: object) -> bool:
    """Tell whether it is an error that names its account and what to do."""
    return isinstance(found, RoveError) and bool(found.account) and bool(found.hint)
