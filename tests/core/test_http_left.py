"""No more requests leave together than the vendor said are left."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

import pytest

from rove_core.errors import RateLimited
from rove_core.http import Http, Reply
from rove_core.http.retry_after import RemainingRequests, remaining_requests
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import FaultProxy, SeenRequest, ServerReply

pytestmark = pytest.mark.anyio

MakeHttp: TypeAlias = Callable[..., Http]


async def test_no_request_is_one_too_many(client: MakeHttp) -> None:
    """With four under way at once, the vendor never has to refuse one."""
    clock = VirtualClock()
    asked: list[float] = []

    def answer(_: SeenRequest) -> ServerReply:
        asked.append(clock.monotonic())
        window, left = clock.monotonic() // 60, 10 - len(asked) % 10
        ends = int(clock.now().timestamp() - clock.monotonic() + 60 * (window + 1))
        headers = {"x-ratelimit-remaining": str(left % 10), "x-ratelimit-reset": str(ends)}
        return ServerReply(headers={"content-type": "application/json", **headers})

    async with FaultProxy(answer) as proxy:
        http = client(proxy.url, clock=clock)
        await asyncio.gather(*(http.get("thing", deadline=600) for _ in range(35)))

    assert [sum(at // 60 == window for at in asked) for window in range(4)] == [10, 10, 10, 5]


async def test_an_error_knows_the_least_wait(client: MakeHttp) -> None:
    """What the vendor did not say, the source may: nothing is asked before that."""
    clock = VirtualClock()
    async with FaultProxy() as proxy:
        http = client(proxy.url, clock=clock).reading(lambda _: RateLimited("no", at_least=60))
        for _ in range(2):
            with pytest.raises(RateLimited) as caught:
                await http.get("thing")
            assert caught.value.retry_at
            assert (caught.value.retry_at - clock.now()).total_seconds() == 60

    assert len(proxy.requests) == 1


@pytest.mark.parametrize(
    ("headers", "left"),
    [
        ({}, None),
        ({"x-ratelimit-remaining": "7", "x-ratelimit-reset": "5"}, RemainingRequests(7, "5")),
        ({"x-ratelimit-remaining": "-1"}, None),
        ({"x-ratelimit-remaining": "9" * 400}, None),
        ({"ratelimit-remaining": "3", "x-ratelimit-remaining": "4"}, RemainingRequests(3, "")),
    ],
)
def test_what_is_left_is_told_by_headers(
    headers: dict[str, str], left: RemainingRequests | None
) -> None:
    """The smallest number counts; what is none does not."""
    assert remaining_requests(Reply(200, "https://api.example", headers, b"")) == left


def test_a_reply_that_was_overtaken_does_not_count() -> None:
    """Within one window there are never more left than before; in the next there are."""
    assert RemainingRequests(5, "a").after(RemainingRequests(3, "a")) == RemainingRequests(3, "a")
    assert RemainingRequests(2, "a").after(RemainingRequests(3, "a")) == RemainingRequests(2, "a")
    assert RemainingRequests(9, "b").after(RemainingRequests(3, "a")) == RemainingRequests(9, "b")
    assert RemainingRequests(9, "b").after(None) == RemainingRequests(9, "b")
