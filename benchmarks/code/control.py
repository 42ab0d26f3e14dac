"""What another system scored on the cases of an outside evaluation, beside Rove's answers."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

Scores = Mapping[str, Mapping[str, float]]


def control_scores(results: Path, system: str, budget: int) -> Scores:
    """Return what a system scored, by case.

    Args:
        results: What the evaluation's own harness wrote: a line for each case.
        system: Its name there.
        budget: How many characters its answers may have.

    Raises:
        SystemExit: It did not answer any case within that budget.
    """
    rows = map(json.loads, results.read_text("utf-8").splitlines())
    name = f"{system}@{budget}"
    scores = {row["id"]: row["r"][name] for row in rows if name in row["r"]}
    if not scores:
        raise SystemExit(f"{results} has nothing of {name}")
    return scores


def differences(ours: Scores, theirs: Scores, measure: str) -> tuple[dict[str, float], ...]:
    """Return a measure of both, in points, on the cases where both have it."""
    both = [*_with(measure, ours, theirs)]
    return tuple({each: 100 * some[each][measure] for each in both} for some in (ours, theirs))


def _with(measure: str, ours: Scores, theirs: Scores) -> Iterator[str]:
    for each in ours:
        values = (ours[each].get(measure), theirs.get(each, {}).get(measure))
        if None not in values:
            yield each
