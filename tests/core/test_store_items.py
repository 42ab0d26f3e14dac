from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove_core._item_words import Role
from rove_core.facts import Facts, ItemStatus, NamedValue
from rove_core.items import ContextItem, ItemRef, Link
from rove_core.store.connection import open_for_reading, open_for_writing
from rove_core.store.document_items import read_ticket, read_uses, save_ticket
from rove_core.store.documents import DocumentRecord, save_document
from rove_core.store.items import forget_unused_items, item_of, read_items, save_items
from rove_core.store.migrations import MIGRATIONS

if TYPE_CHECKING:
    from tests.core.conftest import Index

_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_THREAD = ItemRef(
    account="slack:work",
    kind="thread",
    id="C1/1699",
    url="https://acme.slack.com/archives/C1/p1699",
)
_ITEM = ContextItem(
    ref=ItemRef(
        account="jira", kind="ticket", id="TB-123", url="https://acme.atlassian.net/browse/TB-123"
    ),
    source="jira",
    role="ticket",
    title="Log in with Google",
    content="We decided to use **PKCE**.",
    timestamp=_NOON,
    author="Ada",
    metadata={"labels": ["auth"], "points": 3},
    facts=Facts(
        created=_NOON + timedelta(microseconds=1),
        status=ItemStatus(name="Doing", category="in_progress"),
        due=date(2026, 12, 1),
        labels=("auth",),
        estimate=2.5,
        resolved=False,
        fields=(NamedValue(name="Team", value="Web"),),
    ),
    links=(Link(ref=_THREAD, relation="relates", words="see", title="Login", status="Done"),),
    thread=(
        ContextItem(
            ref=ItemRef(account="jira", kind="comment", id="TB-123/1"),
            source="jira",
            role="comment",
            title="",
            content="Agreed.",
            timestamp=_NOON + timedelta(microseconds=1),
        ),
    ),
)

_SHARED = HealthCheck.function_scoped_fixture  # items of other examples do no harm
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_REFS = st.builds(ItemRef, account=_TEXT, kind=_TEXT, id=_TEXT, url=_TEXT)
_LINKS = st.builds(Link, ref=_REFS, words=_TEXT, title=_TEXT, status=_TEXT)
_FACTS = st.builds(
    Facts,
    created=st.none() | st.timedeltas(timedelta(0), timedelta(days=9)).map(_NOON.__add__),
    due=st.none() | st.dates(),
    labels=st.lists(_TEXT, max_size=2).map(tuple),
    fields=st.lists(st.builds(NamedValue, name=_TEXT, value=_TEXT), max_size=2).map(tuple),
    branch=_TEXT,
    line=st.none() | st.integers(),
    resolved=st.none() | st.booleans(),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(_TEXT, below, max_size=3),
    max_leaves=5,
)


def _items(thread: st.SearchStrategy[tuple[ContextItem, ...]]) -> st.SearchStrategy[ContextItem]:
    return st.builds(
        ContextItem,
        ref=_REFS,
        source=_TEXT,
        role=st.sampled_from(get_args(Role)),
        title=_TEXT,
        content=_TEXT,
        timestamp=st.timedeltas(timedelta(days=-9999), timedelta(days=9999)).map(_NOON.__add__),
        author=_TEXT,
        metadata=st.dictionaries(_TEXT, _JSON, max_size=3),
        facts=_FACTS,
        links=st.lists(_LINKS, max_size=2).map(tuple),
        thread=thread,
    )


@given(item=_items(st.lists(_items(st.just(())), max_size=2).map(tuple)))
@settings(max_examples=60, deadline=None, suppress_health_check=[_SHARED])
def test_an_item_is_read_as_it_was_saved(index: "Index", item: ContextItem) -> None:
    """With its discussion and links, whatever stands in them."""
    index.write(save_items, [item], _NOON)

    assert index.read(read_items, [item.ref]) == (item,)


def test_items_are_read_in_the_order_of_the_references(index: "Index") -> None:
    """Those that are not kept are left out."""
    other = evolve(_ITEM, ref=evolve(_ITEM.ref, id="TB-124"))
    index.write(save_items, [_ITEM, other], _NOON)

    assert index.read(read_items, [other.ref, _THREAD, _ITEM.ref]) == (other, _ITEM)


def test_words_of_forgotten_items_leave_the_file(index: "Index") -> None:
    """Also those in the full-text index, and in pages that are free."""
    index.write(save_items, [evolve(_ITEM, content="flumoxation of wombats")], _NOON)
    before = index.path.read_bytes()
    index.write(forget_unused_items)
    after = index.path.read_bytes()

    assert [b"flumoxation" in each for each in (before, after)] == [True, False]


def test_the_version_that_was_kept_last_is_read(index: "Index") -> None:
    """Whichever documents are made of which."""
    newer = evolve(_ITEM, content="We decided otherwise.", timestamp=_NOON + timedelta(days=1))
    index.write(save_items, [_ITEM], _NOON)
    index.write(save_items, [newer], _NOON)

    assert index.read(read_items, [_ITEM.ref]) == (newer,)


def test_a_version_of_no_document_is_forgotten(index: "Index") -> None:
    """The others stay: what another document has read changes nothing in this one."""
    newer = evolve(_ITEM, content="We decided otherwise.")
    document = DocumentRecord(
        account="jira", ticket_id="TB-123", filename="a.md", last_updated=_NOON, created_at=_NOON
    )
    index.write(save_document, document, {})
    index.write(save_items, [_ITEM, newer], _NOON)
    index.write(save_ticket, _ITEM)
    index.write(forget_unused_items)

    assert index.read(read_ticket, "jira", "TB-123") == _ITEM
    assert index.read(read_items, [_ITEM.ref]) == (_ITEM,)


def test_items_that_were_kept_before_they_had_versions(tmp_path: Path) -> None:
    """An older Rove kept one version of each: its documents are made of that."""
    path = tmp_path / "index.db"
    with closing(open_for_writing(path, MIGRATIONS[:3])) as db:
        db.execute(
            "INSERT INTO context_files VALUES"
            " (1, 'B-1', 'b.md', '[]', '', '', 'shelf', '', '', NULL, NULL, NULL)"
        )
        body = """{"ref": ["shelf", "note", "N-1", ""], "source": "shelf", "title": "", "content":
            "Keys.", "timestamp": "2026-11-20T12:00:00+00:00", "links": [], "thread": []}"""
        db.execute("INSERT INTO items VALUES ('shelf', 'N-1', 'note', '', '', '', ?)", [body])
        db.execute(
            "INSERT INTO document_items VALUES"
            " (1, 0, 'shelf', 'N-1', 1, 1, '[]', 1.0, '', 0, 1, '[]', NULL)"
        )

    with open_for_reading(path) as db:
        assert [use.candidate.item.content for use in read_uses(db, "shelf", "B-1")] == ["Keys."]


def test_items_of_the_first_release(index: "Index") -> None:
    """They had neither roles nor facts: both come from what its sources wrote into metadata."""
    part = """{"ref": ["jira", "change", "TB-1/1", ""], "source": "jira", "title": "TB-1 change",
        "content": "- Status: Done", "timestamp": "2026-11-20T12:00:00+00:00", "author": "Ada",
        "metadata": {"on": "TB-1"}, "links": [], "thread": []}"""
    body = f"""{{"ref": ["jira", "ticket", "TB-1", ""], "source": "jira", "title": "Login",
        "content": "", "timestamp": "2026-11-20T12:00:00+00:00", "author": "Ada",
        "metadata": {{"created": "2026-11-19T12:00:00+00:00", "status": "Open", "due": "2026-12-01",
            "assignee": "Bo", "labels": ["auth"], "fields": [{{"name": "Team", "value": "Web"}}],
            "related": [{{"how": "blocks", "id": "TB-2", "title": "Out", "status": "Done"}}]}},
        "links": [["jira", "ticket", "TB-2", ""]], "thread": [{part}]}}"""
    item = item_of(body)

    assert item.role == "ticket"
    assert item.facts == Facts(
        created=_NOON - timedelta(days=1),
        status=ItemStatus(name="Open"),
        due=date(2026, 12, 1),
        assignees=("Bo",),
        labels=("auth",),
        fields=(NamedValue(name="Team", value="Web"),),
    )
    assert item.links == (
        Link(
            ref=ItemRef(account="jira", kind="ticket", id="TB-2"),
            relation="relates",
            words="blocks",
            title="Out",
            status="Done",
        ),
    )
    assert (item.thread[0].role, item.thread[0].facts.history) == ("comment", True)
    index.write(save_items, [item], _NOON)
    assert index.read(read_items, [item.ref]) == (item,)


def test_items_of_two_accounts_are_told_apart(index: "Index") -> None:
    """What one account may read, another may not."""
    index.write(save_items, [_ITEM], _NOON)

    assert index.read(read_items, [evolve(_ITEM.ref, account="jira:work")]) == ()
