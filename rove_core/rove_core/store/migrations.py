"""The tables, as numbered migrations: a script is never changed once it was released.

It is on the fastest path of all, so that it does not even import ``typing``.
"""

import sqlite3
from collections.abc import Iterator, Sequence

_FIRST = """
CREATE TABLE context_files (
    id INTEGER PRIMARY KEY,
    ticket_id TEXT NOT NULL,
    filename TEXT NOT NULL,
    keywords TEXT NOT NULL,  -- JSON array of keywords
    last_updated TIMESTAMP NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    account TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    since TIMESTAMP,
    until TIMESTAMP,
    UNIQUE (account, ticket_id)
);
CREATE INDEX idx_ticket_id ON context_files(ticket_id);
CREATE INDEX idx_filename ON context_files(filename);

CREATE TABLE fetch_history (
    context_file_id INTEGER NOT NULL,
    source TEXT NOT NULL,  -- the account: "jira", "jira:work"
    last_fetched TIMESTAMP NOT NULL,
    PRIMARY KEY (context_file_id, source),
    FOREIGN KEY (context_file_id) REFERENCES context_files(id) ON DELETE CASCADE
);

CREATE TABLE items (
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    timestamp TIMESTAMP NOT NULL,
    fetched_at TIMESTAMP NOT NULL,
    body TEXT NOT NULL,  -- JSON
    PRIMARY KEY (account, id)
);

CREATE TABLE etags (
    key TEXT PRIMARY KEY,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    headers TEXT NOT NULL,  -- JSON
    stored_at TIMESTAMP NOT NULL,
    body BLOB NOT NULL
);

CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    operation TEXT NOT NULL,
    arguments TEXT NOT NULL,  -- JSON
    key TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    created_at TIMESTAMP NOT NULL,
    due_at TIMESTAMP NOT NULL,
    started_at TIMESTAMP,
    finished_at TIMESTAMP,
    attempt INTEGER NOT NULL,
    owner TEXT NOT NULL,
    lease_until TIMESTAMP,
    heartbeat_at TIMESTAMP,
    checkpoint TEXT NOT NULL,  -- JSON
    result TEXT NOT NULL,  -- JSON
    error TEXT NOT NULL  -- JSON
);
CREATE UNIQUE INDEX idx_active_key ON tasks(key) WHERE state IN ('queued', 'running');
CREATE INDEX idx_due_at ON tasks(state, due_at);

CREATE TABLE events (
    task TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at TIMESTAMP NOT NULL,
    account TEXT NOT NULL,
    stage TEXT NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER,
    note TEXT NOT NULL,
    PRIMARY KEY (task, seq)
) WITHOUT ROWID;
"""

_ITEMS_OF_DOCUMENTS = """
CREATE TABLE document_items (
    context_file_id INTEGER NOT NULL,
    position INTEGER NOT NULL,  -- the best is 0
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    hop INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    traces TEXT NOT NULL,  -- JSON: [[way, by], ...]
    score REAL NOT NULL,
    reason TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    merged TEXT NOT NULL,  -- JSON: [[account, kind, id, url], ...]
    gone_at TIMESTAMP,
    PRIMARY KEY (context_file_id, position),
    FOREIGN KEY (context_file_id) REFERENCES context_files(id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX idx_item ON document_items(account, id);

CREATE TABLE document_queries (
    context_file_id INTEGER NOT NULL,
    account TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (context_file_id, account, text),
    FOREIGN KEY (context_file_id) REFERENCES context_files(id) ON DELETE CASCADE
) WITHOUT ROWID;
"""

_DAEMON = """
ALTER TABLE context_files ADD COLUMN changed_at TIMESTAMP;
ALTER TABLE tasks ADD COLUMN subject TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX idx_subject ON tasks(subject) WHERE state = 'running' AND subject != '';
CREATE INDEX idx_ticket_id_nocase ON context_files(ticket_id COLLATE NOCASE);
CREATE INDEX idx_title_nocase ON context_files(title COLLATE NOCASE);
"""

_ITEMS_AS_READ = """
ALTER TABLE context_files ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE document_items ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE items RENAME TO items_before;
CREATE TABLE items (
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    version TEXT NOT NULL,  -- a digest of the body
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    timestamp TIMESTAMP NOT NULL,
    fetched_at TIMESTAMP NOT NULL,
    body TEXT NOT NULL,  -- JSON
    PRIMARY KEY (account, id, version)
);
INSERT INTO items SELECT account, id, '', kind, url, timestamp, fetched_at, body FROM items_before;
DROP TABLE items_before;
"""

_FULL_TEXT = """
CREATE VIRTUAL TABLE document_texts USING fts5(
    ticket_id, title, keywords, body, tokenize = "porter unicode61 remove_diacritics 2"
);  -- one row per document, by its id; the body is read from its file
CREATE TABLE document_files (
    context_file_id INTEGER PRIMARY KEY,
    stamp TEXT NOT NULL,  -- the file's size and time when its text was read
    FOREIGN KEY (context_file_id) REFERENCES context_files(id) ON DELETE CASCADE
);
CREATE VIRTUAL TABLE item_texts USING fts5(
    title, content, tokenize = "porter unicode61 remove_diacritics 2"
);  -- one row per item, by its rowid

INSERT INTO document_texts (rowid, ticket_id, title, keywords, body)
SELECT id, ticket_id, title, (SELECT group_concat(value, ' ') FROM json_each(keywords)), ''
FROM context_files;
INSERT INTO item_texts (rowid, title, content)
SELECT rowid, json_extract(body, '$.title'),
    (SELECT group_concat(value, char(10)) FROM json_tree(body) WHERE key = 'content')
FROM items;
"""

_SEARCH_RECORDS = """
ALTER TABLE document_queries ADD COLUMN asked_at TIMESTAMP;
ALTER TABLE document_queries ADD COLUMN requests INTEGER NOT NULL DEFAULT 0;
"""

_PARTIAL_TASKS = """
ALTER TABLE tasks RENAME TO tasks_before;
DROP INDEX idx_active_key;
DROP INDEX idx_due_at;
DROP INDEX idx_subject;
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    operation TEXT NOT NULL,
    arguments TEXT NOT NULL,  -- JSON
    key TEXT NOT NULL,
    state TEXT NOT NULL CHECK (
        state IN ('queued', 'running', 'done', 'partial', 'failed', 'cancelled')
    ),
    created_at TIMESTAMP NOT NULL,
    due_at TIMESTAMP NOT NULL,
    started_at TIMESTAMP,
    finished_at TIMESTAMP,
    attempt INTEGER NOT NULL,
    owner TEXT NOT NULL,
    lease_until TIMESTAMP,
    heartbeat_at TIMESTAMP,
    checkpoint TEXT NOT NULL,  -- JSON
    result TEXT NOT NULL,  -- JSON
    error TEXT NOT NULL,  -- JSON
    subject TEXT NOT NULL DEFAULT ''
);
INSERT INTO tasks SELECT
    id, operation, arguments, key, state, created_at, due_at, started_at, finished_at, attempt,
    owner, lease_until, heartbeat_at, checkpoint, result, error, subject
FROM tasks_before;
DROP TABLE tasks_before;
CREATE UNIQUE INDEX idx_active_key ON tasks(key) WHERE state IN ('queued', 'running');
CREATE INDEX idx_due_at ON tasks(state, due_at);
CREATE UNIQUE INDEX idx_subject ON tasks(subject) WHERE state = 'running' AND subject != '';
"""

_OWNER = """
CREATE TABLE owner (
    nonce BLOB NOT NULL,
    mark BLOB NOT NULL  -- made of it with a key that the user alone has
);
"""

MIGRATIONS: Sequence[str] = (
    _FIRST,
    _ITEMS_OF_DOCUMENTS,
    _DAEMON,
    _ITEMS_AS_READ,
    _FULL_TEXT,
    _SEARCH_RECORDS,
    _PARTIAL_TASKS,
    _OWNER,
)

#: What ``PRAGMA user_version`` says of a database that this Rove can use.
VERSION = len(MIGRATIONS)


def version_of(db: sqlite3.Connection) -> int:
    """Return how many migrations a database has seen; 0 for an empty file."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def is_foreign(db: sqlite3.Connection) -> bool:
    """Return whether a database has tables that no migration made."""
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(tables) and version_of(db) == 0


def apply(db: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Run the migrations a database has not seen; the caller holds a transaction."""
    for script in migrations[version_of(db) :]:
        for statement in _statements(script):
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {len(migrations)}")


def _statements(script: str) -> Iterator[str]:
    """Yield a script's statements: ``executescript`` would commit what came before."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
