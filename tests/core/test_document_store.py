"""The stored state of a document between two builds, whatever was lost meanwhile."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.core.tracked import track

from rove_core import ItemRef, UnsafePlace
from rove_core.build.document_store import DocumentStore
from rove_core.build.write.base import DocumentBase, load_base, save_base
from rove_core.build.write.blocks import cut
from rove_core.build.write.merge import PlacedPiece, remember
from rove_core.project.index_claim import user_key
from rove_core.project.layout import ProjectPaths
from rove_core.store.document_bases import base_path
from rove_core.store.documents import DocumentRecord, save_document
from rove_core.store.store import open_store
from rove_core.testing import VirtualClock

TICKET = ItemRef(account="jira", kind="ticket", id="TB-1")
NAME = "TB-1_signing_keys.md"
OLD = "# Context: TB-1 - Keys\n\n> old words\n"
NEW = "# Context: TB-1 - Keys\n\n> new words\n"


def base_of(text: str) -> DocumentBase:
    """Return what is remembered of a text that is all Rove's."""
    placed = [PlacedPiece(piece, f"block:{at}") for at, piece in enumerate(cut(text))]
    return DocumentBase(blocks=remember(placed))


async def known_base(places: ProjectPaths, *, listed: bool = True) -> DocumentBase | None:
    """Return what is known to be remembered of the ticket's document."""
    clock = VirtualClock()
    async with open_store(places.index, clock=clock) as store:
        if listed:
            now = datetime(2026, 1, 1, tzinfo=UTC)
            record = DocumentRecord(
                account="jira", ticket_id="TB-1", filename=NAME, last_updated=now, created_at=now
            )
            async with store.transaction() as db:
                await save_document(db, record, {})
        documents = DocumentStore(store=store, places=places, clock=clock)
        return (await documents.previous_build(TICKET)).base


def killed_between(places: ProjectPaths, text: str, key: bytes = b"") -> Path:
    """Leave what a process leaves that was killed while it wrote a document."""
    path = base_path(places, "jira", NAME)
    path.parent.mkdir(parents=True)
    places.context.mkdir()
    save_base(path, base_of(OLD), key)
    save_base(path.with_suffix(".next"), base_of(NEW), key)
    (places.context / NAME).write_text(text)
    return path


@pytest.mark.anyio
@pytest.mark.parametrize("text", [OLD, NEW], ids=["before the file", "after it"])
async def test_a_killed_writer(places: ProjectPaths, text: str) -> None:
    """The file tells which of two memories is right."""
    killed_between(places, text)

    assert await known_base(places) == base_of(text)


@pytest.mark.anyio
async def test_a_killed_writer_and_an_edit(places: ProjectPaths) -> None:
    """What explains more of the file is right."""
    killed_between(places, NEW + "\nmy own words\n")

    assert await known_base(places) == base_of(NEW)


@pytest.mark.anyio
async def test_a_file_without_an_index(places: ProjectPaths) -> None:
    """The document of a lost index is found by what it says of itself."""
    killed_between(places, NEW, user_key(places))
    track(places, NAME)

    assert await known_base(places, listed=False) == base_of(NEW)


@pytest.mark.anyio
async def test_a_file_that_came_with_a_clone(places: ProjectPaths) -> None:
    """What a stranger committed, with a base beside it, is not taken for the user's edits."""
    killed_between(places, NEW, b"a stranger's key")
    track(places, NAME)

    assert await known_base(places, listed=False) is None


@pytest.mark.anyio
async def test_a_link_is_not_read(places: ProjectPaths, tmp_path: Path) -> None:
    """What lies elsewhere is none of the document's business."""
    places.context.mkdir()
    secret = tmp_path / "secret"
    secret.write_text("private")
    (places.context / NAME).symlink_to(secret)

    with pytest.raises(UnsafePlace, match=NAME):
        await known_base(places)


@pytest.mark.anyio
async def test_a_pipe_is_not_read(places: ProjectPaths) -> None:
    """What is not a file has no text, and nobody waits until something writes into it."""
    places.context.mkdir()
    os.mkfifo(places.context / NAME)

    with pytest.raises(UnsafePlace, match=f"{NAME} is not a file"):
        await known_base(places)


@pytest.mark.anyio
async def test_writing_leaves_one_memory(places: ProjectPaths) -> None:
    """Once the file is there, what was remembered before is forgotten."""
    path = killed_between(places, OLD)
    clock = VirtualClock()
    async with open_store(places.index, clock=clock) as store:
        documents = DocumentStore(store=store, places=places, clock=clock)
        documents.write("jira", NAME, NEW, base_of(NEW), over=OLD)

    assert (places.context / NAME).read_text() == NEW
    assert (places.context / NAME).stat().st_mode & 0o777 == 0o600
    assert load_base(path) == base_of(NEW)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
