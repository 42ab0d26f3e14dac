"""Remove a project's whole memory."""

from typing import TYPE_CHECKING

import pytest
from tests.memory.operating import call

from rove_core import ConsentNeeded
from rove_memory.memory.text_index import check_index
from rove_memory.store import ProjectStore

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject

pytestmark = pytest.mark.usefixtures("remembered")


@pytest.fixture
def remembered(rove: "LocalProject") -> None:
    """Let the project have a session, a plan and a memory."""
    call(rove, "session_start", external_item_id="TB-123")
    call(rove, "session_note", event_type="discovery", content="Zanzibar is per account")
    call(rove, "memory_store", key="limits", content="Zanzibar limits", memory_type="warning")
    call(rove, "plan_create", title="Read the limit")


def test_it_is_removed_only_when_somebody_agrees(rove: "LocalProject") -> None:
    """What would be lost is listed first."""
    with pytest.raises(ConsentNeeded) as wanted:
        call(rove, "memory_purge")

    assert wanted.value.notice == "to be removed, for good: 1 session, 1 memory, 1 plan, 1 ticket"
    assert len(call(rove, "memory_list")) == 1


def test_nothing_of_it_stays(rove: "LocalProject") -> None:
    """Neither rows nor their text in the file; a new memory begins in its place."""
    call(rove, "memory_purge", yes=True)

    store = ProjectStore.of(rove)
    known = store.registered()
    assert known
    database = store.database(known).path
    assert not [each for each in database.parent.glob("*") if b"Zanzibar" in each.read_bytes()]
    assert call(rove, "list_sessions") == []
    call(rove, "memory_store", key="limits", content="per account", memory_type="warning")
    with store.writing() as db:
        check_index(db)
    assert [each["key"] for each in call(rove, "memory_list")] == ["limits"]


def test_a_memory_that_is_empty_needs_no_consent(rove: "LocalProject") -> None:
    """There is nothing to ask about."""
    call(rove, "memory_purge", yes=True)

    assert call(rove, "memory_purge") == {"removed": []}
