"""The working day with real processes on real time: commands, servers and workers of two projects.

The vendors' windows are shorter by a scale, and so is the minute that Rove plans with: a module
that Python imports at the start of each process sets it, and notes what is let out.
"""

import asyncio
import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import evolve, frozen
from docs_src.sandbox import Sandbox, vendors

from benchmarks.day import DAY, LATENCY, MOST_WAITING, REFRESHES, Command, Day, Sent, forced_waits
from rove_core.clock import SYSTEM
from rove_sim import Conduct, World
from rove_sim.limits import Allowance, Limit, Limiter

#: How much longer than needed the pause before commands that come half an hour later is.
_SPARE: Final = 1.2
#: What Python imports first in each process of Rove.
_AT_START: Final = """
import json, os, sys
from rove_core.http import rate_limits

rate_limits._MINUTE = {minute}
before = rate_limits.SharedLimits.take

async def take(self, bucket, *, per_minute, at_most, **options):
    wait = await before(self, bucket, per_minute=per_minute, at_most=at_most, **options)
    if per_minute and wait <= at_most:
        at = self._clock.now().timestamp() + wait
        line = json.dumps([os.getcwd(), " ".join(sys.argv), bucket, per_minute, at])
        with open({noted!r}, "a") as file:
            file.write(line + "\\n")
    return wait

rate_limits.SharedLimits.take = take
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


def main(scale: float) -> int:
    """Print how the day went; return 1 when a document was partial or waited too long."""
    with tempfile.TemporaryDirectory(prefix="rove-day-") as folder:
        free = asyncio.run(_day(Path(folder) / "free", scale=scale, limits=False))
        real = asyncio.run(_day(Path(folder) / "real", scale=scale, limits=True))
    forced = forced_waits(real, free.own, window=60 / scale)
    print(f"{'command':34}{'own s':>8}{'forced':>8}{'waited':>8}{'partial':>9}")
    waited = 0.0
    for each in real.commands:
        wait = max(0.0, each.seconds - free.own[each.name])
        waited += wait
        own, least = free.own[each.name], forced[each.name]
        print(f"{each.name:34}{own:8.1f}{least:8.1f}{wait:8.1f}{each.partial:9}")
    partial, least = sum(each.partial for each in real.commands), sum(forced.values())
    print(f"partial documents: {partial}")
    print(f"waiting: {waited:.0f} s, {waited / max(least, 1):.2f} of what the limits force")
    return int(partial > 0 or waited > MOST_WAITING * least)


def _plan() -> Iterator[Typed]:
    for at, project, tickets in DAY:
        yield Typed(f"{at:5.1f} {project} build", at, project, f"rove build {' '.join(tickets)}")
    for at, project in REFRESHES:
        yield Typed(f"{at:5.1f} {project} refresh", at, project, "rove refresh --all")


async def _day(folder: Path, *, scale: float, limits: bool) -> Day:
    """Let the day pass; of the hours in which nobody does anything, only a window passes."""
    noted, day, minute = folder / "noted", Day(), 60 / scale
    with _company(scale, limits=limits) as world:
        sandbox = Sandbox(folder / "home", world)
        sandbox.log_in()
        for vendor in world.vendors.values():
            vendor.limiter = ScaledLimiter(vendor.clock)
        site = folder / "home" / "site"
        site.mkdir(exist_ok=True)
        module = _AT_START.format(minute=int(61e6 / scale * limits), noted=str(noted))
        (site / "sitecustomize.py").write_text(module, "utf-8")
        running: list[asyncio.Task[Command]] = []
        before = 0.0
        for typed in _plan():
            if typed.at - before > 1:
                await asyncio.gather(*running)
                await SYSTEM.sleep(minute * _SPARE * limits)
            else:
                await SYSTEM.sleep((typed.at - before) * minute)
            running.append(asyncio.create_task(_run(typed, sandbox)))
            before = typed.at
        day.commands = await asyncio.gather(*running)
        for name in ("api", "web"):
            await asyncio.to_thread(_shell, sandbox, name, "rove server stop")
    day.sent = [*_sent(noted, day)] if noted.exists() else []
    return day


@contextmanager
def _company(scale: float, *, limits: bool) -> Iterator[World]:
    """Run the vendors, with windows that are shorter by a scale."""
    ScaledLimiter.scale = scale
    with vendors() as world:
        for vendor in world.vendors.values():
            vendor.conduct = Conduct(limits=limits, latency=LATENCY)
        yield world


async def _run(typed: Typed, sandbox: Sandbox) -> Command:
    """Type a command, and note what came of it."""
    begun, began = SYSTEM.now().timestamp(), SYSTEM.monotonic()
    results = await asyncio.to_thread(_shell, sandbox, typed.project, f"{typed.script} --json")
    seconds = SYSTEM.monotonic() - began
    answer = json.loads(results)
    built, failed = answer.get("built", []), answer.get("failed", [])
    partial = [each for each in built if each["failures"] or each["notes"] or each["rest"]]
    return Command(typed.name, begun, seconds, len(partial) + len(failed), {})


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


def _sent(noted: Path, day: Day) -> Iterator[Sent]:
    """Yield the requests that were let out, each with the command that it belongs to."""
    for line in noted.read_text("utf-8").splitlines():
        folder, started_as, bucket, per_minute, at = json.loads(line)
        which = _which(day.commands, f"{folder} {started_as}", at)
        if which:
            yield Sent(which, bucket, per_minute, at)


def _which(commands: list[Command], process: str, at: float) -> str:
    """Return the last command of a process's project that had begun."""
    begun: Mapping[float, str] = {
        each.begun: each.name
        for each in commands
        if f"/{each.name.split()[1]}" in process and each.begun <= at
    }
    return begun[max(begun)] if begun else ""
