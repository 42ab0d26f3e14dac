"""Commands as a person runs them: the demonstration, and a search of many documents."""

import asyncio
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter  # noqa: TID251  # time is what a benchmark measures
from typing import Final

from benchmarks.costs.company import WORDS, moment, title
from benchmarks.costs.line import Line
from rove_core.clock import SYSTEM
from rove_core.store.documents import DocumentRecord, save_document
from rove_core.store.store import open_store

MOST_DEMO: Final = 3.0
DOCUMENTS: Final = 10_000
MOST_SEARCH: Final = 0.03
_RUNS: Final = 5
_ROVE: Final = Path(sysconfig.get_path("scripts"), "rove")


def lines() -> Iterator[Line]:
    """Run them."""
    yield Line("seconds of rove --demo", min(_demo() for _ in range(_RUNS)), MOST_DEMO)
    one, many = (_search(count) for count in (1, DOCUMENTS))
    what = f"seconds to search {DOCUMENTS:,} documents, more than for one"
    yield Line(what, many - one, MOST_SEARCH)


async def fill(index: Path, count: int) -> None:
    """Put documents into a new index."""
    async with open_store(index, clock=SYSTEM) as store, store.transaction() as db:
        for number in range(count):
            record = DocumentRecord(
                account="jira",
                ticket_id=f"MB-{number}",
                filename=f"MB-{number}_part.md",
                last_updated=moment(number),
                created_at=moment(number),
                title=title(number),
                keywords=WORDS[: 1 + number % len(WORDS)],
            )
            await save_document(db, record, {})


def _demo() -> float:
    with tempfile.TemporaryDirectory() as folder:
        before = perf_counter()
        _run(Path(folder), "--demo", f"{folder}/demo")
        return perf_counter() - before


def _search(count: int) -> float:
    """Return the least processor time of a search in a project of so many documents."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        (project / ".rove").mkdir(parents=True)
        asyncio.run(fill(project / ".rove" / "index.db", count))
        return min(_cost(project, "--search", " ".join(WORDS[:2])) for _ in range(_RUNS))


def _cost(folder: Path, *arguments: str) -> float:
    before = _spent()
    _run(folder, *arguments)
    return _spent() - before


def _spent() -> float:
    """Return the processor time of the children that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _run(folder: Path, *arguments: str) -> None:
    """Run a command that must succeed, with nothing of the user's."""
    own = {"HOME": str(folder), "ROVE_DATA_DIR": str(folder / "data")}
    done = subprocess.run(  # noqa: S603  # our own command, in a folder of our own
        [str(_ROVE), *arguments],
        cwd=folder,
        env=os.environ | own,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"rove {' '.join(arguments)} failed with {done.returncode}:\n{done.stderr}")
