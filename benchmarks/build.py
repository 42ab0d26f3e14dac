"""What building a document costs: processor time, growth, rounds of waiting, requests, the demo."""

import asyncio
import json
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import perf_counter, process_time  # noqa: TID251  # time is what a benchmark measures
from typing import Final

from rove_core import Account, ContextItem, ItemRef, Project, Secret, open_project
from rove_core.ai.extractive import Extractive
from rove_core.clock import SYSTEM, Clock
from rove_core.context.composing import Brief, compose
from rove_core.context.outline import Outline
from rove_core.context.pool import Candidate, Trace
from rove_core.credentials import MemoryStore
from rove_core.prepared_login import PreparedLogin
from rove_core.store.document_items import read_uses
from rove_core.store.documents import DocumentRecord, save_document
from rove_core.store.store import open_store
from rove_core.testing import VirtualClock
from rove_core.writing.fitting import Costs
from rove_core.writing.refreshing import Terms, refresh
from rove_sim import Conduct, World, running, sample_company
from rove_sim.company import Company
from rove_sim.company_github import RepositoryIssue
from rove_sim.company_jira import Ticket
from rove_sim.company_linear import Issue
from rove_sim.company_people import Person
from rove_sim.company_slack import Message

#: Seconds of processor time for a build from four accounts, and how many things each has.
MOST_CPU: Final = 0.6
EACH: Final = 125
#: How many times longer ten times as much may take.
MOST_GROWTH: Final = 12.0
SIZES: Final = (100, 1_000, 10_000)
#: Rounds of waiting for the worked example, and the fewest that it can be done in: the log-in of
#: Slack is looked at before its search, which brings the ticket; what names it is read, and what
#: hangs on that; so are a second and a third hop, each in two steps.
MOST_ROUNDS: Final = 9.0
LEAST_ROUNDS: Final = 8
LATENCY: Final = 0.2
MOST_DEMO: Final = 3.0
DOCUMENTS: Final = 10_000
MOST_SEARCH: Final = 0.03

_RUNS: Final = 5
_LENGTH: Final = 1_500
_WORDS: Final = ("orchard", "lantern", "harbour", "thimble", "glacier", "quarry")
_TITLE: Final = " ".join(_WORDS)
_REPOSITORY: Final = "northwind/backend"
_TICKET: Final = "TB-123"
_START: Final = datetime(2024, 1, 1, tzinfo=UTC)
_RATE: Final = 1_000_000
_ROVE: Final = Path(sysconfig.get_path("scripts"), "rove")


def main(arguments: Sequence[str]) -> int:
    """Print a table; return 1 when something takes more than it may."""
    if arguments == ["serve"]:
        asyncio.run(_serve())
        return 0
    print(f"{'':52}{'measured':>10}{'at most':>10}")
    return max(
        _processor(),
        _growth(),
        _rounds(),
        _refresh(),
        _demo(),
        _search(),
    )


def _tell(what: str, measured: float, most: float | None = None) -> int:
    """Print a line, and return 1 when it is more than it may be."""
    limit = "" if most is None else f"{most:10.3f}"
    print(f"{what:52}{measured:10.3f}{limit}", flush=True)
    return int(most is not None and measured > most)


def _processor() -> int:
    """Build from four vendors in another process, whose time is not counted."""
    with _vendors() as (urls, answers):
        costs = [asyncio.run(_cost_of_build(urls, answers)) for _ in range(_RUNS)]
    seconds, items = min(costs)
    _tell(f"things found by a build from {4 * EACH}", items)
    return _tell("  its seconds of processor time", seconds, MOST_CPU)


async def _cost_of_build(urls: dict[str, str], answers: dict[str, str]) -> tuple[float, int]:
    async with _connected(urls, answers, VirtualClock()) as project:
        before = process_time()
        await project.build("BM-1")
        seconds = process_time() - before
        return seconds, len(await project.store.read(read_uses, "jira", "BM-1"))


@contextmanager
def _vendors() -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    command = [sys.executable, "-m", "benchmarks.build", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # our own words
        try:
            urls, answers = json.loads(process.stdout.readline() if process.stdout else "")
            yield urls, answers
        finally:
            process.terminate()


async def _serve() -> None:
    async with running(_company()) as world:
        print(json.dumps([world.urls, world.answers]), flush=True)
        await asyncio.Event().wait()


def _company() -> Company:
    """Return a company in which all there is has to do with one ticket."""
    person = Person(key="robin", name="Robin Doe", email="robin@northwind.example")
    jira, slack, github, linear = (range(start, start + EACH) for start in (1, 1001, 2001, 3001))
    return Company(
        name="Northwind",
        token="token",  # noqa: S106  # the simulator's
        people=(person,),
        tickets=tuple(
            Ticket(
                key=f"BM-{n}", title=_title(n), description=_text(n), author="Ann", created=_at(n)
            )
            for n in jira
        ),
        messages=tuple(
            Message(channel="bench", author="Ann", at=_at(n), text=f"{_title(n)}: {_text(n)}")
            for n in slack
        ),
        repository_issues=tuple(
            RepositoryIssue(
                repository=_REPOSITORY,
                number=n,
                title=_title(n),
                body=_text(n),
                author="Ann",
                created=_at(n),
            )
            for n in github
        ),
        issues=tuple(
            Issue(
                identifier=f"LB-{n}",
                title=_title(n),
                description=_text(n),
                author="Ann",
                created=_at(n),
            )
            for n in linear
        ),
    )


def _title(number: int) -> str:
    return _TITLE if number == 1 else f"Part {number} of the {_WORDS[number % len(_WORDS)]}"


def _text(number: int) -> str:
    """Return Markdown that has a word of the ticket's; every third also names it."""
    named = " As in BM-1." if number % 3 == 0 else ""
    first = f"Keep the **{_WORDS[number % len(_WORDS)]}** number {number} as it is.{named}"
    prose = f"Whoever opens gate {number} is told so on page {number * 7}, until the pilot ends. "
    half = f"{prose * 7}It is *not* urgent.\n\n"
    return f"{first}\n\n- now\n- in June\n\n{half}{half}{prose * 2}".ljust(_LENGTH, ".")[:_LENGTH]


def _at(number: int) -> datetime:
    return _START + timedelta(hours=number)


def _growth() -> int:
    """Rank, choose and write, for ten times as much each time."""
    costs = {count: min(_composed(count) for _ in range(2)) for count in SIZES}
    for count, seconds in costs.items():
        _tell(f"seconds to rank, choose and write {count:,}", seconds)
    largest = costs[SIZES[-1]] / costs[SIZES[-2]]
    return _tell("  ten times as much takes so many times longer", largest, MOST_GROWTH)


def _composed(count: int) -> float:
    ticket, *others = (_item(number) for number in range(1, count + 2))
    candidates = tuple(
        Candidate(
            item=item,
            traces=(Trace("link", "BM-1") if at % 10 == 0 else Trace("words", _WORDS[at % 6]),),
        )
        for at, item in enumerate(others)
    )
    brief = Brief(ticket=ticket, candidates=candidates, budget=8_000)
    before = process_time()
    asyncio.run(_written(brief, Costs(outline=Outline(ticket=ticket))))
    return process_time() - before


async def _written(brief: Brief, costs: Costs) -> None:
    composed = await compose(brief, Extractive(), costs)
    refresh(composed.outline, None, None, Terms(now=_START))


def _item(number: int) -> ContextItem:
    return ContextItem(
        ref=ItemRef("jira", "ticket", f"BM-{number}"),
        source="jira",
        title=_title(number),
        content=_text(number),
        timestamp=_at(number),
        author="Ann",
    )


def _rounds() -> int:
    """Build the worked example from quick and from slow vendors, without limits of our own."""
    quick, slow = (min(asyncio.run(_wall(latency)) for _ in range(3)) for latency in (0.0, LATENCY))
    _tell("seconds for the worked example", quick)
    _tell("  rounds that it takes at least", LEAST_ROUNDS)
    return _tell("  rounds that it waited", (slow - quick) / LATENCY, MOST_ROUNDS)


async def _wall(latency: float) -> float:
    async with running(sample_company(), conduct=Conduct(latency=latency)) as world:
        answers = world.answers
        async with _connected(world.urls, answers, SYSTEM) as project:
            before = perf_counter()
            await project.build(_TICKET)
            return perf_counter() - before


def _refresh() -> int:
    return asyncio.run(_refreshed())


async def _refreshed() -> int:
    """Build the worked example twice, and see what the second time asks for."""
    async with (
        running(sample_company()) as world,
        _connected(world.urls, world.answers, VirtualClock()) as project,
    ):
        before = _asked(world)
        await project.build(_TICKET)
        between = _asked(world)
        await project.build(_TICKET)
        after = _asked(world)
        log = project.places.logs / "performance.log"
        calls = sum(
            int(line.partition("model_calls=")[2].split()[0])
            for line in log.read_text("utf-8").splitlines()
        )
    _tell("requests of the first build", between - before)
    _tell("  of the second one, with nothing new", after - between)
    return _tell("  calls of a model", calls, 0)


def _asked(world: World) -> int:
    return sum(len(vendor.exchanges) for vendor in world.vendors.values())


@asynccontextmanager
async def _connected(
    urls: dict[str, str], answers: dict[str, str], clock: Clock
) -> AsyncIterator[Project]:
    """Open a project with an account at each vendor, with no limits of our own."""
    secrets = {name: Secret(answer) for name, answer in answers.items()}
    own = {"github": {"repositories": (_REPOSITORY,)}}
    with tempfile.TemporaryDirectory() as folder:
        async with open_project(
            Path(folder), accounts=(), credentials=MemoryStore(), clock=clock
        ) as project:
            for kind, url in urls.items():
                settings = project.plugins.kind(kind).settings(
                    **own.get(kind, {}), rate_limit=_RATE
                )
                account = Account(name=kind, kind=kind, settings=settings, base_url=url)
                await project.log_in(account, partial(PreparedLogin, "token", secrets))
            yield project


def _demo() -> int:
    seconds = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            before = perf_counter()
            _run(Path(folder), "--demo", f"{folder}/demo")
            seconds.append(perf_counter() - before)
    return _tell("seconds of rove --demo", min(seconds), MOST_DEMO)


def _search() -> int:
    """Search the titles and keywords of many documents, and of one."""
    costs = []
    for count in (1, DOCUMENTS):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "project"
            (place / ".rove").mkdir(parents=True)
            asyncio.run(_fill(place / ".rove" / "index.db", count))
            run = partial(_cost, partial(_run, place, "--search", "harbour lantern"))
            costs.append(min(run() for _ in range(_RUNS)))
    more = costs[1] - costs[0]
    return _tell(f"seconds to search {DOCUMENTS:,} documents, more than one", more, MOST_SEARCH)


async def _fill(index: Path, count: int) -> None:
    async with open_store(index, clock=SYSTEM) as store, store.transaction() as db:
        for number in range(count):
            record = DocumentRecord(
                account="jira",
                ticket_id=f"BM-{number}",
                filename=f"BM-{number}_part.md",
                last_updated=_at(number),
                created_at=_at(number),
                title=_title(number + 2),
                keywords=_WORDS[: 1 + number % len(_WORDS)],
            )
            await save_document(db, record, {})


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


def _cost(run: Callable[[], None]) -> float:
    """Return the processor time of what a run started, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
