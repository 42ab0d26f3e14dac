"""What must hold after every run, however it ended."""

import math
from collections.abc import Iterator
from pathlib import Path

from benchmarks.campaign.run import Outcome, Run
from benchmarks.campaign.scenarios import Scenario


def violations(
    scenario: Scenario, folder: Path, before: int, outcome: Outcome, *, attempts: float = math.inf
) -> Iterator[str]:
    """Yield what is wrong after a run that was broken.

    Args:
        scenario: What was written.
        folder: Where.
        before: The state from which the run started.
        outcome: What the run said.
        attempts: How many states it was to write at most.
    """
    if outcome.complaint:
        yield f"it said: {outcome.complaint}"
    last = outcome.acknowledged[-1] if outcome.acknowledged else before
    try:
        state = scenario.read(folder)
    except Exception as error:  # noqa: BLE001  # whatever it is, the state cannot be read
        yield f"its state cannot be read: {error!r}"
        return
    if state not in {last, min(last + 1, before + attempts)}:
        yield f"state {last} was acknowledged last, and {state} is there"
    yield from _next_run(scenario, folder, state + 1)


def _next_run(scenario: Scenario, folder: Path, number: int) -> Iterator[str]:
    """Write once more, undisturbed: nobody has to repair anything first."""
    run = Run(scenario, folder, [number])
    run.release()
    outcome = run.outcome()
    if outcome.acknowledged != (number,) or outcome.complaint:
        yield f"the next run failed: {outcome.refusal}{outcome.complaint}"
    elif scenario.read(folder) != number:
        yield "the next run wrote another state than it said"
    elif strays := scenario.strays(folder):
        yield f"the next run left behind: {', '.join(strays)}"
