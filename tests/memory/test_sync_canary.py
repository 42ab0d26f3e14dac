"""What never leaves: a canary in all that is private, and every request to five trackers."""

import asyncio
from pathlib import Path
from typing import Any, Final

from tests.memory.operating import OPERATIONS
from tests.memory.trackers import TRACKERS, connected, five_trackers, written

from rove_core import ItemRef, Project, Trackers
from rove_sim import World, running

CANARY: Final = "kingfisher-8d1f"
COMMENT: Final = "Began with this one"


def test_private_words_are_in_no_request(tmp_path: Path) -> None:
    """Memories, plans, notes, evidence and criteria stay; a status and its comment arrive."""

    async def day() -> tuple[list[str], dict[str, str]]:
        async with (
            running(five_trackers()) as world,
            connected(tmp_path, world) as (rove, refs),
        ):
            changed = [await _work_on(rove, ref) for ref in refs]
            await _ask(rove, "sync_pull", full=True)
            await _ask(rove, "sync_push", force=True)
            return changed, _requests(world)

    changed, requests = asyncio.run(day())

    assert sorted(changed) == sorted(TRACKERS)
    for account in changed:
        assert COMMENT in requests[account], f"the check of the check: {account}"
    assert [name for name, text in requests.items() if CANARY in text] == []


async def _work_on(rove: Project, ref: ItemRef) -> str:
    """Spend a session on a ticket with private words in all that can hold some."""
    name = ref.id
    await _ask(rove, "get_ticket", identifier=written(ref))
    await _ask(rove, "session_start", external_item_id=name)
    await _ask(
        rove, "memory_store", key=f"{CANARY}-{ref.account}", content=CANARY, memory_type="decision"
    )
    await _ask(rove, "plan_create", title=CANARY, description=CANARY, external_item_id=name)
    await _ask(rove, "session_note", event_type="decision", content=CANARY, importance="high")
    criterion = await _ask(rove, "ac_add", external_item_id=name, criterion_text=CANARY)
    await _ask(
        rove,
        "ac_verify",
        criterion_id=criterion["id"],
        status="failed",
        notes=CANARY,
    )
    options = await Trackers(rove.accounts).status_options(ref)
    await _ask(
        rove,
        "update_ticket_status",
        identifier=name,
        status=next(each for each in options if not each.needs).status.name,
        add_comment=COMMENT,
    )
    await _ask(rove, "session_end", summary=CANARY, outcome_notes=CANARY)
    return ref.account


def _requests(world: World) -> dict[str, str]:
    """Return all that was sent to each vendor: addresses, headers and bodies."""
    return {
        name: "\n".join(
            f"{asked.method} {asked.path} {asked.query} {asked.headers} {asked.body!r}"
            for asked in (each.request for each in vendor.exchanges)
        )
        for name, vendor in world.vendors.items()
    }


async def _ask(rove: Project, name: str, **words: object) -> Any:  # noqa: ANN401  # JSON
    return await OPERATIONS[name].call(rove, words)  # type: ignore[arg-type]  # JSON
