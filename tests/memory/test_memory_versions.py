"""Versions of a memory: what a new one keeps, and which session it is from."""

from typing import Any

from tests.memory.operating import call

from rove_core.project.local import LocalProject

KEY = {"key": "token-ttl", "memory_type": "decision"}


def _store(rove: LocalProject, content: str, **how: object) -> Any:  # noqa: ANN401  # JSON
    return call(rove, "memory_store", content=content, **KEY, **how)


def test_a_second_store_of_a_key_changes_only_its_content(rove: LocalProject) -> None:
    """The new version keeps importance, tags, related items and expiry."""
    details = {
        "importance": 4,
        "tags": ["security"],
        "related_items": ["TB-123"],
        "expires_at": "2027-01-01T00:00:00Z",
    }
    _store(rove, "15 minutes", **details)
    second = _store(rove, "5 minutes")

    assert second["content"] == "5 minutes"
    assert {name: second[name] for name in details} == details


def test_a_second_store_of_a_key_takes_what_is_given(rove: LocalProject) -> None:
    """An empty list removes the tags, and importance changes when it is given."""
    _store(rove, "15 minutes", importance=4, tags=["security"], related_items=["TB-123"])
    second = _store(rove, "5 minutes", importance=1, tags=[])

    assert (second["importance"], second["tags"], second["related_items"]) == (1, [], ["TB-123"])


def test_a_new_memory_has_importance_2(rove: LocalProject) -> None:
    """Importance 2 means useful context."""
    assert _store(rove, "15 minutes")["importance"] == 2


def test_a_key_of_another_type_is_another_memory(rove: LocalProject) -> None:
    """A key is unique within its type."""
    _store(rove, "15 minutes", tags=["security"])
    other = call(rove, "memory_store", key="token-ttl", content="x", memory_type="warning")

    assert (other["tags"], other["version"]) == ([], 1)


def test_a_summary_goes_with_the_content_it_summarises(rove: LocalProject) -> None:
    """The same content keeps its summary; other content has none until it gets one."""
    _store(rove, "Tokens live for 15 minutes", summary="15 min")
    same = _store(rove, "Tokens live for 15 minutes\n")
    other = _store(rove, "Tokens live for 5 minutes")

    assert (same["summary"], other["summary"]) == ("15 min", "")


def test_a_confidence_stays_until_it_is_changed(rove: LocalProject) -> None:
    """Neither another content nor another importance makes a doubtful memory certain."""
    _store(rove, "15 minutes")
    call(rove, "memory_update", key="token-ttl", confidence=0.4)

    assert _store(rove, "5 minutes")["confidence"] == 0.4


def test_an_update_says_in_which_session_it_was_made(rove: LocalProject) -> None:
    """The version is of the active session; the memory stays of the session that wrote it."""
    first = call(rove, "session_start")["session_id"]
    _store(rove, "15 minutes")
    call(rove, "session_end", session_id=first)
    second = call(rove, "session_start")["session_id"]
    changed = call(rove, "memory_update", key="token-ttl", importance=5)
    versions = call(rove, "memory_versions", key="token-ttl")

    assert [each["session_id"] for each in versions] == [first, second]
    assert changed["session_id"] == first
