"""Terminal output of acceptance criteria."""

from collections.abc import Sequence
from typing import Final

from rove_core import columns, page
from rove_memory.criteria.model import AcceptanceCriterion, ACCheckResult, ACStatus, Evidence

_SIGNS: Final = {
    "pending": "○",
    "in_progress": "◐",
    "verified": "✓",
    "failed": "✗",
    "blocked": "■",
}
_WIDTH: Final = 20


def print_criteria(criteria: Sequence[AcceptanceCriterion]) -> str:
    """Return criteria as a table, with the effect of the last edit."""
    if not criteria:
        return (
            "no acceptance criteria found; add one with: rove ac add TICKET TEXT, or name the "
            "heading they stand under in acceptance_criteria.patterns"
        )
    return page(_table(criteria))


def print_criterion(criterion: AcceptanceCriterion) -> str:
    """Return a criterion with its evidence."""
    facts = [
        ("status", criterion.status.replace("_", " ")),
        ("failed", _failure_text(criterion)),
        ("evidence", _evidence(criterion.evidence)),
        ("notes", criterion.evidence.notes),
        ("why", criterion.reason),
        ("under", criterion.place),
    ]
    lines = columns([[name, value] for name, value in facts if value], styles={0: "dim"})
    title = columns([_row(criterion)[:3]], styles={0: "green", 1: "bold cyan", 2: "bold"})
    return page([*title, *(type(line)(f"  {line}") for line in lines)])


def print_status(status: ACStatus) -> str:
    """Return how far a ticket's criteria are, and the criteria."""
    if not status.total:
        return "no acceptance criteria are known; read them with: rove ac parse TICKET"
    full = round(_WIDTH * status.verified / status.total)
    bar = f"{'█' * full}{'░' * (_WIDTH - full)}"
    head = f"{bar} {status.verified} of {status.total} verified"
    rest = [
        f"{count} {name}"
        for name, count in (
            ("failed", status.failed),
            ("blocked", status.blocked),
            ("in progress", status.in_progress),
        )
        if count
    ]
    lines: list[str] = [", ".join([head, *rest]), *_table(status.criteria)]
    if status.left_out:
        lines.append(f"… {status.left_out} more: --offset")
    if status.gone:
        lines += ["no longer in the ticket:", *_table(status.gone)]
    return page(lines)


def print_check(result: ACCheckResult) -> str:
    """Return whether a ticket can be closed, and what is missing."""
    open_ones = (*result.failed, *result.blocked, *result.pending)
    more = [f"… {result.left_out} more: rove ac status"] if result.left_out else []
    return page([result.summary, *_table(open_ones), *more])


def _table(criteria: Sequence[AcceptanceCriterion]) -> list[str]:
    styles = {0: "green", 1: "bold cyan", 3: "yellow", 4: "dim"}
    return columns([_row(each) for each in criteria], shrink=(2, 4), drop=(4,), styles=styles)


def _row(criterion: AcceptanceCriterion) -> list[str]:
    first, _, more = criterion.criterion_text.partition("\n")
    return [
        _SIGNS[criterion.status],
        f"{criterion.external_item_id}#{criterion.number}",
        f"{first} …" if more else first,
        criterion.change,
        _failure_text(criterion) or _evidence(criterion.evidence),
    ]


def _failure_text(criterion: AcceptanceCriterion) -> str:
    if criterion.status != "failed":
        return ""
    times = "once" if criterion.attempts == 1 else f"{criterion.attempts} times"
    return f"{times}: {criterion.failed_reason}" if criterion.failed_reason else times


def _evidence(evidence: Evidence) -> str:
    commits = (commit[:9] for commit in evidence.commits)
    return ", ".join([*evidence.tests, *evidence.files, *commits, *evidence.screenshots])
