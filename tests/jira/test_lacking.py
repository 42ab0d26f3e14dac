"""What answers like Jira, but lacks some of its endpoints, is read as far as it goes."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from rove_core import ItemNotFound, ItemRef, Query
from rove_core.testing import FaultProxy
from rove_core.testing.fault_catalogue import Fault
from rove_jira.source import JiraSource
from rove_sim.company_jira import Ticket, TicketChange, TicketLink
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio


@pytest.fixture
async def lacking(
    request: pytest.FixtureRequest, served: str, connect: Callable[..., JiraSource]
) -> AsyncIterator[JiraSource]:
    """Give a source of a site that does not have one endpoint."""
    place = urlsplit(served)
    async with FaultProxy((place.hostname or "", place.port or 0)) as proxy:
        missing = Fault(status=404, headers={"content-encoding": "identity"}, body=b"{}")
        proxy.play(missing, times=None, when=lambda seen: request.param in seen.path)
        yield connect(proxy.url)


@pytest.mark.parametrize("lacking", ["project/search"], indirect=True)
async def test_without_projects_it_says_only_where_it_is(lacking: JiraSource) -> None:
    """Which prefixes its keys have is not known then."""
    identity = await lacking.rove_identity()

    assert identity.reads == ("northwind.atlassian.net",)
    assert identity.prefixes == ()


@pytest.mark.parametrize("lacking", ["issue/bulkfetch"], indirect=True)
async def test_without_tickets_by_their_keys_they_are_searched_for(
    add: Callable[..., Ticket], lacking: JiraSource
) -> None:
    """A key finds the ticket and what it is linked to all the same."""
    add("TB-1", links=(TicketLink(to="TB-2"),))
    add("TB-2")
    query = Query(account="jira:work", text="TB-1")

    assert [item.ref.id async for item in lacking.rove_search(query)] == ["TB-1", "TB-2"]


@pytest.mark.parametrize("lacking", ["issue/bulkfetch"], indirect=True)
async def test_without_tickets_by_their_keys_an_unknown_key_finds_nothing(
    lacking: JiraSource,
) -> None:
    """JQL refuses it; nobody is told of an error."""
    query = Query(account="jira:work", text="TB-999")

    assert [item async for item in lacking.rove_search(query)] == []


@pytest.mark.parametrize("lacking", ["/changelog"], indirect=True)
async def test_without_a_history_a_ticket_is_read(
    add: Callable[..., Ticket], lacking: JiraSource
) -> None:
    """What was said is there; what was changed is not known."""
    add("TB-1", title="Login")
    ref = ItemRef(account="jira:work", kind="ticket", id="TB-1")

    assert (await lacking.rove_item_detail(ref)).title == "Login"


@pytest.mark.parametrize("lacking", ["/changelog"], indirect=True)
async def test_what_a_site_lacks_is_not_asked_for_again(
    add: Callable[..., Ticket], site: Jira, lacking: JiraSource
) -> None:
    """A request for each ticket would tell nothing new."""
    at = datetime(2024, 12, 2, 9, tzinfo=UTC)
    changes = [TicketChange(at=at, author="mike", field="status", after=f"{n}") for n in range(20)]
    add("TB-1", changelog=tuple(changes))
    ref = ItemRef(account="jira:work", kind="ticket", id="TB-1")
    await lacking.rove_item_detail(ref)
    before = len(site.exchanges)
    await lacking.rove_item_detail(ref)

    asked = [each.request.path.rpartition("/")[2] for each in site.exchanges[before:]]
    assert sorted(asked) == ["TB-1", "remotelink"]


@pytest.mark.parametrize("lacking", ["/changelog"], indirect=True)
async def test_without_a_history_a_change_is_not_found(
    add: Callable[..., Ticket], lacking: JiraSource
) -> None:
    """Who asks for it is told so."""
    add("TB-1")

    with pytest.raises(ItemNotFound):
        await lacking.rove_item_detail(
            ItemRef(account="jira:work", kind="change", id="TB-1/change/1")
        )
