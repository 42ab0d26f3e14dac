"""Tickets that are wanted at the same time come together."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from rove_core import ItemNotFound, ItemRef
from rove_core.testing import FaultProxy
from rove_core.testing.fault_catalogue import Fault
from rove_jira.source import JiraSource
from rove_sim.company_jira import Ticket, TicketComment
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

AT = datetime(2024, 12, 2, 9, tzinfo=UTC)


def ref(key: str) -> ItemRef:
    """Return where a ticket is."""
    return ItemRef(account="jira:work", kind="ticket", id=key)


def asked(site: Jira) -> Sequence[str]:
    """Return what was asked for, but for the pages elsewhere, which each ticket has of its own."""
    paths = (each.request.path.rpartition("/")[2] for each in site.exchanges)
    return [path for path in paths if path != "remotelink"]


@pytest.fixture(autouse=True)
def tickets(add: Callable[..., Ticket]) -> None:
    """Add three tickets, one of them under the key it had before."""
    comments = (TicketComment(author="mike", at=AT, text="Why?"),)
    add("TB-1", comments=comments, fields={"Risk": "none that we know"})
    add("TB-2", old_keys=("OLD-2",))
    add("TB-3")


async def test_several_are_one_request(site: Jira, source: JiraSource) -> None:
    """Each is as it is when it is read alone."""
    alone = [await source.rove_item_detail(ref(key)) for key in ("TB-1", "TB-2", "TB-3")]
    before = len(asked(site))
    together = await asyncio.gather(
        *(source.rove_item_detail(ref(key)) for key in ("TB-1", "TB-2", "TB-3"))
    )

    assert asked(site)[before:] == ["bulkfetch"]
    assert together == alone


async def test_one_that_is_missing_costs_the_others_nothing(site: Jira, source: JiraSource) -> None:
    """It is asked for by itself: it may have moved."""
    first, moved, missing = await asyncio.gather(
        *(source.rove_item_detail(ref(key)) for key in ("TB-1", "OLD-2", "TB-999")),
        return_exceptions=True,
    )

    assert isinstance(missing, ItemNotFound)
    assert [getattr(each, "ref", ref("")).id for each in (first, moved)] == ["TB-1", "TB-2"]
    assert sorted(asked(site)) == ["OLD-2", "TB-999", "bulkfetch"]


async def test_what_is_wanted_later_is_another_request(site: Jira, source: JiraSource) -> None:
    """Nobody waits for more to come."""
    for key in ("TB-1", "TB-3"):
        await source.rove_item_detail(ref(key))

    assert asked(site) == ["TB-1", "TB-3"]


async def test_who_gives_up_leaves_the_others_theirs(source: JiraSource) -> None:
    """One of those who wait is cancelled."""
    reading = [asyncio.ensure_future(source.rove_item_detail(ref(key))) for key in ("TB-1", "TB-3")]
    await asyncio.sleep(0)  # noqa: TID251  # lets it go on by one step
    reading[0].cancel()

    assert (await reading[1]).title == "TB-3"
    assert (await source.rove_item_detail(ref("TB-1"))).title == "TB-1"


async def test_after_all_have_given_up_it_is_read_anew(source: JiraSource) -> None:
    """A request that was never sent is nobody's."""
    reading = asyncio.ensure_future(source.rove_item_detail(ref("TB-1")))
    await asyncio.sleep(0)  # noqa: TID251  # lets it go on by one step
    await asyncio.sleep(0)  # noqa: TID251  # lets it go on by one step
    reading.cancel()

    assert (await source.rove_item_detail(ref("TB-1"))).title == "TB-1"


async def test_without_such_a_request_they_are_searched_for(
    served: str, site: Jira, connect: Callable[..., JiraSource]
) -> None:
    """What is only like Jira may know no other way to several tickets."""
    host, _, port = served.partition("://")[2].partition(":")
    async with FaultProxy((host, int(port))) as proxy:
        missing = Fault(status=404, headers={"content-encoding": "identity"}, body=b"{}")
        proxy.play(missing, times=None, when=lambda seen: "bulkfetch" in seen.path)
        source = connect(proxy.url)
        read = await asyncio.gather(*(source.rove_item_detail(ref(f"TB-{n}")) for n in (1, 3)))

    assert [each.title for each in read] == ["TB-1", "TB-3"]
    assert read[0].content == "**Risk:**\n\nnone that we know"
    assert asked(site) == ["bulkfetch", "jql"]


@pytest.mark.parametrize(("count", "paths"), [(19, ["TB-9"]), (20, ["TB-9", *["comment"] * 10])])
async def test_comments_that_came_with_the_ticket_are_not_asked_for(
    add: Callable[..., Ticket], site: Jira, source: JiraSource, count: int, paths: Sequence[str]
) -> None:
    """Jira puts at most twenty into a ticket: from there on the pages are read."""
    times = (AT + timedelta(minutes=n) for n in range(count))
    add("TB-9", comments=tuple(TicketComment(author="mike", at=at, text="?") for at in times))
    item = await source.rove_item_detail(ref("TB-9"))

    assert len(item.thread) == count
    assert sorted(asked(site)) == sorted(paths)
