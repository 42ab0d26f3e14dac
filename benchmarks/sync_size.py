"""What a sync of many tickets takes: the first pull, a pull with nothing new, 100 changes sent.

Against a simulated Jira, by commands in processes of their own:
``python -m benchmarks sync_size [TICKETS]``.
"""

import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter  # noqa: TID251  # time is what it measures
from typing import Final

from benchmarks.sync_commands import SyncCheckout, jira_of
from rove_sim.jira import Jira
from rove_sim.server import serve

_CHANGES: Final = 100
_EDIT: Final = """
from pathlib import Path
from rove_core.project.local import LocalProject
from rove_memory.store import ProjectStore
from rove_memory.sync.edits import edit_item
from rove_memory.tickets.table import require_ticket
store = ProjectStore.of(LocalProject.at(Path.cwd()))
for number in range({first}, {last} + 1):
    with store.writing() as db:
        ticket = require_ticket(db, f"TB-{{number}}")
        status = {{"name": "In Progress", "category": "in_progress"}}
        edit_item(db, store, ticket.id, {{"status": status}})
"""


def main() -> int:
    """Print a line for each step, and return 1 if a change did not arrive."""
    tickets = int(sys.argv[1]) if sys.argv[1:] else 10_000
    return asyncio.run(_measured(tickets))


async def _measured(tickets: int) -> int:
    jira = jira_of(tickets)
    with tempfile.TemporaryDirectory() as folder:
        async with serve(jira) as url:
            return await asyncio.to_thread(_steps, SyncCheckout(Path(folder)), jira, url, tickets)


def _steps(here: SyncCheckout, jira: Jira, url: str, tickets: int) -> int:
    changes = min(_CHANGES, tickets)
    here.log_in(url + jira.path)
    _step(f"first pull of {tickets:,} tickets", here, jira, ["sync", "pull"])
    _step("pull with nothing new", here, jira, ["sync", "pull"])
    here.python(_EDIT.format(first=tickets - changes + 1, last=tickets))
    _step(f"push of {changes} changes", here, jira, ["sync", "push", "--force"])
    arrived = Counter(each.status for each in jira.tickets.all())["In Progress"]
    print(f"{arrived} of {changes} changes arrived")
    return int(arrived != changes)


def _step(name: str, here: SyncCheckout, jira: Jira, words: list[str]) -> None:
    """Run a command, and print what it took."""
    requests, began = len(jira.exchanges), perf_counter()
    printed, took = here.measured(*words)
    count, waited = len(jira.exchanges) - requests, perf_counter() - began
    first = printed.partition("\n")[0]
    cost = f"{took.seconds:.1f} s CPU, {waited:.1f} s in all, at most {took.megabytes:.0f} MB"
    print(f"{name}: {count} requests, {cost}; {first}")


if __name__ == "__main__":
    sys.exit(main())
