"""Operations on ready work: list, claim and release."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve, frozen

from rove_core import Operation, WrongCall
from rove_memory.argument_help import AGENT, PROJECT_PATH
from rove_memory.page_bounds import check_page
from rove_memory.plans.caller import caller, viewer
from rove_memory.plans.graph import ItemType
from rove_memory.plans.items import find_item, load_claims
from rove_memory.plans.ready import Claim, Readiness
from rove_memory.plans.ready_work import explained_work, ready_work
from rove_memory.plans.terminal_text import print_ready
from rove_memory.store import ProjectStore, in_thread
from rove_memory.token_budget import fitting_list, shorten

if TYPE_CHECKING:
    from rove_core import LocalProject

_TOOLSET: Final = "plans"
_MOST: Final = 200


@frozen(kw_only=True)
class ReadyWorkItem:
    """An item that may be taken now or, explained, why it may not.

    Attributes:
        item_type: ``external`` for a ticket, ``local`` for a plan.
        id: What people call it: ``TB-123``, or the plan's id.
        title: Its title.
        status: Its status.
        priority: 0 none to 4 urgent.
        external_item_id: The ticket that a plan belongs to.
        created_at: When it was written down.
        ready: Whether it may be taken.
        reason: Why it may be taken, or why not.
        blocked_by: The ids of what it waits for.
        claimed_by: Who has claimed it.
        lease_until: Until when nobody else may take it.
    """

    item_type: ItemType
    id: str
    title: str
    status: str
    priority: int
    external_item_id: str | None = None
    created_at: datetime
    ready: bool = True
    reason: str = ""
    blocked_by: tuple[str, ...] = ()
    claimed_by: str = ""
    lease_until: datetime | None = None


async def get_ready_work(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "LocalProject",
    *,
    include_external: Annotated[bool, "Include tickets."] = True,
    include_local: Annotated[bool, "Include plans."] = True,
    limit: Annotated[int, "The maximum number of results."] = 5,
    explain: Annotated[bool, "Also show what is not ready, with the reason."] = False,
    claim: Annotated[
        bool, "Claim the first item, so that nobody else takes it during the lease."
    ] = False,
    item: Annotated[str, "With --claim: take this one."] = "",
    lease_minutes: Annotated[int, "How long the claim lasts; claim again to extend it."] = 240,
    agent: Annotated[str, AGENT] = "",
    others_too: Annotated[bool, "Include tickets assigned to other people."] = False,
    project_path: Annotated[str | None, PROJECT_PATH] = None,
    offset: Annotated[int, "How many of the first to skip."] = 0,
) -> tuple[ReadyWorkItem, ...]:
    """Show work that is ready: not blocked, and not taken by anyone else.

    Sorted by priority, then age; tickets come before plans. An answer takes at most 8,000 tokens:
    long texts are cut, and offset shows what is left out.
    """
    check_page(limit, offset, most=_MOST)
    if item and not claim:
        raise WrongCall(
            "item is only used with a claim", hint=f"Claim it with: rove ready --claim {item}"
        )
    flags: dict[ItemType, bool] = {"external": include_external, "local": include_local}
    among = [kind for kind, flag in flags.items() if flag]
    store = ProjectStore.of(rove, project_path)

    def claimed() -> Sequence[ReadyWorkItem]:
        from rove_memory.plans.claims import (  # noqa: PLC0415  # few claim
            claim_item,
            claim_next,
            lease_of,
        )

        lease = lease_of(lease_minutes)
        with store.writing() as db:
            who = caller(db, rove, agent)
            asking = viewer(db, rove, who.owner, others_too=others_too)
            if item:
                key = find_item(db, item)
                taken = claim_item(db, key, asking, lease, session=who.session)
                return [_ready_item(taken.ready, taken.claim)]
            first = claim_next(db, asking, lease, among=among, session=who.session)
            return [_ready_item(first.ready, first.claim)] if first else []

    def shown() -> Sequence[ReadyWorkItem]:
        with store.reading() as db:
            asking = viewer(db, rove, caller(db, rove, agent).owner, others_too=others_too)
            claims = load_claims(db)
            find = explained_work if explain else ready_work
            found = find(db, asking, offset + limit, among=among)[offset:]
            return fitting_list(
                [_ready_item(each, claims.get(each.item.key)) for each in found], _shorten
            )

    return tuple(await in_thread(claimed if claim else shown))


async def release_work(
    rove: "LocalProject",
    *,
    item_id: Annotated[str, "The plan or ticket."],
    agent: Annotated[str, AGENT] = "",
) -> bool:
    """Release a claim, so that others can take the item."""
    store = ProjectStore.of(rove)

    def work() -> bool:
        from rove_memory.plans.claims import release_item  # noqa: PLC0415  # few release

        with store.writing() as db:
            return release_item(db, find_item(db, item_id), store, caller(db, rove, agent).owner)

    return await in_thread(work)


def _shorten(item: ReadyWorkItem, width: int) -> ReadyWorkItem:
    return evolve(
        item,
        title=shorten(item.title, width),
        reason=shorten(item.reason, width),
        blocked_by=item.blocked_by[: max(1, width // 10)],
    )


def _ready_item(found: Readiness, claim: Claim | None) -> ReadyWorkItem:
    item = found.item
    return ReadyWorkItem(
        item_type=item.key.type,
        id=item.name,
        title=item.title,
        status=item.status,
        priority=item.priority,
        external_item_id=item.ticket or None,
        created_at=item.created_at,
        ready=found.is_ready,
        reason=found.reason,
        blocked_by=tuple(each.name for each in found.waits_for),
        claimed_by=claim.owner if claim else "",
        lease_until=claim.lease_until if claim else None,
    )


READY_OPERATIONS: Final = (
    Operation(
        get_ready_work,
        changes=True,  # With --claim it does.
        command="ready",
        toolset=_TOOLSET,
        offline=True,
        bare="item",
        show=print_ready,
        is_missing=lambda found, given: bool(given.get("claim")) and not found,
    ),
    Operation(
        release_work,
        changes=True,
        command="plan release",
        toolset=_TOOLSET,
        offline=True,
        show=lambda done: "released" if done else "it was not claimed",
    ),
)
