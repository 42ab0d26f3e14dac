"""Full-text search over documents and what was found for them."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove_core.build.gather.candidates import Candidate
from rove_core.items import ContextItem, ItemRef
from rove_core.store.connection import open_for_reading, open_for_writing
from rove_core.store.document_items import ItemUse, save_uses
from rove_core.store.document_search import DocumentExcerpt, excerpt_of, search_documents
from rove_core.store.document_texts import plain_text, read_changed_texts
from rove_core.store.documents import DocumentRecord, remove_document, save_document
from rove_core.store.items import forget_unused_items, save_items
from rove_core.store.migrations import MIGRATIONS

if TYPE_CHECKING:
    import aiosqlite
    from tests.core.conftest import Index

_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
_SHARED = HealthCheck.function_scoped_fixture  # the index is only read


def _record(ticket: str = "TB-1", title: str = "Sign in") -> DocumentRecord:
    return DocumentRecord(
        account="jira",
        ticket_id=ticket,
        filename=f"{ticket}.md",
        title=title,
        last_updated=_NOON,
        created_at=_NOON,
    )


def _item(content: str, *replies: str) -> ContextItem:
    ref = ItemRef(
        account="slack", kind="thread", id="C1/1.0", url="https://acme.slack.com/archives/C1/p10"
    )
    thread = tuple(
        ContextItem(ref=ref, source="slack", role="talk", title="", content=reply, timestamp=_NOON)
        for reply in replies
    )
    return ContextItem(
        ref=ref,
        source="slack",
        role="talk",
        title="A talk",
        content=content,
        timestamp=_NOON,
        thread=thread,
    )


async def _fill(db: "aiosqlite.Connection", record: DocumentRecord, *found: ContextItem) -> None:
    await save_document(db, record, {})
    await save_items(db, found, _NOON)
    uses = [ItemUse(candidate=Candidate(item=item), score=1.0, reason="") for item in found]
    await save_uses(db, ("jira", record.ticket_id), uses, {})
    await forget_unused_items(db)


def _write(index: "Index", ticket: str, text: str) -> Path:
    folder = index.path.parent / "documents"
    folder.mkdir(exist_ok=True)
    (folder / f"{ticket}.md").write_text(text, "utf-8")
    return folder


def _found(index: "Index", words: str) -> list[str]:
    return [hit.document.ticket_id for hit in index.read(search_documents, words)]


def test_a_word_of_the_document_is_found(index: "Index") -> None:
    """Its title need not have it."""
    index.write(_fill, _record())
    read_changed_texts(index.path, _write(index, "TB-1", "> We check the JWT first.\n"))

    assert _found(index, "jwt") == ["TB-1"]
    assert _found(index, "cookie") == []


@pytest.mark.parametrize("form", ["token", "tokens", "TOKEN", "tok"])
def test_a_word_is_found_in_any_form(index: "Index", form: str) -> None:
    """Its ending does not matter, nor its case; the beginning of a word is enough."""
    index.write(_fill, _record())
    read_changed_texts(index.path, _write(index, "TB-1", "Old tokens stay valid.\n"))

    assert _found(index, form) == ["TB-1"]


def test_an_edited_document_is_read_again(index: "Index") -> None:
    """What a person adds to a document is found by the next search."""
    index.write(_fill, _record())
    folder = _write(index, "TB-1", "Nothing yet.\n")
    read_changed_texts(index.path, folder)

    _write(index, "TB-1", "My own remark about zebras.\n")
    read_changed_texts(index.path, folder)

    assert _found(index, "zebra") == ["TB-1"]


def test_what_was_found_and_not_quoted_is_searched_too(index: "Index") -> None:
    """The excerpt then names the item and where to read it, also for a reply in its thread."""
    index.write(_fill, _record(), _item("Morning!", "The certificate expires in May."))

    (hit,) = index.read(search_documents, "certificates")

    assert index.read(excerpt_of, hit.document, "certificates") == DocumentExcerpt(
        text="Morning! The certificate expires in May.",
        hits=("certificate",),
        account="slack",
        item="C1/1.0",
        url="https://acme.slack.com/archives/C1/p10",
    )


def test_an_item_that_no_document_uses_is_not_found(index: "Index") -> None:
    """Its text leaves the index together with it."""
    index.write(_fill, _record(), _item("The certificate expires in May."))
    index.write(_fill, _record(), _item("Something else."))

    assert _found(index, "certificate") == []
    assert _found(index, "else") == ["TB-1"]


def test_a_removed_document_is_not_found(index: "Index") -> None:
    """Nor is the text of the one that comes after it, under the same number."""
    index.write(_fill, _record())
    read_changed_texts(index.path, _write(index, "TB-1", "Only here: walrus.\n"))
    index.write(remove_document, "jira", "TB-1")
    index.write(_fill, _record("TB-2"))

    assert _found(index, "walrus") == []


def test_the_title_counts_more_than_the_text(index: "Index") -> None:
    """Every score is above 0 and at most 1."""
    index.write(_fill, _record("TB-1", "Sign in"))
    index.write(_fill, _record("TB-2", "Billing"))
    _write(index, "TB-1", "Nothing about it.\n")
    read_changed_texts(index.path, _write(index, "TB-2", "They sign in to pay for billing.\n"))

    hits = index.read(search_documents, "sign")

    assert [hit.document.ticket_id for hit in hits] == ["TB-1", "TB-2"]
    assert all(0 < hit.score <= 1 for hit in hits)


def test_an_excerpt_shows_the_words_without_markdown(index: "Index") -> None:
    """The words that match are told, so that they can be marked."""
    index.write(_fill, _record())
    text = "# Context\n\n> We **decided** on `joserfc`. [1]\n\n[1]: https://e.example/x\n"
    read_changed_texts(index.path, _write(index, "TB-1", text))
    (hit,) = index.read(search_documents, "decisions joserfc")

    excerpt = index.read(excerpt_of, hit.document, "decided joserfc")

    assert excerpt
    assert excerpt.text == "Context We decided on joserfc."
    assert set(excerpt.hits) == {"decided", "joserfc"}


def test_scripts_without_blanks_are_searched(index: "Index") -> None:
    """SQLite takes a whole sentence of Japanese for one word."""
    index.write(_fill, _record())
    read_changed_texts(index.path, _write(index, "TB-1", "古いトークンは六月まで有効です。\n"))
    (hit,) = index.read(search_documents, "六月")

    excerpt = index.read(excerpt_of, hit.document, "六月")

    assert excerpt
    assert "六月" in excerpt.text


@pytest.mark.parametrize("words", ['"', "*", "()", "a AND", "NEAR(", "title:", "-", "^", "' OR x"])
def test_the_query_language_of_the_index_is_not_spoken(index: "Index", words: str) -> None:
    """Signs are no words: a search for them finds what the words beside them find, or nothing."""
    index.write(_fill, _record("TB-1", "Sign in"))

    assert _found(index, words) == []


@settings(suppress_health_check=[_SHARED], max_examples=200)
@given(st.text(max_size=40))
def test_no_search_fails(index: "Index", words: str) -> None:
    """Whatever is typed is looked for."""
    if not index.path.exists():
        index.write(_fill, _record(), _item("Some words."))

    for hit in index.read(search_documents, words):
        index.read(excerpt_of, hit.document, words)


def test_a_file_that_is_a_link_is_not_read(index: "Index", tmp_path: Path) -> None:
    """A cloned repository could lead the search to any file."""
    index.write(_fill, _record())
    folder = _write(index, "TB-2", "")
    (tmp_path / "secret").write_text("password walrus", "utf-8")
    (folder / "TB-1.md").symlink_to(tmp_path / "secret")
    read_changed_texts(index.path, folder)

    assert _found(index, "walrus") == []


@pytest.mark.usefixtures("ordinary_user")
def test_a_search_where_nothing_can_be_written(index: "Index") -> None:
    """In an agent's sandbox it finds what the index holds."""
    index.write(_fill, _record("TB-1", "Sign in"))
    folder = _write(index, "TB-1", "A new text.\n")
    index.path.parent.chmod(0o500)
    try:
        read_changed_texts(index.path, folder)

        assert _found(index, "sign") == ["TB-1"]
    finally:
        index.path.parent.chmod(0o700)


def test_an_index_of_an_older_rove_is_searched(tmp_path: Path) -> None:
    """The migration reads in what documents were made of before."""
    path = tmp_path / "index.db"
    body = {"title": "", "content": "The walrus.", "thread": [{"content": "The zebra."}]}
    with closing(open_for_writing(path, MIGRATIONS[:4])) as db:
        db.execute(
            "INSERT INTO context_files VALUES (1, 'B-1', 'b.md', '[\"keys\"]',"
            " '2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z', 'shelf', 'Title', '', NULL, NULL,"
            " NULL, '')"
        )
        db.execute(
            "INSERT INTO items VALUES ('shelf', 'N-1', '', 'note', '', '', '', ?)",
            [json.dumps(body)],
        )
        db.execute(
            "INSERT INTO document_items VALUES"
            " (1, 0, 'shelf', 'N-1', 1, 1, '[]', 1.0, '', 0, 1, '[]', NULL, '')"
        )

    with open_for_reading(path) as db:
        for word in ("walrus", "zebra", "keys", "title", "B-1"):
            assert [hit.document.ticket_id for hit in search_documents(db, word)] == ["B-1"]


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("## Heading\n", "Heading\n"),
        ("> > nested **bold**\n", "nested bold\n"),
        ("a\\*b &lt;c>\n", "a*b <c>\n"),
        ("`x\\|y` and \\[a\\](b) \\&lt; \\__init\\_\\_\n", "x|y and [a](b) &lt; __init__\n"),
        ("[text](https://a.example) and [more][2]\n", "text and more\n"),
        ('[1]: https://a.example "Jira"\n', ""),
    ],
)
def test_markdown_is_no_text(markdown: str, plain: str) -> None:
    """Only the words of a document are searched."""
    assert plain_text(markdown) == plain
