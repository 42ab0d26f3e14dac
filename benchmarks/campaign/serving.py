"""Kill a project's server and its workers while they build: is a document lost, or built twice?"""

import argparse
import asyncio
import os
import random
import re
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.campaign.gates import lay_notes, tracker_running
from benchmarks.campaign.tally import Deadline, Tally
from benchmarks.context.projects import Place
from benchmarks.daemon.projects import processes_of, served
from rove.operations.build import build
from rove.server.client import call
from rove.server.environment import HEADER, environment_digest
from rove.server.start import ensure_server, running, stop
from rove_core import open_project
from rove_core.errors import RoveError
from rove_core.project.layout import ProjectPaths
from rove_core.store.connection import open_for_reading
from rove_core.store.tasks import Task, TaskState, list_tasks
from rove_core.wire.json_types import JSON

#: Seconds after which a task counts as one that is never done, on the slowest machine.
_PATIENCE: Final = 120.0
#: After so many strikes the pauses between them are twice as long, and so on.
_PATIENT_AFTER: Final = 20
_STATUS_ACCEPTED: Final = 202
#: What lies in a project when its server has ended well.
_FILES: Final = (
    *(".context", ".context/SV-*_*.md", ".rove", ".rove/.gitignore", ".rove/index.db*"),
    *(".rove/marks.key", ".rove/daemon.lock", ".rove/logs", ".rove/logs/*.log", ".rove/asked*"),
    ".rove/schedule.json",
    # What a server that fetches tickets knows the memory of the project by.
    *(".rove/state", ".rove/state/memory", ".rove/state/memory/checkout"),
    *(".rove/documents", ".rove/documents/jira", ".rove/documents/jira/SV-*_*.md.json"),
)
#: What is asked for.
_ASKED_FOR: Final = {"build", "refresh"}
#: What differs between two builds of the same: when it was.
_TIMES: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z| UTC)?")


def main() -> int:
    """Print what was counted; return 1 if anything was lost, doubled, half or left behind."""
    parser = argparse.ArgumentParser(description="Kill a server and its workers while they build.")
    parser.add_argument("--builds", type=int, default=200)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311  # no secret
    with TemporaryDirectory(prefix="serving-") as root:
        tally = kill_servers(Path(root), chance, builds=options.builds, every=options.every)
    print(tally, *(f"VIOLATION {each}" for each in tally.violations), sep="\n", flush=True)
    return int(bool(tally.violations))


def can_look_around() -> bool:
    """Tell whether the processes of a server can be found on this machine."""
    return Path("/proc/self/cmdline").exists()


def kill_servers(folder: Path, chance: random.Random, *, builds: int, every: float) -> Tally:
    """Have documents built by a server that is killed again and again, and look at all of them.

    Args:
        folder: Where to work.
        chance: What decides whom it strikes.
        builds: How many tasks are asked for: one half builds, then the other builds anew.
        every: Seconds between two kills, on average.
    """
    tally = Tally("kills of a server that builds")
    tickets = [f"SV-{number}" for number in range(1, builds // 2 + 1)]
    rounds = [[_call(ticket, fresh=fresh) for ticket in tickets] for fresh in (False, True)]
    with tracker_running(len(tickets)) as world:
        vendors = [
            Place("jira", world.urls["jira"]),
            Place("notes", lay_notes(folder / "written", len(tickets)).as_uri()),
        ]
        # A task may be struck as often as chance will have it.
        with served(folder, vendors, world.answers, ROVE_SCHEDULER_RETRY_ATTEMPTS="100") as places:
            client = _Asked(places, tally)
            with _striking(places, chance, every, tally):
                for calls in rounds:
                    client.all_of(calls)
                    client.wait(Deadline(_PATIENCE * builds))
            tally.violations += _what_is_wrong(client, [*chain(*rounds)])
            tally.violations += _what_is_left(places)
            expected = _undisturbed(folder / "undisturbed", tickets)
            tally.violations += _what_differs(places, expected)
            tally.add("documents compared", len(expected))
    return tally


class _Asked:
    """The tasks that were asked for, by somebody who starts the server whenever there is none."""

    def __init__(self, places: ProjectPaths, tally: Tally) -> None:
        self.places = places
        self.tally = tally
        self.ids: list[str] = []
        self.unanswered = 0

    def all_of(self, calls: Sequence[JSON]) -> None:
        """Ask for each until that is acknowledged."""
        for each in calls:
            while not (task_id := self._asked(each)):
                self.unanswered += 1
            self.ids.append(task_id)
        self.tally.add("tasks asked for", len(calls))

    def wait(self, deadline: Deadline) -> None:
        """Wait until all have ended."""
        while any(task.active for task in self.tasks()):
            if deadline.passed:
                self.tally.violations.append("not all has been done in the time there was")
                return
            with suppress(RoveError):
                ensure_server(self.places)
            threading.Event().wait(0.2)

    def tasks(self) -> tuple[Task, ...]:
        """Return all builds that there are; what the server runs by itself never ends."""
        with open_for_reading(self.places.index) as db:
            tasks = list_tasks(db, limit=10_000)
        return tuple(task for task in tasks if task.operation in _ASKED_FOR)

    def _asked(self, request: JSON) -> str:
        try:
            ensure_server(self.places)
            digest = {HEADER: environment_digest()}
            status, reply = call(self.places, "POST", "/tasks", request, headers=digest)
        except (OSError, RoveError):
            return ""
        if status != _STATUS_ACCEPTED or not isinstance(reply, list):
            self.tally.add(f"answers {status}")
            return ""
        (task,) = reply
        return str(task["id"]) if isinstance(task, dict) else ""


@contextmanager
def _striking(
    places: ProjectPaths, chance: random.Random, every: float, tally: Tally
) -> Iterator[None]:
    """Kill the server or a worker every few seconds: sometimes while it starts.

    The pauses grow, so that a machine on which a build takes longer than one of them comes to an
    end, too.
    """
    over = threading.Event()

    def strike() -> None:
        for strikes in count():
            if over.wait(chance.expovariate(1 / every) * (1 + strikes / _PATIENT_AFTER)):
                return
            living = processes_of(places)
            kind = chance.choice(["server", "worker"])
            fit = [pid for pid, each in sorted(living.items()) if each == kind]
            if fit:
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(fit), signal.SIGKILL)
                    tally.add(f"kills of a {kind}")

    thread = threading.Thread(target=strike)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _what_is_wrong(client: _Asked, calls: Sequence[JSON]) -> Iterator[str]:
    """Look at the tasks: each is done, and was begun again only when it was struck."""
    tasks = {task.id: task for task in client.tasks()}
    for task_id in client.ids:
        if task_id not in tasks:
            yield f"the task {task_id} was acknowledged, and is lost"
    for task in tasks.values():
        if task.state is not TaskState.DONE:
            yield f"{task.key} is {task.state}: {task.error}"
    expected = Counter(_words(each) for each in calls)
    actual = Counter(_words(_told(task)) for task in tasks.values())
    if actual.keys() != expected.keys() or actual.total() > expected.total() + client.unanswered:
        yield f"{actual.total()} tasks of {len(actual)} calls, and {len(expected)} were asked for"
    again = sum(task.attempt - 1 for task in tasks.values())
    counts = client.tally.counts
    most = counts.get("kills of a worker", 0) + 2 * counts.get("kills of a server", 0)
    client.tally.add("not acknowledged, and asked for again", client.unanswered)
    client.tally.add("tasks done", sum(task.state is TaskState.DONE for task in tasks.values()))
    client.tally.add("attempts more", again)
    if not 0 <= again <= most:
        yield f"{again} attempts more than tasks, of at most {most}"


def _what_is_left(places: ProjectPaths) -> Iterator[str]:
    """Start it once more, end it well, and look around."""
    ensure_server(places)
    with open_for_reading(places.index) as db:
        (verdict,) = db.execute("PRAGMA integrity_check").fetchone()
        unequal = db.execute("PRAGMA foreign_key_check").fetchall()
    if verdict != "ok" or unequal:
        yield f"the index: {verdict} {unequal}"
    if not stop(places) or running(places):
        yield "the last server does not end"
    if left := processes_of(places):
        yield f"processes are left: {left}"
    names = (str(path.relative_to(places.root)) for path in places.root.rglob("*"))
    for name in names:
        if not any(fnmatch(name, pattern) for pattern in _FILES):
            yield f"left behind: {name}"


def _what_differs(places: ProjectPaths, expected: Mapping[str, str]) -> Iterator[str]:
    """Compare each document with one that was built in peace."""
    found = documents_of(places.root)
    if found.keys() != expected.keys():
        yield f"other documents than in peace: {sorted(found.keys() ^ expected.keys())}"
    for name in found.keys() & expected.keys():
        if found[name] != expected[name]:
            yield f"{name} differs from one that was built in peace"


def _undisturbed(root: Path, tickets: Sequence[str]) -> Mapping[str, str]:
    """Build the same in this process, and nothing more."""

    async def built() -> None:
        async with open_project(root) as project:
            for fresh in (False, True):
                await build(project, tickets=tuple(tickets), source="jira", fresh=fresh)

    root.mkdir()
    asyncio.run(built())
    return documents_of(root)


def documents_of(root: Path) -> Mapping[str, str]:
    """Return the documents of a project by their names, without the times in them."""
    files = sorted((root / ".context").glob("*.md"))
    return {path.name: _TIMES.sub("TIME", path.read_text("utf-8")) for path in files}


def _call(ticket: str, *, fresh: bool) -> JSON:
    arguments: dict[str, JSON] = {"tickets": [ticket], "source": "jira"}
    return {"operation": "build", "arguments": {**arguments, **({"fresh": True} if fresh else {})}}


def _told(task: Task) -> JSON:
    return {"operation": task.operation, "arguments": dict(task.arguments)}


def _words(value: JSON) -> str:
    return repr(value)


if __name__ == "__main__":
    sys.exit(main())
