"""Whatever goes wrong on the wire, at whichever stage: a word that helps, and nothing is lost."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final
from urllib.parse import urlsplit

import pytest
from tests.asana.conftest import KEYS
from tests.fault_matrix import FaultStage, check_each_fault

from rove_asana.source import AsanaSource
from rove_core import (
    ItemRef,
    ListScope,
    NewAttachment,
    NewComment,
    NewWorkItem,
    Query,
    WorkItemChange,
)
from rove_core.http import Caps
from rove_core.testing import FaultProxy, Vendor, VirtualClock
from rove_core.testing.faults import SeenRequest
from rove_sim import Conduct
from rove_sim.asana import Asana

pytestmark = pytest.mark.anyio

REF: Final = ItemRef(account="asana", kind="task", id=KEYS)
Stage = Callable[[AsanaSource], Awaitable[object]]


async def _identity(source: AsanaSource) -> object:
    return await source.rove_identity()


async def _search(source: AsanaSource) -> object:
    query = Query(account="asana", text="keys")
    return [item async for item in source.rove_search(query)]


async def _detail(source: AsanaSource) -> object:
    return await source.rove_item_detail(REF)


async def _list(source: AsanaSource) -> object:
    scope = ListScope(account="asana")
    changes = [change async for change in source.rove_list(scope)]
    return [change.item for change in changes if change.item]


async def _comment(source: AsanaSource) -> object:
    comment = NewComment(content="Said once", key="matrix-of-asana")
    return (await source.rove_add_comment(REF, comment)).kind


async def _create(source: AsanaSource) -> object:
    new = NewWorkItem(container="Pilot", title="Made once", key="matrix-of-asana")
    return (await source.rove_create_work_item(new)).title


async def _attach(source: AsanaSource) -> object:
    file = NewAttachment(name="once.txt", content=b"once", key="matrix-of-asana")
    return (await source.rove_add_attachment(REF, file)).kind


async def _change(source: AsanaSource) -> object:
    work = await source.rove_change_work_item(REF, WorkItemChange(title="Turn keys"))
    return work.title, work.status, work.labels


def _any(_: SeenRequest) -> bool:
    return True


def _goes_on(seen: SeenRequest) -> bool:
    return "offset=" in seen.path


def _writes(seen: SeenRequest) -> bool:
    return seen.method in {"POST", "PUT"}


def _reads(seen: SeenRequest) -> bool:
    return not _writes(seen)


STAGES: Final = {
    "identity": (_identity, _any),
    "search": (_search, _any),
    "a detail's next page": (_detail, _goes_on),
    "a listing's next page": (_list, _goes_on),
    "before a comment": (_comment, _reads),
    "a comment": (_comment, _writes),
    "before a new task": (_create, _reads),
    "a new task": (_create, _writes),
    "before a file": (_attach, _reads),
    "a file": (_attach, _writes),
    "before a change": (_change, _reads),
    "a change": (_change, _writes),
}


@pytest.fixture
async def proxy(northwind: AbstractAsyncContextManager[Vendor]) -> AsyncIterator[FaultProxy]:
    """Give what stands between the source and the workspace."""
    async with northwind as vendor:
        parts = urlsplit(vendor.base_url)
        assert parts.hostname is not None
        assert parts.port is not None
        async with FaultProxy((parts.hostname, parts.port)) as proxy:
            yield proxy


@pytest.mark.parametrize("stage", STAGES)
async def test_each_fault_ends_in_time_and_heals_without_loss(
    proxy: FaultProxy, connect: Callable[..., AsanaSource], workspace: Asana, stage: str
) -> None:
    """While it lasts there is a typed error or the right answer; afterwards all is there, once."""
    ask, when = STAGES[stage]
    clock = VirtualClock()
    workspace.conduct = Conduct(page_size=1)  # so that each listing has a next page

    def connected(caps: Caps | None = None) -> AsanaSource:
        return connect(proxy.url, **({"clock": clock, "caps": caps} if caps else {}))

    before, known = workspace.task(KEYS), {*workspace.workspace.tasks}

    def reset() -> None:
        tasks = workspace.workspace.tasks
        for gid in {*tasks} - known:
            del tasks[gid]
        tasks[KEYS] = before

    def check(fault: str) -> None:
        task, tasks = workspace.task(KEYS), workspace.workspace.tasks
        said = [each.text for each in task.stories if "Said once" in each.text]
        files = [each.name for each in task.attachments if each.name == "once.txt"]
        made = [each.name for each in tasks.values() if each.name == "Made once"]
        counts = (len(said), len(files), len(made))
        assert counts == (ask is _comment, ask is _attach, ask is _create), fault

    await check_each_fault(proxy, FaultStage(ask, when, reset, check), connected, clock)
