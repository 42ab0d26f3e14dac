"""Building and refreshing, as operations."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations.build import BuildResults, build
from rove.operations.refresh import refresh
from rove_core.build.free_text import id_of_words
from rove_core.build.model.prompts import Message
from rove_core.build.model.record import PlannedCall
from rove_core.build.requests import meant_window
from rove_core.errors import WrongCall
from rove_core.project.find import find
from rove_core.project.project import Project
from rove_core.project.search import search
from rove_core.store.documents import DocumentRecord, list_documents, save_document
from rove_core.time_windows import Window

if TYPE_CHECKING:
    from tests.core.conftest import Shelf

_NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def tickets(results: BuildResults) -> list[str]:
    """Return the tickets that have a document now."""
    return [each.document.ticket_id for each in results.built]


async def listed(project: Project) -> list[str]:
    """Return the tickets that have a document in the index."""
    return sorted(each.ticket_id for each in await project.store.read(list_documents))


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        (None, None, None),
        ("all", None, Window()),
        (" ALL ", "all", Window()),
        ("2h", None, Window(since=datetime(2026, 1, 31, 10, tzinfo=UTC))),
        ("all", "1h", Window(until=datetime(2026, 1, 31, 11, tzinfo=UTC))),
    ],
)
def test_windows(since: str | None, until: str | None, expected: Window | None) -> None:
    """Without a word the stored window holds, and ``all`` lifts it."""
    assert expected == meant_window(since, until, now=_NOON)


def test_a_window_that_is_none() -> None:
    """What is not a valid time is refused."""
    with pytest.raises(WrongCall, match="not a valid time"):
        meant_window("whenever", None, now=_NOON)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("given", "built"),
    [
        (("B-1", "B-2"), ["B-1", "B-2"]),
        (("B-1,B-2", "B-1"), ["B-1", "B-2"]),
        ((" B-2 , ", "B-1"), ["B-2", "B-1"]),
    ],
)
async def test_several_tickets(
    shelf: "Shelf", tmp_path: Path, *, given: tuple[str, ...], built: list[str]
) -> None:
    """Several ids may stand in one word; each ticket is built once, in their order."""
    async with shelf.opened(tmp_path) as project:
        results = await build(project, tickets=given)

    assert built == tickets(results)
    assert results.exit_code == 0


@pytest.mark.anyio
async def test_no_ticket(shelf: "Shelf", tmp_path: Path) -> None:
    """Commas alone name no ticket."""
    async with shelf.opened(tmp_path) as project:
        with pytest.raises(WrongCall, match="no ticket given"):
            await build(project, tickets=(" , ",))


@pytest.mark.anyio
async def test_a_budget_that_is_none(shelf: "Shelf", tmp_path: Path) -> None:
    """What is too little for any document, as in the settings, is refused."""
    async with shelf.opened(tmp_path) as project:
        with pytest.raises(WrongCall, match=r"max-tokens 7: .*between 500"):
            await build(project, tickets=("B-1",), max_tokens=7)


@pytest.mark.anyio
async def test_one_build_may_begin_with_the_ticket(shelf: "Shelf", tmp_path: Path) -> None:
    """The shape that is given holds for this build, even if there is no news."""
    shelf.books["B-1"] = "Decided: keys of the cache live for an hour."
    async with shelf.opened(tmp_path) as project:
        (first,) = (await build(project, tickets=("B-1",))).built
        text = first.document.path.read_text("utf-8")
        await build(project, tickets=("B-1",), shape="seed")
        seed = first.document.path.read_text("utf-8")

    assert ("## In Force" in text, "## In Force" in seed) == (True, False)


@pytest.mark.anyio
async def test_one_of_them_fails(shelf: "Shelf", tmp_path: Path) -> None:
    """A ticket that nobody knows costs only itself."""
    async with shelf.opened(tmp_path) as project:
        results = await build(project, tickets=("B-9", "B-1"))

    assert tickets(results) == ["B-1"]
    assert [each.ticket for each in results.failed] == ["B-9"]
    assert results.exit_code == 3


@pytest.mark.anyio
async def test_words_with_a_comma_are_one_document(shelf: "Shelf", tmp_path: Path) -> None:
    """A comma between words parts no ids, and the same words find the document again."""
    words = "How do we rotate keys, and when?"
    async with shelf.opened(tmp_path) as project:
        results = await build(project, tickets=(words,))
        found = await find(project, ticket="how do we  rotate keys, and when")
        hits = await search(project, words=words)

    assert tickets(results) == [id_of_words(words)] == [found.ticket_id]
    assert (hits.results[0].ticket_id, hits.results[0].score) == (found.ticket_id, 1.0)


@pytest.mark.anyio
async def test_a_dry_run_writes_nothing(shelf: "Shelf", tmp_path: Path) -> None:
    """A dry run tells what a model would be sent; without a model that is nothing."""
    async with shelf.opened(tmp_path) as project:
        results = await build(project, tickets=("B-1",), dry_run=True)
        documents = await listed(project)

    assert (results.planned, results.exit_code, documents) == ((), 0, [])
    assert results.show() == "nothing would be sent to a model"


def test_people_see_what_would_be_sent() -> None:
    """Each request is shown whole, with where it would go; nothing in it moves a cursor."""
    call = PlannedCall(
        question="relevance",
        endpoint="https://model.example/v1",
        model="small",
        messages=(Message("system", "Judge."), Message("user", "One\x1b[2J\n  Two")),
        tokens=12,
    )

    assert BuildResults(planned=(call,)).show().splitlines() == [
        "== relevance: small at https://model.example/v1, 12 tokens",
        "-- system",
        "Judge.",
        "-- user",
        "One[2J",
        "  Two",
    ]


@pytest.mark.anyio
async def test_refreshing(shelf: "Shelf", tmp_path: Path) -> None:
    """A document that is there is refreshed, and keeps its place."""
    async with shelf.opened(tmp_path) as project:
        before = await build(project, tickets=("B-1",))
        after = await refresh(project, tickets=("B-1",))

    assert before.built[0].document.path == after.built[0].document.path


@pytest.mark.anyio
async def test_refreshing_what_was_never_built(shelf: "Shelf", tmp_path: Path) -> None:
    """Without a document there is nothing to refresh, and the next command is named."""
    async with shelf.opened(tmp_path) as project:
        results = await refresh(project, tickets=("B-1",))
        documents = await listed(project)

    assert (results.exit_code, documents) == (3, [])
    assert results.failed[0].error.hint == "Build it with: rove --ticket B-1"


@pytest.mark.anyio
async def test_refreshing_all(shelf: "Shelf", tmp_path: Path) -> None:
    """All documents are refreshed, each from the account that has its ticket."""
    async with shelf.opened(tmp_path, "shelf", "shelf:work") as project:
        await build(project, tickets=("B-2",), source="shelf:work")
        await build(project, tickets=("how are keys rotated",))
        await build(project, tickets=("B-2",), source="shelf")
        results = await refresh(project, all=True)

    refreshed = {(each.document.account, each.document.ticket_id) for each in results.built}
    assert refreshed == {
        ("shelf", "B-2"),
        ("shelf:work", "B-2"),
        ("", id_of_words("how are keys rotated")),
    }
    assert results.failed == ()


@pytest.mark.anyio
async def test_an_account_that_is_not_used_any_more(shelf: "Shelf", tmp_path: Path) -> None:
    """A document whose account is not in use fails alone."""
    record = DocumentRecord(
        account="jira",
        ticket_id="TB-1",
        filename="TB-1.md",
        created_at=_DAY,
        last_updated=_DAY,
    )
    async with shelf.opened(tmp_path) as project:
        async with project.store.transaction() as db:
            await save_document(db, record, {})
        await build(project, tickets=("B-1",))
        results = await refresh(project, all=True)

    assert tickets(results) == ["B-1"]
    assert [each.ticket for each in results.failed] == ["TB-1"]
    assert "rove remove TB-1" in results.failed[0].error.hint


@pytest.mark.anyio
@pytest.mark.parametrize(("names", "everything"), [((), False), (("B-1",), True)])
async def test_refreshing_nothing(
    shelf: "Shelf", tmp_path: Path, *, names: tuple[str, ...], everything: bool
) -> None:
    """Either documents are named, or all are meant."""
    async with shelf.opened(tmp_path) as project:
        with pytest.raises(WrongCall) as error:
            await refresh(project, tickets=names, all=everything)

    assert "rove refresh --all" in error.value.hint
