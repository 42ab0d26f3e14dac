"""Tickets that a project's memory knows."""

from datetime import UTC, datetime

import pytest

from rove_core import ContextItem, Facts, ItemNotFound, ItemRef, ItemStatus, WrongCall
from rove_memory.store import ProjectStore
from rove_memory.tickets.table import ensure_ticket, find_ticket, require_ticket, store_ticket

TOKEN = "glpat-" + "Zx8Kq2Lm4Nv6Bt1Wd3Rf"  # made up


def _ticket(account: str = "jira", content: str = "Rotate it.") -> ContextItem:
    return ContextItem(
        ref=ItemRef(account=account, kind="issue", id="TB-123"),
        source="jira",
        role="ticket",
        title="Tokens",
        content=content,
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
        facts=Facts(status=ItemStatus(name="Doing", category="in_progress"), labels=("auth",)),
    )


def test_a_ticket_known_by_name_becomes_the_one_its_source_tells(store: ProjectStore) -> None:
    """What hangs on a name stays when the ticket itself arrives."""
    with store.writing() as db:
        by_name = ensure_ticket(db, store, "tb-123")
        told = store_ticket(db, store, _ticket())

    assert (told.id, told.identifier, told.title) == (by_name.id, "TB-123", "Tokens")
    assert (told.status_category, told.labels) == ("in_progress", ("auth",))


def test_a_ticket_is_found_in_any_case_and_by_its_own_id(store: ProjectStore) -> None:
    """People write tb-123."""
    with store.writing() as db:
        known = ensure_ticket(db, store, "TB-123")

        assert find_ticket(db, "tb-123") == find_ticket(db, known.id) == known


@pytest.mark.parametrize("text", ["7", "#7", "AB#7"])
def test_a_ticket_that_is_a_number_is_found_as_people_write_it(
    store: ProjectStore, text: str
) -> None:
    """Trackers that number their tickets are named with a ``#``, or with letters before it."""
    with store.writing() as db:
        known = ensure_ticket(db, store, "7")

        assert find_ticket(db, text) == known
        assert find_ticket(db, "northwind/backend#7") is None


def test_an_unknown_ticket_names_what_is_near(store: ProjectStore) -> None:
    """A slip of the finger is answered with the ticket that was meant."""
    with store.writing() as db:
        ensure_ticket(db, store, "TB-123")

        with pytest.raises(ItemNotFound) as caught:
            require_ticket(db, "TB-132")
    assert "TB-123" in caught.value.message


def test_a_ticket_of_two_accounts_is_asked_back(store: ProjectStore) -> None:
    """The error names both, and each of these names is understood."""
    with store.writing() as db:
        store_ticket(db, store, _ticket("jira"))
        store_ticket(db, store, _ticket("jira:work"))

        with pytest.raises(WrongCall, match="jira:work/TB-123"):
            find_ticket(db, "TB-123")
        assert require_ticket(db, "jira:work/TB-123").account == "jira:work"


def test_secrets_of_a_ticket_are_not_kept(store: ProjectStore) -> None:
    """A token in a description is redacted before it is stored."""
    with store.writing() as db:
        kept = store_ticket(db, store, _ticket(content=f"use {TOKEN}"))

    assert TOKEN not in kept.description


def test_a_text_is_no_id(store: ProjectStore) -> None:
    """An empty id is refused with an example."""
    with store.writing() as db, pytest.raises(WrongCall, match="like TB-123"):
        ensure_ticket(db, store, "  ")


@pytest.mark.parametrize(
    "text", ["../../etc", "/etc/passwd", "~/x", "a/../b", "..", ".", "a\\b", "--help", "TB\u200b-1"]
)
def test_a_path_is_no_id(store: ProjectStore, text: str) -> None:
    """Nothing that leads out of a folder, looks like an option or hides a character is an id."""
    with store.writing() as db, pytest.raises(WrongCall, match="is not a ticket id like"):
        ensure_ticket(db, store, text)


@pytest.mark.parametrize(
    "text", ["TB-123", "acme/api#12", "AB#7", "4711", "https://x.example/browse/TB-1", "v1.2..v1.3"]
)
def test_ids_of_trackers_are_ids(store: ProjectStore, text: str) -> None:
    """Slashes, signs and dots are part of many ids."""
    with store.writing() as db:
        assert ensure_ticket(db, store, text).identifier == text
