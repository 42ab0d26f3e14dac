"""Whether a sync loses or doubles an edit when its process dies at a request, or at any moment.

Against a simulated Jira over HTTP, by commands that are ended with ``kill -9``: before a request
is served, after it is served and before its reply, or at a random moment. What happened is read
from Jira's own state and from the rows of the queue: ``python -m benchmarks sync_kills [RUNS]``.
"""

import asyncio
import os
import random
import signal
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

import attrs
from attrs import frozen

from benchmarks.sync_commands import SyncCheckout, jira_of
from rove_sim.jira import Jira
from rove_sim.server import Request, Response, serve

_TICKETS: Final = 20
#: How many runs are killed before the queue is sent to its end.
_BATCH: Final = 10
_MOST_REQUESTS: Final = 14
_LONGEST: Final = 2.0
_PUSHES: Final = 3
_STATUSES: Final = ("In Progress", "To Do")


@frozen(kw_only=True)
class KilledRun:
    """A command that changes a status and leaves a comment, and what became of it.

    Attributes:
        ticket: The ticket.
        status: The status that it sets.
        comment: The comment, which no other run leaves.
        code: How the command ended.
    """

    ticket: str
    status: str
    comment: str
    code: int


@attrs.define
class KillingJira:
    """Serves a Jira, and kills the command that asks when it has asked often enough.

    Attributes:
        jira: The Jira.
        here: Whose command is killed.
        kill_at: At which request from now on; never for 0.
        is_served: Whether that request is served before.
    """

    jira: Jira
    here: SyncCheckout
    kill_at: int = 0
    is_served: bool = False

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        self.kill_at -= 1
        if self.kill_at == 0 and not self.is_served:
            self.kill()
            return Response(None, status=500)
        response = self.jira(request)
        if self.kill_at == 0:
            self.kill()
        return response

    def kill(self) -> None:
        """Kill the command that runs, with the process that does its work."""
        process = self.here.process
        if process and process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def main() -> int:
    """Kill commands, send what is left, and print what was lost or doubled."""
    runs = int(sys.argv[1]) if sys.argv[1:] else 200
    return asyncio.run(_counted(runs))


async def _counted(runs: int) -> int:
    jira = jira_of(_TICKETS)
    with tempfile.TemporaryDirectory() as folder:
        here = SyncCheckout(Path(folder))
        killing = KillingJira(jira, here)
        async with serve(killing) as url:
            return await asyncio.to_thread(_all, killing, url + jira.path, runs)


def _all(killing: KillingJira, url: str, runs: int) -> int:
    here, dice = killing.here, random.Random(17)  # noqa: S311  # the same in each run
    here.log_in(url)
    here.rove("sync", "pull")
    killed = survivors = 0
    wrong: list[str] = []
    for first in range(0, runs, _BATCH):
        batch = [_run(killing, dice, number) for number in range(first, min(first + _BATCH, runs))]
        killing.kill_at = 0
        left = 1
        for _ in range(_PUSHES):
            left = left and here.json("sync", "push", "--force")["changes_waiting"]
        wrong += [f"{left} edits still wait after {_PUSHES} pushes"] if left else []
        killed += sum(each.code < 0 for each in batch)
        survivors += sum(each.comment in _queued(here) for each in batch)
        wrong += [line for each in batch for line in _wrong(killing.jira, here, each)]
    print(f"{runs} runs, {killed} killed, {survivors} queued or sent before they died")
    print("\n".join(wrong) or "0 lost, 0 doubled, the queue is empty")
    return int(bool(wrong))


def _run(killing: KillingJira, dice: random.Random, number: int) -> KilledRun:
    """Run a command that is killed at a request, or at some moment."""
    ticket, comment = f"TB-{number % _TICKETS + 1}", f"note {number} of the day"
    found = killing.jira.tickets.find(ticket)
    status = next(each for each in _STATUSES if found is None or each != found.status)
    killing.kill_at, killing.is_served = dice.randint(1, _MOST_REQUESTS), dice.random() < 0.5
    timer = threading.Timer(dice.uniform(0.2, _LONGEST), killing.kill)
    if dice.random() < 0.25:
        killing.kill_at = 0
        timer.start()
    code, _ = killing.here.run("ticket", "status", ticket, status, "--add-comment", comment)
    timer.cancel()
    return KilledRun(ticket=ticket, status=status, comment=comment, code=code)


def _wrong(jira: Jira, here: SyncCheckout, run: KilledRun) -> Iterator[str]:
    """Yield what is not as it should be after all was sent."""
    ticket = jira.tickets.find(run.ticket)
    if ticket is None:
        yield f"{run.ticket} is gone"
        return
    count = sum(run.comment in f"{each.text} {each.adf}" for each in ticket.comments)
    is_queued = run.comment in _queued(here)
    if count > 1:
        yield f"{run.comment}: {count} comments"
    if is_queued and count == 0:
        yield f"{run.comment}: lost"
    if run.code == 0 and not is_queued:
        yield f"{run.comment}: acknowledged, and not queued"
    if count and run.status != ticket.status:
        yield f"{run.comment}: explains {run.status}, and {run.ticket} is {ticket.status}"
    changes = [each.after for each in ticket.changelog if each.field == "status"]
    if any(one == two for one, two in pairwise(changes)):
        yield f"{run.ticket}: a status was written twice: {changes}"


def _queued(here: SyncCheckout) -> str:
    """Return the comments of the queue, sent or not, read past all code of Rove's."""
    (file,) = here.home.rglob("projects/*.db")
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT payload FROM pending_changes WHERE change_type = 'comment'")
        return "\n".join(row[0] for row in rows)


if __name__ == "__main__":
    sys.exit(main())
