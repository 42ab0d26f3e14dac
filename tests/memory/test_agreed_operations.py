"""The operations that agents know: their names, arguments and results stay as agreed."""

from types import UnionType
from typing import Any, Union, get_args, get_origin

import attrs
import pytest
from tests.memory.operating import OPERATIONS, call

from rove_core.project.local import LocalProject
from rove_memory.store import ProjectStore

#: Each operation: the arguments that must be given, those that may be, and the result's fields.
#: They may take and tell more, but nothing of this may be missing.
AGREED = {
    "session_start": (
        "",
        "project_path external_item_id resume_last",
        (
            "session_id project external_item acceptance_criteria blocking_items recent_memory "
            "last_session_summary sync_status"
        ),
    ),
    "session_end": (
        "session_id",
        "summary outcome outcome_notes",
        (
            "duration_seconds events_count memories_created ac_verified ac_failed changes_pushed "
            "summary"
        ),
    ),
    "session_note": ("session_id event_type content", "importance context", ""),
    "get_session_context": (
        "session_id",
        "include_events include_memory include_ac events_limit",
        "session events memory acceptance_criteria blocking_items pending_changes",
    ),
    "list_sessions": (
        "",
        "project_path external_item_id status limit offset",
        (
            "duration_seconds events_count memories_created ac_verified ac_failed changes_pushed "
            "summary"
        ),
    ),
    "memory_store": (
        "key content memory_type",
        "importance summary tags related_items project_path",
        (
            "id memory_type key content summary importance confidence last_accessed access_count "
            "created_at updated_at expires_at tags related_items"
        ),
    ),
    "memory_recall": (
        "",
        "query memory_type tags min_importance limit project_path",
        (
            "id memory_type key content summary importance confidence last_accessed access_count "
            "created_at updated_at expires_at tags related_items"
        ),
    ),
    "memory_update": (
        "key",
        "content importance confidence memory_type project_path",
        "id memory_type key content summary importance confidence",
    ),
    "memory_forget": ("key", "memory_type project_path", ""),
    "memory_decay": ("", "project_path dry_run", "dry_run"),
    "plan_create": (
        "title",
        "description external_item_id priority tags blocks blocked_by project_path",
        (
            "id external_item_id title description status priority order_index tags created_at "
            "updated_at completed_at"
        ),
    ),
    "plan_update": (
        "plan_id",
        "title description status priority tags",
        "id external_item_id title description status priority order_index tags completed_at",
    ),
    "plan_list": (
        "",
        "external_item_id status tags include_completed project_path",
        "id external_item_id title description status priority order_index tags completed_at",
    ),
    "plan_delete": ("plan_id", "", ""),
    "get_ready_work": (
        "",
        "project_path include_external include_local limit",
        "item_type id title status priority",
    ),
    "ac_parse": ("external_item_id", "force_reparse", "id external_item_id criterion_text status"),
    "ac_add": (
        "external_item_id criterion_text",
        "index",
        "id external_item_id criterion_text criterion_index source_type status",
    ),
    "ac_status": (
        "external_item_id",
        "",
        "total pending in_progress verified failed blocked completion_percentage criteria blockers",
    ),
    "ac_verify": (
        "criterion_id status",
        "evidence notes",
        (
            "id external_item_id criterion_text criterion_index source_type status verified_at "
            "verified_by_session failed_at failed_reason evidence attempts created_at updated_at"
        ),
    ),
    "ac_update": ("criterion_id", "criterion_text status", "id criterion_text status"),
    "ac_check_all": (
        "external_item_id",
        "",
        "all_verified ready_to_close summary pending failed blocked",
    ),
    "dependency_add": (
        "source_id target_id relation",
        "source_type target_type notes bidirectional",
        (
            "id source_type source_id target_type target_id relation bidirectional notes "
            "created_at created_by_session"
        ),
    ),
    "dependency_remove": ("source_id target_id", "relation source_type target_type", ""),
    "get_blockers": (
        "item_id",
        "item_type recursive include_resolved",
        "item relation depth resolved resolved_at",
    ),
    "get_dependents": ("item_id", "item_type recursive", "item relation depth"),
    "get_dependency_graph": (
        "",
        "root_id root_type max_depth project_path",
        "nodes edges cycles orphans",
    ),
    "sync_pull": (
        "",
        "project_path full item_types",
        "status items_created items_updated items_deleted errors duration_ms",
    ),
    "sync_push": (
        "",
        "project_path force",
        "status items_created items_updated items_deleted errors duration_ms",
    ),
    "sync_status": (
        "",
        "project_path",
        "last_pull_at last_push_at pending_changes is_online last_error staleness_seconds",
    ),
    "sync_resolve_conflict": ("change_id resolution", "", ""),
    "sprint_status": (
        "",
        "project_path include_ac_status include_blockers",
        "sprint tickets summary velocity",
    ),
    "get_ticket": (
        "identifier",
        "include_plans include_ac include_memory include_history",
        "ticket plans acceptance_criteria memory sessions",
    ),
    "sprint_suggest": (
        "",
        "project_path consider_blockers consider_ac_complexity prefer_assigned limit",
        "ticket reasons",
    ),
    "update_ticket_status": (
        "identifier status",
        "add_comment queue_if_offline",
        "identifier title status status_category url",
    ),
}


def _fields(kind: Any) -> set[str]:  # noqa: ANN401  # any type
    """Return the fields of a type, or of what a tuple or a union of it holds."""
    if get_origin(kind) in (tuple, Union, UnionType):
        return set().union(*map(_fields, get_args(kind)))
    return {each.name for each in attrs.fields(kind)} if attrs.has(kind) else set()


@pytest.mark.parametrize("name", AGREED)
def test_an_operation_is_as_agreed(name: str) -> None:
    """It takes every agreed argument, asks for no other, and its result has every agreed field."""
    required, optional, fields = (set(words.split()) for words in AGREED[name])
    operation = OPERATIONS[name]
    taken = {each.name for each in operation.parameters}
    needed = {each.name for each in operation.parameters if each.required}

    assert required | optional <= taken
    assert needed <= required
    assert fields <= _fields(operation.returns)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("memory_store", "tags related_items"),
        ("memory_recall", "tags"),
        ("plan_create", "tags blocks blocked_by"),
        ("plan_update", "tags"),
        ("plan_list", "tags"),
        ("sync_pull", "item_types"),
    ],
)
def test_an_optional_list_may_be_null(name: str, arguments: str) -> None:
    """Agents send null for a list that they leave out, as was agreed."""
    schema: Any = OPERATIONS[name].input_schema()

    for argument in arguments.split():
        assert "null" in str(schema["properties"][argument])


def test_null_lists_are_empty_ones(store: ProjectStore) -> None:
    """What is stored with null for its lists has none, and is found with null for its filters."""
    rove = LocalProject.at(store.places.root, store.clock)
    memory = {"key": "k", "content": "Tokens expire", "memory_type": "pattern"}
    stored = call(rove, "memory_store", **memory, tags=None, related_items=None)
    plan = call(rove, "plan_create", title="Rotate", tags=None, blocks=None, blocked_by=None)
    (found,) = call(rove, "memory_recall", query="tokens", tags=None)
    (listed,) = call(rove, "plan_list", tags=None)

    assert (stored["tags"], stored["related_items"], plan["tags"]) == ([], [], [])
    assert (found["key"], listed["id"]) == ("k", plan["id"])


def test_agents_find_all_of_them() -> None:
    """There are 34, and each is in a toolset that an MCP server offers."""
    assert len(AGREED) == 34
    assert {OPERATIONS[name].toolset for name in AGREED} == {
        "sessions",
        "memory",
        "plans",
        "criteria",
        "tickets",
    }
    assert not any(OPERATIONS[name].terminal_only for name in AGREED)
