"""The worked example: rounds of waiting, and what a second build asks for."""

import asyncio
from collections.abc import Iterator
from time import perf_counter  # noqa: TID251  # time is what a benchmark measures
from typing import Final

from benchmarks.context.projects import Place, connected
from benchmarks.costs.line import Line
from rove_core.clock import SYSTEM
from rove_sim import Conduct, World, running, sample_company

#: How often one has to wait for a reply in turn. At least: Slack's scopes, then its search, while
#: the ticket comes and what it is linked to; what names it, then the people of that; two hops more.
LEAST_ROUNDS: Final = 6
MOST_ROUNDS: Final = 9.0
LATENCY: Final = 0.2
_TICKET: Final = "TB-123"
_RUNS: Final = 3


def lines() -> Iterator[Line]:
    """Build it from quick and from slow vendors, and then once more with nothing new."""
    quick, slow = (_wall(latency) for latency in (0.0, LATENCY))
    yield Line("seconds for the worked example", quick)
    yield Line("  rounds of waiting that it takes at least", LEAST_ROUNDS)
    yield Line("  rounds of waiting that it took", (slow - quick) / LATENCY, MOST_ROUNDS)
    yield from asyncio.run(_refreshed())


def _wall(latency: float) -> float:
    return min(asyncio.run(_seconds(latency)) for _ in range(_RUNS))


async def _seconds(latency: float) -> float:
    async with (
        running(sample_company(), conduct=Conduct(latency=latency)) as world,
        connected(_places(world), world.answers, SYSTEM) as project,
    ):
        before = perf_counter()
        await project.build(_TICKET)
        return perf_counter() - before


async def _refreshed() -> tuple[Line, ...]:
    async with (
        running(sample_company()) as world,
        connected(_places(world), world.answers) as project,
    ):
        counts = [_asked(world)]
        for _ in range(2):
            await project.build(_TICKET)
            counts.append(_asked(world))
        log = (project.places.logs / "performance.log").read_text("utf-8")
    calls = [int(line.partition("model_calls=")[2].split()[0]) for line in log.splitlines()]
    return (
        Line("requests of the first build", counts[1] - counts[0]),
        Line("  of the second one, with nothing new", counts[2] - counts[1]),
        Line("  calls of a model", sum(calls), 0),
    )


def _places(world: World) -> Iterator[Place]:
    for kind, url in world.urls.items():
        yield Place(kind, url, world.settings.get(kind, {}))


def _asked(world: World) -> int:
    return sum(len(vendor.exchanges) for vendor in world.vendors.values())
