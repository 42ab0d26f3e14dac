"""Numbered migrations of the memory database and of the registry.

A script is never changed once it was released. All times are text like
``2026-11-22T17:00:00.000000Z``, so that they sort; lists and records are JSON.
"""

from collections.abc import Sequence
from typing import Final

from rove_memory.store.sync_schema import SPRINTS, TWO_WAY_SYNC

_PROJECT: Final = """
CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    git_remote TEXT,
    provider_type TEXT,
    provider_project_id TEXT,
    provider_config TEXT,
    created_at TEXT NOT NULL,
    last_accessed TEXT NOT NULL,
    last_synced_at TEXT
) STRICT;

CREATE TABLE external_items (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    account TEXT NOT NULL DEFAULT '',
    provider_id TEXT NOT NULL,
    item_type TEXT NOT NULL DEFAULT 'ticket',
    title TEXT NOT NULL,
    description TEXT,
    description_html TEXT,
    status TEXT,
    status_category TEXT CHECK (status_category IN ('todo', 'in_progress', 'done', 'canceled')),
    priority INTEGER,  -- 0 none to 4 urgent
    priority_label TEXT,
    assignee TEXT,
    assignee_name TEXT,
    labels TEXT,
    parent_id TEXT REFERENCES external_items(id) ON DELETE SET NULL,
    sprint_id TEXT,
    sprint_name TEXT,
    epic_id TEXT,
    epic_name TEXT,
    due_date TEXT,
    estimate INTEGER,
    estimate_unit TEXT,
    url TEXT,
    provider_data TEXT,
    created_at_provider TEXT,
    updated_at_provider TEXT,
    synced_at TEXT NOT NULL,
    deleted_at TEXT,  -- gone at its tracker; the row stays, for what hangs on it
    UNIQUE (project_id, account, provider_id)
) STRICT;
CREATE INDEX idx_external_items_project ON external_items(project_id);
CREATE INDEX idx_external_items_status ON external_items(status);
CREATE INDEX idx_external_items_status_category ON external_items(status_category);
CREATE INDEX idx_external_items_sprint ON external_items(sprint_id);
CREATE INDEX idx_external_items_epic ON external_items(epic_id);
CREATE INDEX idx_external_items_assignee ON external_items(assignee);
CREATE INDEX idx_external_items_type ON external_items(item_type);
CREATE INDEX idx_external_items_updated ON external_items(updated_at_provider);
CREATE INDEX idx_external_items_provider ON external_items(provider_id COLLATE NOCASE);
"""

_SESSIONS: Final = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    external_item_id TEXT REFERENCES external_items(id) ON DELETE SET NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    status TEXT NOT NULL DEFAULT 'active'
        CHECK (status IN ('active', 'completed', 'abandoned', 'interrupted')),
    summary TEXT,
    outcome TEXT CHECK (outcome IN ('success', 'partial', 'blocked', 'failed')),
    outcome_notes TEXT,
    context_on_start TEXT,
    files_modified TEXT,
    commits_made TEXT,
    duration_seconds INTEGER,
    parent_session_id TEXT REFERENCES sessions(id) ON DELETE SET NULL,
    metadata TEXT,
    agent TEXT NOT NULL DEFAULT '',
    worktree TEXT NOT NULL DEFAULT '',
    branch TEXT NOT NULL DEFAULT '',
    start_commit TEXT NOT NULL DEFAULT '',
    last_active_at TEXT NOT NULL
) STRICT;
CREATE INDEX idx_sessions_project ON sessions(project_id);
CREATE INDEX idx_sessions_status ON sessions(status);
CREATE UNIQUE INDEX idx_sessions_active ON sessions(worktree, agent) WHERE status = 'active';
CREATE INDEX idx_sessions_item ON sessions(external_item_id);
CREATE INDEX idx_sessions_started ON sessions(started_at);

CREATE TABLE session_events (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    event_type TEXT NOT NULL
        CHECK (event_type IN ('decision', 'discovery', 'progress', 'blocker', 'note', 'error')),
    importance INTEGER NOT NULL DEFAULT 2 CHECK (importance BETWEEN 1 AND 3),
    content TEXT NOT NULL,
    context TEXT,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX idx_events_session ON session_events(session_id, created_at);
CREATE INDEX idx_events_type ON session_events(event_type);
CREATE INDEX idx_events_importance ON session_events(importance);
"""

_MEMORY: Final = """
CREATE TABLE memory (
    number INTEGER PRIMARY KEY,  -- what the text index calls it
    id TEXT NOT NULL UNIQUE,
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    memory_type TEXT NOT NULL
        CHECK (memory_type IN ('pattern', 'decision', 'architecture', 'preference', 'warning')),
    key TEXT NOT NULL,
    content TEXT NOT NULL,
    summary TEXT,
    importance INTEGER NOT NULL DEFAULT 2 CHECK (importance BETWEEN 1 AND 5),
    confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0.0 AND 1.0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    expires_at TEXT,
    source_session_id TEXT REFERENCES sessions(id) ON DELETE SET NULL,
    source_context TEXT,
    tags TEXT NOT NULL DEFAULT '[]',
    related_items TEXT NOT NULL DEFAULT '[]',
    version INTEGER NOT NULL DEFAULT 1,
    title TEXT NOT NULL DEFAULT '',  -- its first line
    parts TEXT NOT NULL DEFAULT '',  -- the words of names like readHTTPFile
    neighbours TEXT NOT NULL DEFAULT '',  -- what its session said just before and after it
    fingerprint TEXT NOT NULL DEFAULT '',  -- of its words: equal ones say the same
    superseded_by TEXT REFERENCES memory(id) ON DELETE SET NULL,
    archived_at TEXT,
    UNIQUE (project_id, memory_type, key)
) STRICT;
CREATE INDEX idx_memory_project ON memory(project_id);
CREATE INDEX idx_memory_type ON memory(memory_type);
CREATE INDEX idx_memory_key ON memory(project_id, memory_type, key);
CREATE INDEX idx_memory_importance ON memory(importance);
CREATE INDEX idx_memory_session ON memory(source_session_id);
CREATE INDEX idx_memory_fingerprint ON memory(fingerprint);
CREATE INDEX idx_memory_updated ON memory(updated_at);
CREATE INDEX idx_memory_name ON memory(key);

CREATE TABLE memory_versions (
    memory_id TEXT NOT NULL REFERENCES memory(id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    memory_type TEXT NOT NULL,
    content TEXT NOT NULL,
    summary TEXT,
    importance INTEGER NOT NULL,
    confidence REAL NOT NULL,
    tags TEXT NOT NULL,
    related_items TEXT NOT NULL,
    valid_from TEXT NOT NULL,
    valid_to TEXT,
    recorded_at TEXT NOT NULL,
    session_id TEXT,
    PRIMARY KEY (memory_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_uses (
    memory_id TEXT PRIMARY KEY REFERENCES memory(id) ON DELETE CASCADE,
    last_accessed TEXT NOT NULL,
    access_count INTEGER NOT NULL DEFAULT 0,
    used INTEGER NOT NULL DEFAULT 0,
    not_useful INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_memory_accessed ON memory_uses(last_accessed);

CREATE TABLE memory_links (
    source_id TEXT NOT NULL REFERENCES memory(id) ON DELETE CASCADE,
    target_id TEXT NOT NULL REFERENCES memory(id) ON DELETE CASCADE,
    relation TEXT NOT NULL CHECK (relation IN ('supersedes', 'contradicts')),
    created_at TEXT NOT NULL,
    session_id TEXT,
    PRIMARY KEY (source_id, target_id, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_memory_links_target ON memory_links(target_id);

-- Written by rove_memory.memory.text_index: triggers may not write virtual tables here, since
-- Rove trusts no schema.
CREATE VIRTUAL TABLE memory_texts USING fts5(
    title, key, content, summary, tags, parts, neighbours,
    content = 'memory', content_rowid = 'number', tokenize = "porter unicode61 remove_diacritics 2"
);

-- Names in a memory that may be the key of another one.
CREATE TABLE memory_mentions (
    memory_id TEXT NOT NULL REFERENCES memory(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (memory_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_memory_mentions_name ON memory_mentions(name);
"""

_PLANS: Final = """
CREATE TABLE local_plans (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    external_item_id TEXT REFERENCES external_items(id) ON DELETE SET NULL,
    title TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'in_progress', 'completed', 'blocked', 'canceled')),
    priority INTEGER NOT NULL DEFAULT 2 CHECK (priority BETWEEN 0 AND 4),
    order_index INTEGER NOT NULL DEFAULT 0,
    tags TEXT NOT NULL DEFAULT '[]',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    completed_at TEXT,
    created_by_session TEXT REFERENCES sessions(id) ON DELETE SET NULL
) STRICT;
CREATE INDEX idx_local_plans_project ON local_plans(project_id);
CREATE INDEX idx_local_plans_external ON local_plans(external_item_id);
CREATE INDEX idx_local_plans_status ON local_plans(status);

CREATE TABLE dependencies (
    id TEXT PRIMARY KEY,
    source_type TEXT NOT NULL CHECK (source_type IN ('external', 'local')),
    source_id TEXT NOT NULL,
    target_type TEXT NOT NULL CHECK (target_type IN ('external', 'local')),
    target_id TEXT NOT NULL,
    relation TEXT NOT NULL
        CHECK (relation IN ('blocks', 'parent_of', 'discovered_from', 'related_to')),
    strength INTEGER NOT NULL DEFAULT 2 CHECK (strength BETWEEN 1 AND 3),
    bidirectional INTEGER NOT NULL DEFAULT 0,
    notes TEXT,
    created_at TEXT NOT NULL,
    created_by_session TEXT REFERENCES sessions(id) ON DELETE SET NULL,
    metadata TEXT,
    UNIQUE (source_type, source_id, target_type, target_id, relation)
) STRICT;
CREATE INDEX idx_dependencies_source ON dependencies(source_type, source_id);
CREATE INDEX idx_dependencies_target ON dependencies(target_type, target_id);
CREATE INDEX idx_dependencies_relation ON dependencies(relation);
-- A column that leads into one of two tables cannot be a foreign key.
CREATE TRIGGER dependency_new BEFORE INSERT ON dependencies BEGIN
    SELECT RAISE(ABORT, 'a dependency needs items that are there') WHERE NOT (
        EXISTS (
            SELECT 1 FROM local_plans WHERE new.source_type = 'local' AND id = new.source_id
            UNION ALL
            SELECT 1 FROM external_items WHERE new.source_type = 'external' AND id = new.source_id
        ) AND EXISTS (
            SELECT 1 FROM local_plans WHERE new.target_type = 'local' AND id = new.target_id
            UNION ALL
            SELECT 1 FROM external_items WHERE new.target_type = 'external' AND id = new.target_id
        )
    );
END;
CREATE TRIGGER plan_gone AFTER DELETE ON local_plans BEGIN
    DELETE FROM dependencies WHERE (source_type = 'local' AND source_id = old.id)
        OR (target_type = 'local' AND target_id = old.id);
    DELETE FROM work_claims WHERE item_type = 'local' AND item_id = old.id;
END;
CREATE TRIGGER external_item_gone AFTER DELETE ON external_items BEGIN
    DELETE FROM dependencies WHERE (source_type = 'external' AND source_id = old.id)
        OR (target_type = 'external' AND target_id = old.id);
    DELETE FROM work_claims WHERE item_type = 'external' AND item_id = old.id;
END;

CREATE TABLE work_claims (
    item_type TEXT NOT NULL CHECK (item_type IN ('external', 'local')),
    item_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    session_id TEXT REFERENCES sessions(id) ON DELETE SET NULL,
    claimed_at TEXT NOT NULL,
    lease_until TEXT NOT NULL,
    PRIMARY KEY (item_type, item_id)
) STRICT, WITHOUT ROWID;
"""

_CRITERIA: Final = """
CREATE TABLE acceptance_criteria (
    id TEXT PRIMARY KEY,
    external_item_id TEXT NOT NULL REFERENCES external_items(id) ON DELETE CASCADE,
    criterion_text TEXT NOT NULL,
    criterion_index INTEGER NOT NULL,
    source_type TEXT NOT NULL DEFAULT 'parsed'
        CHECK (source_type IN ('parsed', 'manual', 'checklist')),
    status TEXT NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'in_progress', 'verified', 'failed', 'blocked')),
    verified_at TEXT,
    verified_by_session TEXT REFERENCES sessions(id) ON DELETE SET NULL,
    failed_at TEXT,
    failed_reason TEXT,
    evidence TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    number INTEGER NOT NULL DEFAULT 0,  -- what people call it; never given twice in one ticket
    reason TEXT NOT NULL DEFAULT '',  -- why the parser took it for a criterion
    place TEXT NOT NULL DEFAULT '',  -- the heading it stands under
    previous_text TEXT,  -- as it was before the ticket was edited
    changed_at TEXT,
    gone_at TEXT  -- no longer in the ticket; its evidence stays
) STRICT;
CREATE INDEX idx_ac_external ON acceptance_criteria(external_item_id);
CREATE INDEX idx_ac_status ON acceptance_criteria(status);

CREATE TABLE ac_attempts (
    id TEXT PRIMARY KEY,
    criterion_id TEXT NOT NULL REFERENCES acceptance_criteria(id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('verified', 'failed')),
    evidence TEXT,
    notes TEXT,
    session_id TEXT REFERENCES sessions(id) ON DELETE SET NULL
) STRICT;
CREATE INDEX idx_ac_attempts ON ac_attempts(criterion_id, at);
"""

_SYNC: Final = """
CREATE TABLE sync_log (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    direction TEXT NOT NULL CHECK (direction IN ('pull', 'push', 'full')),
    status TEXT NOT NULL CHECK (status IN ('started', 'success', 'partial', 'failed')),
    provider_type TEXT NOT NULL,
    items_processed INTEGER NOT NULL DEFAULT 0,
    items_created INTEGER NOT NULL DEFAULT 0,
    items_updated INTEGER NOT NULL DEFAULT 0,
    items_deleted INTEGER NOT NULL DEFAULT 0,
    errors TEXT,
    started_at TEXT NOT NULL,
    completed_at TEXT,
    duration_ms INTEGER,
    metadata TEXT
) STRICT;
CREATE INDEX idx_sync_project ON sync_log(project_id);
CREATE INDEX idx_sync_status ON sync_log(status);
CREATE INDEX idx_sync_started ON sync_log(started_at);

-- No cascade from the item: what a person changed is never dropped with it.
CREATE TABLE pending_changes (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    change_type TEXT NOT NULL,
    external_item_id TEXT NOT NULL REFERENCES external_items(id),
    payload TEXT NOT NULL,
    created_at TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_attempt_at TEXT,
    last_error TEXT,
    status TEXT NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'synced', 'failed', 'canceled'))
) STRICT;
CREATE INDEX idx_pending_project ON pending_changes(project_id);
CREATE INDEX idx_pending_status ON pending_changes(status);
"""

#: Documents about words were once stored as tickets, which no tracker has: each sync failed. A
#: ticket that is known by name alone has no time of its last change, and what somebody works on
#: stays.
_WITHOUT_WORDS: Final = """
DELETE FROM external_items
WHERE account = '' AND updated_at_provider IS NOT NULL
    AND provider_id GLOB 'Q-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'
    AND id NOT IN (SELECT external_item_id FROM pending_changes)
    AND id NOT IN (SELECT external_item_id FROM sessions WHERE external_item_id IS NOT NULL)
    AND id NOT IN (SELECT external_item_id FROM local_plans WHERE external_item_id IS NOT NULL);
"""

#: The tables of one project.
PROJECT_MIGRATIONS: Final[Sequence[str]] = (
    f"{_PROJECT}{_SESSIONS}{_MEMORY}{_PLANS}{_CRITERIA}{_SYNC}",
    # Trackers estimate in halves, too, which the column "estimate" cannot hold.
    "ALTER TABLE external_items ADD COLUMN points REAL;",
    TWO_WAY_SYNC,
    SPRINTS,
    # A criterion of a text that somebody gave is not gone because the ticket does not have it.
    "ALTER TABLE acceptance_criteria ADD COLUMN given INTEGER NOT NULL DEFAULT 0;",
    _WITHOUT_WORDS,
)

#: The registry: which projects there are, and by what each is known.
REGISTRY_MIGRATIONS: Final[Sequence[str]] = (
    """
CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    git_remote TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    last_accessed TEXT NOT NULL
) STRICT;
CREATE TABLE aliases (
    kind TEXT NOT NULL CHECK (kind IN ('remote', 'checkout')),
    alias TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (kind, alias)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_aliases_project ON aliases(project_id);
""",
    # What tells a project without a remote from a later one at the same path.
    """
ALTER TABLE projects ADD COLUMN git_commit TEXT NOT NULL DEFAULT '';
CREATE INDEX idx_projects_path ON projects(path);
""",
)
