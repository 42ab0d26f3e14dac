"""Notes of sessions."""

import json
from collections.abc import Mapping, Sequence
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final

from rove_core import JSON, WrongCall
from rove_memory.memory.redaction import clean_text
from rove_memory.sessions.event_model import EventImportance, EventType, SessionEvent
from rove_memory.store.values import json_text, new_id, read_json, time_of

if TYPE_CHECKING:
    from rove_memory.store import ProjectStore

#: The three importances, as the table counts them.
IMPORTANCE: Final[Mapping[EventImportance, int]] = {"low": 1, "medium": 2, "high": 3}
_NAMES: Final[Mapping[int, EventImportance]] = {value: name for name, value in IMPORTANCE.items()}
#: The most characters of a note.
LONGEST_NOTE: Final = 20_000
_LONGEST_CONTEXT: Final = 20_000


def add_event(  # noqa: PLR0913  # a note has these parts
    db: Connection,
    store: "ProjectStore",
    session: str,
    *,
    event_type: EventType,
    content: str,
    importance: EventImportance = "medium",
    context: Mapping[str, JSON] | None = None,
) -> SessionEvent:
    """Add a note to a session, without the secrets in it."""
    stored = clean_text(content, "content", longest=LONGEST_NOTE)
    context_json = json_text(context or {})
    if len(context_json) > _LONGEST_CONTEXT:
        raise WrongCall(
            f"context has {len(context_json)} characters; the most are {_LONGEST_CONTEXT}"
        )
    context_json = _clean_json(context_json)
    identifier, now = new_id(db, "session_events", "e"), store.now()
    db.execute(
        "INSERT INTO session_events (id, session_id, event_type, importance, content, context, "
        "created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [identifier, session, event_type, IMPORTANCE[importance], stored, context_json, now],
    )
    db.execute("UPDATE sessions SET last_active_at = ? WHERE id = ?", [now, session])
    row = db.execute("SELECT * FROM session_events WHERE id = ?", [identifier]).fetchone()
    return _event(row)


def events_of(db: Connection, session: str, *, limit: int = -1) -> Sequence[SessionEvent]:
    """Return the notes of a session, oldest first; of many the last ones."""
    rows = db.execute(
        "SELECT * FROM (SELECT *, rowid AS at FROM session_events WHERE session_id = ? "
        "ORDER BY created_at DESC, rowid DESC LIMIT ?) ORDER BY created_at, at",
        [session, limit],
    )
    return [_event(row) for row in rows]


def count_events(db: Connection, session: str) -> int:
    """Return how many notes a session has."""
    (count,) = db.execute(
        "SELECT count(*) FROM session_events WHERE session_id = ?", [session]
    ).fetchone()
    return int(count)


def fold_events(db: Connection, session: str, most: int) -> int:
    """Fold the oldest notes of low importance into one where there are too many."""
    count = count_events(db, session)
    if count <= most:
        return 0
    rows = db.execute(
        "SELECT id, content FROM session_events WHERE session_id = ? AND importance = 1 "
        "ORDER BY created_at, rowid LIMIT ?",
        [session, count - most + 1],
    ).fetchall()
    if len(rows) < 2:
        return 0
    first, *others = rows
    # The first may be what was folded before: each of its lines was a note.
    lines = [line[:200] for line in first["content"].splitlines()]
    lines += [row["content"].partition("\n")[0][:200] for row in others]
    while len(lines) > 1 and len("\n".join(lines)) > LONGEST_NOTE:
        del lines[0]
    text = "\n".join(lines)[:LONGEST_NOTE]
    db.execute("UPDATE session_events SET content = ? WHERE id = ?", [text, first["id"]])
    db.executemany("DELETE FROM session_events WHERE id = ?", [(row["id"],) for row in others])
    return len(others)


def _clean_json(text: str) -> str:
    """Return JSON without the secrets in it."""
    from rove_core import redact_secrets  # noqa: PLC0415  # a note without context needs none

    if text == "{}":
        return text
    redacted = redact_secrets(text)
    try:
        json.loads(redacted)
    except ValueError:
        return json_text({"text": redacted})
    return redacted


def _event(row: Row) -> SessionEvent:
    return SessionEvent(
        id=row["id"],
        event_type=row["event_type"],
        importance=_NAMES[row["importance"]],
        content=row["content"],
        context=read_json(row["context"], {}),
        created_at=time_of(row["created_at"]),
    )
