"""All simulators together."""

import asyncio
import re
import sys
from pathlib import Path

import httpx
import pytest

from rove_core.testing import VirtualClock
from rove_sim import Company, Conduct, running
from rove_sim.limits import Limit, Limiter
from rove_sim.testing import rove_company, rove_conduct, rove_world
from rove_sim.world import World

__all__ = ["rove_company", "rove_conduct", "rove_world"]

pytestmark = pytest.mark.anyio


async def test_each_answers_at_a_place_of_its_own(company: Company) -> None:
    """And they can be asked, changed and made to fail one by one."""
    async with running(company) as world, httpx.AsyncClient(trust_env=False) as client:
        headers = {"authorization": f"Bearer {world.company.token}"}
        url = f"{world.urls['slack']}/api/auth.test"
        world.slack.fail_next(500)
        first, second = [await client.get(url, headers=headers) for _ in range(2)]

    kinds = {"jira", "slack", "github", "linear", "asana", "azure"}
    assert set(world.urls) == kinds == set(world.vendors)
    assert [first.status_code, second.status_code] == [500, 200]
    assert len(world.slack.exchanges) == 2


async def test_each_behaves_in_its_own_way(company: Company) -> None:
    """What is asked for all of them at first can be changed for one."""
    async with running(company, conduct=Conduct(page_size=3)) as world:
        world.jira.conduct = Conduct(page_size=7)

    assert (world.jira.conduct.page_size, world.slack.conduct.page_size) == (7, 3)


async def test_what_was_asked_wrongly_is_known(company: Company) -> None:
    """In one list, for a test to look at."""
    async with running(company) as world, httpx.AsyncClient(trust_env=False) as client:
        await client.get(f"{world.urls['jira']}/rest/api/9/nothing")

    assert world.refused == ["jira: GET /rest/api/9/nothing: there is no such method or path"]


async def test_the_fixture_pages_by_two(rove_world: World) -> None:
    """So that no test of a plugin passes without paging."""
    assert rove_world.github.conduct.page_size == 2


async def test_latency_is_on_the_clock(company: Company, clock: VirtualClock) -> None:
    """Each reply takes its time, without taking any."""
    conduct = Conduct(latency=0.2)
    async with (
        running(company, clock=clock, conduct=conduct) as world,
        httpx.AsyncClient(trust_env=False) as client,
    ):
        for _ in range(3):
            await client.get(f"{world.urls['jira']}/_edge/tenant_info")

    assert clock.monotonic() == pytest.approx(0.6)


async def test_run_as_a_program(tmp_path: Path) -> None:
    """It tells the addresses and the login, and runs until it is stopped."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "rove_sim", "--ports", "0,0"),
        stdout=asyncio.subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdout
    told = b"".join([await process.stdout.readline() for _ in range(7)]).decode()
    process.terminate()
    await process.communicate()

    assert re.findall(r"^(\w+) +http://127", told, re.MULTILINE) == [
        *("jira", "slack", "github", "linear")
    ]
    assert re.search(r"^token +sample-token-of-northwind$", told, re.MULTILINE)


def test_a_limit_counts_by_key(clock: VirtualClock) -> None:
    """A window begins with its first request; what is refused is not counted."""
    limiter, limit = Limiter(clock), Limit(2, 60)
    first, second, refused = [limiter.take(("a",), limit) for _ in range(3)]
    clock.advance(59)
    late, other = limiter.take(("a",), limit), limiter.take(("b",), limit)
    clock.advance(1)

    assert [first.remaining, second.remaining, refused.remaining] == [1, 0, 0]
    assert [first.wait, refused.wait, late.wait, other.wait] == [0, 60, 1, 0]
    assert limiter.take(("a",), limit).wait == 0
    assert refused.reset_at == late.reset_at
