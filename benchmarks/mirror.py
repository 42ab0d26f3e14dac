"""Mirrors: size, time and memory with many items; documents made from a local copy."""

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from datetime import timedelta
from itertools import islice
from pathlib import Path
from statistics import quantiles
from time import process_time  # noqa: TID251  # how long it takes is what is measured
from typing import Final

from attrs import evolve

from benchmarks.context.companies import remembered_words
from benchmarks.mirror_items import AT, BATCH, CONTAINER, fill_with_items, generated_items
from benchmarks.mirrored import measure_companies
from rove_core import ContextItem, ListedChange
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.mirrors import Mirrors
from rove_core.mirror.usable_mirror import UsableMirror
from rove_core.time_windows import Window

_QUESTIONS: Final = 100
#: How many items change before a catch-up, and the first number of those that are new.
_CHANGES: Final = 1_000
_NEW: Final = 90_000_000
#: What 1,000,000 items may take: seconds of CPU for half and for nearly all questions, and memory.
_HALF, _MOST, _MEMORY = 0.1, 0.5, 120_000_000


def main() -> None:
    """Measure with generated items, or with companies in folders."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks mirror", description=__doc__)
    parser.add_argument("--items", type=int, default=20_000, help="how many items to generate")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="keep the mirror for reuse")
    parser.add_argument("--company", type=Path, action="append", default=[])
    parser.add_argument("--variant", action="append", help="half and hard unless given")
    parser.add_argument("--serve", default="", metavar="COMMAND", help="serves a company")
    parser.add_argument("--tickets", type=int, help="how many of each company; all if not given")
    parser.add_argument(
        "--listed", action="store_true", help="fill the mirrors over HTTP, as vendors list"
    )
    parser.add_argument("--figures", type=Path, metavar="FILE", help="keep each ticket's; go on")
    options = parser.parse_args()
    if options.company:
        variants = options.variant or ["half", "hard"]
        with remembered_words():
            measure_companies(
                options.company,
                variants,
                options.serve,
                tickets=options.tickets,
                kept=options.figures,
                listed=options.listed,
            )
    else:
        with tempfile.TemporaryDirectory() as folder:
            _measure_many(Mirror("team", (options.kept or Path(folder)) / "team.db"), options.items)


def _measure_many(mirror: Mirror, count: int) -> None:
    """Print what many items take, and end with 1 if that is too much."""
    if not mirror.exists:
        began = process_time()
        fill_with_items(mirror, count)
        spent = process_time() - began
        print(f"copied in {spent:.0f} s of CPU, {count / spent:.0f} a second")
        _print_memory("copying")
    size = mirror.size
    print(f"{count} items: {size / 1e6:.0f} MB, {size / count:.0f} bytes each")
    _count_words(mirror)
    _catch_up(mirror, count)
    seconds = asyncio.run(_ask(mirror, count))
    cuts = quantiles(seconds, n=20)
    print(f"a question: p50 {cuts[9] * 1e3:.0f} ms, p95 {cuts[18] * 1e3:.0f} ms of CPU")
    memory = _print_memory("all")
    if cuts[9] > _HALF or cuts[18] > _MOST or memory > _MEMORY:
        sys.exit("more than the target")


def _catch_up(mirror: Mirror, count: int) -> None:
    """Print what storing changes takes: nine of ten are edits of items from all times."""
    edited = islice(generated_items(count, seed=3), _CHANGES - _CHANGES // 10)
    step = max(1, count // _CHANGES)
    changes = [
        *(_called(each, number * step) for number, each in enumerate(edited)),
        *(_called(each, _NEW + n) for n, each in enumerate(islice(generated_items(count, 4), 100))),
    ]
    began = process_time()
    with mirror.writing() as writer:
        for at in range(0, _CHANGES, BATCH):
            batch = [ListedChange(item=each, whole=True) for each in changes[at : at + BATCH]]
            writer.store_changes(CONTAINER, batch, cursor="", is_check=False, now=AT)
        writer.end_listing(CONTAINER, AT)
        writer.trim(AT)
    spent = process_time() - began
    print(f"catching up with {_CHANGES} changes: {spent:.2f} s of CPU")


def _count_words(mirror: Mirror) -> None:
    """Print what the weekly count takes; the questions come after further changes."""
    began = process_time()
    with mirror.writing() as writer:
        writer.count_words(AT + timedelta(days=8))
    print(f"counting words, once a week: {process_time() - began:.1f} s of CPU")


def _called(item: ContextItem, number: int) -> ContextItem:
    """Return an item under the id of another number."""
    return evolve(item, ref=evolve(item.ref, id=f"{CONTAINER}-{number}"))


async def _ask(mirror: Mirror, count: int) -> Sequence[float]:
    """Return how many seconds of CPU each question takes, as a build asks it."""
    state = mirror.state()
    if state is None:
        sys.exit("the mirror is empty")
    mirrors = Mirrors(usable={"team": UsableMirror(mirror=mirror, state=state)})
    seconds: list[float] = []
    for ticket in islice(generated_items(count, seed=7), _QUESTIONS):
        began = process_time()
        naming = await mirrors.naming(ticket.ref, Window())
        everywhere = await mirrors.frequencies(ticket)
        await mirrors.about(ticket, [each.item for each in naming], Window(), everywhere)
        seconds.append(process_time() - began)
    return seconds


def _print_memory(what: str) -> int:
    """Print the most memory that this process has used, and return it in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"{what}: {most / 1e6:.0f} MB of memory, {json.dumps(os.getloadavg())} load")
    return most


if __name__ == "__main__":
    main()
