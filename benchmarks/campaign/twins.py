"""Several commands at once in one project: each ends well, and documents are as of one alone."""

import random
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Final

from benchmarks.campaign.commands import Ended, begin, end, rove
from benchmarks.campaign.gates import lay_notes, tracker_running
from benchmarks.campaign.serving import documents_of
from benchmarks.campaign.tally import Deadline, Tally
from benchmarks.context.projects import Place
from benchmarks.daemon.projects import served

_MOST: Final = 8
_TICKETS: Final = ("SV-1", "SV-2")
#: A refresh of a project without documents, and a question about one, end with 3.
_MAY_FIND_NOTHING: Final = {"refresh": (0, 3), "find": (0, 3)}


def run_at_once(folder: Path, chance: random.Random, deadline: Deadline) -> Tally:
    """Start commands at once in a new project, again and again until the time is over."""
    tally = Tally("commands at once")
    with tracker_running(len(_TICKETS)) as world:
        vendors = [
            Place("jira", world.urls["jira"]),
            Place("notes", lay_notes(folder / "written", len(_TICKETS)).as_uri()),
        ]
        with served(folder / "user", vendors, world.answers, ROVE_DAEMON="0") as places:
            for ticket in _TICKETS:
                rove(f"--ticket {ticket}", places.root)
            alone = documents_of(places.root)
            while not deadline.passed:
                commands = [_command(chance) for _ in range(chance.randint(2, _MOST))]
                for each in (".context", ".rove"):
                    shutil.rmtree(places.root / each)
                tally.violations += _run_at_once(commands, places.root)
                for ticket in _TICKETS:
                    rove(f"--ticket {ticket}", places.root)
                if documents_of(places.root) != alone:
                    tally.violations.append(f"{commands}: other documents than of one alone")
                with closing(connect(places.index)) as db:
                    (verdict,) = db.execute("PRAGMA integrity_check").fetchone()
                if verdict != "ok":
                    tally.violations.append(f"{commands}: the index: {verdict}")
                tally.add("commands", len(commands))
                tally.add("rounds")
    return tally


def _command(chance: random.Random) -> str:
    ticket = chance.choice(_TICKETS)
    builds = (f"--ticket {ticket}", f"--ticket {ticket} --fresh", f"--ticket {','.join(_TICKETS)}")
    others = ("refresh --all", f"find {ticket}", "memory store red Red decision")
    return chance.choice([*builds, *builds, *others])


def _run_at_once(commands: Sequence[str], project: Path) -> list[str]:
    """Start commands; return what is wrong with how they end."""
    started = [(each, begin(each, project)) for each in commands]
    ended = [end(command, process) for command, process in started]
    return [f"{commands}: {each}" for each in ended if not _is_well(each)]


def _is_well(ended: Ended) -> bool:
    codes = _MAY_FIND_NOTHING.get(ended.command.split()[0], (0,))
    return ended.code in codes and not ended.failed_by_itself
