"""What it costs to find code in a repository of one, ten and a hundred megabytes."""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from benchmarks.code.monorepo import Monorepo
from benchmarks.context.tables import show
from rove_code.engine import CodeEngine
from rove_code.model import CodeQuestion
from rove_core.clock import SystemClock

_SIZES: Final = (1, 10, 100)
_MEGABYTE: Final = 1_000_000
_KIB: Final = 1024
#: This process, and those that it starts.
_WHO: Final = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
_COMMITS: Final = 7
_QUESTIONS: Final = 80
_BUDGET: Final = 10_000
_COLUMNS: Final = {
    "files": "files",
    "cold": "cold s",
    "commit": "commit s",
    "nothing": "no change s",
    "opened": "opened s",
    "p50": "query p50 ms",
    "p95": "p95 ms",
    "rss": "RSS MB",
    "disk": "disk MB",
}


def main(arguments: Sequence[str]) -> None:
    """Measure each size in a process of its own, and print a table: times are of processors."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks code growth", description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=_SIZES, help="megabytes")
    sizes = parser.parse_args(arguments).sizes
    rows = ([f"{size} MB", *(figures[name] for name in _COLUMNS)] for size, figures in _all(sizes))
    show(["", *_COLUMNS.values()], list(rows))


def _all(sizes: Sequence[int]) -> Iterator[tuple[int, Mapping[str, str]]]:
    for size in sizes:
        command = [sys.executable, "-m", "benchmarks.code.growth", str(size)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603  # ourselves
        yield size, json.loads(done.stdout)


class _Still(SystemClock):
    """No second passes, so that no question has to look whether a file has changed."""

    def monotonic(self) -> float:
        return 0.0


def _measured(size: int) -> Mapping[str, str]:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name, "home")
        repository = Monorepo.write(Path(name, "repository"), size * _MEGABYTE)
        with CodeEngine(home, clock=_Still()) as engine:
            figures = dict(_times(engine, repository))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB
        with CodeEngine(home) as engine:
            figures["opened"] = f"{_cost(lambda: engine.refresh(repository.folder)):.2f}"
            figures["files"] = str(engine.refresh(repository.folder).files)
        disk = sum(file.stat().st_size for file in home.rglob("*")) / _MEGABYTE
    return {**figures, "rss": f"{memory:.0f}", "disk": f"{disk:.1f}"}


def _times(engine: CodeEngine, repository: Monorepo) -> Iterator[tuple[str, str]]:
    folder = repository.folder
    yield "cold", f"{_cost(lambda: engine.refresh(folder)):.2f}"
    commits = []
    for _ in range(_COMMITS):
        repository.change()
        commits.append(_cost(lambda: engine.refresh(folder)))
    yield "commit", f"{median(commits):.2f}"
    yield "nothing", f"{_cost(lambda: engine.refresh(folder)):.2f}"
    questions = (CodeQuestion(text, _BUDGET) for text in repository.questions(_QUESTIONS))
    costs = [_cost(partial(engine.query, each, [(folder, "workspace")])) for each in questions]
    yield "p50", f"{1000 * median(costs):.1f}"
    yield "p95", f"{1000 * quantiles(costs, n=20)[-1]:.1f}"


def _cost(work: Callable[[], object]) -> float:
    """Return how many seconds of processors it takes, those of the processes it starts included."""
    before = _spent()
    work()
    return _spent() - before


def _spent() -> float:
    used = [resource.getrusage(who) for who in _WHO]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    print(json.dumps(_measured(int(sys.argv[1]))))
