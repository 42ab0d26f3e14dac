"""The table of acceptance criteria."""

from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final

from attrs import asdict, define, evolve

from rove_core import ItemNotFound, WrongCall
from rove_memory.criteria.model import AcceptanceCriterion, CriterionChange, Evidence
from rove_memory.criteria.status import CriterionStatus
from rove_memory.criteria.words import compared
from rove_memory.memory.redaction import clean_text, quoted
from rove_memory.near_matches import did_you_mean
from rove_memory.store.project_store import ProjectStore
from rove_memory.store.values import json_text, new_id, read_json, read_time
from rove_memory.tickets.table import TicketInfo, find_ticket

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_memory.criteria.rules import FoundCriterion

_SELECT: Final = (
    "SELECT c.*, t.provider_id AS ticket FROM acceptance_criteria c "
    "JOIN external_items t ON t.id = c.external_item_id"
)


@define(eq=False)
class CriteriaTable:
    """Criteria of a project, within a transaction.

    Attributes:
        db: The database.
        store: What it belongs to.
        session: The session that writes, if any.
    """

    db: Connection
    store: ProjectStore
    session: str | None = None

    def of_ticket(self, ticket: TicketInfo, *, gone_too: bool = False) -> list[AcceptanceCriterion]:
        """Return the criteria of a ticket in its order, then those it no longer has."""
        rows = self.db.execute(
            f"{_SELECT} WHERE external_item_id = ? AND (? OR gone_at IS NULL) "
            "ORDER BY gone_at IS NOT NULL, criterion_index, number",
            [ticket.id, gone_too],
        )
        return [_criterion(row) for row in rows]

    def require(self, text: str) -> AcceptanceCriterion:
        """Return the criterion that a text names, by its id or as ``TB-123#2``.

        Raises:
            ItemNotFound: There is none; the error names those that may be meant.
        """
        row = self.db.execute(f"{_SELECT} WHERE c.id = ?", [text]).fetchone()
        if row:
            return _criterion(row)
        name, _, number = text.rpartition("#")
        ticket = find_ticket(self.db, name) if name and number.isdecimal() else None
        if ticket:
            there = self.of_ticket(ticket, gone_too=True)
            for each in there:
                if each.number == int(number):
                    return each
            numbers = ", ".join(map(str, sorted(each.number for each in there))) or "none"
            raise ItemNotFound(
                f"{ticket.identifier} has no criterion {number}; it has: {numbers}",
                hint=f"See them with: rove ac status {ticket.identifier}",
            )
        rows = self.db.execute(
            "SELECT c.id, t.provider_id || '#' || c.number FROM acceptance_criteria c "
            "JOIN external_items t ON t.id = c.external_item_id LIMIT 5000"
        )
        guess = did_you_mean(text, [name for row in rows for name in row])
        raise ItemNotFound(
            f"there is no criterion {quoted(text)}{guess}", hint="See them: rove ac status TICKET"
        )

    def merge(
        self, ticket: TicketInfo, found: "Sequence[FoundCriterion]", *, is_supplied: bool = False
    ) -> list[AcceptanceCriterion]:
        """Update a ticket's criteria from its text, or from one that was given, and return them.

        A criterion keeps its id, number, evidence and attempts as long as its words are much the
        same. One that says something else than what was verified is pending again. What the ticket
        no longer has stays, and is told as gone.
        """
        from rove_memory.criteria.identity import compare  # noqa: PLC0415  # only a text needs it

        parsed = [
            each for each in self.of_ticket(ticket, gone_too=True) if each.source_type != "manual"
        ]
        texts = [clean_text(each.text, "a criterion") for each in found]
        edit = compare([each.criterion_text for each in parsed], texts)
        stays = set() if is_supplied else self._supplied_ids(ticket)
        changes: dict[str, CriterionChange] = {}
        for at, to in edit.matches.items():
            changes[parsed[at].id] = self._keep(parsed[at], texts[to], found[to], to)
            if not is_supplied or parsed[at].gone_at:
                self._set(parsed[at].id, given=int(is_supplied))
        for at in edit.gone:
            if parsed[at].gone_at is None and parsed[at].id not in stays:
                self._set(parsed[at].id, gone_at=self.store.now())
                changes[parsed[at].id] = "gone"
        for to in edit.added:
            added = self._add(ticket, texts[to], to, found[to])
            self._set(added, given=int(is_supplied))
            changes[added] = "new" if parsed else ""
        criteria = self.of_ticket(ticket, gone_too=True)
        return [
            evolve(each, change=changes.get(each.id, ""))
            for each in criteria
            if each.gone_at is None or changes.get(each.id)
        ]

    def add(self, ticket: TicketInfo, text: str, index: int | None) -> AcceptanceCriterion:
        """Add a criterion by hand, at the end or at a place."""
        there = self.of_ticket(ticket)
        if any(compared(each.criterion_text) == compared(text) for each in there):
            raise WrongCall(f"{ticket.identifier} has this criterion already: {text}")
        if index is not None and not 0 <= index <= len(there):
            raise WrongCall(f"index {index}: expected 0 to {len(there)}")
        place = len(there) if index is None else index
        for at, each in enumerate(there):
            self._set(each.id, criterion_index=at + (at >= place))
        return self.require(self._add(ticket, clean_text(text, "the criterion"), place, None))

    def verify(
        self, criterion: AcceptanceCriterion, *, verified: bool, evidence: Evidence
    ) -> AcceptanceCriterion:
        """Write down that a criterion was verified, or that it failed, with what shows it."""
        now, evidence_json = self.store.now(), json_text(asdict(evidence))
        status = "verified" if verified else "failed"
        values: dict[str, object] = {"status": status, "evidence": evidence_json}
        if verified:
            values |= {"verified_at": now, "verified_by_session": self.session}
            values |= {"failed_reason": None}
        else:
            values |= {"failed_at": now, "failed_reason": evidence.notes or None}
            values |= {"attempts": criterion.attempts + 1, "verified_at": None}
            values |= {"verified_by_session": None}
        self._set(criterion.id, **values)
        self.db.execute(
            "INSERT INTO ac_attempts (id, criterion_id, at, status, evidence, notes, session_id) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                *(new_id(self.db, "ac_attempts", "a"), criterion.id, now, status, evidence_json),
                *(evidence.notes or None, self.session),
            ],
        )
        return self.require(criterion.id)

    def change(
        self, criterion: AcceptanceCriterion, text: str | None, status: CriterionStatus | None
    ) -> AcceptanceCriterion:
        """Change a criterion's text or status."""
        values: dict[str, object] = {}
        if text is not None and text != criterion.criterion_text:
            values |= {"criterion_text": text, "previous_text": criterion.criterion_text}
            values |= {"changed_at": self.store.now()}
        if status is not None and status != criterion.status:
            values["status"] = status
            if status == "verified":
                values |= {"verified_at": self.store.now(), "verified_by_session": self.session}
            else:
                values |= {"verified_at": None, "verified_by_session": None}
            if status == "failed":
                values |= {"failed_at": self.store.now(), "attempts": criterion.attempts + 1}
        if values:
            self._set(criterion.id, **values)
        return self.require(criterion.id)

    def _supplied_ids(self, ticket: TicketInfo) -> set[str]:
        """Return the ids of criteria that only a given text has."""
        sql = "SELECT id FROM acceptance_criteria WHERE external_item_id = ? AND given"
        return {row["id"] for row in self.db.execute(sql, [ticket.id])}

    def _keep(
        self, criterion: AcceptanceCriterion, text: str, found: "FoundCriterion", index: int
    ) -> CriterionChange:
        """Update a criterion's position and text; return whether it changed."""
        values: dict[str, object] = {
            "criterion_index": index,
            "reason": found.reason,
            "place": " / ".join(found.section),
            "gone_at": None,
        }
        change: CriterionChange = "back" if criterion.gone_at else ""
        if compared(criterion.criterion_text) != compared(text):
            change = "changed"
            values |= {"previous_text": criterion.criterion_text, "changed_at": self.store.now()}
            if criterion.status == "verified":  # Something else was verified.
                values |= {"status": "pending", "verified_at": None, "verified_by_session": None}
        values["criterion_text"] = text
        self._set(criterion.id, **values)
        return change

    def _add(
        self, ticket: TicketInfo, text: str, index: int, found: "FoundCriterion | None"
    ) -> str:
        identifier, now = new_id(self.db, "acceptance_criteria", "c"), self.store.now()
        (last,) = self.db.execute(
            "SELECT coalesce(max(number), 0) FROM acceptance_criteria WHERE external_item_id = ?",
            [ticket.id],
        ).fetchone()
        kind = "manual" if found is None else "checklist" if found.rule == "checkbox" else "parsed"
        self.db.execute(
            "INSERT INTO acceptance_criteria (id, external_item_id, criterion_text, "
            "criterion_index, source_type, number, reason, place, created_at, updated_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                *(identifier, ticket.id, text, index, kind, last + 1),
                found.reason if found else "added by hand",
                *(" / ".join(found.section) if found else "", now, now),
            ],
        )
        return identifier

    def _set(self, identifier: str, **values: object) -> None:
        values["updated_at"] = self.store.now()
        names = ", ".join(f"{name} = :{name}" for name in values)
        change = f"UPDATE acceptance_criteria SET {names} WHERE id = :id"  # noqa: S608  # our own names
        self.db.execute(change, {**values, "id": identifier})


def _criterion(row: Row) -> AcceptanceCriterion:
    created, updated = read_time(row["created_at"]), read_time(row["updated_at"])
    if created is None or updated is None:  # The columns are never empty.
        raise AssertionError(row["id"])
    evidence = read_json(row["evidence"], {})
    return AcceptanceCriterion(
        id=row["id"],
        external_item_id=row["ticket"],
        number=row["number"] or row["criterion_index"] + 1,
        criterion_text=row["criterion_text"],
        criterion_index=row["criterion_index"],
        source_type=row["source_type"],
        status=row["status"],
        verified_at=read_time(row["verified_at"]),
        verified_by_session=row["verified_by_session"],
        failed_at=read_time(row["failed_at"]),
        failed_reason=row["failed_reason"],
        evidence=Evidence(
            **{name: tuple(evidence.get(name, ())) for name in ("files", "tests", "commits")},
            screenshots=tuple(evidence.get("screenshots", ())),
            notes=evidence.get("notes", ""),
        ),
        attempts=row["attempts"],
        reason=row["reason"],
        place=row["place"],
        previous_text=row["previous_text"],
        gone_at=read_time(row["gone_at"]),
        created_at=created,
        updated_at=updated,
    )
