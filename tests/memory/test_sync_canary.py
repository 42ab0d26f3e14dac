"""What never leaves: a canary in all that is private, and every request to three trackers."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.memory.operating import OPERATIONS

from rove_core import (
    ItemRef,
    ListScope,
    MemoryStore,
    PreparedLogin,
    Project,
    Secret,
    Trackers,
    open_project,
)
from rove_sim import World, running, sample_company

CANARY: Final = "kingfisher-8d1f"
COMMENT: Final = "Began with this one"


def test_private_words_are_in_no_request(tmp_path: Path) -> None:
    """Memories, plans, notes, evidence and criteria stay; a status and its comment arrive."""

    async def day() -> tuple[list[str], dict[str, str]]:
        async with (
            running(sample_company()) as world,
            open_project(tmp_path, accounts=(), credentials=MemoryStore()) as rove,
        ):
            changed = [await _work_on(rove, ref) for ref in await _connected(rove, world)]
            await _ask(rove, "sync_pull", full=True)
            await _ask(rove, "sync_push", force=True)
            return changed, _requests(world)

    changed, requests = asyncio.run(day())

    assert changed
    for account in changed:
        assert COMMENT in requests[account], f"the check of the check: {account}"
    assert [name for name, text in requests.items() if CANARY in text] == []


async def _connected(rove: Project, world: World) -> list[ItemRef]:
    """Connect all trackers, and return a ticket of each."""
    kinds = rove.plugins.kinds
    answers = {name: Secret(answer) for name, answer in world.answers.items()}
    for account in world.accounts(kinds):
        if account.name in ("jira", "linear", "github"):
            await rove.log_in(account, partial(PreparedLogin, "token", answers))
    return [await _ticket(rove, name) for name in rove.accounts.names]


async def _ticket(rove: Project, account: str) -> ItemRef:
    """Return a ticket of an account that can take another status now."""
    async for step in rove.accounts.list_changes(ListScope(account=account, limit=20)):
        if step.work and await Trackers(rove.accounts).status_options(step.work.ref):
            return step.work.ref
    raise AssertionError(f"{account} has no ticket")


async def _work_on(rove: Project, ref: ItemRef) -> str:
    """Spend a session on a ticket with private words in all that can hold some."""
    name = ref.id
    await _ask(rove, "session_start", external_item_id=name)
    await _ask(rove, "get_ticket", identifier=name)
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
