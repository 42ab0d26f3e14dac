"""Every fault at every call: no hang, an error that names the account, and nothing lost after."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

import pytest
from tests.fault_matrix import FaultStage, check_each_fault

from rove_core import (
    ItemRef,
    NewAttachment,
    NewComment,
    NewWorkItem,
    Query,
    RoveError,
    WorkItemChange,
)
from rove_core.http import Caps, MemoryLimits
from rove_core.plugins.calls import answer
from rove_core.testing import FAULTS, FaultProxy, VirtualClock
from rove_core.testing.faults import SeenRequest
from rove_jira.source import JiraSource
from rove_jira.tracker import JiraTracker
from rove_sim.company_jira import RemoteLink, Ticket, TicketChange, TicketComment
from rove_sim.jira import Jira

pytestmark = pytest.mark.anyio

Stage: TypeAlias = Callable[[JiraSource], Awaitable[object]]

AT = datetime(2024, 12, 2, 9, tzinfo=UTC)
DEADLINE = 0.1


async def search(source: JiraSource) -> object:
    """Search within a window of time, over two pages."""
    query = Query(account="jira:work", text="fault", since=AT, limit=9)
    return [item async for item in source.rove_search(query)]


async def detail(source: JiraSource) -> object:
    """Read a whole ticket."""
    return await source.rove_item_detail(ItemRef(account="jira:work", kind="ticket", id="TB-1"))


async def long_detail(source: JiraSource) -> object:
    """Read a ticket whose comments and changes take several requests."""
    return await source.rove_item_detail(ItemRef(account="jira:work", kind="ticket", id="TB-9"))


async def identity(source: JiraSource) -> object:
    """Ask who one is."""
    return await source.rove_identity()


#: Each call, and which of its requests goes wrong.
STAGES: dict[str, tuple[Stage, str]] = {
    "identity, who": (identity, "/myself"),
    "identity, site": (identity, "/serverInfo"),
    "identity, projects": (identity, "/project/search"),
    "search, zone": (search, "/myself"),
    "search, page": (search, "/search/jql"),
    "detail, ticket": (detail, "/issue/TB-1?"),
    "detail, comments": (long_detail, "/comment"),
    "detail, changes": (long_detail, "/changelog"),
    "detail, links": (detail, "/remotelink"),
}


@pytest.fixture
def tickets(add: Callable[..., Ticket]) -> None:
    """Add four tickets: one with each kind of part, one with many comments and changes."""
    add(
        "TB-1",
        title="fault",
        updated=AT,
        comments=tuple(TicketComment(author="mike", at=AT, text=f"{n}") for n in range(3)),
        changelog=(TicketChange(at=AT, author="mike", field="status", after="Done"),),
        remote_links=(RemoteLink(title="there", url="https://there.example"),),
    )
    # More than Jira sends within a ticket.
    add(
        "TB-9",
        comments=tuple(TicketComment(author="mike", at=AT, text=f"{n}") for n in range(21)),
        changelog=tuple(
            TicketChange(at=AT, author="mike", field="status", after=f"{n}") for n in range(41)
        ),
    )
    add("TB-2", title="fault", updated=AT + timedelta(days=1))
    add("TB-3", title="fault", updated=AT + timedelta(days=2))


@pytest.mark.usefixtures("tickets")
@pytest.mark.parametrize("fault", sorted(FAULTS))
@pytest.mark.parametrize("stage", STAGES)
async def test_a_fault_costs_one_error_and_no_item(
    stage: str, fault: str, served: str, connect: Callable[..., JiraSource], clock: VirtualClock
) -> None:
    """While it lasts a call ends by its deadline; when it is over everything is there again."""
    call, broken = STAGES[stage]
    expected = await call(connect(served))
    host, _, port = served.partition("://")[2].partition(":")

    def is_broken(seen: SeenRequest) -> bool:
        return broken in seen.path

    def is_strange(seen: SeenRequest) -> bool:
        return seen.path == "/stranger"

    async with FaultProxy((host, int(port))) as proxy:
        proxy.play(FAULTS[fault], times=None, when=is_broken)
        proxy.play(FAULTS["closed without a reply"], times=None, when=is_strange)
        limits = MemoryLimits(clock=clock)
        caps = Caps(deadline=DEADLINE, body=2_000_000)
        outcome = await attempt(call, connect(proxy.url, caps=caps, limits=limits))

    assert outcome == expected or helps(outcome)
    clock.advance(3600)
    assert await call(connect(served, limits=limits)) == expected


@pytest.mark.usefixtures("tickets")
@pytest.mark.parametrize("stage", STAGES)
async def test_a_stage_has_a_request_that_can_go_wrong(
    stage: str, served: str, connect: Callable[..., JiraSource]
) -> None:
    """Each call sends the request that the matrix breaks."""
    call, broken = STAGES[stage]
    host, _, port = served.partition("://")[2].partition(":")

    async with FaultProxy((host, int(port))) as proxy:
        await call(connect(proxy.url))

    assert any(broken in seen.path for seen in proxy.requests)


async def change(tracker: JiraTracker) -> object:
    """Change fields, and the status."""
    work = await tracker.rove_change_work_item(TICKET, CHANGE)
    return work.title, work.labels, work.status


async def create(tracker: JiraTracker) -> object:
    """Create a ticket under a key."""
    new = NewWorkItem(container="TB", title="Made once", key="matrix-of-jira")
    return (await tracker.rove_create_work_item(new)).title


async def comment(tracker: JiraTracker) -> object:
    """Comment under a key."""
    said = NewComment(content="Said once", key="matrix-of-jira")
    return (await tracker.rove_add_comment(TICKET, said)).kind


async def attach(tracker: JiraTracker) -> object:
    """Attach a file under a key."""
    file = NewAttachment(name="once.txt", content=b"once", key="matrix-of-jira")
    return await tracker.rove_add_attachment(TICKET, file)


TICKET = ItemRef(account="jira:work", kind="ticket", id="TB-1")
CHANGE = WorkItemChange(title="Changed", labels=("one",), status="In Progress")
#: Each change, and whether all its requests go wrong or those alone that change something.
CHANGES = {
    f"{name}, {what}": (call, methods)
    for name, call in {"change": change, "new": create, "comment": comment, "file": attach}.items()
    for what, methods in {"before": {"GET"}, "sent": {"POST", "PUT"}}.items()
}


@pytest.mark.usefixtures("tickets")
@pytest.mark.parametrize("stage", CHANGES)
async def test_a_fault_of_a_change_loses_and_doubles_nothing(
    stage: str, served: str, site: Jira, connect: Callable[..., JiraTracker], clock: VirtualClock
) -> None:
    """While it lasts there is a typed error or the right answer; afterwards all is there, once."""
    call, methods = CHANGES[stage]
    host, _, port = served.partition("://")[2].partition(":")
    async with FaultProxy((host, int(port))) as proxy:

        def connected(caps: Caps | None = None) -> JiraTracker:
            return connect(proxy.url if caps else served, caps=caps or Caps())

        def goes_wrong(seen: SeenRequest) -> bool:
            return seen.method in methods

        async def as_called(tracker: JiraTracker) -> object:
            return await answer("jira:work", lambda: call(tracker), deadline=60)

        before = site.tickets.find("TB-1")
        assert before is not None

        def reset() -> None:
            for each in [*site.tickets.all()]:
                if each.title == "Made once":
                    site.tickets.drop(each.key)
            site.tickets.put(before)

        def check(fault: str) -> None:
            first = site.tickets.find("TB-1")
            assert first is not None
            counts = {
                "new": sum(each.title == "Made once" for each in site.tickets.all()),
                "comment": sum("Said once" in str(each.adf) for each in first.comments),
                "file": len(first.attachments),
            }
            assert counts == {name: stage.startswith(name) for name in counts}, fault

        await check_each_fault(
            proxy, FaultStage(as_called, goes_wrong, reset, check), connected, clock
        )


def helps(outcome: object) -> bool:
    """Tell whether an outcome is an error that says whose it is and what to do."""
    return isinstance(outcome, RoveError) and outcome.account == "jira:work" and bool(outcome.hint)


async def attempt(call: Stage, source: JiraSource) -> object:
    """Return what comes of a call as the core makes it, be it an error of ours."""
    try:
        return await answer("jira:work", lambda: call(source), deadline=60)
    except RoveError as error:
        return error
