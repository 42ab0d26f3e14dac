"""The tables: the published columns, and Rove's own.

Times are milliseconds since 1970, as in the design, but for those of the file system.
"""

from typing import Final

from rove_core import PackageDatabase, ProjectPaths, state_folder

MIGRATIONS: Final = (
    """
    CREATE TABLE projects (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        folder_path TEXT,
        folder_last_scanned_at INTEGER,
        folder_last_scan_status TEXT NOT NULL DEFAULT 'idle'
            CHECK (folder_last_scan_status IN ('idle', 'scanning', 'error')),
        folder_total_files INTEGER NOT NULL DEFAULT 0,
        root TEXT NOT NULL,
        last_error TEXT NOT NULL DEFAULT '',
        last_scan_began_ns INTEGER NOT NULL DEFAULT 0,
        lease_owner TEXT NOT NULL DEFAULT '',
        lease_until INTEGER NOT NULL DEFAULT 0,
        scan_done INTEGER NOT NULL DEFAULT 0,
        scan_total INTEGER NOT NULL DEFAULT 0,
        scan_cancelled INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE project_folder_files (
        id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        relative_path TEXT NOT NULL,
        ext TEXT NOT NULL,
        kind TEXT NOT NULL
            CHECK (kind IN ('text', 'image', 'pdf', 'docx', 'skipped', 'error')),
        size_bytes INTEGER NOT NULL,
        mtime_ms INTEGER NOT NULL,
        summary TEXT CHECK (length(summary) <= 500),
        summary_updated_at INTEGER,
        mtime_ns INTEGER NOT NULL,
        ctime_ns INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        sha256 TEXT NOT NULL DEFAULT '',
        recipe TEXT NOT NULL DEFAULT '',
        due INTEGER NOT NULL DEFAULT 1,
        UNIQUE (project_id, relative_path)
    );
    CREATE INDEX project_folder_files_due ON project_folder_files (project_id) WHERE due;
    CREATE TABLE summaries (
        sha256 TEXT NOT NULL,
        recipe TEXT NOT NULL,
        kind TEXT NOT NULL,
        summary TEXT,
        tokens INTEGER NOT NULL DEFAULT 0,
        made_at INTEGER NOT NULL,
        PRIMARY KEY (sha256, recipe)
    ) WITHOUT ROWID;
    CREATE TABLE monthly_token_usage (
        user_id TEXT NOT NULL,
        year_month TEXT NOT NULL CHECK (length(year_month) = 7),
        feature TEXT NOT NULL,
        tokens_used INTEGER NOT NULL DEFAULT 0 CHECK (tokens_used >= 0),
        tokens_reserved INTEGER NOT NULL DEFAULT 0 CHECK (tokens_reserved >= 0),
        PRIMARY KEY (user_id, year_month, feature)
    ) WITHOUT ROWID;
    CREATE TABLE token_reservations (
        id TEXT PRIMARY KEY,
        user_id TEXT NOT NULL,
        year_month TEXT NOT NULL,
        feature TEXT NOT NULL,
        tokens INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX token_reservations_expiry ON token_reservations (expires_at);
    CREATE TABLE agent_run_logs (
        id TEXT PRIMARY KEY,
        user_id TEXT NOT NULL,
        year_month TEXT NOT NULL,
        feature TEXT NOT NULL,
        at INTEGER NOT NULL,
        tokens_used INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE TABLE index_sessions (
        session_id TEXT NOT NULL,
        connection TEXT NOT NULL,
        project_id TEXT NOT NULL,
        total INTEGER NOT NULL,
        processed INTEGER NOT NULL DEFAULT 0,
        status TEXT NOT NULL DEFAULT 'open',
        begun_at INTEGER NOT NULL,
        PRIMARY KEY (connection, session_id)
    ) WITHOUT ROWID;
    """,
    """
    DROP TABLE index_sessions;
    CREATE TABLE index_sessions (
        connection TEXT NOT NULL,
        session_id TEXT NOT NULL,
        project_id TEXT NOT NULL,
        total INTEGER NOT NULL,
        begun_at INTEGER NOT NULL,
        PRIMARY KEY (connection, session_id)
    ) WITHOUT ROWID;
    CREATE TABLE index_session_files (
        connection TEXT NOT NULL,
        session_id TEXT NOT NULL,
        rel_path TEXT NOT NULL,
        PRIMARY KEY (connection, session_id, rel_path),
        FOREIGN KEY (connection, session_id)
            REFERENCES index_sessions (connection, session_id) ON DELETE CASCADE
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE projects ADD COLUMN last_whole_scan_at INTEGER NOT NULL DEFAULT 0;
    UPDATE projects SET last_whole_scan_at = coalesce(folder_last_scanned_at, 0);
    """,
    """
    UPDATE OR IGNORE summaries SET recipe = replace(recipe, '-vision:', ':')
        WHERE kind <> 'image' AND recipe LIKE 'model-%-vision:%';
    """,
)


def folder_database(places: ProjectPaths) -> PackageDatabase:
    """Return the database of all the user's linked folders; in ``.rove`` for a library's project.

    It is durable: nobody could find out again what was spent.
    """
    folder = state_folder("folder", project=places if places.is_alone else None)
    return PackageDatabase(folder / "folder.db", MIGRATIONS, durable=True)
