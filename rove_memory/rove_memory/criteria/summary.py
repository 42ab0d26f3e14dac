"""Summarise the status of a ticket's criteria, within a token budget."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import evolve

from rove_memory.criteria.model import AcceptanceCriterion, ACCheckResult, ACStatus, Evidence
from rove_memory.token_budget import fitting_list, shorten

#: The tokens of a ticket's criteria, of those that it no longer has, and of each kind not met.
_CRITERIA: Final = 6_000
_GONE: Final = 1_200
_NOT_MET: Final = 2_300
_BLOCKERS: Final = 20


def short_criterion(criterion: AcceptanceCriterion, width: int) -> AcceptanceCriterion:
    """Return a criterion with texts of at most so many tokens, and evidence to match."""
    most, found = max(1, width // 50), criterion.evidence
    return evolve(
        criterion,
        criterion_text=shorten(criterion.criterion_text, width),
        previous_text=criterion.previous_text and shorten(criterion.previous_text, width),
        failed_reason=criterion.failed_reason and shorten(criterion.failed_reason, width),
        place=shorten(criterion.place, width),
        evidence=Evidence(
            files=found.files[:most],
            tests=found.tests[:most],
            commits=found.commits[:most],
            screenshots=found.screenshots[:most],
            notes=shorten(found.notes, width),
        ),
    )


def status_of(there: Sequence[AcceptanceCriterion], offset: int = 0) -> ACStatus:
    """Return the status of criteria, with those that fit into an answer."""
    criteria = tuple(each for each in there if each.gone_at is None)
    counts = Counter(each.status for each in criteria)
    shown = fitting_list(criteria[offset:], short_criterion, _CRITERIA)
    gone = [evolve(each, change="gone") for each in there if each.gone_at]
    return ACStatus(
        total=len(criteria),
        pending=counts["pending"],
        in_progress=counts["in_progress"],
        verified=counts["verified"],
        failed=counts["failed"],
        blocked=counts["blocked"],
        completion_percentage=round(100 * counts["verified"] / max(len(criteria), 1), 1),
        criteria=shown,
        blockers=tuple(each.id for each in shown if each.status in ("failed", "blocked")),
        gone=fitting_list(gone, short_criterion, _GONE),
        left_out=len(criteria[offset:]) - len(shown),
    )


def check_of(
    ticket: str, there: Sequence[AcceptanceCriterion], blockers: Sequence[str]
) -> ACCheckResult:
    """Return whether the criteria of a ticket are met, and those that are not, as they fit."""
    by_status = {
        status: tuple(each for each in there if each.status in statuses)
        for status, statuses in (
            ("pending", ("pending", "in_progress")),
            ("failed", ("failed",)),
            ("blocked", ("blocked",)),
        )
    }
    verified = sum(each.status == "verified" for each in there)
    done = bool(there) and verified == len(there)
    parts = [f"{verified} of {len(there)} criteria of {ticket} are verified"]
    if not there:
        parts = [f"{ticket} has no acceptance criteria that are known"]
    parts += [f"{len(found)} {status}" for status, found in by_status.items() if found]
    if blockers:
        more = f" and {len(blockers) - _BLOCKERS} more" if len(blockers) > _BLOCKERS else ""
        parts.append(f"blocked by {', '.join(blockers[:_BLOCKERS])}{more}")
    ready = done and not blockers
    shown = {
        status: fitting_list(found, short_criterion, _NOT_MET)
        for status, found in by_status.items()
    }
    return ACCheckResult(
        all_verified=done,
        ready_to_close=ready,
        summary=f"{'; '.join(parts)}{': ready to close' if ready else ''}",
        **shown,
        blocked_by=tuple(blockers[:_BLOCKERS]),
        left_out=sum(map(len, by_status.values())) - sum(map(len, shown.values())),
    )
