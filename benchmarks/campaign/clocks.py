"""Let the machine's clock be wrong again and again: once it is right, a build misses nothing."""

import asyncio
import os
import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from benchmarks.campaign.gates import START, company
from benchmarks.campaign.tally import Deadline, Tally
from benchmarks.context.projects import Place, connected
from rove.operations.build import build
from rove.operations.mirror import mirror_start, mirror_update
from rove_core.testing import VirtualClock
from rove_sim import running

_TICKET: Final = "SV-1"
_STEPS: Final = 12
#: How far a clock is off: seconds, time zones, days, and what a flat battery makes of it.
_OFFSETS: Final = (2, 300, 3_600, 43_200, 86_400, 30 * 86_400, 20 * 365 * 86_400)


def shift_clocks(chance: random.Random, deadline: Deadline) -> Tally:
    """Try random histories, with and without a mirror, until the time is over."""
    tally = Tally("wrong clocks")
    # A mirror would start a server in the project's folder, which is gone a moment later.
    os.environ["ROVE_DAEMON"] = "0"
    while not deadline.passed:
        _try_history(chance, tally)
    return tally


def _try_history(chance: random.Random, tally: Tally) -> None:
    seed = chance.randrange(10**9)
    for has_mirror in (False, True):
        lost = asyncio.run(_lost(random.Random(seed), has_mirror=has_mirror))  # noqa: S311  # no secret
        tally.add("histories with a mirror" if has_mirror else "histories")
        tally.violations += [f"seed {seed}, mirror {has_mirror}: {each}" for each in lost]


async def _lost(chance: random.Random, *, has_mirror: bool) -> Sequence[str]:
    """Return what was said during a random history, and is in no document at its end."""
    start = START + timedelta(days=30)
    vendors, ours = VirtualClock(start), VirtualClock(start)
    said = list[str]()
    async with (
        running(company(1), clock=vendors) as world,
        connected([Place("jira", world.urls["jira"])], world.answers, ours) as project,
    ):
        if has_mirror:
            await mirror_start(project, account="jira")
        for number in range(_STEPS):
            seconds = chance.choice([30.0, 900.0, 86_400.0])
            vendors.advance(seconds)
            ours.advance(seconds)
            match chance.choice(["said", "said", "built", "built", "wrong", "right"]):
                case "said":
                    said.append(f"We decided: the gate {'x' * number}y takes {number} seconds.")
                    world.jira.add_comment(_TICKET, "robin", said[-1])
                case "built":
                    await build(project, tickets=(_TICKET,), source="jira")
                case "wrong":
                    off = chance.choice(_OFFSETS) * chance.choice([-1, 1])
                    ours.put(vendors.now() + timedelta(seconds=off))
                case _:
                    ours.put(vendors.now())
        ours.put(vendors.now())
        for clock in (vendors, ours):
            clock.advance(86_400)
        if has_mirror:
            await mirror_update(project, account="jira")
        await build(project, tickets=(_TICKET,), source="jira")
        (document,) = project.places.context.glob(f"{_TICKET}_*.md")
        text = document.read_text("utf-8")
    return [each for each in said if each not in text]
