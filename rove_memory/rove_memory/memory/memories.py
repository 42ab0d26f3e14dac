"""Store, change and read memories; all versions stay until a memory is forgotten."""

from collections.abc import Sequence
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from attrs import frozen

from rove_core import Conflict, ItemNotFound, WrongCall
from rove_memory.memory.model import Feedback, MemoryItem, MemoryType
from rove_memory.memory.redaction import (
    clean_name,
    quoted,
)
from rove_memory.memory.text_index import words_changing
from rove_memory.memory.words import fingerprint, names_in, parts_of, title_of
from rove_memory.near_matches import did_you_mean
from rove_memory.store import ProjectStore
from rove_memory.store.values import (
    json_text,
    new_id,
    placeholders,
    read_names,
    read_time,
    time_of,
)

if TYPE_CHECKING:
    from rove_memory.memory.draft import MemoryDraft
    from rove_memory.memory.memory_version import MemoryVersion

_SELECT: Final = """
SELECT m.*, u.last_accessed, u.access_count, s.key AS newer_key
FROM memory m LEFT JOIN memory_uses u ON u.memory_id = m.id
LEFT JOIN memory s ON s.id = m.superseded_by
"""
#: So many memories before and after one in its session are its neighbours, so much of each.
_NEIGHBOURS: Final = 2
_OF_NEIGHBOUR: Final = 400


class Condition(NamedTuple):
    """A condition on memories, as SQL."""

    sql: str = ""
    values: Sequence[object] = ()


@frozen(kw_only=True, eq=False, repr=False)
class Memories:
    """The memories of one project, through an open connection.

    Attributes:
        db: The connection; one that can write for whatever changes something.
        store: The store it belongs to.
    """

    db: Connection
    store: ProjectStore

    def put(self, draft: "MemoryDraft") -> MemoryItem:
        """Store a memory; under an existing key, as its next version."""
        checked_draft = draft.checked()
        row = self.db.execute(
            "SELECT * FROM memory WHERE memory_type = ? AND key = ?",
            [checked_draft.memory_type, checked_draft.key],
        ).fetchone()
        identifier = row["id"] if row else new_id(self.db, "memory", "m")
        with words_changing(self.db, [identifier]):
            if row:
                self._change(row, checked_draft)
            else:
                self._add(identifier, checked_draft)
        if checked_draft.session_id and not row:
            self._join_session(checked_draft.session_id)
        return self.get(identifier)

    def get(self, identifier: str) -> MemoryItem:
        """Return the memory of an id."""
        row = self.db.execute(f"{_SELECT} WHERE m.id = ?", [identifier]).fetchone()
        return self.item(row)

    def current(self, key: str, memory_type: MemoryType) -> MemoryItem | None:
        """Return the memory that a new version under this key would replace."""
        row = self.db.execute(
            f"{_SELECT} WHERE m.memory_type = ? AND m.key = ?",
            [memory_type, clean_name(key, "key")],
        ).fetchone()
        return self.item(row) if row else None

    def named(self, key: str, memory_type: str | None = None) -> MemoryItem:
        """Return the memory of a key or an id.

        Raises:
            ItemNotFound: There is none; the error names keys written much like it.
            WrongCall: Memories of several types have that key.
        """
        rows = self.db.execute(
            f"{_SELECT} WHERE (m.key = ? COLLATE NOCASE OR m.id = ?) "
            "AND (? IS NULL OR m.memory_type = ?)",
            [key, key, memory_type, memory_type],
        ).fetchall()
        if len(rows) > 1:
            types = " or ".join(row["memory_type"] for row in rows)
            raise WrongCall(f"{quoted(key)} is a {types}", hint="Name one with: --memory-type")
        if not rows:
            keys = [row[0] for row in self.db.execute("SELECT key FROM memory LIMIT 20000")]
            raise ItemNotFound(
                f"no memory has the key {quoted(key)}{did_you_mean(key, keys)}",
                hint="See: rove memory list",
            )
        return self.item(rows[0])

    def listed(self, condition: Condition, limit: int) -> list[MemoryItem]:
        """Return memories by a condition, the most important first."""
        rows = self.db.execute(
            f"{_SELECT} WHERE 1 {condition.sql} "
            "ORDER BY m.importance DESC, m.updated_at DESC LIMIT ?",
            [*condition.values, limit],
        ).fetchall()
        return [self.item(row) for row in rows]

    def forget(self, item: MemoryItem) -> None:
        """Delete a memory with all its versions."""
        with words_changing(self.db, [item.id]):
            self.db.execute("DELETE FROM memory WHERE id = ?", [item.id])

    def archive(self, item: MemoryItem) -> None:
        """Archive a memory: it stays, and is found on request only."""
        self.db.execute(
            "UPDATE memory SET archived_at = ? WHERE id = ?", [self.store.now(), item.id]
        )

    def restore(self, item: MemoryItem) -> None:
        """Restore a memory that was archived or replaced."""
        self.db.execute(
            "UPDATE memory SET archived_at = NULL, superseded_by = NULL WHERE id = ?", [item.id]
        )

    def supersede(self, old: MemoryItem, new: MemoryItem, session: str | None) -> None:
        """Replace one memory by another, which alone is found from then on.

        Raises:
            Conflict: The new one was replaced by the old one.
        """
        if old.id == new.id:
            raise WrongCall(f"{old.key!r} cannot replace itself")
        row = self.db.execute("SELECT superseded_by FROM memory WHERE id = ?", [new.id]).fetchone()
        if row["superseded_by"] == old.id:
            raise Conflict(f"{new.key!r} was replaced by {old.key!r}")
        now = self.store.now()
        self.db.execute("UPDATE memory SET superseded_by = ? WHERE id = ?", [new.id, old.id])
        self.db.execute(
            "UPDATE memory_versions SET valid_to = ? WHERE memory_id = ? AND valid_to IS NULL",
            [now, old.id],
        )
        self._link(new.id, old.id, "supersedes", session)

    def contradict(self, one: MemoryItem, other: MemoryItem, session: str | None) -> None:
        """Mark two memories as contradicting each other."""
        if one.id == other.id:
            raise WrongCall(f"{one.key!r} cannot contradict itself")
        self._link(one.id, other.id, "contradicts", session)

    def rate(self, item: MemoryItem, feedback: Feedback) -> None:
        """Count that a memory was used, or was of no use."""
        self.db.execute(
            "UPDATE memory_uses SET last_accessed = CASE ? WHEN 'used' THEN ? ELSE last_accessed "
            "END, access_count = access_count + (? = 'used'), used = used + (? = 'used'), "
            "not_useful = not_useful + (? = 'not_useful') WHERE memory_id = ?",
            [feedback, self.store.now(), feedback, feedback, feedback, item.id],
        )

    def versions(self, item: MemoryItem) -> "tuple[MemoryVersion, ...]":
        """Return all versions of a memory, the first one first."""
        from rove_memory.memory.memory_version import MemoryVersion  # noqa: PLC0415  # few ask for them

        rows = self.db.execute(
            "SELECT * FROM memory_versions WHERE memory_id = ? ORDER BY version", [item.id]
        )
        return tuple(
            MemoryVersion(
                version=row["version"],
                content=row["content"],
                importance=row["importance"],
                confidence=row["confidence"],
                valid_from=time_of(row["valid_from"]),
                valid_to=read_time(row["valid_to"]),
                session_id=row["session_id"] or "",
            )
            for row in rows
        )

    def item(self, row: Row) -> MemoryItem:
        """Return the memory of a row."""
        return MemoryItem(
            id=row["id"],
            memory_type=row["memory_type"],
            key=row["key"],
            content=row["content"],
            summary=row["summary"] or "",
            importance=row["importance"],
            confidence=row["confidence"],
            tags=read_names(row["tags"]),
            related_items=read_names(row["related_items"]),
            created_at=time_of(row["created_at"]),
            updated_at=time_of(row["updated_at"]),
            expires_at=read_time(row["expires_at"]),
            last_accessed=read_time(row["last_accessed"]),
            access_count=row["access_count"] or 0,
            session_id=row["source_session_id"] or "",
            version=row["version"],
            superseded_by=row["newer_key"] or "",
            archived=row["archived_at"] is not None,
            contradicts=self._contradictions(row["id"]),
        )

    def _add(self, identifier: str, draft: "MemoryDraft") -> None:
        now = draft.at or self.store.now()
        self.db.execute(
            "INSERT INTO memory (id, project_id, memory_type, key, content, summary, importance, "  # noqa: S608  # question marks
            "confidence, created_at, updated_at, expires_at, source_session_id, source_context, "
            "tags, related_items, title, parts, fingerprint) "
            f"VALUES ({placeholders(range(18))})",
            [
                identifier,
                self.store.project_id(self.db),
                draft.memory_type,
                draft.key,
                draft.content,
                draft.summary or None,
                draft.importance,
                draft.confidence,
                now,
                now,
                draft.expires_at,
                draft.session_id,
                draft.source_context,
                json_text(draft.tags),
                json_text(draft.related_items),
                title_of(draft.content),
                parts_of(draft.content),
                fingerprint(draft.content),
            ],
        )
        self.db.execute(
            "INSERT INTO memory_uses (memory_id, last_accessed) VALUES (?, ?)", [identifier, now]
        )
        self._record(identifier, draft, 1, now)

    def _change(self, row: Row, draft: "MemoryDraft") -> None:
        """Store the next version of a memory."""
        identifier, now = row["id"], self.store.now()
        # Imports of earlier versions of Rove left versions above the current one.
        (last,) = self.db.execute(
            "SELECT max(version) FROM memory_versions WHERE memory_id = ?", [identifier]
        ).fetchone()
        version = max(row["version"], last or 0) + 1
        self.db.execute(
            "UPDATE memory SET content = ?, summary = ?, importance = ?, confidence = ?, "
            "updated_at = ?, expires_at = ?, source_session_id = CASE content WHEN ? "
            "THEN source_session_id ELSE coalesce(?, source_session_id) END, "
            "tags = ?, related_items = ?, title = ?, parts = ?, fingerprint = ?, version = ?, "
            "archived_at = NULL, superseded_by = NULL WHERE id = ?",
            [
                draft.content,
                draft.summary or None,
                draft.importance,
                draft.confidence,
                now,
                draft.expires_at,
                draft.content,
                draft.session_id,
                json_text(draft.tags),
                json_text(draft.related_items),
                title_of(draft.content),
                parts_of(draft.content),
                fingerprint(draft.content),
                version,
                identifier,
            ],
        )
        self.db.execute(
            "UPDATE memory_versions SET valid_to = ? WHERE memory_id = ? AND valid_to IS NULL",
            [now, identifier],
        )
        self.db.execute(
            "UPDATE memory_uses SET last_accessed = ?, access_count = 0 WHERE memory_id = ?",
            [now, identifier],
        )
        self._record(identifier, draft, version, now)

    def _record(self, identifier: str, draft: "MemoryDraft", version: int, now: str) -> None:
        self.db.execute(
            "INSERT INTO memory_versions (memory_id, version, memory_type, content, summary, "  # noqa: S608  # question marks
            "importance, confidence, tags, related_items, valid_from, recorded_at, session_id) "
            f"VALUES ({placeholders(range(12))})",
            [
                identifier,
                version,
                draft.memory_type,
                draft.content,
                draft.summary or None,
                draft.importance,
                draft.confidence,
                json_text(draft.tags),
                json_text(draft.related_items),
                now,
                self.store.now(),
                draft.session_id,
            ],
        )
        self.db.execute("DELETE FROM memory_mentions WHERE memory_id = ?", [identifier])
        self.db.executemany(
            "INSERT INTO memory_mentions (memory_id, name) VALUES (?, ?)",
            [(identifier, name) for name in names_in(draft.content)],
        )

    def _join_session(self, session: str) -> None:
        """Link neighbouring memories of a session for search."""
        rows = self.db.execute(
            "SELECT id FROM memory WHERE source_session_id = ? ORDER BY number DESC LIMIT ?",
            [session, 2 * _NEIGHBOURS + 1],
        ).fetchall()
        texts = {
            row["id"]: row["content"][:_OF_NEIGHBOUR]
            for row in self.db.execute(
                f"SELECT id, content FROM memory WHERE id IN ({placeholders(rows)})",  # noqa: S608  # question marks
                [row["id"] for row in rows],
            )
        }
        order = [row["id"] for row in rows]
        joined = order[: _NEIGHBOURS + 1]
        with words_changing(self.db, joined):
            for at, one in enumerate(joined):
                around = order[max(0, at - _NEIGHBOURS) : at] + order[at + 1 : at + 1 + _NEIGHBOURS]
                self.db.execute(
                    "UPDATE memory SET neighbours = ? WHERE id = ?",
                    ["\n".join(texts[other] for other in around), one],
                )

    def _link(self, source: str, target: str, relation: str, session: str | None) -> None:
        self.db.execute(
            "INSERT INTO memory_links (source_id, target_id, relation, created_at, session_id) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [source, target, relation, self.store.now(), session],
        )

    def _contradictions(self, identifier: str) -> tuple[str, ...]:
        rows = self.db.execute(
            "SELECT m.key FROM memory_links l JOIN memory m ON m.id = "
            "CASE l.source_id WHEN ? THEN l.target_id ELSE l.source_id END "
            "WHERE l.relation = 'contradicts' AND ? IN (l.source_id, l.target_id) "
            "AND m.superseded_by IS NULL ORDER BY m.key",
            [identifier, identifier],
        )
        return tuple(row[0] for row in rows)


def checked_type(text: str | None) -> str | None:
    """Return a type of memory, or raise WrongCall with those there are."""
    if text is None or text in get_args(MemoryType):
        return text
    guess = did_you_mean(text, get_args(MemoryType), 1)
    types = ", ".join(get_args(MemoryType))
    raise WrongCall(f"{quoted(text)} is not a type of memory{guess}", hint=f"One of: {types}")
