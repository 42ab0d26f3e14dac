"""Listing projects: what changed, newest first, over all pages, and nothing twice."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import attrs
import pytest

from rove_core import ItemNotFound, ListScope
from rove_jira.source import JiraSource
from rove_sim.company_jira import Ticket, TicketComment
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

AT = datetime(2024, 12, 2, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


async def listed(
    source: JiraSource, cursor: str = "", *projects: str, limit: int = 1000
) -> tuple[list[str], str]:
    """Return what is listed, and where that ended."""
    scope = ListScope(account="jira:work", cursor=cursor, containers=projects, limit=limit)
    told = []
    async for change in source.rove_list(scope):
        told += [change.item.ref.id] if change.item else []
        cursor = change.cursor or cursor
    return told, cursor


async def note_gone(source: JiraSource, scope: ListScope, gone: list[str]) -> None:
    """Add the ids of what is gone to a list."""
    async for change in source.rove_list(scope):
        gone += [change.gone.id] if change.gone else []


@pytest.fixture
def several(add: Callable[..., Ticket]) -> None:
    """Add five tickets of two projects."""
    for number in range(1, 5):
        add(f"TB-{number}", updated=AT + number * HOUR)
    add("OPS-1", updated=AT)


@pytest.mark.usefixtures("several")
async def test_projects_are_listed_whole(source: JiraSource) -> None:
    """Those that are chosen, or all; a page holds two tickets."""
    assert (await listed(source))[0] == ["TB-4", "TB-3", "TB-2", "TB-1", "OPS-1"]
    assert (await listed(source, "", "OPS"))[0] == ["OPS-1"]


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles", "Asia/Tokyo"])
async def test_the_next_listing_brings_what_changed(
    source: JiraSource, add: Callable[..., Ticket]
) -> None:
    """Whatever the account's time zone."""
    _, cursor = await listed(source)
    add("TB-5", updated=AT + 9 * HOUR)
    told, cursor = await listed(source, cursor)

    assert told == ["TB-5"]
    assert (await listed(source, cursor))[0] == []


@pytest.mark.usefixtures("several")
async def test_a_listing_goes_on_where_it_stopped(
    source: JiraSource, add: Callable[..., Ticket]
) -> None:
    """What is left comes first, then what is new."""
    first, cursor = await listed(source, limit=3)
    add("TB-5", updated=AT + 9 * HOUR)
    second, cursor = await listed(source, cursor)
    third, _ = await listed(source, cursor)

    assert (first, second, third) == (["TB-4", "TB-3", "TB-2"], ["TB-1", "OPS-1", "TB-5"], [])


async def test_a_listed_ticket_has_its_discussion(
    source: JiraSource, add: Callable[..., Ticket], site: Jira
) -> None:
    """It comes with the page: a request for each ticket would take hours."""
    for number in (1, 2):
        comment = TicketComment(id=str(number), author="mike", at=AT, text="Why?")
        add(f"TB-{number}", comments=(comment,), updated=AT)
    scope = ListScope(account="jira:work")
    items = [change async for change in source.rove_list(scope) if change.item]

    assert [each.item.thread[0].content for each in items if each.item] == ["Why?", "Why?"]
    assert all(each.whole for each in items)
    assert len([each for each in site.exchanges if "/issue/" in each.path]) == 0


@pytest.mark.usefixtures("several")
async def test_deleted_and_moved_tickets_are_told(source: JiraSource, site: Jira) -> None:
    """Jira does not say so: the keys of all tickets are compared with those that were listed."""
    _, cursor = await listed(source)
    site.delete_ticket("TB-2")
    site.tickets.move("TB-3", "OPS-2")
    scope = ListScope(account="jira:work", cursor=cursor)
    changes = [change async for change in source.rove_list(scope)]

    assert [each.item.ref.id for each in changes if each.item] == ["OPS-2"]
    assert sorted(each.gone.id for each in changes if each.gone) == ["TB-2", "TB-3"]


@pytest.mark.usefixtures("several")
async def test_a_ticket_that_the_search_forgets_for_a_moment_is_not_gone(
    source: JiraSource, site: Jira
) -> None:
    """The search learns late of changes, so a ticket that it does not find is asked for."""
    _, cursor = await listed(source)
    site.tickets.unindexed.add("TB-2")
    scope = ListScope(account="jira:work", cursor=cursor)

    assert [each async for each in source.rove_list(scope) if each.gone] == []


@pytest.mark.usefixtures("several")
async def test_a_ticket_that_was_hidden_for_a_while_is_listed_again(
    source: JiraSource, site: Jira
) -> None:
    """Nothing of it has changed since, so its key alone tells that it is back."""
    _, cursor = await listed(source)
    ticket = site.tickets.find("TB-2")
    assert ticket is not None
    site.tickets.put(attrs.evolve(ticket, hidden=True))
    _, cursor = await listed(source, cursor)
    site.tickets.put(ticket)

    items, _ = await listed(source, cursor)

    assert items == ["TB-2"]


@pytest.mark.usefixtures("several")
async def test_a_project_that_may_not_be_read_any_more_is_gone(
    source: JiraSource, site: Jira
) -> None:
    """Its tickets are told as gone, the other projects are listed, and the error names it."""
    _, cursor = await listed(source, "", "TB", "OPS")
    site.tickets.hide("OPS")
    scope = ListScope(account="jira:work", containers=("TB", "OPS"), cursor=cursor)
    gone: list[str] = []
    with pytest.raises(ItemNotFound, match="project OPS"):
        await note_gone(source, scope, gone)

    assert gone == ["OPS-1"]
