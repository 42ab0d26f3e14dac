"""A ticket's parent, set and cleared by ``rove ticket set`` at each of the five trackers."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.memory.office import ask
from tests.memory.trackers import connected, five_trackers, written

from rove_core import ItemRef, NewWorkItem, Project, Trackers, WrongCall
from rove_sim import World, running

#: Where each tracker keeps items, and what can be above another one there.
CONTAINERS = {
    "jira": ("TB", "epic"),
    "linear": ("OPS", "ticket"),
    "github": ("northwind/backend", "ticket"),
    "asana": ("Pilot", "ticket"),
    "azure": ("Web", "epic"),
}


def _with_all(folder: Path, day: Any) -> Any:  # noqa: ANN401  # whatever the day returns
    async def spent() -> Any:  # noqa: ANN401  # the same
        async with running(five_trackers()) as world, connected(folder, world) as (rove, refs):
            return await day(rove, refs, world)

    return asyncio.run(spent())


async def _created(rove: Project, account: str, number: int) -> ItemRef:
    container, kind = CONTAINERS[account]
    new = NewWorkItem(
        container=container,
        title=f"Parent {number}",
        type=kind,  # type: ignore[arg-type]  # one of its values
        key=f"parent-of-others-{number}",
    )
    return (await Trackers(rove.accounts).create(account, new)).ref


def test_a_parent_is_set_and_cleared_at_each_tracker(tmp_path: Path) -> None:
    """The tracker has it then, and no longer; what was written is read back."""

    async def day(rove: Project, refs: list[ItemRef], _: World) -> dict[str, list[str]]:
        seen: dict[str, list[str]] = {}
        for ref in refs:
            parent = await _created(rove, ref.account, 1)
            name = written(ref)
            for change in ({"parent": written(parent)}, {"clear": ["parent"]}):
                told = await ask(rove, "update_ticket", identifier=name, **change)
                assert told["unsent"] == []
                now = await Trackers(rove.accounts).item(ref)
                named = now.parent.id if now.parent else ""
                seen.setdefault(ref.account, []).append("set" if named == parent.id else named)
        return seen

    assert _with_all(tmp_path, day) == {name: ["set", ""] for name in CONTAINERS}


def test_a_parent_of_another_account_is_refused(tmp_path: Path) -> None:
    """So is the ticket itself; nothing is sent."""

    async def day(rove: Project, refs: list[ItemRef], world: World) -> int:
        by_account = {ref.account: ref for ref in refs}
        name = written(by_account["jira"])
        before = len(world.jira.exchanges)
        with pytest.raises(WrongCall, match="is in github, and"):
            await ask(rove, "update_ticket", identifier=name, parent=written(by_account["github"]))
        with pytest.raises(WrongCall, match="cannot be its own parent"):
            await ask(rove, "update_ticket", identifier=name, parent=name)
        return len(world.jira.exchanges) - before

    assert _with_all(tmp_path, day) == 0
