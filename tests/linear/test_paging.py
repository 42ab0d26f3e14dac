"""Nothing is lost or doubled between pages, however many there are."""

import json
from collections.abc import Callable
from datetime import timedelta

import attrs
import pytest

from rove_core import ContextItem, ItemRef, MalformedReply, Query
from rove_core.testing import FaultProxy, Scene
from rove_core.testing.faults import SeenRequest, ServerReply
from rove_linear.source import LinearSource
from rove_sim import Conduct
from rove_sim.company_linear import LinearComment, LinearIssue
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio

Connect = Callable[..., LinearSource]
#: How many there are, and how many are on a page: none, one, a page, one more, hundreds.
SIZES = [(0, 2), (1, 2), (2, 2), (3, 2), (500, 50)]
AS_JSON = {"content-type": "application/json"}


@pytest.fixture
def issue(workspace: Linear) -> LinearIssue:
    """Return an issue with nothing around it."""
    (first, *_) = workspace.company.issues
    return attrs.evolve(first, identifier="NEW-1", title="Paged", relations=(), updated=None)


async def _read(linear: Scene) -> ContextItem:
    return await linear.detail(ItemRef(account="linear", kind="ticket", id="NEW-1"))


@pytest.mark.parametrize(("count", "on_a_page"), [*SIZES, (5_000, 250)])
async def test_every_comment_arrives(
    linear: Scene, workspace: Linear, issue: LinearIssue, count: int, on_a_page: int
) -> None:
    """Each comment once, in order."""
    workspace.conduct = Conduct(page_size=on_a_page)
    comments = [
        LinearComment(author="ann", at=issue.created + timedelta(minutes=n), text=f"Comment {n}")
        for n in range(count)
    ]
    workspace.put(attrs.evolve(issue, comments=tuple(comments)))

    assert [part.content for part in (await _read(linear)).thread] == [c.text for c in comments]


@pytest.mark.parametrize(("count", "on_a_page"), SIZES)
async def test_every_hit_arrives(
    linear: Scene, workspace: Linear, issue: LinearIssue, count: int, on_a_page: int
) -> None:
    """A search goes on to its last page."""
    workspace.conduct = Conduct(page_size=on_a_page)
    names = [f"NEW-{number}" for number in range(1, count + 1)]
    for name in names:
        workspace.put(attrs.evolve(issue, identifier=name))

    assert [item.ref.id for item in await linear.find("paged")] == names


async def test_lists_that_go_on_are_asked_for_together(linear: Scene, workspace: Linear) -> None:
    """An issue with seven lists takes as many questions as the longest of them has pages."""
    before = len(workspace.exchanges)

    await linear.detail(ItemRef(account="linear", kind="ticket", id="TB-2"))

    assert len(workspace.exchanges) - before == 2


async def test_no_page_is_asked_for_that_nobody_wants(linear: Scene, workspace: Linear) -> None:
    """A search ends with the last item that is enough."""
    before = len(workspace.exchanges)

    found = [item async for item in linear.search("vault", limit=2)]

    assert (len(found), len(workspace.exchanges) - before) == (2, 1)


async def test_teams_have_pages_too(linear: Scene, workspace: Linear, issue: LinearIssue) -> None:
    """The identifiers of every team are known."""
    for key in ("A", "B", "C"):
        workspace.put(attrs.evolve(issue, identifier=f"{key}-1"))

    identity = await linear.awaited("rove_identity")

    assert set(identity.prefixes) == {"TB", "OPS", "A", "B", "C"}


async def test_a_cursor_that_leads_back_is_told(connect: Connect) -> None:
    """A list without an end is an error, not a search without one."""
    page = b"""{"data": {"searchIssues": {
        "nodes": [{"identifier": "TB-1", "updatedAt": "2024-12-01T09:00:00.000Z"}],
        "pageInfo": {"hasNextPage": true, "endCursor": "again"}}}}"""
    query = Query(account="linear", text="x", limit=9)
    async with FaultProxy(ServerReply(body=page, headers=AS_JSON)) as proxy:
        found = connect(proxy.url).rove_search(query)
        first = await anext(found)
        with pytest.raises(MalformedReply, match="its cursor loops"):
            await anext(found)

    assert (first.ref.id, len(proxy.requests)) == ("TB-1", 2)


def _takes_up_to_sixty(seen: SeenRequest) -> ServerReply:
    if json.loads(seen.body)["variables"]["first"] <= 60:
        return ServerReply(body=b'{"data": {"searchIssues": {"nodes": []}}}', headers=AS_JSON)
    refusal = {"message": "Query too complex", "extensions": {"code": "INPUT_ERROR"}}
    body = json.dumps({"errors": [refusal]}).encode()
    return ServerReply(status=400, body=body, headers=AS_JSON)


async def test_less_is_asked_for_when_it_is_too_complex(connect: Connect) -> None:
    """A large page is halved until Linear takes it, and stays so."""
    query = Query(account="linear", text="x", limit=1000)
    async with FaultProxy(_takes_up_to_sixty) as proxy:
        source = connect(proxy.url, page_size=1000)
        for _ in range(2):
            assert [item async for item in source.rove_search(query)] == []

    asked = [json.loads(seen.body)["variables"]["first"] for seen in proxy.requests]
    assert asked == [250, 125, 62, 31, 31]


async def test_one_thing_too_complex_is_an_error(connect: Connect) -> None:
    """When there is no less to ask for, Linear's complaint is told."""
    refusal = b'{"errors": [{"message": "Query too complex"}]}'
    async with FaultProxy(ServerReply(status=400, body=refusal, headers=AS_JSON)) as proxy:
        with pytest.raises(MalformedReply, match="too complex"):
            await connect(proxy.url, page_size=4).rove_item_detail(
                ItemRef(account="linear", kind="ticket", id="A-1")
            )

    assert len(proxy.requests) == 3
