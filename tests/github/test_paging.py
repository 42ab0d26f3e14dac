"""Long lists of GitHub are read to their end, and nowhere else."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import attrs
import pytest

from rove_core import Http, ItemRef, MalformedReply
from rove_core.testing import Scene
from rove_core.testing.faults import FaultProxy, SeenRequest, ServerReply
from rove_sim.company_github import RepositoryComment, RepositoryIssue
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio

ISSUE = ItemRef(account="github", kind="issue", id="acme/api#12")
NOON = datetime(2024, 12, 9, 12, tzinfo=UTC)


def _talk_much(github: GitHub, count: int) -> None:
    issue = github.hub.item("acme/api", 12)
    assert isinstance(issue, RepositoryIssue)
    said = tuple(
        RepositoryComment(author="ann", at=NOON + timedelta(minutes=each), text=f"word {each}")
        for each in range(count)
    )
    github.put(attrs.evolve(issue, comments=said))


@pytest.mark.parametrize(
    ("count", "size"), [(0, 2), (1, 2), (2, 2), (3, 2), (500, 2), (5_000, None)]
)
async def test_every_comment_is_there_once(
    scene: Scene, github: GitHub, count: int, size: int | None
) -> None:
    """None, one, a page, one more than a page, many; in their order."""
    _talk_much(github, count)
    github.conduct = attrs.evolve(github.conduct, page_size=size)
    item = await scene.detail(ISSUE)

    assert [part.content for part in item.thread] == [f"word {each}" for each in range(count)]


async def test_what_was_added_between_two_pages_is_not_read_twice(
    scene: Scene, github: GitHub, talk: Callable[..., Http]
) -> None:
    """Pages are counted from the front: something new pushes the last of a page to the next."""
    github.fail_next(404, path="/graphql")
    pages = {
        "1": b'[{"id": 1, "body": "first"}, {"id": 2, "body": "second"}]',
        "2": b'[{"id": 2, "body": "second"}, {"id": 3, "body": "third"}]',
    }

    def answer(seen: SeenRequest) -> ServerReply:
        if "/comments" not in seen.path:
            return _json(b'{"number": 12}' if seen.method == "GET" else b"{}")
        page = "2" if seen.path.endswith("page=2") else "1"
        link = '</repos/acme/api/issues/12/comments?page=2>; rel="next"' if page == "1" else ""
        return _json(pages[page], link=link)

    async with FaultProxy(answer) as proxy:
        talk(scene, base_url=proxy.url)
        item = await scene.detail(ISSUE)

    assert [part.content for part in item.thread] == ["first", "second", "third"]


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("</repos/acme/api/issues/12/comments?page=2>", "its cursor loops"),
        ("<https://evil.example/next>", "another host, evil.example"),
    ],
)
async def test_a_link_that_leads_astray_is_refused(
    scene: Scene, github: GitHub, talk: Callable[..., Http], link: str, said: str
) -> None:
    """In circles, or to another host, which is not asked."""
    github.fail_next(404, path="/graphql")

    def answer(seen: SeenRequest) -> ServerReply:
        if "/comments" not in seen.path:
            return _json(b'{"number": 12}' if seen.method == "GET" else b"{}")
        return _json(b"[]", link=f'{link}; rel="next"')

    async with FaultProxy(answer) as proxy:
        talk(scene, base_url=proxy.url)
        with pytest.raises(MalformedReply, match=said):
            await scene.detail(ISSUE)


async def test_links_that_are_no_next_page_are_passed_over(scene: Scene, github: GitHub) -> None:
    """The old version of the API says with a link that it ends one day."""
    await scene.detail(ISSUE)

    links = {exchange.response.headers.get("link", "") for exchange in github.exchanges}
    assert any('rel="deprecation"' in link for link in links)
    assert not any("api-versions" in exchange.request.path for exchange in github.exchanges)


def _json(body: bytes, *, link: str = "") -> ServerReply:
    return ServerReply(headers={"content-type": "application/json", "link": link}, body=body)
