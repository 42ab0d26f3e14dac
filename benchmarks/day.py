"""A working day with four accounts and the vendors' real limits: what waits, and for how long."""

import asyncio
import sys
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from heapq import heappop, heappush
from linecache import getline
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from benchmarks.mcp.sample import user_folder
from benchmarks.mirror_copies import copy_accounts, keep_current, update_accounts
from rove.operations.build import build
from rove.operations.refresh import refresh
from rove_core import Project, Secret, open_project
from rove_core.auth.credentials import MemoryStore
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.clock import Clock
from rove_core.events import Event
from rove_core.http import MemoryLimits
from rove_core.testing import VirtualClock
from rove_sim import running, sample_company
from rove_sim.conduct import Conduct
from rove_sim.world import World

#: How long a vendor takes to answer, in seconds.
LATENCY: Final = 0.2
#: How much longer than the limits force a day may wait.
MOST_WAITING: Final = 1.2
#: How soon a document must be usable, in seconds of its own.
FIRST: Final = 5.0

#: When people ask for what, in minutes after nine: the project, and the tickets of one command.
DAY: Final[Sequence[tuple[float, str, Sequence[str]]]] = (
    (0, "api", ("TB-123", "TB-124", "TB-125", "TB-131")),
    (1, "web", ("TB-139", "TB-142")),
    (30, "api", ("TB-147",)),
    (30.5, "web", ("TB-312", "TB-340")),
    (90, "api", ("TB-456",)),
    (91, "api", ("TB-461",)),
    (92, "web", ("TB-466",)),
)
#: When the two people refresh all documents of a project.
REFRESHES: Final[Sequence[tuple[float, str]]] = (
    (240, "api"),
    (240, "web"),
    (420, "api"),
    (421, "web"),
)

_MINUTE: Final = 60.0
#: How many minutes before a command the server's last update of mirrors begins.
_EARLIER: Final = 3
#: How many turns of the event loop without anything to do are quiet.
_TURNS: Final = 20
#: The same before a long wait, with a pause each: a socket may hold back what it is to send.
_LONG_TURNS: Final = 100
_PAUSE: Final = 0.002
#: What a thread does that waits for work.
_WAITING: Final = (".get(", ".acquire(")
_WHICH: Final[ContextVar[str]] = ContextVar("day_which", default="")


class QuietClock(VirtualClock):
    """A virtual clock whose time passes only when nothing else is under way in the process."""

    def __init__(self) -> None:
        super().__init__()
        self._sleeping: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0
        self._driver: asyncio.Task[None] | None = None

    async def sleep(self, seconds: float) -> None:
        """Wait until this sleeper is the next to wake, and everybody else waits, too."""
        self._count += 1
        wakes: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._sleeping, (self.monotonic() + max(0.0, seconds), self._count, wakes))
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())
        await wakes

    async def _drive(self) -> None:
        while self._sleeping:
            await _quiet(_TURNS)
            # A vendor's reply takes that long; what would wait longer may be wakened before.
            if self._sleeping[0][0] - self.monotonic() > LATENCY:
                await _quiet(_LONG_TURNS, pause=_PAUSE)
            at, _, wakes = heappop(self._sleeping)
            if not wakes.done():
                self.advance(max(0.0, at - self.monotonic()))
                wakes.set_result(None)


async def _quiet(turns: int, pause: float = 0.0) -> None:
    """Wait until the event loop and all threads have had nothing to do for some turns."""
    ready, quiet = getattr(asyncio.get_running_loop(), "_ready"), 0  # noqa: B009  # private
    while quiet < turns:
        await asyncio.sleep(pause)  # noqa: TID251  # gives the others their turn
        quiet = 0 if ready or not _threads_wait() else quiet + 1


def _threads_wait() -> bool:
    """Return whether every other thread waits for something to do."""
    here = threading.get_ident()
    frames = sys._current_frames()  # noqa: SLF001  # there is no public way
    lines = (
        # A frame that is between two lines has none: its thread does something.
        getline(frame.f_code.co_filename, frame.f_lineno or 0)
        for thread, frame in frames.items()
        if thread != here
    )
    return all(any(call in line for call in _WAITING) for line in lines)


@frozen
class Sent:
    """A request that left: for which document, through which limit, and when."""

    which: str
    bucket: str
    per_minute: int
    at: float


class RecordingLimits(MemoryLimits):
    """Limits that note what left under them."""

    def __init__(self, clock: QuietClock) -> None:
        super().__init__(clock=clock)
        self.virtual = clock
        self.sent: list[Sent] = []
        self.waits: dict[str, float] = defaultdict(float)

    async def take(
        self,
        bucket: str,
        *,
        per_minute: int | None,
        at_most: float,
        share: float = 1.0,
        begun: datetime | None = None,
    ) -> float:
        """Reserve a request and note it."""
        wait = await super().take(
            bucket, per_minute=per_minute, at_most=at_most, share=share, begun=begun
        )
        if wait <= at_most:
            self.waits[_WHICH.get()] += wait
        if per_minute and _WHICH.get() and wait <= at_most:
            at = self.virtual.monotonic() + wait
            self.sent.append(Sent(_WHICH.get(), bucket, per_minute, at))
        return wait


@frozen
class Command:
    """What one person typed, and what came of it.

    Attributes:
        name: When, what and where.
        begun: When it was typed, in seconds.
        seconds: How long it took.
        partial: How many of its documents were not whole at its end.
        requests: How many requests each vendor got meanwhile.
    """

    name: str
    begun: float
    seconds: float
    partial: int
    requests: Mapping[str, int]


@define
class Day:
    """A day as it went.

    Attributes:
        commands: What people typed, in its order.
        firsts: Seconds from the begin of each build to its first document.
        sent: The requests that left under limits.
        limit_waits: How long each command's requests waited for limits; the server's under "".
        refused: How many requests vendors refused because of their limits.
    """

    commands: list[Command] = field(factory=list)
    firsts: list[float] = field(factory=list)
    sent: list[Sent] = field(factory=list)
    limit_waits: Mapping[str, float] = field(factory=dict)
    refused: int = 0

    @property
    def own(self) -> Mapping[str, float]:
        """How long each command took."""
        return {each.name: each.seconds for each in self.commands}


@define
class Watch:
    """Listens to builds: how long each takes to its first document."""

    clock: VirtualClock
    _begun: dict[str, float] = field(factory=dict)
    _seconds: dict[tuple[str, str], float] = field(factory=dict)

    def __call__(self, event: Event) -> None:
        """Note when a build begins, and when it writes."""
        now = self.clock.monotonic()
        self._begun.setdefault(event.task, now)
        if event.stage == "write":
            document = (_WHICH.get(), event.note)
            self._seconds.setdefault(document, now - self._begun[event.task])

    @property
    def firsts(self) -> list[float]:
        """Seconds to the first document of each build."""
        return list(self._seconds.values())


def main(arguments: Sequence[str] = ()) -> int:
    """Print how the day went; return 1 when a document was partial or waited too long.

    With ``--mirrors`` both people have local copies, made the night before and kept current by
    the server. With ``--processes`` it passes on real time, in real processes, with the vendors'
    windows four times as short, or by the number that follows.
    """
    if arguments[:1] == ["--processes"]:
        from benchmarks import day_processes  # noqa: PLC0415  # it imports this module

        return day_processes.main(float(arguments[1]) if arguments[1:] else 4.0)
    mirrors = "--mirrors" in arguments
    with user_folder() as folder:
        free = asyncio.run(_day(folder / "free", limits=False, mirrors=mirrors))
    with user_folder() as folder:
        real = asyncio.run(_day(folder / "real", limits=True, mirrors=mirrors))
    forced = forced_waits(real, free.own)
    print(f"{'command':34}{'own s':>8}{'forced':>8}{'waited':>8}{'partial':>9}  requests")
    waits = {}
    for each in real.commands:
        waits[each.name] = max(0.0, each.seconds - free.own[each.name])
        requests = " ".join(f"{name} {count}" for name, count in each.requests.items())
        print(
            f"{each.name:34}{free.own[each.name]:8.1f}{forced[each.name]:8.1f}"
            f"{waits[each.name]:8.1f}{each.partial:9}  {requests}"
        )
    partial = sum(each.partial for each in real.commands)
    waited, least = sum(waits.values()), sum(forced.values())
    print(f"partial documents: {partial}; refused by vendors: {real.refused}")
    print(f"first document: {max(real.firsts):.1f} s at most (at most {FIRST:g})")
    if mirrors:
        return _without_waiting(real, partial)
    print(f"waiting: {waited:.0f} s, {waited / max(least, 1):.2f} of what the limits force")
    return int(partial > 0 or max(real.firsts) > FIRST or waited > MOST_WAITING * least)


def _without_waiting(day: Day, partial: int) -> int:
    """Print whether anybody waited for a limit; return 1 if so, or if a document was partial.

    What a command waits beyond its own time is then an update of a mirror: a few requests that
    the server sends at another moment on each day.
    """
    for_limits = sum(seconds for which, seconds in day.limit_waits.items() if which)
    longest = max(each.seconds for each in day.commands)
    print(f"waiting for limits: {for_limits:.0f} s")
    print(f"longest command: {longest:.1f} s (at most {FIRST:g})")
    return int(partial > 0 or for_limits > 0 or max(*day.firsts, longest) > FIRST)


def forced_waits(day: Day, own: Mapping[str, float]) -> Mapping[str, float]:
    """Return how long each command must have waited, whoever had been asked in which order.

    Requests leave as soon as the vendor's minute has room for them, those of earlier commands
    first.
    """
    begun = {each.name: each.begun for each in day.commands}
    last: dict[str, float] = dict(begun)
    buckets: dict[str, list[Sent]] = defaultdict(list)
    for sent in day.sent:
        buckets[sent.bucket].append(sent)
    for requests in buckets.values():
        left: list[float] = []
        for sent in sorted(requests, key=lambda each: (begun[each.which], each.at)):
            full = len(left) >= sent.per_minute
            room = left[-sent.per_minute] + _MINUTE if full else 0.0
            left.append(max(begun[sent.which], room))
            last[sent.which] = max(last[sent.which], left[-1])
    return {name: max(0.0, at - begun[name] - own[name]) for name, at in last.items()}


async def _day(folder: Path, *, limits: bool, mirrors: bool = False) -> Day:
    """Let the day pass, with the vendors' limits or as if there were none."""
    clock, day = QuietClock(), Day()
    counted = RecordingLimits(clock) if limits else FreeLimits(clock=clock)
    conduct = Conduct(limits=limits, latency=LATENCY)
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(
            running(sample_company(), clock=clock, conduct=conduct)
        )
        watch = Watch(clock)
        projects = {
            name: await stack.enter_async_context(
                project_of(folder / name, world, clock, counted, watch)
            )
            for name in ("api", "web")
        }
        run = partial(_run, world=world, clock=clock, day=day)
        plan = [
            *((at, name, "build", partial(build, projects[name], tickets=tuple(tickets)))
              for at, name, tickets in DAY),
            *((at, name, "refresh", partial(refresh, projects[name], all=True))
              for at, name in REFRESHES),
        ]  # fmt: skip
        if mirrors:
            for project in projects.values():  # With a store of its own, each has its own mirrors.
                await copy_accounts(project)
            for project in projects.values():
                await update_accounts(project)
                server = asyncio.create_task(keep_current(project, _updates(clock)))
                stack.push_async_callback(_end, server)
        await asyncio.gather(
            *(run(f"{at:5.1f} {name} {what}", at * _MINUTE, call) for at, name, what, call in plan)
        )
        day.firsts, day.refused = watch.firsts, refusals(world)
    if isinstance(counted, RecordingLimits):
        day.sent, day.limit_waits = counted.sent, counted.waits
    day.commands.sort(key=lambda each: each.begun)
    return day


def _updates(clock: VirtualClock) -> Sequence[float]:
    """Return when the server's last updates before commands begin; those between change nothing."""
    typed = {int(at) for at, *_ in DAY} | {int(at) for at, *_ in REFRESHES}
    minutes = sorted(at - _EARLIER for at in typed if at > _EARLIER)
    return [clock.monotonic() + at * _MINUTE for at in minutes]


async def _end(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


class FreeLimits(MemoryLimits):
    """Limits that limit nothing."""

    async def take(
        self,
        bucket: str,
        *,
        per_minute: int | None,  # noqa: ARG002  # as all limits take it
        at_most: float,
        share: float = 1.0,  # noqa: ARG002  # the same
        begun: datetime | None = None,  # noqa: ARG002  # the same
    ) -> float:
        """Let it leave."""
        return await super().take(bucket, per_minute=None, at_most=at_most)


async def _run(  # noqa: PLR0913  # what a command is, and where it runs
    name: str,
    at: float,
    call: Callable[[], Awaitable[object]],
    *,
    world: World,
    clock: VirtualClock,
    day: Day,
) -> None:
    """Type a command at its time, and note what came of it."""
    _WHICH.set(name)
    await clock.sleep(at)
    before, begun = _asked(world), clock.monotonic()
    results = await call()
    built = getattr(results, "built", ())
    failed = getattr(results, "failed", ())
    partial_ = [each for each in built if each.failures or each.notes or each.rest]
    for each in partial_:
        print(f"{name}: {each.document.ticket_id} {dict(each.failures)} {each.notes}")
    requests = {kind: count - before[kind] for kind, count in _asked(world).items()}
    seconds = clock.monotonic() - begun
    day.commands.append(Command(name, begun, seconds, len(partial_) + len(failed), requests))


def refusals(world: World) -> int:
    """Return how many requests the vendors of a company refused because of their limits."""
    replies = (each.response for vendor in world.vendors.values() for each in vendor.exchanges)
    return sum(reply.status in {403, 429} for reply in replies)


def _asked(world: World) -> Mapping[str, int]:
    return {kind: len(vendor.exchanges) for kind, vendor in world.vendors.items()}


@asynccontextmanager
async def project_of(
    folder: Path, world: World, clock: Clock, limits: MemoryLimits, watch: Callable[[Event], None]
) -> AsyncIterator[Project]:
    """Open a project that uses all the vendors, and the company's notes."""
    await asyncio.to_thread(folder.mkdir, parents=True)
    async with open_project(
        folder,
        accounts=(),
        credentials=MemoryStore(),
        clock=clock,
        limits=limits,
        on_event=watch,
    ) as project:
        answers = {name: Secret(answer) for name, answer in world.answers.items()}
        kinds = project.plugins.kinds
        for account in world.accounts(kinds, project=folder):
            if kinds[account.kind].logins:
                await project.log_in(account, partial(PreparedLogin, "token", answers))
            else:
                await project.connect(account)
        yield project


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
