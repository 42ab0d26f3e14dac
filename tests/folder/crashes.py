"""Kill scans at many points, finish them, and say what was paid twice or lost; one JSON line each.

It is a program of its own: it forks, which a process with threads should not do.
"""

import asyncio
import json
import os
import signal
import sys
import tempfile
import threading
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import attrs
from tests.folder.stub_engine import StubModel

import rove_folder
from rove_core import MemoryStore, Prompt, open_project
from rove_core.project.settings import load_settings
from rove_core.testing import VirtualClock
from rove_folder.project_folder import ProjectFolder
from rove_folder.scan import scan
from rove_folder.settings import FolderSettings

FILES = 12


class Killer:
    """Kills this process at a call that is counted from now on."""

    def __init__(self, at: int) -> None:
        self.count = 0
        self.at = at

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:  # noqa: ANN401  # a profiler's
        """Count a call into this package or into SQLite."""
        if event in {"call", "c_call"} and "rove_folder" in frame.f_code.co_filename:
            self.count += 1
            if self.count == self.at:
                os.kill(os.getpid(), signal.SIGKILL)


async def run(place: Path, at: int, later: timedelta) -> tuple[int, dict[str, Any]]:
    """Scan a folder, and return how many calls that took and what is stored."""
    paid = place / "paid.txt"

    def answer(prompt: Prompt) -> str:
        with paid.open("a") as file:
            file.write(f"{dict(prompt.material)['name']}\n")  # type: ignore[arg-type]  # a mapping
        return "Said"

    model = StubModel(answer)
    clock = VirtualClock(datetime.fromisoformat("2030-05-01T00:00:00+00:00") + later)
    async with open_project(
        place / "project",
        accounts=(),
        plugins=[rove_folder, model.plugin()],
        credentials=MemoryStore(),
        clock=clock,
    ) as rove:
        ai = {"ai.engine": "stub", "ai.model": "m"}
        rove.settings = load_settings(rove.places, flags=ai)
        folder = attrs.evolve(ProjectFolder.of(rove), settings=FolderSettings(summaries="model"))
        folder.link(str(place / "files"), relative_to=place)
        killer = Killer(at)
        threading.setprofile(killer)
        sys.setprofile(killer)
        counts = await scan(folder)
        sys.setprofile(None)
        threading.setprofile(None)
        with closing(folder.database.open()) as db:
            (row,) = db.execute(
                "SELECT (SELECT sum(tokens_used) FROM monthly_token_usage),"
                " (SELECT sum(tokens_used) FROM agent_run_logs),"
                " (SELECT count(*) FROM project_folder_files WHERE summary IS NOT NULL)"
            )
        return killer.count, {
            "used": row[0],
            "logged": row[1],
            "files": row[2],
            "left": counts.left,
        }


def stored(place: Path) -> set[str]:
    """Return the files whose summaries were stored when the process died."""
    import sqlite3  # noqa: PLC0415  # this program alone looks from outside

    path = next((place / "project" / ".rove").rglob("folder.db"), None)
    if path is None:
        return set()
    with closing(sqlite3.connect(path)) as db:
        (count,) = db.execute("SELECT count(*) FROM summaries").fetchone()
    return {str(number) for number in range(count)}


def prepared(place: Path) -> None:
    """Write a folder with a few files."""
    (place / "project").mkdir()
    (place / "files").mkdir()
    for number in range(FILES):
        (place / "files" / f"{number}.md").write_text(f"About {number} kinds of tea.")


def crash(at: int) -> dict[str, Any]:
    """Kill a scan at a point, finish it later, and say what became of it."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        prepared(place)
        child = os.fork()
        if child == 0:
            asyncio.run(run(place, at, timedelta()))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        kept = len(stored(place))
        paid = place / "paid.txt"
        before = paid.read_text().split() if paid.exists() else []
        grandchild = os.fork()
        if grandchild == 0:
            _, told = asyncio.run(run(place, 0, timedelta(hours=1)))
            (place / "told.json").write_text(json.dumps(told))
            os._exit(0)
        os.waitpid(grandchild, 0)
        told = json.loads((place / "told.json").read_text())
        # What was paid, less what was paid and not yet stored when the process died.
        again = len(paid.read_text().split()) - len(before) - (FILES - kept)
        return {
            **told,
            "killed": os.WIFSIGNALED(status),
            "again": again,
            "in_flight": len(before) - kept,
        }


def main() -> None:
    """Crash at as many points as the first argument says, spread over a whole scan."""
    points = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        prepared(Path(name))
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            count, _ = asyncio.run(run(Path(name), 0, timedelta()))
            os.write(writer, str(count).encode())
            os._exit(0)
        os.waitpid(child, 0)
        total = int(os.read(reader, 100))
    for number in range(points):
        sys.stdout.write(json.dumps(crash(1 + number * total // (2 * points))) + "\n")


if __name__ == "__main__":
    main()
