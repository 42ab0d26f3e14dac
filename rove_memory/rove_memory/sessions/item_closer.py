"""Close plans and criteria that a session's notes call done."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import ItemNotFound, WrongCall
from rove_memory.plans.statuses import LEGAL, PlanStatus
from rove_memory.sessions.events import events_of
from rove_memory.sessions.session_rows import UNKNOWN
from rove_memory.sessions.statements import ItemStatement, Verdict, statements_in
from rove_memory.store import ProjectStore
from rove_memory.store.values import read_time

if TYPE_CHECKING:
    from rove_memory.criteria.status import CriterionStatus
    from rove_memory.criteria_settings import CriteriaSettings

#: What a verdict makes of a plan, on the way that is legal; a plan that failed stays open.
_PLANS: Final[dict[Verdict, PlanStatus]] = {"done": "completed", "blocked": "blocked"}


def close_items(
    db: Connection, store: ProjectStore, session: Row, settings: "CriteriaSettings"
) -> tuple[str, ...]:
    """Close the plans and criteria that a session's notes say are done; return a line for each.

    What somebody changed after the note by a call of their own stays as it is.
    """
    closing = _ItemCloser(db, store, session, settings)
    statements = statements_in(events_of(db, session["id"]))
    return tuple(line for each in statements for line in closing.close(each))


@frozen(eq=False, repr=False)
class _ItemCloser:
    """Closes what statements name, in one transaction."""

    db: Connection
    store: ProjectStore
    session: Row
    settings: "CriteriaSettings"

    def close(self, statement: ItemStatement) -> Iterator[str]:
        """Close the items that a statement names, and report each, also those that are unknown."""
        try:
            if statement.item.casefold().startswith("p-"):
                yield from self._plan(statement)
            else:
                yield from self._criterion(statement)
        except ItemNotFound:
            # A number alone may mean anything, and a ticket is no criterion.
            if "#" in statement.item or statement.item[:2].casefold() in {"p-", "c-"}:
                yield f"{statement.item}{UNKNOWN}"
        except WrongCall:
            return

    def _plan(self, statement: ItemStatement) -> Iterator[str]:
        from rove_memory.plans.plans import PlanChange, change_plan, require_plan  # noqa: PLC0415  # most notes name no plan

        plan = require_plan(self.db, statement.item.casefold())
        target = _PLANS.get(statement.verdict)
        if target is None or plan.updated_at > statement.event.created_at:
            return
        for status in _steps(plan.status, target):
            change_plan(self.db, self.store, plan.id, PlanChange(status=status))
            if status == target:
                yield f"{plan.id} {plan.title}: {target}"

    def _criterion(self, statement: ItemStatement) -> Iterator[str]:
        from rove_memory.criteria.model import Evidence  # noqa: PLC0415  # most notes name no criterion
        from rove_memory.criteria.table import CriteriaTable  # noqa: PLC0415  # the same

        table = CriteriaTable(self.db, self.store, self.session["id"])
        criterion = table.require(self._name(statement.item))
        if criterion.gone_at or self._judged_at(criterion.id) > statement.event.created_at:
            return
        target: CriterionStatus = "verified" if statement.verdict == "done" else statement.verdict
        if criterion.status == target:
            return
        if target == "verified" and self.settings.require_evidence_for_verification:
            target = "in_progress"
            table.change(criterion, None, target)
        elif target == "blocked":
            table.change(criterion, None, target)
        else:
            evidence = Evidence(notes=statement.event.content[:2_000])
            table.verify(criterion, verified=target == "verified", evidence=evidence)
        rest = ", it needs evidence" if target == "in_progress" else ""
        yield f"{criterion.external_item_id}#{criterion.number}: {target}{rest}"

    def _name(self, item: str) -> str:
        """Return the name of a criterion; a number alone is one of the session's ticket."""
        if "#" in item or item.casefold().startswith("c-"):
            return item
        number = "".join(filter(str.isdecimal, item))
        return f"{self.session['ticket'] or ''}#{number}"

    def _judged_at(self, criterion: str) -> datetime:
        """Return when a criterion was explicitly verified or failed."""
        (at,) = self.db.execute(
            "SELECT max(at) FROM ac_attempts WHERE criterion_id = ?", [criterion]
        ).fetchone()
        return read_time(at) or datetime.min.replace(tzinfo=self.store.clock.now().tzinfo)


def _steps(status: PlanStatus, target: PlanStatus) -> Sequence[PlanStatus]:
    """Return the legal changes that lead to a status; none if there is no way."""
    if target in LEGAL[status]:
        return [target]
    if target in LEGAL["in_progress"] and "in_progress" in LEGAL[status]:
        return ["in_progress", target]
    return []
