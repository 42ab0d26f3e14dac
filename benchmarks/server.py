"""What a project's server costs: to start, to idle, and to be asked, also while it builds."""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter  # noqa: TID251  # time is what a benchmark measures
from typing import Final

from attrs import frozen

from benchmarks.context.projects import Place
from benchmarks.costs.commands import fill
from benchmarks.costs.company import TICKET, text, title
from benchmarks.costs.line import Line
from benchmarks.costs.processor import Vendors, vendors
from benchmarks.costs.processor import places as at_vendors
from benchmarks.daemon.projects import served
from benchmarks.daemon.spent import megabytes, processor_seconds
from benchmarks.start import FLOOR, ROVE, spent
from rove.server.client import call
from rove.server.start import ensure_server, stop
from rove_core.clock import SYSTEM
from rove_core.project.layout import ProjectPaths
from rove_core.project.opener import run
from rove_core.wire.json_types import JSON

DOCUMENTS: Final = 10_000
CONNECTIONS: Final = 8
LORISES: Final = 500
_RUNS: Final = 3
_COMMANDS: Final = 10
_SECONDS: Final = 5.0
_ASKED: Final = 1_000
_FEW: Final = 10
_EACH: Final = 500
_HEALTHS: Final = 300
_TEN_MINUTES: Final = 600.0
_GOES_WELL: Final = frozenset({"queued", "running", "done"})


def main(arguments: Sequence[str]) -> int:
    """Print a table; return 1 when something takes more than it may."""
    parser = argparse.ArgumentParser(description="Measure a server.")
    parser.add_argument("--idle", type=float, default=60.0, help="for how many seconds to watch it")
    seconds = parser.parse_args(arguments).idle
    print(f"{'':56}{'measured':>10}{'bound':>10}   load {os.getloadavg()[0]:.1f}")
    over = 0
    with _project() as places:
        for line in _lines(places, seconds):
            print(line, flush=True)
            over += line.is_over
    return int(bool(over))


def _lines(places: ProjectPaths, seconds: float) -> Iterator[Line]:
    yield from _starts(places)
    yield from _idle(places, seconds)
    yield from _found(places)
    yield from _found_while_building(places)
    yield from _statuses()
    yield from _slow_callers(places)


@contextmanager
def _project() -> Iterator[ProjectPaths]:
    """Give a project of many documents, with accounts at vendors that have much to say."""
    with (
        tempfile.TemporaryDirectory() as folder,
        vendors(_EACH) as there,
        served(Path(folder), _unhurried(there, Path(folder)), there.answers) as places,
    ):
        asyncio.run(fill(places.index, DOCUMENTS))
        places.context.mkdir()
        for number in range(DOCUMENTS):
            (places.context / f"MB-{number}_part.md").touch()
        yield places


def _unhurried(vendors: Vendors, folder: Path) -> Sequence[Place]:
    """Return accounts that may be asked as often as one likes."""
    notes = folder / "notes"
    notes.mkdir()
    for number in range(_EACH):
        (notes / f"{title(number)}.md").write_text(text(number), "utf-8")
    jira = [place for place in at_vendors(vendors) if place.kind == "jira"]
    return [*jira, Place("notes", folder.as_uri())]


def _starts(places: ProjectPaths) -> Iterator[Line]:
    costs = [_start(places) for _ in range(_RUNS)]
    yield Line("seconds from the command to start it to its end", min(wall for wall, _ in costs))
    yield Line("  seconds of processor time of both", min(cpu for _, cpu in costs))


def _start(places: ProjectPaths) -> tuple[float, float]:
    stop(places)
    began, before = perf_counter(), spent()
    _rove(places, "--start-server")
    wall, command = perf_counter() - began, spent() - before
    return wall, command + processor_seconds(ensure_server(places).server.pid)


def _idle(places: ProjectPaths, seconds: float) -> Iterator[Line]:
    pid = ensure_server(places).server.pid
    _sleep(1)
    before = processor_seconds(pid)
    _sleep(seconds)
    used = processor_seconds(pid) - before
    yield Line(f"seconds of processor time of {seconds:g} idle ones", used)
    yield Line("  of 600 idle ones", used * _TEN_MINUTES / seconds, 0.6)
    yield Line("  megabytes", megabytes(pid), 60)


@frozen
class _Answers:
    """How a server answered: requests a second, and the times of half and of 99 in 100."""

    rate: float
    p50: float
    p99: float
    wrong: int
    rate_of_processor: float


def _found(places: ProjectPaths) -> Iterator[Line]:
    found = [_answers(places) for _ in range(_RUNS)]
    yield Line("requests to /find a second", max(each.rate for each in found), least=2_000)
    rate = max(each.rate_of_processor for each in found)
    yield Line("  a second of the server's processor time", rate, least=2_000)
    yield from _times(found, 5)
    yield Line("  answers that are wrong", sum(each.wrong for each in found), 0)


def _times(found: Sequence[_Answers], most: float) -> Iterator[Line]:
    best = min(found, key=lambda each: each.p99)
    yield Line("  milliseconds until half of them are answered", best.p50 * 1000)
    yield Line("  milliseconds until 99 in 100 are", best.p99 * 1000, most)


def _found_while_building(places: ProjectPaths) -> Iterator[Line]:
    done = [0]

    def build() -> None:
        done[0] += 1
        arguments: JSON = {"tickets": [TICKET], "source": "jira", "fresh": True}
        _, reply = call(places, "POST", "/tasks", {"operation": "build", "arguments": arguments})
        (task,) = reply if isinstance(reply, list) else [{}]
        while not _has_ended(places, task):
            _sleep(0.2)

    build()
    found = [_answers(places, build) for _ in range(_RUNS)]
    rate = max(each.rate for each in found)
    yield Line("requests to /find a second while 600 items are found", rate)
    yield from _times(found, 25)
    yield Line("  builds meanwhile", done[0], least=_RUNS)


def _has_ended(places: ProjectPaths, task: JSON) -> bool:
    """Tell whether a build is done; when it failed, nothing was measured."""
    name = task.get("id") if isinstance(task, dict) else None
    _, reply = call(places, "GET", f"/tasks/{name}")
    entry = reply.get("task") if isinstance(reply, dict) else None
    state = str(entry["state"]) if isinstance(entry, dict) else "lost"
    if state not in _GOES_WELL:
        sys.exit(f"the build failed: {reply}")
    return state == "done"


def _answers(places: ProjectPaths, meanwhile: Callable[[], None] | None = None) -> _Answers:
    """Let a process of its own ask for documents, as often as it is answered."""
    pid = ensure_server(places).server.pid
    before, began = processor_seconds(pid), perf_counter()
    command = [sys.executable, "-m", "benchmarks.daemon.clients", str(places.socket)]
    with subprocess.Popen(  # noqa: S603  # our own words
        [*command, str(CONNECTIONS), str(_SECONDS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as clients:
        step = DOCUMENTS // _ASKED
        paths = "\n".join(f"/find/MB-{number}" for number in range(0, DOCUMENTS, step))
        if clients.stdin:
            clients.stdin.write(paths)
            clients.stdin.close()
        while meanwhile and perf_counter() - began < _SECONDS:
            meanwhile()
        output = clients.stdout.read() if clients.stdout else ""
    used = processor_seconds(pid) - before
    rate, p50, p99, wrong = json.loads(output)
    return _Answers(rate, p50, p99, wrong, rate_of_processor=rate * _SECONDS / used)


def _statuses() -> Iterator[Line]:
    """Compare with an empty Python, in a project as most are."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), (), {}) as places:
        asyncio.run(fill(places.index, _FEW))
        floor, dead = _costs(places, "--status")
        ensure_server(places)
        floor_too, alive = _costs(places, "--status")
    yield Line("times an empty Python, for --status without a server", dead / floor, 7)
    yield Line("  with one", alive / floor_too, 7)


def _costs(places: ProjectPaths, *arguments: str) -> tuple[float, float]:
    """Return the least processor time of an empty Python, and of a command."""
    rounds = [
        [_cost(places, *command) for command in (FLOOR, (str(ROVE), *arguments))]
        for _ in range(_COMMANDS)
    ]
    floors, costs = zip(*rounds, strict=True)
    return min(floors), min(costs)


def _cost(places: ProjectPaths, *command: str) -> float:
    before = spent()
    _done(places, *command)
    return spent() - before


def _slow_callers(places: ProjectPaths) -> Iterator[Line]:
    command = [sys.executable, "-m", "benchmarks.daemon.loris", str(places.socket), str(LORISES)]
    quiet = _healths(places)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lorises:  # noqa: S603  # our own words
        if lorises.stdout:
            lorises.stdout.readline()
        times = _healths(places)
        lorises.kill()
    yield Line("milliseconds until 99 in 100 calls of /health are answered", quiet[0] * 1000)
    yield Line(f"  with {LORISES} callers that never end", times[0] * 1000)
    yield Line("  calls that were put out for them", times[1], _HEALTHS / 100)


def _healths(places: ProjectPaths) -> tuple[float, int]:
    """Return how long 99 in 100 calls took, each on its own connection, and how many failed."""
    took, failed = [], 0
    for _ in range(_HEALTHS):
        began = perf_counter()
        try:
            failed += call(places, "GET", "/health")[0] != 200
        except OSError:
            failed += 1
        took.append(perf_counter() - began)
    return sorted(took)[len(took) * 99 // 100], failed


def _rove(places: ProjectPaths, *arguments: str) -> None:
    _done(places, str(ROVE), *arguments)


def _done(places: ProjectPaths, *command: str) -> None:
    done = subprocess.run(  # noqa: S603  # our own command, in a folder of our own
        command,
        cwd=places.root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with {done.returncode}:\n{done.stderr}")


def _sleep(seconds: float) -> None:
    run(SYSTEM.sleep(seconds))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
