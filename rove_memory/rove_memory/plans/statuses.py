"""The statuses of a plan, and its legal transitions."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from rove_core import WrongCall

if TYPE_CHECKING:
    from rove_core import StatusCategory

PlanStatus: TypeAlias = Literal["pending", "in_progress", "completed", "blocked", "canceled"]

#: What may follow a status; nothing follows the last two.
LEGAL: Final[Mapping[PlanStatus, tuple[PlanStatus, ...]]] = {
    "pending": ("in_progress", "blocked", "canceled"),
    "in_progress": ("completed", "blocked", "canceled"),
    "blocked": ("in_progress", "canceled"),
    "completed": (),
    "canceled": (),
}
CATEGORIES: "Final[Mapping[PlanStatus, StatusCategory]]" = {
    "pending": "todo",
    "in_progress": "in_progress",
    "blocked": "in_progress",
    "completed": "done",
    "canceled": "canceled",
}


def check_change(plan: str, before: PlanStatus, after: PlanStatus) -> None:
    """Raise :class:`WrongCall` unless a plan's status may change like this; the error says to what.

    Args:
        plan: The plan's id.
        before: Its status.
        after: What it is to become; the same again is no change.
    """
    legal = LEGAL[before]
    if after == before or after in legal:
        return
    if legal:
        raise WrongCall(
            f"plan {plan} is {before}: it can become {' or '.join(legal)}, not {after}",
            hint=f"For example: rove plan update {plan} --status {legal[0]}",
        )
    raise WrongCall(
        f"plan {plan} is {before} and final: it cannot become {after}",
        hint="Create a follow-up plan: rove plan create TITLE",
    )
