"""A world in which five trackers keep work items, and a project that is connected to them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from attrs import evolve

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
from rove_sim import World, sample_company
from rove_sim.company import Company
from rove_sim.company_asana import AsanaPlace, AsanaTask, asana_gid
from rove_sim.company_azure import AzureWorkItem

TRACKERS: Final = ("jira", "linear", "github", "asana", "azure")
BEGUN: Final = datetime(2025, 1, 6, 9, tzinfo=UTC)


def five_trackers() -> Company:
    """Return the sample company, which also keeps a task in Asana and one in Azure DevOps."""
    sample = sample_company()
    owner = sample.owner.key or sample.owner.name
    places = (AsanaPlace(project="Pilot", section="To do"),)
    task = AsanaTask(
        gid=asana_gid("task/keys"), name="Rotate keys", author=owner, created=BEGUN, places=places
    )
    item = AzureWorkItem(id=2, project="Web", title="Rotate keys", author=owner, created=BEGUN)
    return evolve(sample, tasks=(task,), work_items=(item,))


@asynccontextmanager
async def connected(
    folder: Path, world: World, tokens: Mapping[str, str] | None = None
) -> AsyncIterator[tuple[Project, list[ItemRef]]]:
    """Open a project that uses all trackers, and give it with a ticket of each.

    Args:
        folder: The project's folder.
        world: The trackers.
        tokens: The tokens of accounts that log in with another one than the company's.
    """
    store = MemoryStore()
    answers = {name: Secret(answer) for name, answer in world.answers.items()}
    async with open_project(folder, accounts=(), credentials=store) as rove:
        for account in world.accounts(rove.plugins.kinds):
            if account.name in TRACKERS:
                own = Secret((tokens or {}).get(account.name, world.company.token))
                login = partial(PreparedLogin, "token", {**answers, "token": own})
                await rove.log_in(account, login)
        known = [rove.account(name) for name in rove.accounts.names]
    # Here all of them answer at one address; their items are where the vendors have them.
    accounts = [evolve(each, hosts=each.identity.hosts) for each in known if each.identity]
    async with open_project(folder, accounts=accounts, credentials=store) as rove:
        yield rove, [await _ticket(rove, name) for name in rove.accounts.names]


async def _ticket(rove: Project, account: str) -> ItemRef:
    """Return a ticket of an account that can take another status now."""
    async for step in rove.accounts.list_changes(ListScope(account=account, limit=20)):
        if step.work and await Trackers(rove.accounts).status_options(step.work.ref):
            return step.work.ref
    raise AssertionError(f"{account} has no ticket")


def written(ref: ItemRef) -> str:
    """Return how people write where a ticket is: a number alone may be anything."""
    return {"asana": ref.url, "azure": f"AB#{ref.id}"}.get(ref.account, ref.id)
