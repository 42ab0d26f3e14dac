"""Part two: kill writers at any moment, again and again, in the same folders."""

import random
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.campaign.judge import violations
from benchmarks.campaign.run import Run
from benchmarks.campaign.scenarios import CREDENTIALS, FILE, MIGRATION, STORE
from benchmarks.campaign.tally import Deadline, Tally

_SCENARIOS: Final = (STORE, MIGRATION, FILE, CREDENTIALS)
_LONGEST: Final = 0.04


def kill_writers(root: Path, chance: random.Random, deadline: Deadline) -> Tally:
    """Kill as many writers as there is time for; each goes on where the one before was killed."""
    tally = Tally("kills")
    folders = {scenario: root / f"{scenario.name} killed" for scenario in _SCENARIOS}
    for scenario, folder in folders.items():
        folder.mkdir(mode=0o700)
        scenario.write(folder, 0)
    while not deadline.passed and not tally.violations:
        scenario = chance.choice(_SCENARIOS)
        seconds = chance.uniform(0, _LONGEST)
        before = scenario.read(folders[scenario])
        run = Run(scenario, folders[scenario], count(before + 1))
        run.release()
        run.kill_after(seconds)
        outcome = run.outcome()
        tally.add("kills")
        tally.add("acknowledged writes", len(outcome.acknowledged))
        found = violations(scenario, folders[scenario], before, outcome)
        tally.violations += [f"{scenario.name}: {seconds:.4f} s: {what}" for what in found]
    return tally
