"""Every fault at one call: it ends in time, helps, and leaves nothing lost or doubled."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from attrs import frozen

from rove_core import RoveError
from rove_core.http import Caps
from rove_core.testing import FAULTS, FaultProxy, VirtualClock
from rove_core.testing.faults import SeenRequest

_HOUR: Final = 3600
#: For what never ends: a good reply of a simulator takes milliseconds, and is small.
HASTY: Final = Caps(deadline=0.1, body=2_000_000)


@frozen
class FaultStage:
    """A call, and what its vendor has of it.

    Attributes:
        ask: The call; it can be made again without another effect.
        when: Which of its requests go wrong.
        reset: Takes back what the call has done, so that the next fault meets it anew.
        check: Is given the name of each fault after its call was made once more.
    """

    ask: Callable[[Any], Awaitable[object]]
    when: Callable[[SeenRequest], bool]
    reset: Callable[[], None]
    check: Callable[[str], None]


async def check_each_fault(
    proxy: FaultProxy, stage: FaultStage, connect: Callable[..., Any], clock: VirtualClock
) -> None:
    """Play each fault on some requests of a call, and make the call once more afterwards.

    Args:
        proxy: What stands between the source and its vendor.
        stage: The call.
        connect: Makes a source, given how much a request may take.
        clock: What the source waits by.
    """
    expected = await stage.ask(connect())
    hits: list[SeenRequest] = []

    def is_hit(seen: SeenRequest) -> bool:
        hits.extend([seen] * stage.when(seen))
        return stage.when(seen)

    for name, fault in sorted(FAULTS.items()):
        stage.reset()
        source = connect(caps=HASTY)
        proxy.play(fault, times=3, when=is_hit)
        async with asyncio.timeout(60):
            meanwhile = await outcome(stage.ask, source)
            proxy.stop()
            clock.advance(_HOUR)
            # On a busy machine even the right answer may take longer than the deadline.
            healed = await outcome(stage.ask, connect())

        assert healed == expected, name
        assert meanwhile == expected or helps(meanwhile), (name, meanwhile)
        stage.check(name)
    assert hits, "no request was among those that go wrong"


async def outcome(ask: Callable[[Any], Awaitable[object]], source: object) -> object:
    """Return what comes of a call, be it an error of Rove's."""
    try:
        return await ask(source)
    except RoveError as error:
        return error


def helps(found: object) -> bool:
    """Tell whether it is an error that names its account and what to do."""
    return isinstance(found, RoveError) and bool(found.account) and bool(found.hint)
