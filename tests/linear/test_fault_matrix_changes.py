"""Each fault while an issue is changed: a word that helps, and nothing is lost or doubled."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import pytest
from tests.fault_matrix import FaultStage, check_each_fault

from rove_core import ItemRef, NewAttachment, NewComment, NewWorkItem, WorkItemChange
from rove_core.http import Caps
from rove_core.plugins.calls import answer
from rove_core.testing import FaultProxy, Vendor, VirtualClock
from rove_core.testing.faults import SeenRequest
from rove_linear.source import LinearSource
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio

Call: TypeAlias = Callable[[LinearSource], Awaitable[object]]

REF: Final = ItemRef(account="linear", kind="ticket", id="TB-2")


async def _change(source: LinearSource) -> object:
    change = WorkItemChange(title="Turn keys", status="Todo", labels=("auth",))
    work = await source.rove_change_work_item(REF, change)
    return work.title, work.status, work.labels


async def _comment(source: LinearSource) -> object:
    comment = NewComment(content="Said once", key="matrix-of-linear")
    return (await source.rove_add_comment(REF, comment)).kind


async def _create(source: LinearSource) -> object:
    new = NewWorkItem(container="TB", title="Made once", key="matrix-of-linear")
    return (await source.rove_create_work_item(new)).title


async def _attach(source: LinearSource) -> object:
    file = NewAttachment(name="once.txt", content=b"once", key="matrix-of-linear")
    return (await source.rove_add_attachment(REF, file)).kind


CALLS: Final = {"change": _change, "comment": _comment, "new issue": _create, "file": _attach}


def _writes(seen: SeenRequest) -> bool:
    return seen.method == "PUT" or rb"\nmutation " in seen.body


def _reads(seen: SeenRequest) -> bool:
    return not _writes(seen)


STAGES: Final = {
    f"{name}, {when}": (call, is_hit)
    for name, call in CALLS.items()
    for when, is_hit in (("before", _reads), ("sent", _writes))
}


@pytest.fixture
async def proxy(northwind: AbstractAsyncContextManager[Vendor]) -> AsyncIterator[FaultProxy]:
    """Give what stands between the source and the workspace."""
    async with northwind as vendor:
        parts = urlsplit(vendor.base_url)
        async with FaultProxy((str(parts.hostname), parts.port or 0)) as proxy:
            yield proxy


@pytest.mark.parametrize("stage", STAGES)
async def test_a_fault_of_a_change_loses_and_doubles_nothing(
    proxy: FaultProxy, connect: Callable[..., LinearSource], workspace: Linear, stage: str
) -> None:
    """While it lasts there is a typed error or the right answer; afterwards all is there, once."""
    call, when = STAGES[stage]
    clock = VirtualClock()
    before, known = workspace.issue("TB-2"), {*workspace.identifiers}

    def connected(caps: Caps | None = None) -> LinearSource:
        return connect(proxy.url, **({"clock": clock, "caps": caps} if caps else {}))

    async def as_called(source: LinearSource) -> object:
        return await answer("linear", lambda: call(source), deadline=60)

    def reset() -> None:
        for name in {*workspace.identifiers} - known:
            workspace.remove(name)
        workspace.put(before)

    def check(fault: str) -> None:
        issue = workspace.issue("TB-2")
        said = [each for each in issue.comments if "Said once" in each.text]
        files = [each for each in issue.attachments if each.title == "once.txt"]
        new = {*workspace.identifiers} - known
        counts = (len(said), len(files), len(new))
        assert counts == (call is _comment, call is _attach, call is _create), fault

    await check_each_fault(proxy, FaultStage(as_called, when, reset, check), connected, clock)
