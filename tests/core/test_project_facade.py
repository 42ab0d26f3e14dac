"""A project as Python sees it: everything that the command line does with documents."""

from pathlib import Path

import pytest
from tests.core.team import Team

from rove_core import DocumentNotFound, WrongCall, run_in_project


@pytest.fixture
def team() -> Team:
    """Give a team with a ticket and a talk about it."""
    team = Team()
    team.tickets.put("T-1", "Sign in with Google.", kind="ticket")
    team.chat.put("M-1", "About T-1: the token expires in May.")
    return team


@pytest.mark.anyio
async def test_what_was_built_is_found(team: Team, tmp_path: Path) -> None:
    """By its id, its words, and as the document that it is."""
    async with team.opened(tmp_path) as rove:
        built = await rove.build("T-1")

        assert await rove.find("t-1") == built.document
        assert [each.ticket_id for each in (await rove.search("tokens")).results] == ["T-1"]
        assert [each.id for each in (await rove.explain("T-1")).items] == ["M-1"]
        assert (await rove.status()).documents == 1
        assert (await rove.refresh("T-1")).document.filename == built.document.filename


@pytest.mark.anyio
async def test_what_was_not_built_is_not_there(team: Team, tmp_path: Path) -> None:
    """Neither to find, nor to refresh or explain."""
    async with team.opened(tmp_path) as rove:
        for question in (rove.find, rove.explain, rove.refresh):
            with pytest.raises(DocumentNotFound):
                await question("T-1")


@pytest.mark.anyio
async def test_a_window_in_words(team: Team, tmp_path: Path) -> None:
    """It is written as on the command line."""
    team.clock.advance(40 * 86_400)
    async with team.opened(tmp_path) as rove:
        await rove.build("T-1", since="30 days ago")
        items = (await rove.explain("T-1")).items
        with pytest.raises(WrongCall, match="whenever"):
            await rove.build("T-1", since="whenever")

    assert items == ()


@pytest.mark.anyio
async def test_a_project_is_shown_in_one_line(team: Team, tmp_path: Path) -> None:
    """With its folder and its accounts."""
    async with team.opened(tmp_path) as rove:
        assert repr(rove) == f"<Project {tmp_path}: tickets, chat, code>"


@pytest.mark.anyio
async def test_a_notebook_shows_a_document(team: Team, tmp_path: Path) -> None:
    """Its text is Markdown."""
    async with team.opened(tmp_path) as rove:
        document = (await rove.build("T-1")).document

    assert document._repr_markdown_().startswith("# Context: T-1")
    document.path.unlink()
    assert document._repr_markdown_() == f"{document.path} is gone"


def test_without_await(tmp_path: Path) -> None:
    """One call opens the project, asks and closes it."""
    status = run_in_project(lambda rove: rove.status(), tmp_path)

    assert status.documents == 0
