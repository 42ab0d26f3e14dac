"""Two-way sync against simulated trackers: what is lost, doubled or overwritten."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from time import perf_counter, process_time  # noqa: TID251  # time is what it measures

from attrs import frozen

from benchmarks.sync.oracle import kinds_of
from benchmarks.sync.vendor import PROFILES
from benchmarks.sync.world import run_world
from rove_core.errors import RoveError

_SHOWN = 5


@frozen
class RunResult:
    """What one run came to.

    Attributes:
        vendor: The vendor's profile.
        seed: The seed.
        broken: What the oracle found.
        literal_failed: Whether the first design's sync failed with the same seed.
        seconds: How much CPU the first of the two took.
    """

    vendor: str
    seed: int
    broken: Sequence[str]
    literal_failed: bool
    seconds: float


def main() -> int:
    """Run many seeds with each profile, and the first design's sync with the same ones."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks sync", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds for each vendor")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    began = perf_counter()
    seeds = range(options.first, options.first + options.seeds)
    jobs = [(place, seed, options.steps) for seed, place in product(seeds, range(len(PROFILES)))]
    with ProcessPoolExecutor(options.processes) as pool:
        from benchmarks.sync.__main__ import one_run as work  # noqa: PLC0415  # workers import it

        results = list(pool.map(work, jobs, chunksize=20))
    bad = report(results)
    print(f"{perf_counter() - began:.0f} s")
    return int(bad)


def one_run(asked: tuple[int, int, int]) -> RunResult:
    """Run one seed with one profile, with both syncs."""
    place, seed, steps = asked
    began = process_time()
    broken = run_world(PROFILES[place], seed, steps=steps)
    took = process_time() - began
    try:
        literal = bool(run_world(PROFILES[place], seed, steps=steps, literal=True))
    except RoveError:
        literal = True  # It does not even survive.
    return RunResult(PROFILES[place].name, seed, tuple(broken), literal, took)


def report(results: Iterable[RunResult]) -> bool:
    """Print the table, and return whether anything was broken."""
    runs, failed, literal = Counter[str](), Counter[str](), Counter[str]()
    kinds, seconds, shown = Counter[str](), 0.0, 0
    for each in results:
        runs[each.vendor] += 1
        failed[each.vendor] += bool(each.broken)
        literal[each.vendor] += each.literal_failed
        kinds += kinds_of(each.broken)
        seconds += each.seconds
        if each.broken and shown < _SHOWN:
            shown += 1
            print(f"{each.vendor} seed {each.seed}:", *each.broken[:_SHOWN], sep="\n    ")
    for vendor, count in runs.items():
        print(
            f"{vendor:8} {count} runs: {failed[vendor]} with a violation; the first design "
            f"literally: {literal[vendor]} ({100 * literal[vendor] / count:.1f} %)"
        )
    print(f"violations: {dict(kinds) or 'none'}; CPU {1e3 * seconds / runs.total():.0f} ms a run")
    return failed.total() > 0 or literal.total() < 0.9 * runs.total()


if __name__ == "__main__":
    sys.exit(main())
