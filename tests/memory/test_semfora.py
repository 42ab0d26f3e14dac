"""Import of Semfora PM: its database, its settings, and both before a project's first session."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.memory.conftest import Checkout
from tests.memory.operating import call

from rove_core import WrongCall
from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.memory.semfora_config import read_config
from rove_memory.memory.semfora_database import read_database
from rove_memory.store import ProjectStore

AT = "2025-01-02 03:04:05"
#: A row of each table. The columns are all those of version 1 but a row's project.
ROWS: dict[str, list[dict[str, Any]]] = {
    "projects": [
        {
            "id": "p",
            "path": "/elsewhere",
            "git_remote": "git@github.com:acme/api.git",
            "provider_type": "linear",
            "provider_project_id": "T",
            "provider_config": '{"team_id": "T", "auth": {"api_key": "lin_api_x"}}',
        }
    ],
    "external_items": [
        {
            "id": "u0",
            "provider_id": "SEM-1",
            "item_type": "epic",
            "title": "Login",
            "status": "Todo",
            "status_category": "todo",
        },
        {
            "id": "u1",
            "provider_id": "SEM-2",
            "item_type": "subtask",
            "title": "Rotate tokens",
            "description": "Tokens live too long",
            "description_html": "<p>Tokens live too long</p>",
            "status": "Doing",
            "status_category": "in_progress",
            "priority": 3,
            "priority_label": "High",
            "assignee": "ada",
            "assignee_name": "Ada",
            "labels": '["auth"]',
            "parent_id": "u0",
            "sprint_id": "7",
            "sprint_name": "Sprint 7",
            "epic_id": "u0",
            "epic_name": "Login",
            "due_date": "2025-02-01",
            "estimate": 3,
            "estimate_unit": "points",
            "url": "https://linear.app/acme/issue/SEM-2",
            "provider_data": '{"cycle": 7}',
            "created_at_provider": AT,
            "updated_at_provider": AT,
            "synced_at": AT,
        },
    ],
    "sessions": [
        {"id": "s1", "external_item_id": "u1", "started_at": AT, "status": "interrupted"},
        {
            "id": "s2",
            "external_item_id": "u1",
            "started_at": AT,
            "ended_at": AT,
            "status": "completed",
            "summary": "rotated",
            "outcome": "success",
            "outcome_notes": "all of it",
            "context_on_start": '{"memories": 2}',
            "files_modified": '["auth.py"]',
            "commits_made": '["abc1234"]',
            "duration_seconds": 60,
            "parent_session_id": "s1",
            "metadata": '{"model": "x"}',
        },
    ],
    "session_events": [
        {
            "id": "e1",
            "session_id": "s2",
            "event_type": "decision",
            "importance": 3,
            "content": "Rotate at each request",
            "context": '{"files": ["auth.py"]}',
            "created_at": AT,
        }
    ],
    "memory": [
        {
            "id": "m1",
            "memory_type": "warning",
            "key": "pool",
            "content": "The pool deadlocks",
            "summary": "deadlock",
            "importance": 3,
            "confidence": 0.5,
            "created_at": AT,
            "updated_at": AT,
            "expires_at": "2030-01-01 00:00:00",
            "source_session_id": "s2",
            "source_context": '{"event": "e1"}',
            "tags": '["db"]',
            "related_items": '["SEM-2"]',
            "last_accessed": "2025-03-04 05:06:07",
            "access_count": 7,
        }
    ],
    "local_plans": [
        {
            "id": "l1",
            "external_item_id": "u1",
            "title": "Write the migration",
            "description": "in two steps",
            "status": "pending",
            "priority": 1,
            "order_index": 2,
            "tags": '["db"]',
            "created_at": AT,
            "updated_at": AT,
            "completed_at": None,
        }
    ],
    "dependencies": [
        {
            "id": "d1",
            "source_type": "local",
            "source_id": "l1",
            "target_type": "external",
            "target_id": "u1",
            "relation": "blocks",
            "strength": 3,
            "bidirectional": 0,
            "notes": "first the table",
            "created_at": AT,
            "created_by_session": "s2",
            "metadata": '{"by": "agent"}',
        }
    ],
    "acceptance_criteria": [
        {
            "id": "a1",
            "external_item_id": "u1",
            "criterion_text": "Old tokens are refused",
            "criterion_index": 0,
            "source_type": "parsed",
            "status": "verified",
            "verified_at": AT,
            "verified_by_session": "s2",
            "failed_at": None,
            "failed_reason": None,
            "evidence": '{"files": ["auth.py"]}',
            "attempts": 1,
            "created_at": AT,
            "updated_at": AT,
        }
    ],
    "pending_changes": [{"id": "c1", "external_item_id": "u1", "status": "pending"}],
}


def _database(path: Path, rows: dict[str, list[dict[str, Any]]] = ROWS) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db:
        for table, values in rows.items():
            names = list(dict.fromkeys(name for row in ROWS.get(table, values) for name in row))
            db.execute(f"CREATE TABLE {table} ({', '.join(names)})")
            for row in values:
                slots = ", ".join(f":{name}" for name in row)
                db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({slots})", row)  # noqa: S608  # the test's own names
        db.commit()
    return path


def _stored(rove: LocalProject, table: str, identifier: str) -> dict[str, Any]:
    with ProjectStore.of(rove).reading() as db:
        return dict(db.execute(f"SELECT * FROM {table} WHERE id = ?", [identifier]).fetchone())  # noqa: S608  # the test's own names


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder in which Semfora PM has its databases."""
    monkeypatch.setenv("SEMFORA_PM_CACHE_DIR", str(tmp_path / "semfora"))
    return tmp_path / "semfora"


@pytest.mark.parametrize("table", [name for name in ROWS if name in ["memory", "sessions"]])
def test_times_of_semfora_pm_are_utc(tmp_path: Path, rove: LocalProject, table: str) -> None:
    """Its times have no zone."""
    call(rove, "memory_import", file=str(_database(tmp_path / "old.db")))
    name = {"memory": "created_at", "sessions": "started_at"}[table]

    assert _stored(rove, table, ROWS[table][0]["id"])[name] == "2025-01-02T03:04:05.000000Z"


def test_no_column_of_semfora_pm_is_lost(tmp_path: Path, rove: LocalProject) -> None:
    """Each column of a ticket, session, note, memory, plan, dependency and criterion is here."""
    call(rove, "memory_import", file=str(_database(tmp_path / "old.db")))

    for table in set(ROWS) - {"projects", "pending_changes"}:
        for row in ROWS[table]:
            stored = _stored(rove, table, row["id"])
            for name, value in row.items():
                if name in ("last_accessed", "access_count"):
                    continue  # in a table of its own
                if name.endswith(("_at", "_at_provider")) and value:
                    assert stored[name][:10] == value[:10], name
                elif isinstance(value, str) and value[:1] in "[{":
                    assert json.loads(stored[name]) == json.loads(value), name
                else:
                    assert stored[name] == value, name


def test_uses_of_memories_are_imported(tmp_path: Path, rove: LocalProject) -> None:
    """How often and when a memory was used last is known, and in which session it was stored."""
    call(rove, "memory_import", file=str(_database(tmp_path / "old.db")))
    (found,) = call(rove, "memory_recall", query="deadlock pools")
    (version,) = call(rove, "memory_versions", key="pool")

    assert (found["access_count"], found["last_accessed"][:19]) == (7, "2025-03-04T05:06:07")
    assert version["session_id"] == "s2"


def test_the_tracker_of_semfora_pm_without_its_credentials(
    tmp_path: Path, rove: LocalProject
) -> None:
    """The project knows its tracker and team; keys are nowhere in the database."""
    result = call(rove, "memory_import", file=str(_database(tmp_path / "old.db")))
    with ProjectStore.of(rove).reading() as db:
        (stored,) = db.execute("SELECT * FROM projects").fetchall()

    assert (stored["provider_type"], stored["provider_project_id"]) == ("linear", "T")
    assert json.loads(stored["provider_config"]) == {"team_id": "T", "auth": {}}
    assert result["notes"] == ["not imported: 1 change not sent to the tracker"]


def test_references_to_missing_rows_are_dropped(tmp_path: Path, rove: LocalProject) -> None:
    """Semfora PM enforces none: what is about something missing is left out, and counted."""
    rows = {**ROWS, "external_items": [], "pending_changes": []}
    result = call(rove, "memory_import", file=str(_database(tmp_path / "old.db", rows)))

    assert (result["added"]["sessions"], result["added"]["local_plans"]) == (2, 1)
    assert result["notes"] == [
        "not imported: 1 of dependencies about something that is missing",
        "not imported: 1 of acceptance_criteria about something that is missing",
    ]


def test_a_ticket_known_by_name_takes_the_imported_values(
    tmp_path: Path, rove: LocalProject
) -> None:
    """A session on a ticket does not keep the import from saying what it is about."""
    call(rove, "session_start", external_item_id="SEM-2")
    call(rove, "memory_import", file=str(_database(tmp_path / "old.db")))
    found = call(rove, "session_start")["external_item"]

    assert (found["title"], found["status"]) == ("Rotate tokens", "Doing")


def test_an_imported_criterion_stays_when_the_ticket_is_read(
    tmp_path: Path, rove: LocalProject
) -> None:
    """Semfora PM found criteria where Rove sees none."""
    call(rove, "memory_import", file=str(_database(tmp_path / "old.db")))
    (criterion,) = call(rove, "session_start", external_item_id="SEM-2")["acceptance_criteria"]

    assert (criterion["text"], criterion["status"]) == ("Old tokens are refused", "verified")


def test_the_first_session_imports_the_project_of_semfora_pm(
    checkout: Checkout, cache: Path, clock: VirtualClock
) -> None:
    """It is found by the remote, imported once, and said in one line."""
    database = _database(cache / "projects" / "1f2e.db")
    before = database.read_bytes()
    rove = LocalProject.at(checkout("api", origin="https://github.com/Acme/api"), clock)
    first = call(rove, "session_start", external_item_id="SEM-2")
    call(rove, "session_end", session_id=first["session_id"])
    second = call(rove, "session_start")

    assert first["warnings"][0] == (
        "Imported 1 memory, 2 sessions, 2 tickets, 1 plan, 1 criterion of Semfora PM from "
        f"{database} (not imported: 1 change not sent to the tracker)"
    )
    assert first["external_item"]["title"] == "Rotate tokens"
    assert [each["key"] for each in first["recent_memory"]] == ["pool"]
    assert not any("Semfora" in warning for warning in second["warnings"])
    assert database.read_bytes() == before


def test_a_project_of_semfora_pm_is_found_by_its_path(
    checkout: Checkout, cache: Path, clock: VirtualClock
) -> None:
    """A project without a remote is the one at its path; others are not imported."""
    folder = checkout("api")
    for number, path in enumerate(("/elsewhere", str(folder))):
        project = {"id": "p", "path": path, "git_remote": None}
        memory = {**ROWS["memory"][0], "key": f"at-{number}"}
        rows = {"projects": [project], "memory": [memory]}
        _database(cache / "projects" / f"{number}.db", rows)
    call(LocalProject.at(folder, clock), "session_start")
    found = call(LocalProject.at(folder, clock), "memory_list")

    assert [each["key"] for each in found] == ["at-1"]


def test_an_import_never_overwrites(checkout: Checkout, cache: Path, clock: VirtualClock) -> None:
    """What was stored before the first session stays."""
    rove = LocalProject.at(checkout("api", origin="git@github.com:acme/api.git"), clock)
    call(rove, "memory_store", key="pool", content="The pool is fixed", memory_type="warning")
    _database(cache / "projects" / "1f2e.db")
    call(rove, "session_start")
    (found,) = call(rove, "memory_list")

    assert found["content"] == "The pool is fixed"


def test_the_first_session_reads_the_config_of_semfora_pm(
    checkout: Checkout, cache: Path, clock: VirtualClock
) -> None:
    """The tracker is stored, and one line names the command that shows the settings."""
    assert not cache.exists()
    folder = checkout("api")
    (folder / ".pm").mkdir()
    (folder / ".pm" / "config.json").write_text('{"provider": "linear", "sync": {}}')
    rove = LocalProject.at(folder, clock)
    (warning,) = call(rove, "session_start")["warnings"]
    with ProjectStore.of(rove).reading() as db:
        (stored,) = db.execute("SELECT provider_type FROM projects").fetchall()

    assert warning.endswith("To see its settings: rove memory import .pm/config.json")
    assert stored[0] == "linear"


@pytest.mark.parametrize("text", ["{", "[]", '{"sync": 3}'])
def test_a_broken_config_does_not_stop_a_session(
    checkout: Checkout, cache: Path, clock: VirtualClock, text: str
) -> None:
    """The session starts, and one line says what was not imported."""
    assert not cache.exists()
    folder = checkout("api")
    (folder / ".pm").mkdir()
    (folder / ".pm" / "config.json").write_text(text)
    (warning,) = call(LocalProject.at(folder, clock), "session_start")["warnings"]

    assert warning.startswith("Not imported from Semfora PM: ")


def test_a_broken_database_does_not_stop_a_session(
    checkout: Checkout, cache: Path, clock: VirtualClock
) -> None:
    """Nothing of it is stored, and one line says why."""
    bad = {**ROWS["memory"][0], "id": "m2", "key": "bad", "memory_type": "rumour"}
    rows = {**ROWS, "memory": [*ROWS["memory"], bad]}
    _database(cache / "projects" / "1f2e.db", rows)
    rove = LocalProject.at(checkout("api", origin="git@github.com:acme/api.git"), clock)
    started = call(rove, "session_start")

    assert started["warnings"][0].startswith("Not imported from Semfora PM: ")
    assert (call(rove, "memory_list"), started["external_item"]) == ([], None)


@pytest.mark.parametrize("config", [{"provider": ["x"]}, {"sync": 3}, {"memory": [1]}])
def test_a_config_of_other_types_is_refused(config: dict[str, Any]) -> None:
    """The error names the section."""
    with pytest.raises(WrongCall, match=f"its {next(iter(config))} is not"):
        read_config(config)


def test_the_settings_of_semfora_pm_are_shown_as_rove_has_them() -> None:
    """Patterns that Rove knows anyway, and values that no setting has, are left out."""
    _, notes = read_config(
        {
            "provider": "azure_ado",
            "memory": {"decay_after_days": 10, "auto_decay_on_session_end": True},
            "session": {"max_events_before_compaction": {"x": 1}},
            "acceptance_criteria": {"patterns": ["AC:", "- [ ]", "Definition of Ready:"]},
            "sync": {"push_debounce_seconds": 9, "pull_item_types": ["ticket"]},
        }
    )

    assert notes == [
        "To keep its settings, write into .rove/settings.toml:",
        "[memory]",
        "decay_after_days = 10",
        "auto_decay_on_session_end = true",
        "[acceptance_criteria]",
        'patterns = ["Definition of Ready"]',
        "[sync]",
        'pull_item_types = ["ticket"]',
        "push_debounce_seconds = 9",
        "Log in to its tracker with: rove --add-source azure",
    ]


def test_another_database_is_refused(tmp_path: Path) -> None:
    """The error names the table that is missing."""
    with pytest.raises(WrongCall, match="it has no table memory"):
        read_database(_database(tmp_path / "other.db", {"x": [{"a": 1}]}))
