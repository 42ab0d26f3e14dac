"""The searches of one query in one question of GraphQL, and over REST where that is unknown."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from urllib.parse import urlsplit

import attrs
import pytest
from tests.github.conftest import Talk

from rove_core import ContextItem, Query, ScopeMissing
from rove_core.testing import Scene
from rove_core.testing.faults import Fault, FaultProxy
from rove_core.testing.http1 import SeenRequest
from rove_github.graphql_search import search_query
from rove_github.search_syntax import searches
from rove_sim.company_github import PullRequest
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio


async def _found(scene: Scene, text: str, limit: int = 100) -> list[ContextItem]:
    query = Query(account="github", text=text, limit=limit)
    return [item async for item in scene.source.rove_search(query=query)]


def _asked(github: GitHub, since: int) -> list[str]:
    return sorted(each.request.path for each in github.exchanges[since:])


async def test_a_query_takes_one_question_and_one_search(scene: Scene, github: GitHub) -> None:
    """Pull requests, branches, issues and discussions are asked for together; commits apart."""
    before = len(github.exchanges)
    await _found(scene, "TB-123", limit=2)

    assert _asked(github, before) == ["/graphql", "/search/commits"]


async def test_two_queries_of_one_moment_share_a_question(scene: Scene, github: GitHub) -> None:
    """Each finds what it finds alone; the third is alone."""
    texts = ("keys rotate", "nothing", "hour")
    alone = [await _found(scene, text) for text in texts]
    before = len(github.exchanges)
    found = await asyncio.gather(*(_found(scene, text) for text in texts))

    assert found == alone
    assert _asked(github, before) == ["/graphql"] * 2 + ["/search/commits"] * 3


async def test_both_ways_find_the_same(scene: Scene, github: GitHub) -> None:
    """Every item is equal, in the same order, whoever told of it."""
    pull = next(each for each in github.hub.items() if isinstance(each, PullRequest))
    for number in range(5):
        at = pull.created + timedelta(minutes=number)
        github.put(attrs.evolve(pull, number=1000 + number, title="giraffe", updated=at))
    texts = ("TB-123", "TB-777", "giraffe", "keys rotate", '"Once an hour"', "nothing")
    at_once = [await _found(scene, text) for text in texts]
    github.lacks = frozenset({"search"})
    scene.source = scene.kind.connect(scene.account, scene.http)
    apart = [await _found(scene, text) for text in texts]

    assert at_once == apart
    assert [len(each) for each in at_once] == [8, 1, 5, 2, 1, 0]


async def test_a_server_that_does_not_search_so_is_asked_once(scene: Scene, github: GitHub) -> None:
    """Without and with discussions; every later search goes over REST alone."""
    github.lacks = frozenset({"search"})
    await _found(scene, "TB-123")
    before = len(github.exchanges)
    await _found(scene, "TB-777")

    assert {*_asked(github, before)} == {
        "/search/issues",
        "/search/commits",
        "/repos/acme/api/pulls/850",
    }


def test_the_question_names_what_it_needs() -> None:
    """Each search has a variable, and each place is looked up."""
    (pulls, *_) = searches(Query(account="github", text="keys"), ["repo:acme/api"])
    text = search_query({"s0": pulls}, {"p0": "repo:acme/api", "p1": "user:acme"})

    assert "$s0: String!" in text
    assert 'p0: repository(owner: "acme", name: "api")' in text
    assert 'p1: repositoryOwner(login: "acme")' in text
    assert "fragment about" not in text


async def test_a_refused_later_page_says_why(scene: Scene, github: GitHub, talk: Talk) -> None:
    """What came before it is found, and the error has GitHub's reason."""
    pull = next(each for each in github.hub.items() if isinstance(each, PullRequest))
    for number in range(5):
        github.put(attrs.evolve(pull, number=1000 + number, title="giraffe"))
    address = urlsplit(scene.account.base_url)
    async with FaultProxy((str(address.hostname), address.port or 0)) as proxy:
        assert scene.credential
        scene.credential = attrs.evolve(scene.credential, hosts=(proxy.host,))
        settings = attrs.evolve(scene.account.settings, page_size=2)
        scene.account = attrs.evolve(scene.account, settings=settings)
        talk(scene, base_url=proxy.url)
        refusal = Fault(
            status=403,
            body=b'{"message": "Not from this address"}',
        )
        proxy.play(refusal, times=None, when=_is_later_page)
        found: list[str] = []
        with pytest.raises(ScopeMissing, match="Not from this address"):
            await _collect(scene.search("giraffe"), found)

    assert len(found) == 2


async def _collect(items: AsyncIterator[ContextItem], found: list[str]) -> None:
    async for item in items:
        found.append(item.ref.id)  # noqa: PERF401  # an error must not lose those before it


def _is_later_page(seen: SeenRequest) -> bool:
    return seen.path == "/graphql" and bool(json.loads(seen.body)["variables"].get("after"))
