"""The processor time of a whole build, without that of the vendors."""

import asyncio
import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time  # noqa: TID251  # processor time is what a benchmark measures
from typing import Final

from attrs import frozen

from benchmarks.context.projects import Place, connected
from benchmarks.costs.cold import forget
from benchmarks.costs.company import EACH, PROJECT, REPOSITORY, TICKET, company
from benchmarks.costs.line import Line
from rove.collector import spare_the_collector
from rove_core.store.document_items import read_uses
from rove_sim import running

#: Seconds for a build from four accounts.
MOST: Final = 0.6
_RUNS: Final = 5


@frozen
class Vendors:
    """Where the vendors answer, and what opens them."""

    urls: dict[str, str]
    answers: dict[str, str]


def lines() -> Iterator[Line]:
    """Build from vendors in another process, whose time is not counted."""
    with _as_in_a_worker(), vendors() as there:
        seconds, items = min(asyncio.run(_cost(there)) for _ in range(_RUNS))
    yield Line(f"things found by a build, of {4 * EACH} that there are", items)
    yield Line("  seconds of processor time that it takes", seconds, MOST)


@contextmanager
def _as_in_a_worker() -> Iterator[None]:
    """Collect garbage as seldom as the processes do in which builds run."""
    usual = gc.get_threshold()
    spare_the_collector()
    try:
        yield
    finally:
        gc.set_threshold(*usual)


async def serve(each: int, project: str) -> None:
    """Be the vendors, until the process ends."""
    async with running(company(each, project)) as world:
        print(json.dumps([world.urls, world.answers]), flush=True)
        await asyncio.Event().wait()


@contextmanager
def vendors(each: int = EACH, project: str = PROJECT) -> Iterator[Vendors]:
    """Give vendors with so many things each, in a process of their own."""
    command = [sys.executable, "-m", "benchmarks.build", "serve", str(each), project]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # our own words
        try:
            line = process.stdout.readline() if process.stdout else ""
            yield Vendors(*json.loads(line))
        finally:
            process.terminate()


def places(vendors: Vendors) -> list[Place]:
    """Return where an account of each vendor is, with what it has to set."""
    settings = {"github": {"repositories": (REPOSITORY,)}}
    return [Place(kind, url, settings.get(kind, {})) for kind, url in vendors.urls.items()]


async def _cost(vendors: Vendors) -> tuple[float, int]:
    async with connected(places(vendors), vendors.answers) as project:
        forget()
        before = process_time()
        await project.build(TICKET)
        seconds = process_time() - before
        return seconds, len(await project.store.read(read_uses, "jira", TICKET))
