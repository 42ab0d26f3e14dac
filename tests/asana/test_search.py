"""Searching, with a paid plan and without one, and who the account is."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import Literal

import pytest
from attrs import evolve
from tests.asana.conftest import KEYS, SIGN_IN, VAULT, WORKSPACE, company, day

import rove_asana
from rove_asana.references import AsanaReferences
from rove_asana.settings import READING, WRITING
from rove_asana.source import AsanaSource
from rove_core import (
    ItemRef,
    LoginRefused,
    Query,
    RateLimited,
    ScopeMissing,
    WrongSetting,
)
from rove_core.http import Caps
from rove_core.testing import Scene, Vendor, VirtualClock
from rove_core.testing.scene import on_stage
from rove_sim import Conduct
from rove_sim.asana import Asana
from rove_sim.company_asana import AsanaPlace, AsanaTask
from rove_sim.server import serve

pytestmark = pytest.mark.anyio

REF = ItemRef(account="asana", kind="task", id=KEYS)


def _paths(workspace: Asana, end: str) -> list[str]:
    paths = (each.request.path for each in workspace.exchanges)
    return [path for path in paths if path.endswith(end)]


async def test_a_search_is_one_request(asana: Scene, workspace: Asana) -> None:
    """Asana gives no pages: fewer tasks than asked for are all."""
    before = len(workspace.exchanges)
    found = await asana.find("keys")

    assert found[0].ref.id == KEYS
    assert len(workspace.exchanges) - before == 1


async def test_many_hits_are_asked_for_by_time(asana: Scene, workspace: Asana) -> None:
    """Also those that changed in the same moment."""
    for number in range(150):
        at = day(20 + number // 10)
        gid, place = str(1_300_000_000_000_000 + number), AsanaPlace(project="Pilot")
        workspace.put(AsanaTask(gid=gid, name="Turn", author="ann", created=at, places=(place,)))
    found = await asana.find("turn")

    assert len({item.ref.id for item in found}) == 150
    assert len(_paths(workspace, "/tasks/search")) < 6


async def test_a_free_plan_is_said_and_searched_by_names(stranger: Scene, workspace: Asana) -> None:
    """And by the words of the tasks in the projects that changed last."""
    workspace.plan = "free"
    await stranger.enter()
    identity = stranger.account.identity
    found = await stranger.find("keys")

    assert identity is not None
    assert identity.reads[0].startswith("Northwind (free plan: searches read names")
    assert [item.ref.id for item in found if item.ref.id in {KEYS, VAULT}] == [KEYS, VAULT]
    assert [item.ref.id for item in await stranger.find("holds")] == [VAULT]


async def test_who_is_in_several_workspaces_chooses(
    northwind: AbstractAsyncContextManager[Vendor], workspace: Asana
) -> None:
    """The message names them, and how."""
    workspace.workspaces = ("Private",)
    (kind,) = rove_asana.rove_sources()
    async with northwind as vendor:
        async with on_stage(kind, vendor, name="asana") as scene:
            with pytest.raises(WrongSetting, match="there are: Northwind, Private") as wrong:
                await scene.enter()
        assert 'set workspace="NAME"' in wrong.value.hint
        chosen = evolve(vendor, settings={"workspace": "Northwind"})
        async with on_stage(kind, chosen, name="asana") as scene:
            await scene.enter()
            assert scene.account.identity is not None
            assert scene.account.identity.workspace == WORKSPACE


async def test_only_the_right_to_read_is_asked_for(workspace: Asana) -> None:
    """Unless the account is to write."""
    (kind,) = rove_asana.rove_sources()
    answers = {
        "client_id": workspace.oauth.client_id,
        "client_secret": workspace.oauth.client_secret,
    }
    async with serve(workspace) as url:
        for writes in (False, True):
            vendor = Vendor(base_url=url, answers=answers, way="oauth", settings={"writes": writes})
            async with on_stage(kind, vendor, name="asana") as scene:
                await scene.enter()
    pages = [each.request.query for each in workspace.exchanges if "authorize" in each.request.path]

    assert [page["scope"].split() for page in pages] == [[*READING], [*READING, *WRITING]]


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (401, LoginRefused, "Asana rejected the login"),
        (403, ScopeMissing, "Asana does not allow this"),
        (429, RateLimited, "too many requests"),
    ],
)
async def test_refusals_are_clear(
    asana: Scene, workspace: Asana, status: int, error: type[Exception], said: str
) -> None:
    """With what to do next."""
    workspace.fail_next(status, times=9)
    with pytest.raises(error, match=said) as refused:
        await asana.detail(REF)

    assert getattr(refused.value, "hint", "")


async def test_limits_are_waited_for(workspace: Asana, connect: Callable[..., AsanaSource]) -> None:
    """As long as Asana says."""
    clock = VirtualClock()
    vendor = Asana(workspace.company, clock=clock, conduct=Conduct(limits=True))
    vendor.plan = "free"
    begin = clock.monotonic()
    async with serve(vendor) as url:
        source = connect(url, clock=clock, caps=Caps(rate_limit=1_000, deadline=500))
        for _ in range(80):
            await source.rove_item_detail(evolve(REF, id=VAULT))

    refused = [each for each in vendor.exchanges if each.response.status == 429]
    assert 0 < len(refused) < 5
    assert clock.monotonic() - begin >= 60


async def test_labels_are_found_by_their_whole_names(asana: Scene) -> None:
    """Among all tasks that changed in the window."""
    found = await asana.find("auth", fields=("labels",), since=day(1))

    assert [item.ref.id for item in found] == [KEYS]
    assert await asana.find("au", fields=("labels",)) == []


@pytest.mark.parametrize("plan", ["paid", "free"])
async def test_a_tag_of_two_words_is_found(
    asana: Scene, workspace: Asana, plan: Literal["free", "paid"]
) -> None:
    """By its name, in whatever case; on the free plan in the projects that changed last."""
    workspace.plan = plan

    found = await asana.find("needs  Review", fields=("labels",))

    assert [item.ref.id for item in found] == [KEYS]


async def test_a_search_keeps_to_its_window(connect: Callable[..., AsanaSource]) -> None:
    """It is told to Asana, a little wider: whether its ends count is not said."""
    vendor = Asana(company())
    query = Query(account="asana", text="sign", since=day(0), until=day(0))
    async with serve(vendor) as url:
        found = [item async for item in connect(url).rove_search(query)]
    asked = vendor.exchanges[-1].request.query

    assert [item.ref.id for item in found] == [SIGN_IN]
    assert asked["modified_at.after"] == (day(0) - timedelta(milliseconds=1)).isoformat()


@pytest.mark.parametrize(
    "text",
    [
        f"https://app.asana.com/1/99/task/{KEYS}",
        f"https://app.asana.example/0/1/{KEYS}",
        f"https://evil.example/?u=app.asana.com/0/1/{KEYS}",
        f"https://app.asana.com/0/inbox/{KEYS}",
        f"a number {KEYS}",
        "XTB-2 TB-2x",
    ],
)
def test_what_names_no_task(text: str) -> None:
    """Tasks of another workspace or site, and bare numbers."""
    assert AsanaReferences("asana", WORKSPACE, ("TB",)).found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"https://app.asana.com/1/{WORKSPACE}/task/{KEYS}",
        f"https://app.asana.com/1/{WORKSPACE}/project/12/task/{KEYS}?focus=true",
        f"https://app.asana.com/1/{WORKSPACE}/project/12/list/34/task/{KEYS}",
        f"https://app.asana.com/0/12/{KEYS}/f",
        f"https://app.asana.com/0/inbox/12/{KEYS}",
    ],
)
def test_pages_of_tasks(text: str) -> None:
    """In the forms that Asana has and had."""
    assert [each.id for each in AsanaReferences("asana", WORKSPACE).found(text)] == [KEYS]


def test_ids_of_custom_fields() -> None:
    """Named alone, and not within an address."""
    mentions = AsanaReferences("asana", WORKSPACE, ("TB",))

    assert [each.id for each in mentions.found("TB-2 and https://a.example/TB-3")] == ["TB-2"]
