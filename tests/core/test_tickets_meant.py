"""How people name a ticket: in any case, by its address, several at once, of any account."""

from pathlib import Path

import pytest
from tests.core.team import Team, Tool

from rove_core.build.free_text import split_tickets
from rove_core.errors import ItemNotFound


@pytest.fixture
def team() -> Team:
    """Give a team whose tickets are in two places."""
    team = Team()
    team.tickets.put("T-1", "Sign in with Google.", kind="ticket")
    team.tickets.pattern = "[A-Z]+-[0-9]+"
    team.code.put("P-7", "Change the login.", kind="ticket")
    return team


async def _ticket(team: Team, folder: Path, text: str, *others: Tool) -> tuple[str, str]:
    async with team.opened(folder, *others) as project:
        document = (await project.build(text)).document
    return document.account, document.ticket_id


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["T-1", "t-1", " T-1 ", "https://tickets.example/T-1"])
async def test_an_id_in_any_form(team: Team, tmp_path: Path, text: str) -> None:
    """In small letters, with blanks around it, or as the address in the browser."""
    assert await _ticket(team, tmp_path, text) == ("tickets", "T-1")


@pytest.mark.anyio
async def test_a_ticket_of_another_account(team: Team, tmp_path: Path) -> None:
    """What the first account does not recognise, another one may have."""
    assert await _ticket(team, tmp_path, "P-7") == ("code", "P-7")


@pytest.mark.anyio
async def test_an_id_that_is_newer_than_the_account(team: Team, tmp_path: Path) -> None:
    """A project made after connecting has ids of a new form: its account is asked, once."""
    team.tickets.put("NEW-4", "The first ticket of a new project.", kind="ticket")

    assert await _ticket(team, tmp_path, "new-4") == ("tickets", "NEW-4")

    team.forget()
    await _ticket(team, tmp_path, "NEW-4")

    assert team.tickets.reads.count("NEW-4") == 1


@pytest.mark.anyio
async def test_an_id_that_nobody_has(team: Team, tmp_path: Path) -> None:
    """Only the account whose ids look like it is asked; the message names all."""
    async with team.opened(tmp_path) as project:
        with pytest.raises(ItemNotFound, match="tickets, chat and code have no ticket NOPE-9"):
            await project.build("NOPE-9")

    assert team.tickets.reads == ["NOPE-9"]
    assert team.chat.reads == team.code.reads == []


@pytest.mark.anyio
async def test_words_about_which_nothing_is_found(team: Team, tmp_path: Path) -> None:
    """A mistyped word makes no document; the message names what was searched."""
    async with team.opened(tmp_path) as project:
        with pytest.raises(ItemNotFound, match="nothing is found about 'nosuch'; searched: "):
            await project.build("nosuch")

        assert not project.places.context.exists()


@pytest.mark.anyio
async def test_an_address_that_nobody_has(team: Team, tmp_path: Path) -> None:
    """It is not a document about words."""
    async with team.opened(tmp_path) as project:
        with pytest.raises(ItemNotFound, match=r"elsewhere\.example"):
            await project.build("https://elsewhere.example/Z")


@pytest.mark.parametrize(
    ("text", "tickets"),
    [
        ("TB-1", ("TB-1",)),
        ("TB-1 TB-2", ("TB-1", "TB-2")),
        ("tb-1, tb-2", ("tb-1", "tb-2")),
        ("TB-1 https://e.example/x a/b#3", ("TB-1", "https://e.example/x", "a/b#3")),
        ("TB-1 and its friends", ("TB-1 and its friends",)),
        ("oauth flow", ("oauth flow",)),
        (" tb 12", ("TB-12",)),
        ("  ", ()),
    ],
)
def test_several_in_one_argument(text: str, tickets: tuple[str, ...]) -> None:
    """Ids and addresses alone are several tickets; with a word among them they are a question."""
    assert split_tickets(text) == tickets
