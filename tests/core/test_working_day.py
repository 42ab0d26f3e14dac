"""A vendor's limit over several tickets: documents are usable at once, and whole in the end."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.operations.build import BuildResults, build
from rove.operations.refresh import refresh
from rove_core.errors import RateLimited
from rove_core.store.tasks import TaskState, list_tasks

if TYPE_CHECKING:
    from tests.core.team import Team

pytestmark = pytest.mark.anyio

TICKETS = ("T-1", "T-2", "T-3", "T-4")
PER_MINUTE = 10


@pytest.fixture
def busy(team: "Team") -> "Team":
    """Give a team with four tickets, whose chat allows few searches a minute."""
    for ticket in TICKETS[1:]:
        team.tickets.put(ticket, f"Rotate the signing keys of tenant {ticket}.", kind="ticket")
        team.chat.put(f"M-{ticket}", f"{ticket}: the keys of that tenant are rotated on Monday.")
    team.chat.per_minute = PER_MINUTE
    return team


async def built(team: "Team", folder: Path) -> BuildResults:
    """Build the documents of all tickets in one command."""
    async with team.opened(folder) as project:
        return await build(project, tickets=TICKETS, source="tickets")


async def test_all_documents_are_whole(busy: "Team", tmp_path: Path) -> None:
    """Nobody waits longer than the limit forces, and nothing has failed."""
    results = await built(busy, tmp_path)
    forced = (len(busy.chat.searches) - 1) // PER_MINUTE * 60

    assert (results.exit_code, results.failed) == (0, ())
    assert [(dict(each.failures), each.notes) for each in results.built] == [({}, ())] * 4
    assert forced > 0
    assert busy.clock.monotonic() <= 1.2 * forced


async def test_each_ticket_is_searched_for_before_any_further_words(
    busy: "Team", tmp_path: Path
) -> None:
    """So each has a usable document within seconds."""
    await built(busy, tmp_path)
    first = [query.text for query in busy.chat.searches[:PER_MINUTE]]

    assert {*TICKETS} <= {*first}


async def test_a_refresh_with_nothing_new_asks_once(busy: "Team", tmp_path: Path) -> None:
    """Each account is searched for the ticket's id, and for no other word so soon."""
    await built(busy, tmp_path)
    busy.forget()
    busy.clock.advance(3600)
    async with busy.opened(tmp_path) as project:
        await refresh(project, tickets=("T-2",))

    assert [query.text for query in busy.chat.searches] == ["T-2"]


async def test_a_limit_that_stays_leaves_a_partial_task(busy: "Team", tmp_path: Path) -> None:
    """It says which source is missing, and the next build asks it again."""
    busy.chat.per_minute = None
    busy.chat.trouble = limited = RateLimited(
        "chat asks to wait", retry_at=busy.clock.now() + timedelta(hours=2)
    )
    async with busy.opened(tmp_path) as project:
        results = await build(project, tickets=("T-1",), source="tickets")
        (task,) = await project.store.read(list_tasks)

    assert task.state is TaskState.PARTIAL
    assert results.exit_code == 5
    assert results.built[0].rest == {"chat": limited.retry_at}
