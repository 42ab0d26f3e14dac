"""Tables of the two-way sync."""

from typing import Final

#: The outbox gets what a three-way merge needs. No release ever wrote a row into the old table.
TWO_WAY_SYNC: Final = """
DROP TABLE pending_changes;
CREATE TABLE pending_changes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    -- No cascade: what a person changed is never dropped with its item.
    external_item_id TEXT NOT NULL REFERENCES external_items(id),
    change_type TEXT NOT NULL CHECK (change_type IN ('field', 'comment', 'create')),
    field TEXT NOT NULL DEFAULT '',
    payload TEXT NOT NULL,  -- the value, the words, or the new item
    base TEXT,  -- the value that its author saw
    remote TEXT,  -- the tracker's value that stands against it
    unanswered TEXT NOT NULL DEFAULT '[]',  -- values sent without a reply
    sent_revision TEXT,  -- the item's revision when the last of these was sent
    effect_key TEXT NOT NULL,  -- by which the tracker knows the effect: once for each key
    after_id TEXT,  -- sent only when that one has arrived
    replaced_by TEXT,
    session_id TEXT REFERENCES sessions(id) ON DELETE SET NULL,
    created_at TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_attempt_at TEXT,
    retry_at TEXT,
    last_error TEXT,
    settled_at TEXT,
    status TEXT NOT NULL DEFAULT 'pending' CHECK (
        status IN ('pending', 'synced', 'failed', 'canceled', 'conflict', 'overruled')
    )
) STRICT;
CREATE INDEX idx_pending_project ON pending_changes(project_id);
CREATE INDEX idx_pending_status ON pending_changes(status);
CREATE INDEX idx_pending_item ON pending_changes(external_item_id, status);

-- Each item as its tracker had it when it was read last.
CREATE TABLE sync_items (
    item_id TEXT PRIMARY KEY REFERENCES external_items(id) ON DELETE CASCADE,
    kind TEXT NOT NULL,  -- what its source calls it, to ask for it again
    revision TEXT NOT NULL DEFAULT '',
    updated_at TEXT NOT NULL DEFAULT '',  -- by the tracker's clock
    fields TEXT NOT NULL DEFAULT '{}',
    checked_at TEXT NOT NULL  -- by ours
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_sync_items_checked ON sync_items(checked_at);

CREATE TABLE sync_cursors (
    account TEXT NOT NULL,
    containers TEXT NOT NULL,
    cursor TEXT NOT NULL,
    PRIMARY KEY (account, containers)
) STRICT, WITHOUT ROWID;
"""

#: The sprints of the listed containers, and when they were read.
SPRINTS: Final = """
CREATE TABLE sync_sprints (
    account TEXT NOT NULL,
    container TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    starts TEXT,
    ends TEXT,
    goal TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (account, container, id)
) STRICT, WITHOUT ROWID;
"""
