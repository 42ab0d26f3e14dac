"""However much is asked, Slack's limits are kept; on a clock that obeys, so nobody waits."""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta

import attrs
import pytest

from rove_core import Query, RateLimited
from rove_core.http import Caps
from rove_core.testing import VirtualClock
from rove_sim import Conduct
from rove_sim.company import Company
from rove_sim.company_slack import SlackMessage
from rove_sim.server import serve
from rove_sim.slack import Slack
from rove_slack.source import SlackSource

pytestmark = pytest.mark.anyio

Connect = Callable[..., SlackSource]
IDS = [f"TB-{number}" for number in range(1, 41)]


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock that the workspace and the source share."""
    return VirtualClock()


@pytest.fixture
def company(company: Company, clock: VirtualClock) -> Company:
    """Give a workspace in which somebody wrote of forty tickets, and somebody answered."""
    messages = []
    for number, name in enumerate(IDS):
        at = clock.now() - timedelta(days=1, minutes=number)
        answer = SlackMessage(author="robin", at=at + timedelta(seconds=9), text="Yes.")
        asked = SlackMessage(
            channel="backend-team", author="sarah", at=at, text=f"{name}?", replies=(answer,)
        )
        messages.append(asked)
    return attrs.evolve(company, messages=tuple(messages))


@pytest.fixture
def limited(company: Company, clock: VirtualClock) -> Slack:
    """Give a workspace that keeps Slack's limits."""
    return Slack(company, clock=clock, conduct=Conduct(page_size=2, limits=True))


@pytest.fixture
async def place(limited: Slack, clock: VirtualClock) -> AsyncIterator[str]:
    """Serve that workspace."""
    async with serve(limited, clock=clock) as base_url:
        yield base_url


@pytest.fixture
def source(connect: Connect, place: str, clock: VirtualClock) -> SlackSource:
    """Give an account as it comes, that does not give up soon."""
    return connect(place, clock=clock, caps=Caps(rate_limit=50, attempts=6))


async def _all(source: SlackSource) -> list[str]:
    """Search for forty tickets, and read each thread that names one."""
    found = []
    for name in IDS:
        query = Query(account="slack", text=name)
        for ref in [item.ref async for item in source.rove_search(query)]:
            item = await source.rove_item_detail(ref)
            found.append(f"{item.content} {item.thread[0].content}")
    return found


def _refusals(slack: Slack) -> int:
    return [each.response.status for each in slack.exchanges].count(429)


@pytest.mark.parametrize("why", ["", "feature_not_enabled"])
async def test_forty_tickets_stay_below_every_limit(
    source: SlackSource, limited: Slack, why: str
) -> None:
    """As it comes, a source never asks once too often, by either search."""
    limited.search_error = why

    assert await _all(source) == [f"{name}? Yes." for name in IDS]
    assert _refusals(limited) == 0


async def test_a_user_who_allows_more_is_held_by_slacks_tiers(
    connect: Connect, place: str, limited: Slack, clock: VirtualClock
) -> None:
    """However high the rate limit is set, a search goes twenty times a minute."""
    limited.search_error = "feature_not_enabled"
    source = connect(place, clock=clock, caps=Caps(rate_limit=10_000))

    assert len(IDS) == len(await _all(source))
    assert _refusals(limited) == 0
    assert clock.monotonic() >= 60


@pytest.fixture(params=range(3))
def failing(request: pytest.FixtureRequest) -> Conduct:
    """Give what refuses every tenth request, each time others."""
    return Conduct(page_size=2, limits=True, failing=0.1, seed=request.param)


@pytest.mark.parametrize("why", ["", "feature_not_enabled"])
async def test_all_arrives_though_each_tenth_is_refused(
    source: SlackSource, limited: Slack, failing: Conduct, why: str
) -> None:
    """A refusal costs time and no message."""
    limited.search_error = why
    limited.conduct = failing

    assert await _all(source) == [f"{name}? Yes." for name in IDS]
    assert _refusals(limited) > 0


async def test_a_limit_says_when_it_ends(
    source: SlackSource, limited: Slack, clock: VirtualClock
) -> None:
    """Slack says in how many seconds it may be asked again."""
    limited.restricted = True
    (item,) = [item async for item in source.rove_search(Query(account="slack", text="TB-1"))]
    await source.rove_item_detail(item.ref)
    with pytest.raises(RateLimited) as caught:
        await source.rove_item_detail(item.ref)

    assert caught.value.retry_at is not None
    assert clock.now() < caught.value.retry_at <= clock.now() + timedelta(seconds=60)
