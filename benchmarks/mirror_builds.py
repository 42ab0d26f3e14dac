"""Builds from mirrors: wall time and requests, beside vendors that answer at once and late."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from time import perf_counter  # noqa: TID251  # how long it takes is what is measured
from typing import Final

from attrs import evolve, frozen

from benchmarks.day import DAY, LATENCY, FreeLimits, project_of
from benchmarks.mcp.sample import user_folder
from benchmarks.mirror_copies import copy_accounts
from rove_core.clock import SYSTEM
from rove_sim import running, sample_company
from rove_sim.world import World

#: How long a build may take beside vendors that answer at once, and late; and its requests.
_BOUNDS: Final = ((0.0, 1.0), (LATENCY, 1.5))
_MOST_REQUESTS: Final = 4
_TICKETS: Final = [ticket for _, _, tickets in DAY for ticket in tickets]


@frozen
class MirrorBuild:
    """A build of a document from mirrors.

    Attributes:
        ticket: The ticket.
        seconds: Its wall time.
        requests: The requests that vendors got meanwhile.
        failures: The accounts that failed.
    """

    ticket: str
    seconds: float
    requests: int
    failures: int


def main() -> int:
    """Print a line for each latency; return 1 when a build was slow, or asked too much."""
    failed = False
    print(f"load {os.getloadavg()[0]:.1f}, {len(_TICKETS)} tickets of the sample company")
    with user_folder() as folder:
        for latency, builds in asyncio.run(_measured(folder)):
            seconds = [each.seconds for each in builds]
            cuts, most = quantiles(seconds, n=20), max(each.requests for each in builds)
            bound = dict(_BOUNDS)[latency]
            print(
                f"vendors answer after {latency * 1e3:3.0f} ms: p50 {cuts[9]:.2f} s, "
                f"p95 {cuts[18]:.2f} s, most {max(seconds):.2f} s (at most {bound:g}); "
                f"requests {sum(each.requests for each in builds)}, at most {most} a build"
            )
            failed |= max(seconds) > bound or most > _MOST_REQUESTS
            failed |= any(each.failures for each in builds)
    return int(failed)


async def _measured(folder: Path) -> list[tuple[float, Sequence[MirrorBuild]]]:
    measured: list[tuple[float, Sequence[MirrorBuild]]] = []
    limits = FreeLimits(clock=SYSTEM)
    async with running(sample_company(), clock=SYSTEM) as world:
        for latency, _ in _BOUNDS:
            place = folder / f"{latency:g}"
            _answer_after(world, 0.0)
            async with project_of(place, world, SYSTEM, limits, lambda _: None) as project:
                await copy_accounts(project)
                _answer_after(world, latency)
                builds = []
                for ticket in _TICKETS:
                    before, began = _asked(world), perf_counter()
                    built = await project.build(ticket)
                    seconds = perf_counter() - began
                    requests = _asked(world) - before
                    builds.append(MirrorBuild(ticket, seconds, requests, len(built.failures)))
            measured.append((latency, builds))
    return measured


def _asked(world: World) -> int:
    return sum(len(vendor.exchanges) for vendor in world.vendors.values())


def _answer_after(world: World, seconds: float) -> None:
    for vendor in world.vendors.values():
        vendor.conduct = evolve(vendor.conduct, latency=seconds)


if __name__ == "__main__":
    sys.exit(main())
