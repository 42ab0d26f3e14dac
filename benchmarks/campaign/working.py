"""Tasks as a scenario: in every other state one more is asked for, in the next it is done."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from benchmarks.campaign.scenarios import Broken, Scenario
from rove_core import MemoryStore, Operation, Project, open_project
from rove_core.errors import DiskTrouble
from rove_core.operations import Operations
from rove_core.store.connection import open_for_reading
from rove_core.store.files import write_atomic
from rove_core.store.tasks import TaskState, list_tasks
from rove_core.tasks.leases import settle
from rove_core.tasks.submission import submit

_MOST: Final = 10_000


async def note(rove: Project, *, number: int) -> int:
    """Leave a note that something was done."""
    write_atomic(rove.places.root / f"{number}.note", str(number).encode())
    return number


_NOTE: Final = Operation(note)


def _write(folder: Path, number: int) -> None:
    asyncio.run(_asked(folder, number // 2) if number % 2 == 0 else _worked(folder, number // 2))


async def _asked(folder: Path, task: int) -> None:
    """Ask for a task, as the server does."""
    async with _project(folder) as project:
        await submit(project.store, _NOTE, {"number": task})


async def _worked(folder: Path, number: int) -> None:
    """Do a task, as a worker does; it may have failed before, or its worker have been killed."""
    operations = Operations()
    operations.add(_NOTE, "campaign")
    async with _project(folder) as project:
        await settle(project.store, project.settings.scheduler)
        (task,) = await submit(project.store, _NOTE, {"number": number})
        done = await project.run_queued(operations, task.id)
    if done is None or done.state is not TaskState.DONE:
        raise DiskTrouble(f"the task is not done: {done}")


@asynccontextmanager
async def _project(folder: Path) -> AsyncIterator[Project]:
    async with open_project(folder, plugins=(), accounts=(), credentials=MemoryStore()) as project:
        yield project


def _read(folder: Path) -> int:
    """Return the state: how many were asked for and how many are done, one less than together."""
    with open_for_reading(folder / ".rove" / "index.db") as db:
        (verdict,) = db.execute("PRAGMA integrity_check").fetchone()
        tasks = [
            (int(str(task.arguments["number"])), task.state) for task in list_tasks(db, limit=_MOST)
        ]
    numbers = sorted({number for number, _ in tasks})
    done = sorted(number for number, state in tasks if state is TaskState.DONE)
    if verdict != "ok" or numbers != [*range(len(numbers))] or done != numbers[: len(done)]:
        raise Broken(f"{verdict}, with the tasks {tasks}")
    if len(numbers) - len(done) not in {0, 1}:
        raise Broken(f"{len(numbers)} tasks were asked for, and {len(done)} are done")
    if lost := [number for number in done if not (folder / f"{number}.note").exists()]:
        raise Broken(f"done, and not done: {lost}")
    return len(numbers) + len(done) - 1


TASKS: Final = Scenario(
    "tasks",
    _write,
    _read,
    (
        *("*.note", ".rove", ".rove/.gitignore", ".rove/index.db*", ".rove/marks.key"),
        *(".rove/logs", ".rove/logs/*.log"),
    ),
)
