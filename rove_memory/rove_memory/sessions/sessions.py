"""The life cycle of sessions: start, resume, close, and evidence from git and notes."""

from pathlib import Path
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, NamedTuple

from attrs import frozen

from rove_core import Conflict, ItemNotFound, WrongCall, branch_of, counted
from rove_memory.git import head_commit
from rove_memory.memory.redaction import quoted, without_secrets
from rove_memory.near_matches import did_you_mean
from rove_memory.sessions.session_rows import (
    NOTHING_NOTED,
    Workplace,
    active_row,
    is_alive,
    newest_rows,
    row_of,
    session_result,
)
from rove_memory.store import ProjectStore
from rove_memory.store.values import json_text, new_id, time_of, time_text

if TYPE_CHECKING:
    from rove_memory.session_settings import SessionSettings
    from rove_memory.sessions.git_work import GitWork
    from rove_memory.sessions.statuses import SessionOutcome, SessionStatus
    from rove_memory.sessions.summaries import SessionSummary
    from rove_memory.tickets.table import TicketInfo


class StartedSession(NamedTuple):
    """A session that begins or goes on.

    Attributes:
        row: Its row.
        resumed: Whether it goes on from before.
        warnings: What was closed meanwhile, and how to see the notes it has already.
    """

    row: Row
    resumed: bool
    warnings: tuple[str, ...] = ()


@frozen(kw_only=True, eq=False, repr=False)
class Sessions:
    """The sessions of one project, through an open connection.

    Attributes:
        db: The connection; one that can write for whatever changes something.
        store: The store it belongs to.
        settings: How sessions begin and end.
    """

    db: Connection
    store: ProjectStore
    settings: "SessionSettings"

    def start(
        self, place: Workplace, ticket: "TicketInfo | None", *, resume_last: bool
    ) -> StartedSession:
        """Return the active session of a place, the last interrupted one, or a new one.

        Raises:
            Conflict: The active session is about another ticket.
        """
        warnings = tuple(self.close_abandoned())
        row = active_row(self.db, place)
        if row and ticket and row["external_item_id"] not in (None, ticket.id):
            raise Conflict(
                f"session {row['id']} is active here, on {row['ticket']}",
                hint=f"End it first: rove session end {row['id']}",
            )
        if row is None and resume_last and (last := self._interrupted_session(place, ticket)):
            self._reopen(last, place)
            row = self.row(last)
        if row is None:
            new = self._add(place, ticket)
            # The new session is active, and --resume-last resumes an active one first.
            way = f"rove session end {new}, then rove session start --resume-last"
            if warnings:
                warnings = (*warnings, f"To resume the earlier session: {way}")
            return StartedSession(row=self.row(new), resumed=False, warnings=warnings)
        if ticket and row["external_item_id"] is None:
            self.db.execute(
                "UPDATE sessions SET external_item_id = ? WHERE id = ?", [ticket.id, row["id"]]
            )
        self.touch(row["id"])
        resumed = self.row(row["id"])
        if noted := resumed["events"]:
            # After a crash, the agent knows nothing of them.
            warnings = (*warnings, f"{counted(noted, 'note')} so far: rove session context")
        return StartedSession(row=resumed, resumed=True, warnings=warnings)

    def end(
        self,
        identifier: str,
        *,
        summary: str,
        outcome: "SessionOutcome",
        notes: str,
        work: "GitWork",
    ) -> "SessionSummary":
        """End an active session, and return its summary."""
        from rove_memory.sessions.summaries import summary_row  # noqa: PLC0415  # only an end needs it

        row, now = self.row(identifier), self.store.clock.now()
        seconds = int((now - time_of(row["started_at"])).total_seconds())
        self.db.execute(
            "UPDATE sessions SET status = 'completed', ended_at = ?, summary = ?, outcome = ?, "
            "outcome_notes = ?, files_modified = ?, commits_made = ?, duration_seconds = ?, "
            "last_active_at = ? WHERE id = ?",
            [
                time_text(now),
                summary,
                outcome,
                notes or None,
                json_text(work.files),
                json_text(work.commits),
                max(0, seconds),
                time_text(now),
                identifier,
            ],
        )
        return summary_row(self.row(identifier))

    def work(self, row: Row) -> "GitWork":
        """Return what git says was done in a session."""
        from rove_memory.sessions.git_work import work_since  # noqa: PLC0415  # only an end needs it

        return work_since(Path(row["worktree"]), row["start_commit"])

    def close_abandoned(self) -> list[str]:
        """Close the sessions that were quiet for too long, and say so."""
        limit = self.store.clock.now() - self.settings.close_after
        rows = self.db.execute(
            "SELECT id, last_active_at FROM sessions WHERE status = 'active' "
            "AND last_active_at < ?",
            [time_text(limit)],
        ).fetchall()
        for row in rows:
            self.db.execute(
                "UPDATE sessions SET status = 'abandoned', ended_at = last_active_at, "
                "duration_seconds = max(0, CAST((julianday(last_active_at) - "
                "julianday(started_at)) * 86400 AS INTEGER)) WHERE id = ?",
                [row["id"]],
            )
        if not self.settings.warn_on_unended_session:
            return []
        return [
            f"Session {row['id']} was never ended: inactive since {row['last_active_at'][:16]}Z, "
            f"closed now"
            for row in rows
        ]

    def active(self, place: Workplace) -> Row | None:
        """Return the active session of a place, unless it has been quiet for too long."""
        row = active_row(self.db, place)
        alive = row and is_alive(row, self.store.clock.now(), self.settings.close_after)
        return row if alive else None

    def named_or_active(self, identifier: str, place: Workplace) -> Row:
        """Return the session of an id; without one, the active session of a place.

        Raises:
            WrongCall: No session is active there.
        """
        if identifier:
            return self.row(identifier)
        row = self.active(place)
        if row is None:
            raise WrongCall(
                f"no session is active in {place.checkout}", hint="Start one: rove session start"
            )
        return row

    def is_first(self, identifier: str) -> bool:
        """Return whether the project has no other session."""
        other = "SELECT 1 FROM sessions WHERE id <> ? LIMIT 1"
        return self.db.execute(other, [identifier]).fetchone() is None

    def touch(self, identifier: str) -> None:
        """Record that a session is alive."""
        self.db.execute(
            "UPDATE sessions SET last_active_at = ? WHERE id = ?", [self.store.now(), identifier]
        )

    def row(self, identifier: str) -> Row:
        """Return the session of an id.

        Raises:
            ItemNotFound: There is none; the error names ids written much like it.
        """
        row = row_of(self.db, identifier)
        if row is None:
            ids = [each[0] for each in self.db.execute("SELECT id FROM sessions LIMIT 5000")]
            guess = did_you_mean(identifier, ids)
            raise ItemNotFound(
                f"no session {quoted(identifier)} in this project{guess}",
                hint="See: rove session list",
            )
        return row

    def open_row(self, identifier: str) -> Row:
        """Return the session of an id if it is active.

        Raises:
            Conflict: It has ended.
        """
        row = self.row(identifier)
        if row["status"] != "active":
            raise Conflict(
                f"session {identifier} is {row['status']} since {row['ended_at'] or '?'}",
                hint="Start or resume one: rove session start --resume-last",
            )
        return row

    def listed(
        self, *, ticket: str | None, status: "SessionStatus | None", limit: int, offset: int
    ) -> "tuple[SessionSummary, ...]":
        """Return sessions, the newest first."""
        from rove_memory.sessions.summaries import summary_row  # noqa: PLC0415  # only a list needs it

        rows = newest_rows(self.db, ticket, status, limit=limit, offset=offset)
        return tuple(summary_row(row) for row in rows)

    def last_summary(self, ticket: "TicketInfo | None", *, but: str) -> str | None:
        """Return the result of the last session that ended and left something behind."""
        row = self.db.execute(
            "SELECT summary, outcome, outcome_notes, ended_at FROM sessions WHERE id <> ? "
            "AND outcome IS NOT NULL AND (coalesce(summary, '') NOT IN ('', ?) "
            "OR outcome_notes IS NOT NULL) "
            "AND (? IS NULL OR external_item_id = ?) ORDER BY ended_at DESC LIMIT 1",
            [but, NOTHING_NOTED, *([ticket.id, ticket.id] if ticket else [None, None])],
        ).fetchone()
        return f"{row['ended_at'][:10]}, {row['outcome']}: {session_result(row)}" if row else None

    def _interrupted_session(self, place: Workplace, ticket: "TicketInfo | None") -> str | None:
        row = self.db.execute(
            "SELECT id FROM sessions WHERE status IN ('interrupted', 'abandoned') AND agent = ? "
            "AND (? IS NULL OR external_item_id = ?) "
            "ORDER BY worktree = ? DESC, last_active_at DESC LIMIT 1",
            [
                place.agent,
                *([ticket.id, ticket.id] if ticket else [None, None]),
                str(place.checkout),
            ],
        ).fetchone()
        return str(row["id"]) if row else None

    def _reopen(self, identifier: str, place: Workplace) -> None:
        self.db.execute(
            "UPDATE sessions SET status = 'active', ended_at = NULL, worktree = ?, branch = ?, "
            "last_active_at = ? WHERE id = ?",
            [str(place.checkout), _branch(place), self.store.now(), identifier],
        )

    def _add(self, place: Workplace, ticket: "TicketInfo | None") -> str:
        identifier, now = new_id(self.db, "sessions", "s"), self.store.now()
        parent = self.db.execute(
            "SELECT id FROM sessions WHERE external_item_id = ? ORDER BY started_at DESC LIMIT 1",
            [ticket.id if ticket else None],
        ).fetchone()
        self.db.execute(
            "INSERT INTO sessions (id, project_id, external_item_id, started_at, status, "
            "parent_session_id, agent, worktree, branch, start_commit, last_active_at) "
            "VALUES (?, ?, ?, ?, 'active', ?, ?, ?, ?, ?, ?)",
            [
                identifier,
                self.store.project_id(self.db),
                ticket.id if ticket else None,
                now,
                parent["id"] if parent else None,
                place.agent,
                str(place.checkout),
                _branch(place),
                head_commit(place.checkout),
                now,
            ],
        )
        return identifier


def _branch(place: Workplace) -> str:
    """Return the branch that a place is on, without secrets in its name."""
    return without_secrets(branch_of(place.checkout))
