"""Part two: kill writers at any moment, again and again, in the same folders."""

import random
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.campaign.building import BUILD
from benchmarks.campaign.judge import violations
from benchmarks.campaign.run import Run
from benchmarks.campaign.scenarios import CREDENTIALS, FILE, MIGRATION, STORE
from benchmarks.campaign.tally import Deadline, Tally
from benchmarks.campaign.working import TASKS

#: After how many seconds a writer is killed at the latest: all have written more than once then.
_LONGEST: Final = {
    **dict.fromkeys((STORE, MIGRATION, FILE, CREDENTIALS), 0.04),
    **dict.fromkeys((BUILD, TASKS), 0.2),
}


def kill_writers(root: Path, chance: random.Random, deadline: Deadline, *, only: str = "") -> Tally:
    """Kill as many writers as there is time for, and at least one.

    Each goes on where the one before was killed.

    Args:
        root: Where to work.
        chance: What decides on scenarios and moments.
        deadline: When to stop.
        only: The scenario that is meant, when it is one.
    """
    tally = Tally("kills")
    scenarios = [scenario for scenario in _LONGEST if only in {"", scenario.name}]
    folders = {scenario: root / f"{scenario.name} killed" for scenario in scenarios}
    for scenario, folder in folders.items():
        folder.mkdir(mode=0o700)
        scenario.write(folder, 0)
    while True:
        scenario = chance.choice(scenarios)
        seconds = chance.uniform(0, _LONGEST[scenario])
        before = scenario.read(folders[scenario])
        run = Run(scenario, folders[scenario], count(before + 1))
        run.release()
        run.kill_after(seconds)
        outcome = run.outcome()
        tally.add("kills")
        tally.add("acknowledged writes", len(outcome.acknowledged))
        found = violations(scenario, folders[scenario], before, outcome)
        tally.violations += [f"{scenario.name}: {seconds:.4f} s: {what}" for what in found]
        if deadline.passed or tally.violations:
            return tally
