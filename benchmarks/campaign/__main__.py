"""Run the campaign: ``python -m benchmarks.campaign --seconds 60 [--seed 7] [--only build]``."""

import argparse
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.campaign.clocks import shift_clocks
from benchmarks.campaign.damage import damage_files
from benchmarks.campaign.faults import break_calls
from benchmarks.campaign.kills import kill_writers
from benchmarks.campaign.renewals import renewals
from benchmarks.campaign.serving import can_look_around, kill_servers
from benchmarks.campaign.tally import Deadline, Tally
from benchmarks.campaign.twins import run_at_once

#: How much of the time goes to the faults; the rest goes to the kills.
_SHARE: Final = 0.75
#: After that, how many kills of a process that renews a login there are in each second of it.
_KILLS: Final = 0.5
#: And how many tasks a server is given that is killed meanwhile, and how often that happens.
_TASKS: Final = 0.5
_EVERY: Final = 1.0
#: What is done with a whole Rove, and which share of the time each of it takes.
_WHOLE: Final[Mapping[str, Callable[[Path, random.Random, Deadline], Tally]]] = {
    "damage": damage_files,
    "twins": run_at_once,
    "clocks": lambda _, chance, deadline: shift_clocks(chance, deadline),
}
_SHARE_OF_EACH: Final = 0.1


def main() -> int:
    """Run the campaign and return 1 if anything was lost, half or left behind."""
    parser = argparse.ArgumentParser(description="Break writes, and look at what is left.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long it may take")
    parser.add_argument("--seed", type=int, help="repeat the run that printed this seed")
    parser.add_argument("--only", default="", help="do this alone: build, damage, twins, ...")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    print(f"campaign: seed {seed}, {options.seconds:g} s", flush=True)
    with TemporaryDirectory(prefix="campaign-") as folder:
        return _run(Path(folder), random.Random(seed), options.seconds, options.only)  # noqa: S311  # no secret


def _run(folder: Path, chance: random.Random, seconds: float, only: str) -> int:
    if only in _WHOLE:
        tally = _WHOLE[only](folder, chance, Deadline(seconds))
        _report(tally)
        return int(bool(tally.violations))
    whole = Deadline(seconds)
    faults = break_calls(folder, chance, Deadline(seconds * _SHARE), only=only)
    _report(faults)
    kills = kill_writers(folder, chance, whole, only=only)
    _report(kills)
    tallies = [faults, kills]
    if not only:
        for tally in renewals(folder, chance, expiries=int(seconds), kills=int(seconds * _KILLS)):
            _report(tally)
            tallies.append(tally)
        if can_look_around():
            builds = max(2, int(seconds * _TASKS))
            tally = kill_servers(folder / "served", chance, builds=builds, every=_EVERY)
            _report(tally)
            tallies.append(tally)
        for name, part in _WHOLE.items():
            tally = part(folder / name, chance, Deadline(seconds * _SHARE_OF_EACH))
            _report(tally)
            tallies.append(tally)
    return int(any(tally.violations for tally in tallies))


def _report(tally: Tally) -> None:
    print(tally, *(f"VIOLATION {violation}" for violation in tally.violations), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
