"""GitHub's limits are kept, and what they delay arrives."""

import json
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest

from rove_core import Http, ItemRef, RateLimited
from rove_core.http import Caps, MemoryCache
from rove_core.testing import Scene, VirtualClock
from rove_core.testing.faults import FaultProxy, ServerReply
from rove_sim.company import Company
from rove_sim.conduct import Conduct
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio

Talk: TypeAlias = Callable[..., Http]
Limited: TypeAlias = Callable[[ServerReply], Awaitable[tuple[list[float], int]]]

PULL = ItemRef(account="github", kind="pr", id="acme/api#847")


@pytest.fixture
def github(company: Company, clock: VirtualClock) -> GitHub:
    """Give a GitHub that keeps its limits, on the clock of who asks."""
    return GitHub(company, clock=clock, conduct=Conduct(limits=True))


@pytest.fixture
def scene(scene: Scene, talk: Talk) -> Scene:
    """Give an account with the limits that it has unless somebody sets others."""
    talk(scene, caps=Caps(rate_limit=scene.account.settings.rate_limit))
    return scene


@pytest.fixture
def limited(scene: Scene, clock: VirtualClock, talk: Talk) -> Limited:
    """Give a way to ask twice who always answers the same: the waits, and how often it heard."""

    async def ask(answer: ServerReply) -> tuple[list[float], int]:
        waits = []
        async with FaultProxy(answer) as proxy:
            talk(scene, base_url=proxy.url)
            for _ in range(2):
                with pytest.raises(RateLimited) as caught:
                    await scene.awaited("rove_identity")
                assert caught.value.retry_at
                waits.append((caught.value.retry_at - clock.now()).total_seconds())
            return waits, len(proxy.requests)

    return ask


async def _patiently(clock: VirtualClock, ask: Callable[[], Awaitable[list[str]]]) -> list[str]:
    """Return an answer; who is told to come back later does."""
    while True:
        try:
            return await ask()
        except RateLimited as error:
            until = error.retry_at or clock.now()
        assert until > clock.now(), "nobody said until when"
        await clock.sleep((until - clock.now()).total_seconds())


def _refusals(github: GitHub) -> list[int]:
    return [each.response.status for each in github.exchanges if each.response.status >= 400]


async def test_forty_searches_never_go_beyond_a_limit(
    scene: Scene, github: GitHub, clock: VirtualClock
) -> None:
    """GitHub takes thirty searches a minute; it never has to refuse one."""

    async def look() -> list[str]:
        return [item.ref.id for item in await scene.find("TB-123")]

    found = [await _patiently(clock, look) for _ in range(40)]

    assert {len(each) for each in found} == {3}
    assert _refusals(github) == []
    assert clock.monotonic() > 60


async def test_whole_items_keep_the_limits_too(
    scene: Scene, github: GitHub, clock: VirtualClock
) -> None:
    """A hundred and fifty pull requests are more than GitHub answers in a minute."""

    async def read() -> list[str]:
        return [part.content for part in (await scene.detail(PULL)).thread]

    read_ = [await _patiently(clock, read) for _ in range(150)]

    assert {len(each) for each in read_} == {8}
    assert _refusals(github) == []


@pytest.mark.parametrize("status", [403, 429])
async def test_everything_arrives_though_every_tenth_is_refused(
    scene: Scene, github: GitHub, clock: VirtualClock, status: int
) -> None:
    """A secondary limit has either status; whoever waits as told gets it all."""
    github.conduct = Conduct(failing=0.1, failing_status=status, page_size=2)

    async def look() -> list[str]:
        return [item.ref.id for item in await scene.find("TB-123")]

    async def read() -> list[str]:
        return [part.content for part in (await scene.detail(PULL)).thread]

    for _ in range(20):
        assert len(await _patiently(clock, look)) == 3
        assert len(await _patiently(clock, read)) == 8
    assert status in _refusals(github)


def _limited(status: int, said: str, **headers: str) -> ServerReply:
    told = {name.replace("_", "-"): text for name, text in headers.items()}
    body = json.dumps({"message": said}).encode()
    return ServerReply(
        status=status, headers={"content-type": "application/json", **told}, body=body
    )


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize(
    ("said", "headers", "seconds"),
    [
        ("You have exceeded a secondary rate limit.", {}, 60),
        ("You have triggered an abuse detection mechanism.", {}, 60),
        ("You have exceeded a secondary rate limit.", {"retry_after": "90"}, 90),
        ("Used up.", {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1767226500"}, 900),
    ],
)
async def test_a_limit_says_until_when(
    limited: Limited, status: int, said: str, headers: dict[str, str], seconds: int
) -> None:
    """As told; a minute at least when it is not told. Nothing is asked before that."""
    waits, requests = await limited(_limited(status, said, **headers))

    assert waits == [seconds, seconds]
    assert requests == 1


async def test_a_limit_of_searches_leaves_the_rest_alone(scene: Scene, github: GitHub) -> None:
    """GitHub counts searches apart from all else, and so does Rove."""
    github.fail_next(429, times=99, path="/search")
    github.conduct = Conduct()
    with pytest.raises(RateLimited):
        await scene.find("TB-123")

    assert (await scene.detail(PULL)).ref.id == PULL.id


async def test_what_has_not_changed_is_not_sent_again(
    scene: Scene, github: GitHub, talk: Talk
) -> None:
    """The second time GitHub need only say that nothing has changed, which is free."""
    http = talk(scene, cache=MemoryCache())
    before = await scene.detail(PULL)
    asked = len(github.exchanges)

    assert await scene.detail(PULL) == before
    assert http.counts.not_modified == len(github.exchanges) - asked - 1
