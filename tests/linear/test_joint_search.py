"""Searches of the same moment share a query."""

import asyncio
import json
from collections.abc import Callable

import pytest

from rove_core import ContextItem, Query, SourceHooks
from rove_core.testing import FaultProxy, Scene
from rove_core.testing.faults import SeenRequest, ServerReply
from rove_linear.source import LinearSource
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio

AS_JSON = {"content-type": "application/json"}
TERMS = ("rotate day", "glacier", "ice", "vault", "kubernetes")


async def _search(source: SourceHooks, text: str) -> list[ContextItem]:
    query = Query(account="linear", text=text, one_page=True)
    return [item async for item in source.rove_search(query)]


async def _together(source: SourceHooks) -> list[list[ContextItem]]:
    return await asyncio.gather(*(_search(source, each) for each in TERMS))


async def test_each_finds_what_it_finds_alone(linear: Scene) -> None:
    """Issues, documents, projects and initiatives, in the same order."""
    alone = [await _search(linear.source, each) for each in TERMS]

    assert await _together(linear.source) == alone
    assert [bool(each) for each in alone] == [True, True, True, True, False]


async def test_four_share_a_query(linear: Scene, workspace: Linear) -> None:
    """The fifth is alone."""
    before = len(workspace.exchanges)
    await _together(linear.source)
    queries = [json.loads(each.request.body)["query"] for each in workspace.exchanges[before:]]

    assert [text.count("searchIssues(") for text in queries] == [4, 1]


def _takes_two_terms(seen: SeenRequest) -> ServerReply:
    if "$term2" not in json.loads(seen.body)["query"]:
        return ServerReply(body=b'{"data": {}}', headers=AS_JSON)
    return ServerReply(
        status=400, body=b'{"errors": [{"message": "Query too complex"}]}', headers=AS_JSON
    )


async def test_of_too_complex_a_query_less_is_asked(connect: Callable[..., LinearSource]) -> None:
    """After a refusal each term is searched for alone, and two at a time later."""
    async with FaultProxy(_takes_two_terms) as proxy:
        source = connect(proxy.url)
        for _ in range(2):
            await asyncio.gather(*(_search(source, each) for each in TERMS[:4]))

    terms = [[*json.loads(seen.body)["variables"]] for seen in proxy.requests]
    assert [sum(name.startswith("term") for name in names) for names in terms] == [
        *(4, 1, 1, 1, 1),
        *(2, 2),
    ]
