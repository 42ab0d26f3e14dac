"""The processor time of a whole build, without that of the vendors."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time  # noqa: TID251  # processor time is what a benchmark measures
from typing import Final

from attrs import frozen

from benchmarks.context.projects import Place, connected
from benchmarks.costs.company import EACH, REPOSITORY, TICKET, company
from benchmarks.costs.line import Line
from rove_core.store.document_items import read_uses
from rove_sim import running

#: Seconds for a build from four accounts.
MOST: Final = 0.6
_RUNS: Final = 5


@frozen
class _Vendors:
    """Where the vendors answer, and what opens them."""

    urls: dict[str, str]
    answers: dict[str, str]


def lines() -> Iterator[Line]:
    """Build from vendors in another process, whose time is not counted."""
    with _vendors() as vendors:
        seconds, items = min(asyncio.run(_cost(vendors)) for _ in range(_RUNS))
    yield Line(f"things found by a build, of {4 * EACH} that there are", items)
    yield Line("  seconds of processor time that it takes", seconds, MOST)


async def serve() -> None:
    """Be the vendors, until the process ends."""
    async with running(company()) as world:
        print(json.dumps([world.urls, world.answers]), flush=True)
        await asyncio.Event().wait()


async def _cost(vendors: _Vendors) -> tuple[float, int]:
    settings = {"github": {"repositories": (REPOSITORY,)}}
    places = [Place(kind, url, settings.get(kind, {})) for kind, url in vendors.urls.items()]
    async with connected(places, vendors.answers) as project:
        before = process_time()
        await project.build(TICKET)
        seconds = process_time() - before
        return seconds, len(await project.store.read(read_uses, "jira", TICKET))


@contextmanager
def _vendors() -> Iterator[_Vendors]:
    command = [sys.executable, "-m", "benchmarks.build", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # our own words
        try:
            said = process.stdout.readline() if process.stdout else ""
            yield _Vendors(*json.loads(said))
        finally:
            process.terminate()
