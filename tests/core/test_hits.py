"""What a search returns where the vendor allows no copy of it: it is read before it is quoted."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove_core import RateLimited
from rove_core.project.explain import explain

if TYPE_CHECKING:
    from tests.core.team import Team

pytestmark = pytest.mark.anyio


@pytest.fixture
def chatting(team: "Team") -> "Team":
    """Give a team whose chat allows no copies of what its search tells."""
    for tool in team.tools:
        tool.items.clear()
    team.chat.keeps_hits = False
    team.tickets.put("T-1", "Sessions end too early.", kind="ticket", title="Keep sessions alive")
    team.chat.put("M-1", "T-1: sessions last 15 minutes now.", "Since Monday, I believe.")
    team.chat.put("M-2", "Lunch? We keep the early table alive.", title="Lunch")
    for number in range(3, 9):
        team.chat.put(f"M-{number}", f"The early table, week {number}.", title="Lunch")
    return team


def kept_texts(folder: Path) -> str:
    """Return all that is kept of a project, as far as it is text."""
    files = [each for each in folder.rglob("*") if each.is_file()]
    return "".join(each.read_bytes().decode("utf-8", "replace") for each in files)


async def test_what_belongs_to_a_ticket_is_read_and_quoted(
    chatting: "Team", tmp_path: Path
) -> None:
    """With what was said below it, which no search tells."""
    built = await chatting.build(tmp_path, "T-1")

    assert "M-1" in chatting.chat.reads
    assert "sessions last 15 minutes" in built.document.path.read_text("utf-8")


async def test_of_the_rest_only_the_address_is_kept(chatting: "Team", tmp_path: Path) -> None:
    """It was ranked by its words; none of them is stored."""
    for number in range(9, 15):
        chatting.chat.put(f"M-{number}", f"Zanzibar is too early, {number}.", title="Holidays")
    await chatting.build(tmp_path, "T-1")
    async with chatting.opened(tmp_path) as project:
        found = {each.id: each for each in (await explain(project, ticket="T-1")).items}

    unread = {each for each in found if each.startswith("M-")} - {*chatting.chat.reads}
    assert unread
    assert {found[each].title for each in unread} == unread
    texts = kept_texts(tmp_path)
    assert not [each for each in unread if chatting.chat.items[each].content in texts]


async def test_what_cannot_be_read_now_is_read_by_the_next_build(
    chatting: "Team", tmp_path: Path
) -> None:
    """Until then no document quotes it, though no search finds it again."""
    chatting.chat.reading_trouble["M-1"] = RateLimited("too many", account="chat")
    first = await chatting.build(tmp_path, "T-1")
    before = first.document.path.read_text("utf-8")
    chatting.chat.reading_trouble.clear()
    second = await chatting.build(tmp_path, "T-1")

    assert "15 minutes" not in before
    assert "sessions last 15 minutes" in second.document.path.read_text("utf-8")
