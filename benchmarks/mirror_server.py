"""A running server with a large mirror: its memory while it answers builds and catches up."""

import argparse
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter  # noqa: TID251  # how long it takes is what is measured
from typing import Final

from attrs import define, field, frozen

from benchmarks.costs.processor import places as at_vendors
from benchmarks.costs.processor import vendors
from benchmarks.daemon.projects import processes_of, served
from benchmarks.daemon.spent import memory_of
from benchmarks.mirror_items import CONTAINER, fill_with_items
from rove.server.client import call
from rove.server.start import ensure_server
from rove_core.auth.accounts import AccountStore
from rove_core.clock import SYSTEM
from rove_core.mirror.mirror import Mirror, owner_of
from rove_core.mirror.state import write_fact
from rove_core.project.layout import ProjectPaths
from rove_core.project.opener import run
from rove_core.wire.json_types import JSON

#: Megabytes that a server and its workers may use.
_MOST: Final = 120
#: Tickets that the vendor has and the mirror lacks before it catches up, and builds.
_CHANGES: Final = 1_000
_BUILDS: Final = 10
_SAMPLE_SECONDS: Final = 0.1
_ACCOUNT: Final = "jira"


def main(arguments: Sequence[str]) -> int:
    """Print the most memory that each process used; return 1 if it is more than the target."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks mirror_server", description=__doc__)
    parser.add_argument("--items", type=int, default=100_000, help="how many items to generate")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="keep the mirror for reuse")
    options = parser.parse_args(arguments)
    with _project(options.kept, options.items) as places:
        ensure_server(places)
        with _memory_watched(places) as peaks:
            _measure(places, options.items)
    print(f"{options.items} items, load {os.getloadavg()[0]:.1f}")
    for what, peak in sorted(peaks.each.items()):
        print(f"{what}: at most {peak.resident:.0f} MB resident, {peak.own:.0f} MB proportional")
    print(f"together at most {peaks.all.resident:.0f} MB, {peaks.all.own:.0f} MB proportional")
    return int(max(each.resident for each in peaks.each.values()) > _MOST)


def _measure(places: ProjectPaths, items: int) -> None:
    """Let the server catch up and build; print how long each takes."""
    _print_time("catching up", places, "mirror_update", {})
    step = max(1, items // _BUILDS)
    for number in range(0, items, step):
        arguments: dict[str, JSON] = {"tickets": [f"{CONTAINER}-{number}"], "source": _ACCOUNT}
        _print_time(f"build of {CONTAINER}-{number}", places, "build", arguments)
    _print_time("catching up", places, "mirror_update", {})


def _print_time(
    what: str, places: ProjectPaths, operation: str, arguments: Mapping[str, JSON]
) -> None:
    began = perf_counter()
    _, reply = call(places, "POST", "/tasks", {"operation": operation, "arguments": {**arguments}})
    (task,) = reply if isinstance(reply, list) else [{}]
    name = task.get("id") if isinstance(task, dict) else None
    state = "queued"
    while state in {"queued", "running"}:
        run(SYSTEM.sleep(_SAMPLE_SECONDS))
        try:
            _, reply = call(places, "GET", f"/tasks/{name}")
        except TimeoutError:
            continue  # On a busy machine.
        entry = reply.get("task") if isinstance(reply, dict) else None
        state = str(entry["state"]) if isinstance(entry, dict) else "lost"
    if state != "done":
        sys.exit(f"{what} failed: {reply}")
    print(f"{what}: {perf_counter() - began:.1f} s", flush=True)


@contextmanager
def _project(kept: Path | None, items: int) -> Iterator[ProjectPaths]:
    """Yield a project whose account has a mirror of many items and a vendor with others."""
    with (
        tempfile.TemporaryDirectory(dir=kept) as folder,
        vendors(_CHANGES, CONTAINER) as there,
        served(
            Path(folder) / "user",
            [each for each in at_vendors(there) if each.kind == _ACCOUNT],
            there.answers,
        ) as places,
    ):
        mirror = Mirror.of(places, _ACCOUNT)
        mirror.path.parent.mkdir(parents=True)
        _copy_filled(Mirror("team", (kept or Path(folder)) / "team.db"), items, mirror)
        _make_current(mirror, places)
        yield places


def _copy_filled(filled: Mirror, items: int, mirror: Mirror) -> None:
    if not filled.exists:
        fill_with_items(filled, items)
    with closing(filled.database.open()) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copyfile(filled.path, mirror.path)
    mirror.path.chmod(0o600)


def _make_current(mirror: Mirror, places: ProjectPaths) -> None:
    """Make a mirror the account's own, checked just now."""
    (record,) = AccountStore(places.data_dir).accounts()
    with closing(mirror.database.open()) as db:
        write_fact(db, "owner", owner_of(record))
        now = SYSTEM.now().timestamp()
        db.execute("UPDATE containers SET checked_at = ?", [now])


@frozen
class _Memory:
    """Megabytes in use.

    Attributes:
        resident: All of it, with what is shared with other processes.
        own: The same, with its part of what is shared.
    """

    resident: float = 0.0
    own: float = 0.0


@define
class _Peaks:
    """The most memory in use.

    Attributes:
        each: That of the server and of each worker.
        all: That of all of them at the same time.
    """

    each: dict[str, _Memory] = field(factory=dict)
    all: _Memory = field(factory=_Memory)

    def add(self, processes: Mapping[int, str]) -> None:
        """Take a sample."""
        whole = _Memory()
        for pid, kind in processes.items():
            what = kind if kind == "server" else f"{kind} {pid}"
            try:
                now = _Memory(*memory_of(pid))
            except OSError:
                continue  # It has just ended.
            self.each[what] = _most(self.each.get(what, _Memory()), now)
            whole = _Memory(whole.resident + now.resident, whole.own + now.own)
        self.all = _most(self.all, whole)


def _most(one: _Memory, other: _Memory) -> _Memory:
    return _Memory(max(one.resident, other.resident), max(one.own, other.own))


@contextmanager
def _memory_watched(places: ProjectPaths) -> Iterator[_Peaks]:
    """Yield the most memory of a server and its workers, sampled by a thread until the end."""
    peaks, done = _Peaks(), threading.Event()

    def sample() -> None:
        while not done.wait(_SAMPLE_SECONDS):
            peaks.add(processes_of(places))

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield peaks
    finally:
        done.set()
        thread.join()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
