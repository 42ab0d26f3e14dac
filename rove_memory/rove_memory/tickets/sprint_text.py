"""Terminal output of sprints."""

from typing import Final

from rove_core import columns, page, styled_line
from rove_memory.tickets.sprint_model import SprintStatus

_SIGNS: Final = {"todo": "○", "in_progress": "◐", "done": "●", "canceled": "✗"}


def print_sprint(status: SprintStatus) -> str:
    """Return a sprint as a table, with the basis of its numbers."""
    counts, pace = status.summary, status.velocity
    head = (
        f"{status.sprint.name}: {counts.done} done, {counts.in_progress} in progress, "
        f"{counts.todo} to do"
    )
    if pace.completed_points or pace.remaining_points:
        head += f"; {pace.completed_points:g} points done, {pace.remaining_points:g} left"
    rows = [
        [
            _SIGNS[each.status_category],
            each.identifier,
            each.title,
            each.status,
            each.assignee,
            "" if each.ac_completion is None else f"{each.ac_completion:g} % verified",
            f"{each.blocker_count} blocking" if each.blocker_count else "",
        ]
        for each in status.tickets
    ]
    styles = {1: "bold cyan", 3: "dim", 6: "yellow"}
    lines = columns(rows, shrink=(2,), drop=(4, 3), styles=styles)
    if status.left_out:
        lines.append(f"… {status.left_out} more: --offset")
    # Its note is printed on standard error, as that of any result.
    return page([styled_line(head, "bold"), *lines])
