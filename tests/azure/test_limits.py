"""Azure counts what requests cost: it asks to wait in good replies, then refuses."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest
from tests.azure.conftest import company

from rove_azure.source import AzureSource
from rove_core import ItemRef, RateLimited
from rove_core.http import Caps
from rove_core.testing import Vendor, VirtualClock
from rove_sim import Conduct
from rove_sim.azure import AzureDevOps
from rove_sim.server import serve

pytestmark = pytest.mark.anyio

REF = ItemRef(account="azure", kind="ticket", id="2")


async def test_a_good_reply_may_ask_to_wait(connect: Callable[..., AzureSource]) -> None:
    """Rove waits as long before the next request, and is never refused."""
    clock = VirtualClock()
    azure = AzureDevOps(company(), clock=clock, conduct=Conduct(limits=True))
    async with serve(azure) as url:
        caps = Caps(rate_limit=10_000, deadline=100_000)
        source = connect(f"{url}/northwind", clock=clock, caps=caps)
        began = clock.monotonic()
        for _ in range(60):
            await source.rove_item_detail(REF)
    answers = [each.response for each in azure.exchanges]
    delayed = [each for each in answers if "retry-after" in each.headers]

    assert {each.status for each in answers} == {200}
    assert len(answers) > 200
    assert len(delayed) > 1
    # Those that were under way at once wait at once.
    assert clock.monotonic() - began >= 5 * len(delayed) / 4


async def test_a_blocked_request_is_a_limit(
    organization: AzureDevOps,
    northwind: AbstractAsyncContextManager[Vendor],
    connect: Callable[..., AzureSource],
) -> None:
    """Whatever its status: the words say so."""
    organization.fail_next(429, times=99)
    async with northwind as vendor:
        source = connect(vendor.base_url, clock=VirtualClock(), caps=Caps(deadline=30))
        with pytest.raises(RateLimited, match="asks to wait: TF400733"):
            await source.rove_item_detail(REF)
