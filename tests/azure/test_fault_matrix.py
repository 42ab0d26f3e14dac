"""Whatever goes wrong on the wire, at whichever stage: a word that helps, and nothing is lost."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final
from urllib.parse import urlsplit

import pytest
from tests.fault_matrix import HASTY

from rove_azure.source import AzureSource
from rove_core import (
    ItemRef,
    ListScope,
    NewAttachment,
    NewComment,
    NewWorkItem,
    Query,
    RoveError,
    WorkItemChange,
)
from rove_core.testing import FAULTS, FaultProxy, Vendor, VirtualClock
from rove_core.testing.faults import SeenRequest
from rove_sim.azure import AzureDevOps

pytestmark = pytest.mark.anyio

REF: Final = ItemRef(account="azure", kind="ticket", id="2")
SAID: Final = NewComment(content="Said once", key="rove-test-0001")
Stage = Callable[[AzureSource], Awaitable[object]]


async def _identity(source: AzureSource) -> object:
    return await source.rove_identity()


async def _search(source: AzureSource) -> object:
    query = Query(account="azure", text="vault")
    return [item async for item in source.rove_search(query)]


async def _detail(source: AzureSource) -> object:
    return await source.rove_item_detail(REF)


async def _list(source: AzureSource) -> object:
    scope = ListScope(account="azure")
    return [change.item async for change in source.rove_list(scope) if change.item]


async def _change(source: AzureSource) -> object:
    return (await source.rove_change_work_item(REF, WorkItemChange(title="New"))).title


async def _comment(source: AzureSource) -> object:
    return (await source.rove_add_comment(REF, SAID)).kind


async def _create(source: AzureSource) -> object:
    new = NewWorkItem(container="Tracker", title="Made once", key="rove-test-0001")
    return (await source.rove_create_work_item(new)).title


async def _attach(source: AzureSource) -> object:
    file = NewAttachment(name="once.txt", content=b"once", key="rove-test-0001")
    return (await source.rove_add_attachment(REF, file)).kind


def _any(_: SeenRequest) -> bool:
    return True


def _on(part: str) -> Callable[[SeenRequest], bool]:
    return lambda seen: part in seen.path


def _writes(seen: SeenRequest) -> bool:
    is_question = any(part in seen.path for part in ("/wiql", "workitemsbatch"))
    return seen.method in {"PATCH", "POST"} and not is_question


def _reads(seen: SeenRequest) -> bool:
    return not _writes(seen)


STAGES: Final = {
    "identity": (_identity, _any),
    "search": (_search, _any),
    "the work items of a search": (_search, _on("workitemsbatch")),
    "detail": (_detail, _any),
    "a discussion's next page": (_detail, _on("continuationToken=")),
    "a history's next page": (_detail, _on("skip=2")),
    "listing": (_list, _any),
    "the log of revisions": (_list, _on("workitemrevisions")),
    "before a change": (_change, _reads),
    "a change": (_change, _writes),
    "before a comment": (_comment, _reads),
    "a comment": (_comment, _writes),
    "before a new work item": (_create, _reads),
    "a new work item": (_create, _writes),
    "before a file": (_attach, _reads),
    "a file": (_attach, _writes),
}
WRITING: Final = (_change, _comment, _create, _attach)


@pytest.fixture
async def proxy(northwind: AbstractAsyncContextManager[Vendor]) -> AsyncIterator[FaultProxy]:
    """Give what stands between the source and the organization."""
    async with northwind as vendor:
        parts = urlsplit(vendor.base_url)
        assert parts.hostname is not None
        assert parts.port is not None
        async with FaultProxy((parts.hostname, parts.port)) as proxy:
            yield proxy


@pytest.mark.parametrize("stage", STAGES)
async def test_a_fault_ends_in_time_and_heals_without_loss(
    proxy: FaultProxy,
    connect: Callable[..., AzureSource],
    organization: AzureDevOps,
    stage: str,
) -> None:
    """While it lasts there is a typed error or the right answer; afterwards all is there, once."""
    ask, when = STAGES[stage]
    address = f"{proxy.url}/northwind"
    before, known = organization.item(2), {*organization.board.items}
    expected = await ask(connect(address))
    hits: list[SeenRequest] = []

    def is_hit(seen: SeenRequest) -> bool:
        hits.extend([seen] * when(seen))
        return when(seen)

    for name in sorted(FAULTS):
        for number in {*organization.board.items} - known:
            organization.board.remove(number)
        organization.put(before)
        source = connect(address, clock=VirtualClock(), caps=HASTY)
        proxy.play(FAULTS[name], times=None, when=is_hit)
        async with asyncio.timeout(60):
            meanwhile = await _outcome(ask, source)
        proxy.stop()

        assert meanwhile == expected or _helps(meanwhile), (name, meanwhile)
        if ask in WRITING:
            # On a busy machine even the right answer may take longer than the deadline.
            assert await _outcome(ask, connect(address)) == expected, name
            item, items = organization.item(2), organization.board.items
            said = [each for each in item.comments if "Said once" in each.text]
            files = [each for each in item.attached if each.name == "once.txt"]
            counts = (len(said), len(files), len({*items} - known))
            assert counts == (ask is _comment, ask is _attach, ask is _create), name
    assert hits, "no request was among those that go wrong"
    assert await _outcome(ask, connect(address)) == expected


async def _outcome(ask: Stage, source: AzureSource) -> object:
    try:
        return await ask(source)
    except RoveError as error:
        return error


def _helps(outcome: object) -> bool:
    """Tell whether it is an error that says what to do; Rove itself adds the account's name."""
    return isinstance(outcome, RoveError) and bool(outcome.hint)
