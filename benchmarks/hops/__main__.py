"""How many functions a build through the server passes, from the command line to a source's hook.

A *hop* is a function of ours that a reader steps through to follow one build: those on the stack
when the first hook of a source runs, and in the processes before it those on the stack when the
work is handed over (the command adds the task to the index, the server sends it to a worker). The
function that started an asyncio task counts as on its stack. Each function counts once; functions
of Python, Click and pluggy do not count, nor do calls that have returned (an entered `with`, a
helper).
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.context.projects import Place
from benchmarks.daemon.projects import served
from benchmarks.hops.probe import NOTES, Function
from benchmarks.start import ROVE
from rove.server.start import ensure_server
from rove_core.project.layout import ProjectPaths
from rove_sim import World, running, sample_company

#: How many a build may take.
MOST: Final = 35
_TICKET: Final = "TB-123"
_ROOT: Final = Path(__file__).parents[2]
_BEGINS: Final = "from benchmarks.hops import probe\nprobe.begin()\n"
#: The stretches of the way, in their order.
_STRETCHES: Final = ("the task is in the table: build", "the worker is asked: task")
_HOOKS: Final = ("rove_search", "rove_item_detail")


def main() -> int:
    """Print the way to each hook, a function a line; return 1 if one is too long."""
    with tempfile.TemporaryDirectory() as folder:
        noted = asyncio.run(_noted(Path(folder)))
    counts = [_shown(hook, noted) for hook in _HOOKS]
    print(f"hops of a build through the server: {max(counts)}, at most {MOST}")
    return int(max(counts) > MOST)


async def _noted(folder: Path) -> Mapping[str, Sequence[Function]]:
    """Build a document of the simulated company, and return the way to each end of a stretch."""
    notes, begins = folder / "notes", folder / "begins"
    begins.mkdir()
    (begins / "sitecustomize.py").write_text(_BEGINS, "utf-8")
    watched = {NOTES: str(notes), "PYTHONPATH": f"{begins}{os.pathsep}{_ROOT}"}
    async with running(sample_company()) as world:
        with served(folder, [*_places(world)], world.answers, **watched) as places:
            await asyncio.to_thread(ensure_server, places)
            await _build(places)
    noted = [json.loads(line) for line in notes.read_text("utf-8").splitlines()]
    # Of several processes that come to the same end, the first one is meant.
    return {each["end"]: [tuple(f) for f in each["functions"]] for each in reversed(noted)}


def _places(world: World) -> Iterator[Place]:
    for kind, url in world.urls.items():
        yield Place(kind, url, world.settings.get(kind, {}))


async def _build(places: ProjectPaths) -> None:
    command = [str(ROVE), "--ticket", _TICKET]
    process = await asyncio.create_subprocess_exec(*command, cwd=places.root)
    if code := await process.wait():
        sys.exit(f"{' '.join(command)} ends with {code}")


def _shown(hook: str, noted: Mapping[str, Sequence[Function]]) -> int:
    """Print the way to a hook, and return its length."""
    seen: dict[Function, None] = {}
    print(f"== to {hook}")
    for end in (*_STRETCHES, hook):
        new = [each for each in noted[end] if each not in seen]
        seen |= dict.fromkeys(new)
        for count, (file, line, name) in enumerate(new, len(seen) - len(dict.fromkeys(new)) + 1):
            print(f"{count:4} {name:45} {file}:{line}")
        print(f"     -- {end}")
    return len(seen)


if __name__ == "__main__":
    sys.exit(main())
