"""Part one: let each call that writes fail, in each way, once."""

import random
import shutil
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Final, Protocol

from attrs import frozen

from benchmarks.campaign import failpoints, strace
from benchmarks.campaign.building import BUILD
from benchmarks.campaign.judge import violations
from benchmarks.campaign.run import Run
from benchmarks.campaign.scenarios import (
    CREDENTIALS,
    FILE,
    MIGRATION,
    NOTHING,
    STORE,
    Scenario,
)
from benchmarks.campaign.tally import Deadline, Tally
from benchmarks.campaign.working import TASKS
from rove_core.store.migrations import VERSION

_EFFECTS: Final = ("EIO", "ENOSPC", "EDQUOT", "EROFS", "EINTR", "SIGKILL")


@frozen
class Case:
    """A scenario and the state from which it starts.

    Attributes:
        scenario: What is written.
        before: The state's number.
    """

    scenario: Scenario
    before: int

    def __str__(self) -> str:
        return (
            f"{self.scenario.name} {'anew' if self.before == NOTHING else f'after {self.before}'}"
        )

    def prepare(self, folder: Path) -> None:
        """Write the state from which it starts."""
        folder.mkdir(mode=0o700)
        for number in range(self.before + 1):
            self.scenario.write(folder, number)


_CASES: Final = (
    Case(STORE, NOTHING),
    Case(STORE, 0),
    *(Case(MIGRATION, version - 1) for version in range(1, VERSION + 1)),
    Case(FILE, 0),
    Case(CREDENTIALS, NOTHING),
    Case(CREDENTIALS, 0),
    Case(BUILD, NOTHING),
    Case(BUILD, 0),
    Case(BUILD, 1),
    Case(TASKS, NOTHING),
    Case(TASKS, 0),
    Case(TASKS, 1),
)


class Fault(Protocol):
    """What goes wrong in a run."""

    def arm(self) -> None:
        """Prepare it, in the process that it will strike."""

    def release(self, run: Run) -> None:
        """Let the process go, into the fault."""


def break_calls(root: Path, chance: random.Random, deadline: Deadline, *, only: str = "") -> Tally:
    """Break as many points as there is time for, and at least one, in an order by chance.

    Args:
        root: Where to work.
        chance: What decides on the order.
        deadline: When to stop.
        only: The scenario that is meant, when it is one.
    """
    cases = [case for case in _CASES if only in {"", case.scenario.name}]
    models = {case: root / str(case) for case in cases}
    for case, model in models.items():
        case.prepare(model)
    why_not = _why_no_tracing(root)
    if why_not:
        print(f"no tracing here ({why_not}): faults in Python's own calls instead")
    points = _points(models, root / "log", traced=not why_not)
    chance.shuffle(points)
    tally = Tally("failpoints" if why_not else "strace faults")
    for case, fault in points:
        tally.add(f"points in {case.scenario.name}")
        found = _break(case, fault, shutil.copytree(models[case], root / "work"))
        tally.violations += [f"{case}: {fault}: {violation}" for violation in found]
        shutil.rmtree(root / "work")
        if deadline.passed:
            break
    tally.add("points known", len(points))
    return tally


def _break(case: Case, fault: Fault, folder: Path) -> list[str]:
    run = Run(case.scenario, folder, [case.before + 1], fault.arm)
    fault.release(run)
    return list(violations(case.scenario, folder, case.before, run.outcome(), attempts=1))


def _why_no_tracing(root: Path) -> str:
    run = Run(FILE, root, [])
    reason = strace.unavailable(run)
    run.outcome()
    return reason


def _points(models: Mapping[Case, Path], log: Path, *, traced: bool) -> list[tuple[Case, Fault]]:
    """Return every call that a case makes, with every way in which it can fail."""
    points: list[tuple[Case, Fault]] = []
    for case, model in models.items():
        fault: type[strace.SystemCallFault | failpoints.CallFault]
        if traced:
            fault, counts = strace.SystemCallFault, _counts(case, model, log)
        else:
            fault, counts = failpoints.CallFault, failpoints.CALLS
        points += [
            (case, fault(call, effect, nth))
            for (call, count), effect in product(counts.items(), _EFFECTS)
            for nth in range(1, count + 1)
        ]
    return points


def _counts(case: Case, model: Path, log: Path) -> Mapping[str, int]:
    folder = shutil.copytree(model, log.with_name("counted"))
    run = Run(case.scenario, folder, [case.before + 1])
    counts = strace.count_calls(run, log)
    run.outcome()
    shutil.rmtree(folder)
    return counts
