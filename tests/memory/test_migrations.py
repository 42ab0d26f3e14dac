"""What an older database becomes."""

from collections.abc import Iterator
from contextlib import closing
from sqlite3 import Connection, connect

import pytest

from rove_memory.store.migrations import PROJECT_MIGRATIONS

_AT = "2026-11-01T12:00:00.000000Z"
#: How many migrations there were when documents about words were still stored as tickets.
_BEFORE = 5


@pytest.fixture
def older() -> Iterator[Connection]:
    """Give a database of that time, with a project."""
    with closing(connect(":memory:", isolation_level=None)) as db:
        for script in PROJECT_MIGRATIONS[:_BEFORE]:
            db.executescript(script)
        db.execute("PRAGMA foreign_keys = ON")
        db.execute(
            "INSERT INTO projects (id, name, path, created_at, last_accessed) "
            "VALUES ('p', 'p', '/p', ?, ?)",
            [_AT, _AT],
        )
        yield db


def _add_ticket(db: Connection, identifier: str, *, changed_at: str | None, account: str) -> None:
    db.execute(
        "INSERT INTO external_items (id, project_id, provider_id, title, synced_at, account, "
        "updated_at_provider) VALUES (?, 'p', ?, 'words', ?, ?, ?)",
        [f"t-{identifier}", identifier, _AT, account, changed_at],
    )


def _tickets(db: Connection) -> list[str]:
    for script in PROJECT_MIGRATIONS[_BEFORE:]:
        db.executescript(script)
    return [row[0] for row in db.execute("SELECT provider_id FROM external_items ORDER BY id")]


def test_documents_about_words_are_no_tickets(older: Connection) -> None:
    """No tracker has them, so each sync failed; tickets of such a name stay."""
    _add_ticket(older, "Q-0123abcd", changed_at=_AT, account="")
    _add_ticket(older, "Q-12345678", changed_at=None, account="")
    _add_ticket(older, "Q-87654321", changed_at=_AT, account="jira")
    _add_ticket(older, "TB-123", changed_at=_AT, account="")

    assert _tickets(older) == ["Q-12345678", "Q-87654321", "TB-123"]


def test_what_somebody_works_on_stays(older: Connection) -> None:
    """A session about such words keeps what it is about."""
    _add_ticket(older, "Q-0123abcd", changed_at=_AT, account="")
    older.execute(
        "INSERT INTO sessions (id, project_id, external_item_id, started_at, last_active_at) "
        "VALUES ('s', 'p', 't-Q-0123abcd', ?, ?)",
        [_AT, _AT],
    )

    assert _tickets(older) == ["Q-0123abcd"]
