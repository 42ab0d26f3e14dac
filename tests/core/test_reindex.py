"""The list of documents, rebuilt from their files."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import evolve

from rove.operations.reindex import REINDEX, ReindexResult, reindex
from rove_core.build.free_text import id_of_words
from rove_core.project.layout import ProjectPaths
from rove_core.store.context_files import SkippedFile
from rove_core.store.document_bases import base_path
from rove_core.store.document_items import read_uses
from rove_core.store.documents import DocumentRecord, list_documents

if TYPE_CHECKING:
    from tests.core.conftest import Shelf


async def done(shelf: "Shelf", folder: Path, *accounts: str) -> ReindexResult:
    """Reindex a folder."""
    async with shelf.opened(folder, *accounts) as project:
        return await reindex(project)


async def listed(shelf: "Shelf", folder: Path) -> list[tuple[str, str, str]]:
    """Return the account, the id and the file of each document that is listed."""
    async with shelf.opened(folder) as project:
        records = await project.store.read(list_documents)
    return sorted((each.account, each.ticket_id, each.filename) for each in records)


def document(folder: Path, name: str, title: str) -> Path:
    """Write a file that begins with a title line."""
    path = folder / ".context" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# Context: {title}\n\nWords.\n", "utf-8")
    return path


def forget(folder: Path) -> None:
    """Lose the index."""
    for file in folder.glob(".rove/index.db*"):
        file.unlink()


@pytest.mark.anyio
async def test_a_lost_index_is_rebuilt(
    shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path
) -> None:
    """What the files say is what was known of them, but for what only the index knew."""
    forget(tmp_path)
    at = datetime(2026, 1, 5, tzinfo=UTC)
    os.utime(tmp_path / ".context" / shelved.filename, (at.timestamp(), at.timestamp()))

    async with shelf.opened(tmp_path) as project:
        told = await reindex(project)
        records = await project.store.read(list_documents)

    assert records == (evolve(shelved, last_updated=at, created_at=at),)
    assert told == ReindexResult(kept=(), added=(shelved.filename,), removed=(), skipped=())


@pytest.mark.anyio
async def test_what_is_right_stays(shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path) -> None:
    """A document that is listed as it is keeps all that is known of it."""
    async with shelf.opened(tmp_path) as project:
        told = await reindex(project)
        uses = await project.store.read(read_uses, "shelf", "B-1")

    assert told.kept == (shelved.filename,)
    assert len(uses) == 2


@pytest.mark.anyio
async def test_what_is_gone_is_not_listed(
    shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path
) -> None:
    """A record whose file is gone goes, too."""
    (tmp_path / ".context" / shelved.filename).unlink()

    told = await done(shelf, tmp_path)

    assert told.removed == (shelved.filename,)
    assert await listed(shelf, tmp_path) == []


@pytest.mark.anyio
async def test_a_renamed_file_is_the_same_document(
    shelf: "Shelf", shelved: DocumentRecord, tmp_path: Path
) -> None:
    """A document that somebody renamed keeps what it was made of."""
    path = tmp_path / ".context" / shelved.filename
    path.rename(path.with_name("B-1_rotation.md"))

    async with shelf.opened(tmp_path) as project:
        told = await reindex(project)
        uses = await project.store.read(read_uses, "shelf", "B-1")

    assert (told.added, told.removed) == (("B-1_rotation.md",), (shelved.filename,))
    assert len(uses) == 2


@pytest.mark.anyio
async def test_words_are_their_documents_title(shelf: "Shelf", tmp_path: Path) -> None:
    """A document about words is of no account, and is found by the words again."""
    name = id_of_words("How do we rotate keys?")
    document(tmp_path, f"{name}_rotate_keys.md", f"{name} - How do we rotate keys?")

    await done(shelf, tmp_path)

    assert await listed(shelf, tmp_path) == [("", name, f"{name}_rotate_keys.md")]


@pytest.mark.anyio
async def test_what_is_remembered_names_the_account(shelf: "Shelf", tmp_path: Path) -> None:
    """Of two accounts that know an id it is the one that was remembered."""
    document(tmp_path, "B-1_keys.md", "B-1 - Keys")
    places = evolve(ProjectPaths.at(tmp_path), is_alone=True)
    base = base_path(places, "shelf:work", "B-1_keys.md")
    base.parent.mkdir(parents=True)
    base.touch()

    await done(shelf, tmp_path, "shelf", "shelf:work")

    assert await listed(shelf, tmp_path) == [("shelf:work", "B-1", "B-1_keys.md")]


@pytest.mark.anyio
async def test_the_default_source_comes_first(
    shelf: "Shelf", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two accounts that know an id it is the one that tickets are read from."""
    monkeypatch.setenv("ROVE_SOURCES_DEFAULT_TICKET_SOURCE", "shelf:work")
    document(tmp_path, "B-1_keys.md", "B-1 - Keys")

    await done(shelf, tmp_path, "shelf", "shelf:work")

    assert await listed(shelf, tmp_path) == [("shelf:work", "B-1", "B-1_keys.md")]


@pytest.mark.anyio
async def test_an_id_that_nobody_knows(
    shelf: "Shelf", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken for one of the default source; without one the file is named and skipped."""
    document(tmp_path, "TB-7_x.md", "TB-7 - Title")
    refused = await done(shelf, tmp_path)
    monkeypatch.setenv("ROVE_SOURCES_DEFAULT_TICKET_SOURCE", "jira")
    taken = await done(shelf, tmp_path)

    assert refused.skipped == (
        SkippedFile(filename="TB-7_x.md", reason="no account in use here knows TB-7"),
    )
    assert taken.added == ("TB-7_x.md",)
    assert await listed(shelf, tmp_path) == [("jira", "TB-7", "TB-7_x.md")]


@pytest.mark.anyio
async def test_of_two_the_newer_counts(shelf: "Shelf", tmp_path: Path) -> None:
    """A ticket has one document: of a file and its copy the one written last."""
    os.utime(document(tmp_path, "B-1_new.md", "B-1 - Keys"), (2, 2))
    os.utime(document(tmp_path, "B-1_old.md", "B-1 - Keys"), (1, 1))

    told = await done(shelf, tmp_path)

    assert told.added == ("B-1_new.md",)
    assert told.skipped == (
        SkippedFile(filename="B-1_old.md", reason="B-1 has a document already: B-1_new.md"),
    )


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "line", "ticket_id", "title"),
    [
        ("B-1_keys.md", r"B-1 - Keys \[old\] &lt;b>", "B-1", "Keys [old] <b>"),
        ("B-1_keys.md", r"B-1 - &amp;lt; \\&lt;b> &#91;INST]", "B-1", r"&lt; \<b> [INST]"),
        ("B-1.md", "B-1 - A - B", "B-1", "A - B"),
        ("B-1-2_keys.md", "B-1 - Keys", "B-1", "Keys"),
        ("B--a---b_keys.md", r"B-/a - b - Keys", "B-/a - b", "Keys"),
    ],
)
async def test_title_lines(  # noqa: PLR0913  # two fixtures, and a case of four words
    shelf: "Shelf",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    name: str,
    line: str,
    ticket_id: str,
    title: str,
) -> None:
    """The id is the part of the line that the file's name tells, too; the rest is the title."""
    monkeypatch.setenv("ROVE_SOURCES_DEFAULT_TICKET_SOURCE", "shelf")
    document(tmp_path, name, line)

    async with shelf.opened(tmp_path) as project:
        await reindex(project)
        records = await project.store.read(list_documents)

    assert [(each.ticket_id, each.title) for each in records] == [(ticket_id, title)]


@pytest.mark.anyio
async def test_what_is_no_document_is_named(shelf: "Shelf", tmp_path: Path) -> None:
    """Foreign files, links, pipes and folders are named with what is wrong; none is followed."""
    document(tmp_path, "README.md", "no id")
    document(tmp_path, "my notes.md", "B-1 - Keys")
    document(tmp_path, "B-2_keys.md", "B-1 - Keys")
    (tmp_path / ".context" / "B-3.md").write_bytes(b"\xff\x00# Context B-3")
    (tmp_path / ".context" / "B-4.md").symlink_to(document(tmp_path, "x.txt", "B-4 - Keys"))
    os.mkfifo(tmp_path / ".context" / "B-5.md")
    (tmp_path / ".context" / "B-6.md").mkdir()

    told = await done(shelf, tmp_path)

    no_line = "it has no line like: # Context: TB-123 - Title"
    assert {each.filename: each.reason for each in told.skipped} == {
        "B-2_keys.md": "its title line and its file name name different tickets",
        "B-3.md": no_line,
        "B-4.md": "it is a link",
        "B-5.md": "it is not a file",
        "B-6.md": "it is not a file",
        "README.md": "its title line and its file name name different tickets",
        "my notes.md": "its file name is not one of Rove's",
    }
    assert await listed(shelf, tmp_path) == []


@pytest.mark.anyio
async def test_without_documents(shelf: "Shelf", tmp_path: Path) -> None:
    """Where no document was ever written nothing is wrong."""
    told = await done(shelf, tmp_path)

    assert REINDEX.show is not None
    assert REINDEX.show(told) == "0 documents"


def test_people_see_what_was_done() -> None:
    """What was added, removed and skipped is told, and how many documents there are."""
    told = ReindexResult(
        kept=("a.md", "b.md"),
        added=("c.md",),
        removed=("d.md",),
        skipped=(SkippedFile(filename="e.md", reason="why"),),
    )

    assert REINDEX.show is not None
    assert REINDEX.show(told).splitlines() == [
        "added    c.md",
        "removed  d.md",
        "skipped  e.md  why",
        "3 documents",
    ]
