"""The working day with real processes on real time: commands, servers and workers of two projects.

The vendors' windows are shorter by a scale, and so is the minute that Rove plans with: a module
that Python imports at the start of each process sets it, and notes each call of a limit. Waiting
is the time in which a limit holds a request; what a command waits for the processor is not.
"""

import asyncio
import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import evolve, frozen
from docs_src.sandbox import Sandbox, vendors

from benchmarks.day import DAY, FIRST, LATENCY, MOST_WAITING, REFRESHES, Command, refusals
from benchmarks.day_waiting import Hold, Taken, forced_holds, holds_of, waits
from rove_core.clock import SYSTEM
from rove_sim import Conduct, World
from rove_sim.limits import Allowance, Limit, Limiter

#: How much longer than needed the pause before commands that come half an hour later is.
_SPARE: Final = 1.2
#: Seconds between two looks for a command's first document.
_LOOK: Final = 0.05
#: What Python imports first in each process of Rove.
_AT_START: Final = """
import json, os, sys
from rove_core.http import rate_limits

rate_limits._MINUTE = {minute}
Limits = rate_limits.SharedLimits
take, close = Limits.take, Limits.close

def note(limits, bucket, per_minute, wait, granted):
    at = limits._clock.now().timestamp()
    process = os.getcwd() + " " + " ".join(sys.argv)
    line = json.dumps([process, bucket, per_minute, at, wait, granted])
    with open({noted!r}, "a") as file:
        file.write(line + "\\n")

async def noted_take(self, bucket, *, per_minute, at_most, **options):
    wait = await take(self, bucket, per_minute=per_minute, at_most=at_most, **options)
    if per_minute or wait:
        note(self, bucket, per_minute or 0, wait, wait <= at_most)
    return wait

async def noted_close(self, bucket, seconds):
    note(self, bucket, 0, seconds, True)
    await close(self, bucket, seconds)

Limits.take, Limits.close = noted_take, noted_close
"""


class ScaledLimiter(Limiter):
    """Counts like a vendor whose windows are shorter."""

    scale = 1.0

    def take(self, key: tuple[str, ...], limit: Limit, *, cost: float = 1) -> Allowance:
        """Count a request."""
        return super().take(key, evolve(limit, seconds=limit.seconds / self.scale), cost=cost)


@frozen
class Typed:
    """A command of the day.

    Attributes:
        name: When, what and where.
        at: Its minute after nine.
        project: The project.
        script: What is typed.
    """

    name: str
    at: float
    project: str
    script: str


@frozen
class RealDay:
    """A day as it went.

    Attributes:
        commands: What people typed, in its order.
        holds: The requests that a limit could have held.
        firsts: When each command's first new document was there.
        refused: How many requests vendors refused because of their limits.
    """

    commands: Sequence[Command]
    holds: Sequence[Hold]
    firsts: Mapping[str, float]
    refused: int


def main(scale: float) -> int:
    """Print how the day went; return 1 if a document was partial, late, or waited too long."""
    with tempfile.TemporaryDirectory(prefix="rove-day-") as folder:
        day = asyncio.run(_day(Path(folder), scale=scale))
    waited, forced = waits(day.holds), waits(forced_holds(day.holds, window=60 / scale))
    known = {each.name: day.firsts.get(each.name, 0.0) for each in day.commands}
    before = waits(day.holds, until=known)
    print(f"{'command':26}{'took s':>8}{'forced':>8}{'waited':>8}{'first':>8}{'partial':>9}")
    firsts = []
    for each in day.commands:
        name, first = each.name, ""
        if name in day.firsts:
            firsts.append(day.firsts[name] - each.begun - before.get(name, 0.0))
            first = f"{firsts[-1]:.1f}"
        least, wait = forced.get(name, 0.0), waited.get(name, 0.0)
        print(f"{name:26}{each.seconds:8.1f}{least:8.1f}{wait:8.1f}{first:>8}{each.partial:9}")
    partial, late = sum(each.partial for each in day.commands), max(firsts)
    total, least = sum(waited.values()), sum(forced.values())
    print(f"partial documents: {partial}; refused by vendors: {day.refused}")
    print(f"first document: {late:.1f} s of a command's own time at most (at most {FIRST:g})")
    print(f"waiting: {total:.0f} s, {total / max(least, 1):.2f} of what the limits force")
    return int(partial > 0 or late > FIRST or total > MOST_WAITING * max(least, 1))


def _plan() -> Iterator[Typed]:
    for at, project, tickets in DAY:
        yield Typed(f"{at:5.1f} {project} build", at, project, f"rove build {' '.join(tickets)}")
    for at, project in REFRESHES:
        yield Typed(f"{at:5.1f} {project} refresh", at, project, "rove refresh --all")


async def _day(folder: Path, *, scale: float) -> RealDay:
    """Let the day pass; of the hours in which nobody does anything, only a window passes."""
    noted, minute = folder / "noted", 60 / scale
    with _company(scale) as world:
        sandbox = Sandbox(folder / "home", world)
        sandbox.log_in()
        for vendor in world.vendors.values():
            vendor.limiter = ScaledLimiter(vendor.clock)
        site = folder / "home" / "site"
        site.mkdir(exist_ok=True)
        module = _AT_START.format(minute=int(61e6 / scale), noted=str(noted))
        (site / "sitecustomize.py").write_text(module, "utf-8")
        running: list[asyncio.Task[tuple[Command, float | None]]] = []
        before = 0.0
        for typed in _plan():
            if typed.at - before > 1:
                await asyncio.gather(*running)
                await SYSTEM.sleep(minute * _SPARE)
            else:
                await SYSTEM.sleep((typed.at - before) * minute)
            running.append(asyncio.create_task(_run(typed, sandbox)))
            before = typed.at
        done = await asyncio.gather(*running)
        for name in ("api", "web"):
            await asyncio.to_thread(_shell, sandbox, name, "rove server stop")
        refused = refusals(world)
    commands = [command for command, _ in done]
    return RealDay(
        commands=commands,
        holds=[*holds_of(_calls(noted, commands))],
        firsts={command.name: at for command, at in done if at is not None},
        refused=refused,
    )


@contextmanager
def _company(scale: float) -> Iterator[World]:
    """Run the vendors, with windows that are shorter by a scale."""
    ScaledLimiter.scale = scale
    with vendors() as world:
        for vendor in world.vendors.values():
            vendor.conduct = Conduct(limits=True, latency=LATENCY)
        yield world


async def _run(typed: Typed, sandbox: Sandbox) -> tuple[Command, float | None]:
    """Type a command; return what came of it, and when its first new document was there."""
    folder = sandbox.home / typed.project / ".context"
    known = _documents(folder)
    begun, began = SYSTEM.now().timestamp(), SYSTEM.monotonic()
    script = f"{typed.script} --json"
    answering = asyncio.create_task(asyncio.to_thread(_shell, sandbox, typed.project, script))
    first = None
    while not answering.done() and first is None:
        await asyncio.wait([answering], timeout=_LOOK)
        first = SYSTEM.now().timestamp() if _documents(folder) - known else None
    answer = json.loads(await answering)
    seconds = SYSTEM.monotonic() - began
    built, failed = answer.get("built", []), answer.get("failed", [])
    partial = [each for each in built if each["failures"] or each["notes"] or each["rest"]]
    return Command(typed.name, begun, seconds, len(partial) + len(failed), {}), first


def _documents(folder: Path) -> set[str]:
    return {each.name for each in folder.glob("*.md")}


def _shell(sandbox: Sandbox, project: str, script: str) -> str:
    """Run a script in a project, as its user would; return what it prints."""
    folder = sandbox.home / project
    (folder / ".rove").mkdir(parents=True, exist_ok=True)
    environment = {**sandbox.environment(), "ROVE_DAEMON": "1"}
    done = subprocess.run(  # noqa: S603  # our own words
        ["/bin/bash", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in {0, 5}:
        raise RuntimeError(f"{script} ends with {done.returncode}:\n{done.stderr}")
    return done.stdout


def _calls(noted: Path, commands: Sequence[Command]) -> Iterator[Taken]:
    """Yield the calls of limits, each with the command that it belongs to."""
    for line in noted.read_text("utf-8").splitlines():
        process, bucket, per_minute, at, wait, granted = json.loads(line)
        if which := _which(commands, process, at):
            yield Taken(which, bucket, per_minute, at, wait, granted)


def _which(commands: Sequence[Command], process: str, at: float) -> str:
    """Return the last command of a process's project that had begun."""
    begun: Mapping[float, str] = {
        each.begun: each.name
        for each in commands
        if f"/{each.name.split()[1]}" in process and each.begun <= at
    }
    return begun[max(begun)] if begun else ""
