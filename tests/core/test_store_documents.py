import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import aiosqlite
import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove_core.store.document_search import DocumentHit, search_documents
from rove_core.store.documents import (
    DocumentRecord,
    find_documents,
    find_titled,
    is_document_name,
    list_documents,
    read_fetch_history,
    remove_document,
    save_document,
)
from rove_core.store.lookup import last_written

if TYPE_CHECKING:
    from tests.core.conftest import Index

_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_OAUTH = DocumentRecord(
    account="jira",
    ticket_id="TB-123",
    filename="TB-123_oauth_login.md",
    title="Log in with Google",
    url="https://acme.atlassian.net/browse/TB-123",
    keywords=("oauth", "login"),
    last_updated=_NOON,
    created_at=_NOON,
)

_SHARED = HealthCheck.function_scoped_fixture  # records of other examples do no harm
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_TIMES = st.builds(
    lambda days, hours: (_NOON + days).astimezone(timezone(timedelta(hours=hours))),
    st.timedeltas(timedelta(days=-20_000), timedelta(days=20_000)),
    st.integers(-12, 14),
)
_DOCUMENTS = st.builds(
    DocumentRecord,
    account=_TEXT,
    ticket_id=_TEXT,
    filename=_TEXT.filter(is_document_name),
    title=_TEXT,
    url=_TEXT,
    keywords=st.lists(_TEXT, max_size=5).map(tuple),
    last_updated=_TIMES,
    created_at=_TIMES,
    since=st.none() | _TIMES,
    until=st.none() | _TIMES,
)


def _fill(index: "Index", *documents: DocumentRecord) -> None:
    for document in documents:
        index.write(save_document, document, {})


def _titled(number: int, title: str, *keywords: str) -> DocumentRecord:
    return evolve(
        _OAUTH,
        ticket_id=f"TB-{number}",
        filename=f"TB-{number}.md",
        title=title,
        keywords=keywords,
    )


def test_a_document_is_found_by_its_ticket(index: "Index") -> None:
    """It is found with all that is known of it."""
    _fill(index, _OAUTH)

    assert index.read(find_documents, "TB-123") == (_OAUTH,)


def test_an_unknown_ticket_finds_nothing(index: "Index") -> None:
    """Nor does a part of a known one."""
    _fill(index, _OAUTH)

    assert index.read(find_documents, "TB-12") == ()


def test_a_ticket_of_two_accounts_finds_two_documents(index: "Index") -> None:
    """Which one is meant is not guessed here."""
    other = evolve(_OAUTH, account="jira:work", filename="TB-123_oauth_login-2.md")
    _fill(index, _OAUTH, other)

    assert set(index.read(find_documents, "TB-123")) == {_OAUTH, other}


def test_the_case_of_a_ticket_matters_only_when_both_are_there(index: "Index") -> None:
    """People type ``tb-123``."""
    lower = evolve(_OAUTH, ticket_id="tb-123")
    _fill(index, _OAUTH)

    assert index.read(find_documents, "tb-123") == (_OAUTH,)

    _fill(index, lower)

    assert index.read(find_documents, "tb-123") == (lower,)


def test_when_a_ticket_was_last_written(index: "Index") -> None:
    """The newest document of a ticket tells when; its case matters only when both are there."""
    late = evolve(
        _OAUTH,
        account="jira:work",
        filename="TB-123_oauth_login-2.md",
        last_updated=_NOON + timedelta(days=1),
    )
    lower = evolve(_OAUTH, ticket_id="tb-123", last_updated=_NOON + timedelta(days=2))
    _fill(index, _OAUTH, late)
    any_case = index.read(last_written, "tb-123")
    _fill(index, lower)
    found = [index.read(last_written, each) for each in ("TB-123", "tb-123", "TB-12")]

    assert any_case == late.last_updated
    assert found == [late.last_updated, lower.last_updated, None]


@pytest.mark.parametrize(
    "ticket_id", ["Ünïcode-1", "100%", "a'b\"c", "_", "x; DROP TABLE items", "", "a\0b", "猫/#42"]
)
def test_a_ticket_may_be_named_strangely(index: "Index", ticket_id: str) -> None:
    """An id is compared, not interpreted."""
    strange = evolve(_OAUTH, ticket_id=ticket_id)
    _fill(index, _OAUTH, strange)

    assert index.read(find_documents, ticket_id) == (strange,)


def test_what_is_no_unicode_finds_nothing(index: "Index") -> None:
    """A command line may hold any bytes."""
    assert index.read(find_documents, "TB-\udcff") == ()


def test_a_document_is_found_by_its_title(index: "Index") -> None:
    """The whole title, in any case."""
    _fill(index, _OAUTH)

    assert index.read(find_titled, "log in with google") == (_OAUTH,)
    assert index.read(find_titled, "log in") == ()


def test_saving_again_replaces_the_record(index: "Index") -> None:
    """There is one document of a ticket in an account."""
    newer = evolve(_OAUTH, title="Log in with anything", last_updated=_NOON + timedelta(days=1))
    _fill(index, _OAUTH, newer)

    assert index.read(list_documents) == (newer,)


def test_the_newest_document_is_listed_first(index: "Index") -> None:
    """It is most likely the one in work."""
    newer = evolve(_OAUTH, ticket_id="TB-7", last_updated=_NOON + timedelta(seconds=1))
    _fill(index, _OAUTH, newer)

    assert index.read(list_documents) == (newer, _OAUTH)


def test_times_are_kept_to_the_second_in_utc() -> None:
    """The record says so before it is written."""
    zone = timezone(timedelta(hours=2))
    local = evolve(_OAUTH, last_updated=datetime(2026, 11, 20, 14, 0, 0, 999, tzinfo=zone))

    assert local == _OAUTH


def test_times_and_keywords_are_readable_on_disk(index: "Index") -> None:
    """They are what the seed's columns promise: text that sorts, and a JSON array."""
    _fill(index, evolve(_OAUTH, keywords=("größe",)))

    query = "SELECT last_updated, keywords FROM context_files"
    row = index.read(lambda db: db.execute(query).fetchone())

    assert row == ("2026-11-20T12:00:00Z", '["größe"]')


def test_half_a_character_is_kept_as_a_question(index: "Index") -> None:
    """A vendor that sends one does not stop a build."""
    _fill(index, evolve(_OAUTH, title="cut \ud83d off"))

    (document,) = index.read(find_documents, "TB-123")

    assert document.title == "cut ? off"


def test_the_fetch_history_is_kept_per_account(index: "Index") -> None:
    """An account that did not answer keeps what it had."""
    later = _NOON + timedelta(hours=1)
    index.write(save_document, _OAUTH, {"jira": _NOON, "slack": _NOON})
    index.write(save_document, _OAUTH, {"slack": later})

    history = index.read(read_fetch_history, "jira", "TB-123")

    assert history == {"jira": _NOON, "slack": later}


def test_a_removed_document_takes_its_history_along(index: "Index") -> None:
    """A document of the same ticket begins anew."""
    index.write(save_document, _OAUTH, {"jira": _NOON})
    index.write(remove_document, "jira", "TB-123")
    _fill(index, _OAUTH)

    assert index.read(read_fetch_history, "jira", "TB-123") == {}


@given(document=_DOCUMENTS)
@settings(max_examples=60, deadline=None, suppress_health_check=[_SHARED])
def test_a_record_is_read_as_it_was_written(index: "Index", document: DocumentRecord) -> None:
    """Whatever stands in it."""
    _fill(index, document)

    assert document in index.read(find_documents, document.ticket_id)


def test_a_search_ranks_by_where_its_words_occur(index: "Index") -> None:
    """Ticket id first, then keyword and title, keyword, title, part of a keyword."""
    _fill(
        index,
        _titled(1, "Log in with Google", "oauth2"),
        _titled(2, "Log in with OAuth", "google"),
        _titled(3, "Log in with Google", "oauth"),
        _titled(4, "Log in with OAuth", "oauth"),
        evolve(_OAUTH, ticket_id="OAUTH-5", title="", keywords=()),
        _titled(6, "Pay with Stripe", "payment"),
    )

    hits = index.read(search_documents, "OAuth")

    assert [(hit.document.ticket_id, hit.score) for hit in hits] == [
        ("OAUTH-5", 1.0),
        ("TB-4", 1.0),
        ("TB-3", 0.6),
        ("TB-2", 0.4),
        ("TB-1", 0.3),
    ]


def test_a_search_scores_the_share_of_its_words(index: "Index") -> None:
    """A document need not have all of them; a word said twice counts once."""
    _fill(index, _titled(1, "Log in", "oauth"))

    (hit,) = index.read(search_documents, "oauth stripe OAUTH")

    assert hit.score == 0.3


def test_a_search_ignores_case_in_any_script(index: "Index") -> None:
    """Titles are in the language of the team."""
    _fill(index, _titled(1, "ÜBERWEISUNG"), _titled(2, "ΛΌΓΟΣ"))

    assert [hit.document.ticket_id for hit in index.read(search_documents, "überweisung")] == [
        "TB-1"
    ]
    assert [hit.document.ticket_id for hit in index.read(search_documents, "λόγος")] == ["TB-2"]


@pytest.mark.parametrize("words", ["", "  ", "%", "_", "stripe", "'", "\0"])
def test_a_search_without_a_match_finds_nothing(index: "Index", words: str) -> None:
    """Nothing in it is a pattern."""
    _fill(index, _OAUTH)

    assert index.read(search_documents, words) == ()


def test_a_search_gives_the_best_only(index: "Index") -> None:
    """At the same score the newest is better."""
    newer = evolve(_OAUTH, ticket_id="TB-124", last_updated=_NOON + timedelta(days=1))
    _fill(index, newer, _OAUTH)

    (hit,) = index.read(search_documents, "oauth", 1)

    assert hit.document == newer


def test_a_search_of_many_words_is_bounded(index: "Index") -> None:
    """A pasted page is a search too, and every hit's score is above 0."""
    _fill(index, _OAUTH)

    (hit,) = index.read(search_documents, " ".join(f"word{n}" for n in range(5000)) + " google")

    assert 0 < hit.score <= 1


def test_a_search_takes_one_pass_over_the_documents(index: "Index") -> None:
    """Also when every document fits: ten thousand are searched in about 20 ms."""
    documents = [
        _titled(n, f"Fix part {n} of login", f"word{n % 97}", "login") for n in range(1000)
    ]
    index.write(_save_many, documents)
    thousands: list[None] = []

    def search(db: sqlite3.Connection) -> tuple[DocumentHit, ...]:
        db.set_progress_handler(lambda: thousands.append(None), 1000)
        return search_documents(db, "login part")

    hits = index.read(search)

    assert len(hits) == 20
    assert len(thousands) < 300


async def _save_many(db: aiosqlite.Connection, documents: Sequence[DocumentRecord]) -> None:
    for document in documents:
        await save_document(db, document, {})
