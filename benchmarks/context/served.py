"""Rove's documents about an outside company, gathered over loopback HTTP and written."""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from time import perf_counter  # noqa: TID251  # how long it takes is what is measured
from typing import Final
from urllib.parse import unquote
from urllib.request import urlopen

from attrs import frozen

from benchmarks.context.answers import Answer, Seen
from benchmarks.context.outside import Outside
from benchmarks.context.projects import Place, connected
from rove_core import Project
from rove_core.clock import Clock
from rove_core.project.explain import ExplainedItem, explain

#: Where a served company answers for each kind of source.
_PATHS: Final = {"jira": "/jira", "slack": "/slack/api/", "github": "/github"}
_ANSWERS: Final = {"email": "robin@northwind.example", "token": "xoxp-token"}

_PAGES: Final = (
    (re.compile(r"/browse/([\w#-]+)$"), "jira:{}"),
    (re.compile(r"/commit/([0-9a-f]{12})[0-9a-f]*$"), "github:commit/{}"),
    (re.compile(r"/(?:pull|issues)/([0-9]+)$"), "github:pull/{}"),
)
_MESSAGE: Final = re.compile(r"/archives/(\w+)/p([0-9]{10})([0-9]{6})")


@frozen
class Server:
    """A company that is served.

    Attributes:
        url: Where it answers.
        log: The file with a line for each request.
    """

    url: str
    log: Path

    def requests(self) -> Counter[str]:
        """Return how often each kind of source was asked so far."""
        with self.log.open(encoding="utf-8") as lines:
            return Counter(str(json.loads(line)["path"]).split("/")[1] for line in lines)


@contextmanager
def serving(command: str, company: Outside) -> Iterator[Server]:
    """Serve a company by a program, given its name, its variant, a port and a file for the log."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "requests.jsonl"
        log.touch()
        arguments = [*shlex.split(command), company.name, company.variant]
        with subprocess.Popen(  # noqa: S603  # whoever measures says what serves
            [*arguments, "--port", "0", "--log", str(log)], stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                url = process.stdout.readline().strip() if process.stdout else ""
                if not url:
                    sys.exit(f"{command} serves no {company.name}: its own words say why")
                yield Server(url, log)
            finally:
                process.terminate()


async def build(server: Server, company: Outside, key: str) -> Answer:
    """Return what a document of a ticket, built in a folder of its own, is made of."""
    async with connected_to(server, company) as project:
        return await answer_of(project, server, company, key)


def connected_to(
    server: Server, company: Outside, clock: Clock | None = None
) -> AbstractAsyncContextManager[Project]:
    """Open a project in a folder of its own, with the accounts of a company that is served."""
    return connected(_places(server, company), _ANSWERS, clock)


def repository_of(server: Server, company: Outside) -> str:
    """Return the name of a company's repository, as its texts have it."""
    page = f"{server.url}/github/repos/{company.name}/{company.name}"
    with urlopen(page) as reply:  # noqa: S310  # a server on this machine
        return str(json.load(reply)["full_name"])


def unit_of(company: Outside, url: str) -> str:
    """Return what the item at an address counts as; an unknown one is itself, and wrong."""
    name = name_of(company, url)
    return company.units.get(name, name)


async def answer_of(project: Project, server: Server, company: Outside, key: str) -> Answer:
    """Return what a new document of a ticket is made of."""
    requests, began = server.requests(), perf_counter()
    built = await project.build(key)
    seconds = perf_counter() - began
    explained = await explain(project, ticket=built.document.ticket_id)
    return Answer(
        seen=[_seen(company, item) for item in explained.items],
        tokens=sum(item.tokens for item in explained.items),
        seconds=seconds,
        requests=server.requests() - requests,
        failures=built.failures,
    )


def _places(server: Server, company: Outside) -> Iterator[Place]:
    own = {"github": {"repositories": (repository_of(server, company),)}}
    has = {each.account for each in company.items.values()}
    for kind, path in _PATHS.items():
        if kind in has:
            yield Place(kind, f"{server.url}{path}", own.get(kind, {}))


def _seen(company: Outside, item: ExplainedItem) -> Seen:
    return Seen(
        units=[unit_of(company, url) for url in (item.url, *(each.url for each in item.merged))],
        kept=item.kept,
        score=item.score,
        why=item.reason.partition(":")[0],
        linked=item.reason.startswith(("names ", "linked to ")),
    )


def name_of(company: Outside, url: str) -> str:
    """Return what the company calls a page."""
    if found := _MESSAGE.search(url):
        return company.messages.get((found[1], f"{found[2]}.{found[3]}"), url)
    for page, form in _PAGES:
        if found := page.search(unquote(url)):
            return form.format(found[1])
    return url
