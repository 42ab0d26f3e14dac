"""How many items each source reads in a second of processor time, and whether its memory grows."""

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import process_time  # noqa: TID251  # processor time is what a benchmark measures
from typing import Final

from attrs import frozen

from rove_core import Account, Project, Query, Secret, open_project
from rove_core.auth.credentials import MemoryStore
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.items import AnyAccount
from rove_core.testing import VirtualClock
from rove_core.wire.structure import STRICT, to_json
from rove_sim.company import Company
from rove_sim.company_github import RepositoryIssue
from rove_sim.company_jira import Ticket
from rove_sim.company_linear import LinearIssue
from rove_sim.company_people import Person
from rove_sim.company_slack import SlackMessage
from rove_sim.vendor import RecordedExchange
from rove_sim.world import running

#: How many items there are, unless the command line says otherwise.
ITEMS: Final = 20_000
#: How long the text of each is, and the word that finds it.
LENGTH: Final = 1_500
WORD: Final = "login"
#: By how many MB a process may grow; all items together are many times that.
MOST_GROWTH: Final = 15.0
#: Seconds: long enough for the slowest of the simulators.
PATIENCE: Final = 3_600.0

#: The simulator of Slack looks at every message for every page of twenty: it holds a part of them.
FEWER: Final = {"slack": 4}

_START: Final = datetime(2024, 1, 1, tzinfo=UTC)
_REPOSITORY: Final = "northwind/backend"


@frozen(kw_only=True)
class Measured:
    """What reading the items of a source took.

    Attributes:
        items: How many came; some vendors show no more than so many of a search.
        mentions: How many references were recognised in each, on average.
        reading: Seconds of processor time for the items.
        recognising: The same for the references in them.
        before: The most MB that the process ever held before.
        after: The same when all items had come.
    """

    items: int
    mentions: float
    reading: float
    recognising: float
    before: float
    after: float

    @property
    def speed(self) -> float:
        """Items a second, read and searched for references."""
        return self.items / (self.reading + self.recognising)


def main(arguments: Sequence[str]) -> int:
    """Print a table; return 1 when a source needs more memory the more items it reads."""
    match arguments:
        case ["serve", kind, count]:
            asyncio.run(_serve(_COMPANIES[kind](int(count)), kind))
        case ["measure", kind, count, url]:
            print(json.dumps(to_json(_measured(kind, int(count), url))))
        case _:
            return _table(int(arguments[0]) if arguments else ITEMS)
    return 0


def _table(count: int) -> int:
    print(
        f"{'source':8}{'items':>8}{'items/s':>10}{'read/s':>10}{'mentions':>10}{'MB':>8}{'+MB':>8}"
    )
    growths = []
    for kind in (*_COMPANIES, "notes"):
        size = count // FEWER.get(kind, 1)
        with _vendor(kind, size) as url, _process("measure", kind, size, url) as process:
            output, _ = process.communicate()
        measured = STRICT.structure(json.loads(output), Measured)
        growths.append(measured.after - measured.before)
        print(
            f"{kind:8}{measured.items:8}{measured.speed:10.0f}"
            f"{measured.items / measured.reading:10.0f}{measured.mentions:10.1f}"
            f"{measured.before:8.1f}{growths[-1]:8.1f}",
            flush=True,
        )
    return int(max(growths) > MOST_GROWTH)


@contextmanager
def _vendor(kind: str, count: int) -> Iterator[str]:
    """Run the simulator of a kind in a process of its own, whose time is not counted."""
    if kind not in _COMPANIES:
        yield ""
        return
    with _process("serve", kind, count) as process:
        try:
            yield process.stdout.readline().strip() if process.stdout else ""
        finally:
            process.terminate()


def _process(*arguments: object) -> "subprocess.Popen[str]":
    """Start this benchmark once more: memory that one source has freed is not the next one's."""
    command = [sys.executable, "-m", "benchmarks.sources", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  # our own words


async def _serve(company: Company, kind: str) -> None:
    async with running(company) as world:
        # What it was asked is for tests; here it would only fill the memory.
        world.vendors[kind].exchanges = _Forgetful()
        print(world.urls[kind], flush=True)
        await asyncio.Event().wait()


class _Forgetful(list[RecordedExchange]):
    """A list that keeps nothing."""

    def append(self, _: RecordedExchange) -> None:
        """Keep nothing."""


def _measured(kind: str, count: int, url: str) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_run(kind, count, url, Path(folder)))


async def _run(kind: str, count: int, url: str, folder: Path) -> Measured:
    async with _connected(kind, count, url, folder) as project:
        query = Query(account=kind, text=WORD, limit=count)
        items = mentions = 0
        recognising, before, began = 0.0, _most_megabytes(), process_time()
        async with aclosing(project.accounts.search(query, deadline=PATIENCE)) as found:
            async for item in found:
                items += 1
                start = process_time()
                mentions += len(project.accounts.recognise(item.content, origin=item.ref))
                recognising += process_time() - start
        return Measured(
            items=items,
            mentions=mentions / max(items, 1),
            reading=process_time() - began - recognising,
            recognising=recognising,
            before=before,
            after=_most_megabytes(),
        )


@asynccontextmanager
async def _connected(kind: str, count: int, url: str, folder: Path) -> AsyncIterator[Project]:
    """Open a project with one account, whose limits cost no time: its clock is a virtual one."""
    async with open_project(
        folder, accounts=(), credentials=MemoryStore(), clock=VirtualClock()
    ) as project:
        if kind == "notes":
            await project.connect(_folder_of_notes(project, folder, count))
        else:
            answers = {"email": "robin@northwind.example", "token": "token"}
            secrets = {name: Secret(answer) for name, answer in answers.items()}
            login = partial(PreparedLogin, "token", secrets)
            await project.log_in(_account(project, kind, url), login)
        yield project


def _account(project: Project, kind: str, url: str) -> AnyAccount:
    own = {"repositories": (_REPOSITORY,)} if kind == "github" else {}
    settings = project.plugins.kind(kind).settings(**own, page_size=100, rate_limit=1_000_000)
    return Account(name=kind, kind=kind, settings=settings, base_url=url)


def _folder_of_notes(project: Project, folder: Path, count: int) -> AnyAccount:
    notes = folder / "notes"
    notes.mkdir()
    for number in range(1, count + 1):
        text = _text("notes/1.md, notes/2.md and notes/3.md")
        (notes / f"{number}.md").write_text(f"# {_title(number)}\n\n{text}\n", "utf-8")
    settings = project.plugins.kind("notes").settings()
    return Account(name="notes", kind="notes", settings=settings, base_url=folder.as_uri())


def _jira(count: int) -> Company:
    site = "https://northwind.atlassian.net/browse"
    text = _text(f"BM-1, {site}/BM-2 and BM-3")
    return _company(
        tickets=tuple(
            Ticket(
                key=f"BM-{number}",
                title=_title(number),
                description=text,
                author="Ann",
                created=_at(number),
            )
            for number in range(1, count + 1)
        )
    )


def _slack(count: int) -> Company:
    site = "https://northwind.slack.com/archives/C0BENCH"
    links = [f"{site}/p17040672000000{number}0" for number in (1, 2, 3)]
    text = _text(" ".join(links))
    return _company(
        messages=tuple(
            SlackMessage(
                channel="bench", author="Ann", at=_at(number), text=f"{_title(number)}: {text}"
            )
            for number in range(1, count + 1)
        )
    )


def _github(count: int) -> Company:
    text = _text(f"#1, {_REPOSITORY}#2 and https://github.com/{_REPOSITORY}/issues/3")
    return _company(
        repository_issues=tuple(
            RepositoryIssue(
                repository=_REPOSITORY,
                number=number,
                title=_title(number),
                body=text,
                author="Ann",
                created=_at(number),
            )
            for number in range(1, count + 1)
        )
    )


def _linear(count: int) -> Company:
    site = "https://linear.app/northwind/issue"
    text = _text(f"BM-1, {site}/BM-2/a-title and BM-3")
    return _company(
        issues=tuple(
            LinearIssue(
                identifier=f"BM-{number}",
                title=_title(number),
                description=text,
                author="Ann",
                created=_at(number),
            )
            for number in range(1, count + 1)
        )
    )


#: The company whose vendor of a kind holds so many items.
_COMPANIES: Final[Mapping[str, Callable[[int], Company]]] = {
    "jira": _jira,
    "slack": _slack,
    "github": _github,
    "linear": _linear,
}


def _company(**parts: object) -> Company:
    person = {"key": "robin", "name": "Robin Doe", "email": "robin@northwind.example"}
    return Company(name="Northwind", token="token", people=(Person(**person),), **parts)  # type: ignore[arg-type]  # noqa: S106  # each is a part of a company; the token is the simulator's


def _title(number: int) -> str:
    return f"Part {number} of the {WORD}"


def _text(mentions: str) -> str:
    """Return Markdown as people write it, in which three things are mentioned."""
    first = f"Keep the **{WORD}** of partners as it is, see {mentions}."
    list_ = "\n".join(f"- {each} with `grace_period = 30`" for each in ("now", "in June", "later"))
    prose = "Whoever signs in with a key is told so on the first page, until the pilot is over. "
    half = f"{prose * 7}It is *not* urgent.\n\n"
    return f"{first}\n\n{list_}\n\n{half}{half}{prose * 2}".ljust(LENGTH, ".")[:LENGTH]


def _at(number: int) -> datetime:
    return _START + timedelta(minutes=number)


def _most_megabytes() -> float:
    """Return how much of the machine's memory the process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
