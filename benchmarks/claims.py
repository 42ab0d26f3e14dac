"""Whether exactly one of many processes gets an item that all of them claim at once."""

import argparse
import os
import sys
import tempfile
from datetime import timedelta
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from time import perf_counter  # noqa: TID251  # time is what a benchmark measures
from typing import TYPE_CHECKING, Final

from rove_core import Conflict
from rove_core.project.local import LocalProject
from rove_memory.plans.claims import claim_item
from rove_memory.plans.graph import WorkKey
from rove_memory.plans.plans import insert_plan
from rove_memory.plans.ready import Viewer
from rove_memory.store import ProjectStore

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue

LEASE: Final = timedelta(hours=1)


def main() -> int:
    """Print how many items had one winner; return 1 unless all had."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks claims", description=__doc__)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--items", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ROVE_DATA_DIR"] = str(Path(folder) / "data")
        root = Path(folder) / "project"
        (root / ".rove").mkdir(parents=True)
        began = perf_counter()
        wins = race(root, options.processes, options.items)
        took = perf_counter() - began
    single = sum(count == 1 for count in wins)
    print(f"{options.processes} processes, {options.items} items: {single} with one winner")
    print(f"{took:.1f} s, {options.processes * options.items / took:.0f} claims a second")
    return int(single != options.items)


def race(root: Path, processes: int, items: int) -> list[int]:
    """Let processes claim the same items at the same moments; return each item's winners.

    Args:
        root: The folder of a project.
        processes: How many processes claim.
        items: How many plans there are to claim.
    """
    store = ProjectStore.of(LocalProject.at(root))
    with store.writing() as db:
        keys = [
            WorkKey("local", insert_plan(db, store, {"title": f"Step {at}"}, ()))
            for at in range(items)
        ]
    context = get_context("fork")
    barrier, results = context.Barrier(processes), context.SimpleQueue()
    workers = [
        context.Process(target=_claim_all, args=(root, f"agent {at}", keys, barrier, results))
        for at in range(processes)
    ]
    for worker in workers:
        worker.start()
    won = [results.get() for _ in workers]
    for worker in workers:
        worker.join()
    return [sum(each[at] for each in won) for at in range(items)]


def _claim_all(
    root: Path,
    owner: str,
    keys: list[WorkKey],
    barrier: Barrier,
    results: "SimpleQueue[list[bool]]",
) -> None:
    store = ProjectStore.of(LocalProject.at(root))
    won = []
    for key in keys:
        barrier.wait()
        try:
            with store.writing() as db:
                claim_item(db, key, Viewer(now=store.clock.now(), owner=owner), LEASE)
            won.append(True)
        except Conflict:
            won.append(False)
    results.put(won)


if __name__ == "__main__":
    sys.exit(main())
