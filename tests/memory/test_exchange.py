"""Export and import: everything there and back, and what others left."""

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove_core import WrongCall
from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.criteria.model import Evidence
from rove_memory.criteria.table import CriteriaTable
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.exchange import dump_tables, load_tables
from rove_memory.memory.exchange_rows import checked_rows
from rove_memory.memory.markdown import from_markdown, to_markdown
from rove_memory.memory.memories import Memories
from rove_memory.memory.recall import RecallRequest, recall
from rove_memory.memory.text_index import check_index
from rove_memory.plans.dependencies import NewDependency, add_dependency
from rove_memory.plans.graph import WorkKey
from rove_memory.plans.items import load_graph
from rove_memory.session_settings import SessionSettings
from rove_memory.sessions.events import add_event
from rove_memory.sessions.session_rows import Workplace
from rove_memory.sessions.sessions import Sessions
from rove_memory.store import ProjectStore
from rove_memory.tickets.table import TicketInfo, ensure_ticket, list_unsynced

NOW = "2026-03-02T09:00:00.000000Z"
TEXT = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=60)


@pytest.fixture
def other(tmp_path: Path) -> ProjectStore:
    """Give the store of another folder."""
    folder = tmp_path / "other"
    (folder / ".rove").mkdir(parents=True)
    return ProjectStore.of(LocalProject.at(folder, VirtualClock()))


def _fill(store: ProjectStore, content: str) -> None:
    with store.writing() as db:
        ticket = ensure_ticket(db, store, "TB-123")
        sessions = Sessions(db=db, store=store, settings=SessionSettings())
        row = sessions.start(Workplace(checkout=Path("/work")), ticket, resume_last=False).row
        add_event(db, store, row["id"], event_type="note", content="a note")
        memories = Memories(db=db, store=store)
        for text in (content, "second version"):
            memories.put(
                MemoryDraft(key="k", content=text, memory_type="decision", session_id=row["id"])
            )


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXT)
def test_markdown_and_json_lose_nothing(text: str) -> None:
    """Whatever stands in a text: the rows that come back are the rows that went."""
    tables: dict[str, list[dict[str, Any]]] = {
        "memory": [{"id": "m-1", "memory_type": "decision", "key": "k", "content": text, "n": 1}],
        "session_events": [{"id": "e-1", "content": f"{text}\n\n> `{{}}`\n## x (`memory`)"}],
    }

    assert from_markdown(to_markdown("p", tables)) == tables
    assert json.loads(json.dumps(tables)) == tables


def test_an_export_makes_the_same_memory_elsewhere(
    store: ProjectStore, other: ProjectStore
) -> None:
    """All rows arrive, are found, and arrive once however often they are imported."""
    _fill(store, "first version")
    with store.reading() as db:
        tables = dump_tables(db)
    with other.writing() as db:
        first = load_tables(db, other, from_markdown(to_markdown("p", tables)))
        second = load_tables(db, other, tables)
        check_index(db)
        found = recall(Memories(db=db, store=other), RecallRequest(question="version"))

    assert (first.known, second.added) == (0, {})
    assert [(item.key, item.content) for item in found] == [("k", "second version")]
    with other.reading() as db:
        again = dump_tables(db)
    for row in (*tables["sessions"], *again["sessions"]):
        del row["status"]  # nobody works there in a session of another machine
    assert again == tables


def test_imported_texts_are_stored_in_the_form_of_all_others(store: ProjectStore) -> None:
    """Hidden characters and secrets go, also from within JSON."""
    token = "glpat-" + "Zx8Kq2Lm4Nv6Bt1Wd3Rf"  # made up
    context = json.dumps({"files": ["a\u202eb"], "note": f"token {token}"})
    tables = {
        "external_items": [
            {"id": "t-1", "provider_id": "TB-1", "title": "x\u200by", "synced_at": NOW}
        ],
        "sessions": [
            {"id": "s-1", "started_at": NOW, "last_active_at": NOW, "summary": "a\u202eb"}
        ],
        "session_events": [
            {"id": "e-1", "session_id": "s-1", "event_type": "note", "content": "x\x1b[31my"}
            | {"created_at": NOW, "context": context.replace("glpat", "\\u0067lpat")}
        ],
    }
    with store.writing() as db:
        load_tables(db, store, tables)
        stored = dump_tables(db)

    text = json.dumps(stored, ensure_ascii=False)
    assert not [mark for mark in ("\u202e", "\u200b", "\x1b", token) if mark in text]
    assert stored["external_items"][0]["title"] == "xy"
    assert json.loads(stored["session_events"][0]["context"])["files"] == ["ab"]


def _criteria(store: ProjectStore, *texts: str) -> TicketInfo:
    with store.writing() as db:
        ticket = ensure_ticket(db, store, "TB-123")
        table = CriteriaTable(db, store)
        for text in texts:
            table.add(ticket, text, None)
    return ticket


def test_criteria_are_the_same_on_both_sides(store: ProjectStore, other: ProjectStore) -> None:
    """A criterion that says the same arrives once, with its state if nobody tried it here."""
    ticket = _criteria(store, "Tokens expire", "Tokens can be revoked", "Only there")
    with store.writing() as db:
        table = CriteriaTable(db, store)
        table.verify(table.require("TB-123#1"), verified=True, evidence=Evidence(tests=("t",)))
        table.verify(table.require("TB-123#2"), verified=True, evidence=Evidence(tests=("t",)))
        tables = dump_tables(db)
    own = _criteria(other, "Only here", "tokens expire", "Tokens can be revoked")
    with other.writing() as db:
        table = CriteriaTable(db, other)
        table.verify(table.require("TB-123#3"), verified=False, evidence=Evidence(notes="no route"))
        load_tables(db, other, tables)
        again = load_tables(db, other, tables)
        there = table.of_ticket(own)

    assert ticket.identifier == own.identifier
    assert again.added == {}
    assert sorted((each.number, each.criterion_text, each.status) for each in there) == [
        (1, "Only here", "pending"),
        (2, "tokens expire", "verified"),
        (3, "Tokens can be revoked", "failed"),
        (4, "Only there", "pending"),
    ]


def test_a_ticket_known_by_name_is_the_one_that_was_read(
    store: ProjectStore, other: ProjectStore
) -> None:
    """Whichever side has read the ticket, there is one after an import."""
    with store.writing() as db:
        ensure_ticket(db, store, "TB-123")
        db.execute("UPDATE external_items SET account = 'jira', title = 'Read', status = 'Done'")
        read = dump_tables(db)
    with other.writing() as db:
        ensure_ticket(db, other, "tb-123")
        named = dump_tables(db)
        load_tables(db, other, read)
        tickets = list_unsynced(db)
    with store.writing() as db:
        load_tables(db, store, named)
        back = list_unsynced(db)

    assert [(each.identifier, each.title, each.status) for each in (*tickets, *back)] == [
        ("TB-123", "Read", "Done"),
        ("TB-123", "Read", "Done"),
    ]


def test_what_is_here_is_not_overwritten(store: ProjectStore, other: ProjectStore) -> None:
    """A memory of the same key stays as it is, and the import says so."""
    _fill(store, "theirs")
    with store.reading() as db:
        tables = dump_tables(db)
    with other.writing() as db:
        memories = Memories(db=db, store=other)
        memories.put(MemoryDraft(key="k", content="ours", memory_type="decision"))
        result = load_tables(db, other, tables)
        kept = memories.named("k").content

    assert (kept, result.conflicts) == ("ours", ("decision/k",))


def test_a_conflicting_text_becomes_an_earlier_version(
    store: ProjectStore, other: ProjectStore
) -> None:
    """Texts that a memory never had come before its own, once, and it can change afterwards."""
    _fill(store, "theirs")
    with store.reading() as db:
        tables = dump_tables(db)
    with other.writing() as db:
        memories = Memories(db=db, store=other)
        ours = MemoryDraft(key="k", content="ours", memory_type="decision")
        memories.put(ours)
        load_tables(db, other, tables)
        again = load_tables(db, other, tables)
        memories.put(evolve(ours, content="ours, later"))
        versions = memories.versions(memories.named("k"))

    assert [each.content for each in versions] == [
        "theirs",
        "second version",
        "ours",
        "ours, later",
    ]
    assert again.added == {}


def test_an_edited_export_of_the_same_memory_is_a_conflict(store: ProjectStore) -> None:
    """A text that was edited in an export is reported and becomes an earlier version."""
    _fill(store, "ours")
    with store.writing() as db:
        tables = dump_tables(db)
        tables["memory"][0]["content"] = "edited in the file"
        result = load_tables(db, store, tables)
        memories = Memories(db=db, store=store)
        item = memories.named("k")
        versions = memories.versions(item)

    assert result.conflicts == ("decision/k",)
    assert item.content == "second version"
    assert [each.content for each in versions] == ["ours", "edited in the file", "second version"]


def test_a_memory_with_versions_above_its_own_can_change(store: ProjectStore) -> None:
    """A memory that an import of earlier versions of Rove left so gets the next free number."""
    _fill(store, "ours")
    with store.writing() as db:
        db.execute("UPDATE memory SET version = 1")
        memories = Memories(db=db, store=store)
        item = memories.put(MemoryDraft(key="k", content="later", memory_type="decision"))

    assert (item.version, item.content) == (3, "later")


def test_a_replaced_memory_arrives_where_its_successor_is_known_by_its_key(
    store: ProjectStore, other: ProjectStore
) -> None:
    """The replaced memory leads to the memory of that key here, whichever row comes first."""
    with store.writing() as db:
        memories = Memories(db=db, store=store)
        for key in ("old", "new"):
            memories.put(MemoryDraft(key=key, content=f"the {key} way", memory_type="pattern"))
        memories.supersede(memories.named("old"), memories.named("new"), None)
        tables = dump_tables(db)
    tables["memory"].sort(key=lambda row: str(row["key"]), reverse=True)
    with other.writing() as db:
        memories = Memories(db=db, store=other)
        memories.put(MemoryDraft(key="new", content="our new way", memory_type="pattern"))
        load_tables(db, other, tables)
        found = memories.named("old").superseded_by

    assert found == "new"


MEMORY: dict[str, Any] = {
    "id": "m-1",
    "memory_type": "decision",
    "key": "k",
    "content": "text",
    "created_at": "2026-01-01T00:00:00.000000Z",
    "updated_at": "2026-01-01T00:00:00.000000Z",
}


@pytest.mark.parametrize(
    "tables",
    [
        None,
        [],
        {"memory": None},
        {"memory": "rows"},
        {"memory": ["row"]},
        {"memory": [{}]},
        {"memory": [{**MEMORY, "content": ["a", "list"]}]},
        {"memory": [{**MEMORY, "content": 1}]},
        {"memory": [{**MEMORY, "key": "k" * 201}]},
        {"memory": [{**MEMORY, "content": "half of a character: \ud800"}]},
        {"memory": [{**MEMORY, "importance": 10**30}]},
        {"memory": [{**MEMORY, "importance": 77}]},
        {"memory": [{**MEMORY, "memory_type": "nonsense"}]},
        {"memory": [{**MEMORY, "created_at": "yesterday"}]},
        {"memory": [{**MEMORY, "created_at": "2026-01-01T00:00:00"}]},
        {"memory": [{**MEMORY, "tags": "{not JSON"}]},
        {"memory": [{**MEMORY, "tags": "[1]"}]},
        {"memory_versions": [{"memory_id": "m-2", "version": "1", "content": "text"}]},
        {"session_events": [{"id": "e-1", "session_id": "none", "content": "a note"}]},
        {"dependencies": [{"id": "d-1", "source_type": "local", "source_id": "none"}]},
    ],
)
def test_rows_that_no_export_holds_are_refused(store: ProjectStore, tables: Any) -> None:  # noqa: ANN401  # whatever a file holds
    """The error is the caller's, and nothing of the file is stored."""
    with pytest.raises(WrongCall), store.writing() as db:
        load_tables(db, store, tables)
    with store.reading() as db:
        assert not any(dump_tables(db).values())


def test_a_row_about_a_missing_row_is_refused(store: ProjectStore) -> None:
    """The error names both tables."""
    event = {"id": "e-1", "session_id": "none", "event_type": "note", "content": "a note"}
    event["created_at"] = MEMORY["created_at"]

    with (
        pytest.raises(WrongCall, match="session_events is about a row of sessions"),
        store.writing() as db,
    ):
        load_tables(db, store, {"session_events": [event]})


@pytest.mark.parametrize(
    ("table", "row", "most"),
    [
        ("memory", {**MEMORY, "content": "x" * 100_001}, 100_000),
        ("memory", {**MEMORY, "summary": "x" * 2_001}, 2_000),
        ("session_events", {"id": "e-1", "content": "x" * 20_001}, 20_000),
        ("local_plans", {"id": "p-1", "description": "x" * 100_001}, 100_000),
        ("ac_attempts", {"evidence": json.dumps({"notes": "x" * 1_000_000})}, 1_000_000),
    ],
)
def test_a_text_longer_than_one_written_here_is_refused(
    table: str, row: dict[str, Any], most: int
) -> None:
    """The same limits hold for an import as for a command; the error names the text and them."""
    with pytest.raises(WrongCall, match=f"in {table} has .*the most are {most}"):
        checked_rows({table: [row]}, {table: frozenset(row)})


def test_imported_times_are_stored_as_utc(store: ProjectStore) -> None:
    """A time with another offset sorts among those written here."""
    with store.writing() as db:
        load_tables(db, store, {"memory": [{**MEMORY, "updated_at": "2026-03-01T01:30:00+02:00"}]})
        (updated,) = db.execute("SELECT updated_at FROM memory").fetchone()

    assert updated == "2026-02-28T23:30:00.000000Z"


def test_an_import_closes_no_cycle_of_blockers(store: ProjectStore, other: ProjectStore) -> None:
    """The blocker that is here stays, the imported one is left out, and the import says so."""

    def block(there: ProjectStore, source: str, target: str) -> dict[str, list[dict[str, Any]]]:
        with there.writing() as db:
            one, two = (ensure_ticket(db, there, name) for name in (source, target))
            ends = (WorkKey("external", each.id) for each in (one, two))
            new = NewDependency(source=next(ends), target=next(ends), relation="blocks")
            add_dependency(db, there, new)
            return dump_tables(db)

    block(store, "TB-1", "TB-2")
    tables = block(other, "TB-2", "TB-1")
    with store.writing() as db:
        result = load_tables(db, store, tables)
        graph = load_graph(db)

    (note,) = result.notes
    assert note.startswith("not imported: TB-2 blocks TB-1, because of the cycle TB-")
    assert (result.added, list(graph.cycles()), len(graph.edges)) == ({}, [], 1)


def test_another_file_is_refused(store: ProjectStore) -> None:
    """The error names the column that is not ours, and nothing is stored."""
    with store.writing() as db, pytest.raises(WrongCall, match="memory has no column nonsense"):
        load_tables(db, store, {"memory": [{"nonsense": 1}]})
