"""Whatever goes wrong on the wire, at whatever step: nothing hangs, nothing is lost or doubled."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TypeAlias
from urllib.parse import urlsplit

import attrs
import pytest
from tests.fault_matrix import HASTY

from rove_core import Http, ItemRef, RoveError
from rove_core.plugins.calls import blame
from rove_core.testing import FAULTS, FaultProxy, Scene

Talk: TypeAlias = Callable[..., Http]

pytestmark = pytest.mark.anyio

PULL = ItemRef(account="github", kind="pr", id="acme/api#847")
#: For each step of a source where something goes wrong.
STAGES: dict[str, str | tuple[str, ...]] = {
    "identity": "/user",
    "search": ("/graphql", "/search/issues", "/search/commits"),
    "detail": "/comments",
    "around it": "/graphql",
}


@pytest.fixture
async def proxy(scene: Scene) -> AsyncIterator[FaultProxy]:
    """Give what stands between the account and GitHub."""
    address = urlsplit(scene.account.base_url)
    async with FaultProxy((str(address.hostname), address.port or 0)) as between:
        yield between


async def _read(scene: Scene, stage: str) -> list[str]:
    match stage:
        case "identity":
            return [(await scene.awaited("rove_identity")).name]
        case "search":
            return [item.ref.id for item in await scene.find("TB-123")]
        case _:
            item = await scene.detail(PULL)
            return [item.content, *(part.content for part in item.thread)]


async def _outcome(scene: Scene, stage: str) -> list[str] | RoveError:
    try:
        async with asyncio.timeout(60):
            return await _read(scene, stage)
    except RoveError as error:
        return blame("github", error)  # as the core does with whatever a source raises


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", sorted(FAULTS))
async def test_a_fault_costs_an_error_and_no_more(
    scene: Scene, proxy: FaultProxy, talk: Talk, name: str, stage: str
) -> None:
    """It ends by the deadline with all there is, or with an error of ours that names the account.

    Once it is over, all is there again, each thing once.
    """
    whole = await _read(scene, stage)
    assert scene.credential
    scene.credential = attrs.evolve(scene.credential, hosts=(proxy.host,))
    is_over = False
    proxy.play(
        FAULTS[name],
        times=None,
        when=lambda seen: not is_over and seen.path.partition("?")[0].endswith(STAGES[stage]),
    )
    talk(scene, base_url=proxy.url, caps=HASTY)
    outcome = await _outcome(scene, stage)
    is_over = True
    talk(scene, base_url=proxy.url)

    assert outcome == whole or isinstance(outcome, RoveError)
    assert not isinstance(outcome, RoveError) or (outcome.account == "github" and outcome.hint)
    assert await _read(scene, stage) == whole
    paths = [seen.path.partition("?")[0] for seen in proxy.requests]
    assert any(path.endswith(STAGES[stage]) for path in paths), "no request is one that goes wrong"
