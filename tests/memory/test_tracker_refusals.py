"""What each of the five trackers refuses, in words that say what to do."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import evolve
from tests.memory.office import ask
from tests.memory.trackers import TRACKERS, connected, five_trackers, written

from rove_core import (
    ItemRef,
    NewWorkItem,
    Project,
    ScopeMissing,
    Trackers,
    WorkItemChange,
    WrongCall,
)
from rove_sim import World, running
from rove_sim.company_github import RepositoryIssue

#: Where each tracker keeps items, and a title: where it asks for no other field, none.
CONTAINERS: Final = {
    "jira": ("TB", "New"),
    "linear": ("TB", ""),
    "github": ("northwind/backend", ""),
    "asana": ("Pilot", ""),
    "azure": ("Web", "New"),
}
#: What a login needs to change work items, in each vendor's words.
SCOPES: Final = {
    "jira": "write:jira-work",
    "linear": "write",
    "github": "issues=write",
    "asana": "tasks:write",
    "azure": "vso.work_write",
}


def _spend(
    folder: Path,
    day: Callable[[Project, list[ItemRef], World], Awaitable[Any]],
    *,
    token: str = "",
) -> Any:  # noqa: ANN401  # what the day comes to
    """Spend a day with all trackers, as somebody who may only read where a token is given."""

    async def spent() -> Any:  # noqa: ANN401  # the same
        async with running(five_trackers()) as world:
            world.jira.reader_token = world.github.reader_token = token
            world.linear.reading_key = world.asana.reading_token = token
            world.azure.reader = token
            tokens = dict.fromkeys(TRACKERS, token or world.company.token)
            async with connected(folder, world, tokens) as (rove, refs):
                return await day(rove, refs, world)

    return asyncio.run(spent())


def test_a_status_that_is_not_possible_names_those_that_are(tmp_path: Path) -> None:
    """At each tracker, and nothing is queued; where a field is needed, it is named."""

    async def day(rove: Project, refs: list[ItemRef], world: World) -> tuple[dict[str, str], Any]:
        said = {}
        for ref in refs:
            options = await Trackers(rove.accounts).status_options(ref)
            with pytest.raises(WrongCall) as refused:
                await _status(rove, ref, "No such status")
            said[ref.account] = str(refused.value.hint)
            assert all(each.status.name in said[ref.account] for each in options)
            if ref.account == "jira":
                world.jira.needs_resolution.add(options[0].status.name)
                with pytest.raises(WrongCall, match="only with a value for Resolution"):
                    await _status(rove, ref, options[0].status.name)
        return said, await ask(rove, "sync_status")

    said, status = _spend(tmp_path, day)

    assert (sorted(said), status["pending_changes"]) == (sorted(TRACKERS), 0)


def test_a_field_that_is_missing_is_named(tmp_path: Path) -> None:
    """At each tracker, for a new item and for a title that is taken away."""

    async def day(rove: Project, refs: list[ItemRef], world: World) -> dict[str, tuple[str, str]]:
        world.jira.needed.add("Severity")
        world.azure.board.gates["New"] = "Custom.Severity"
        trackers, said = Trackers(rove.accounts), {}
        for ref in refs:
            container, title = CONTAINERS[ref.account]
            new = NewWorkItem(container=container, title=title, key="refused-0001")
            with pytest.raises(WrongCall) as refused:
                await trackers.create(ref.account, new)
            with pytest.raises(WrongCall) as untitled:
                await trackers.change(ref, WorkItemChange(title=" "))
            said[ref.account] = refused.value.message, untitled.value.message
        return said

    said = _spend(tmp_path, day)

    assert {name for name, (made, _) in said.items() if "Severity" in made} == {"jira", "azure"}
    assert all("Severity" in made or "title" in made for made, _ in said.values())
    assert all("the title of" in changed for _, changed in said.values())


def test_a_login_that_may_only_read_names_the_scope(tmp_path: Path) -> None:
    """At each tracker, and nothing is queued."""

    async def day(rove: Project, refs: list[ItemRef], _: World) -> tuple[dict[str, str], Any]:
        said = {}
        for ref in refs:
            option = (await Trackers(rove.accounts).status_options(ref))[0]
            with pytest.raises(ScopeMissing) as refused:
                await _status(rove, ref, option.status.name)
            said[ref.account] = f"{refused.value.message} {refused.value.hint}"
        return said, await ask(rove, "sync_status")

    said, status = _spend(tmp_path, day, token="of-a-reader")  # noqa: S106  # nobody's

    assert [name for name, scope in SCOPES.items() if scope not in said[name]] == []
    assert (status["pending_changes"], status["dead_letters"]) == (0, 0)


def test_an_edit_of_a_deleted_item_can_be_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each tracker it is a dead letter, with its whole text in the list."""
    monkeypatch.setenv("ROVE_SYNC_AUTO_PUSH_ON_STATUS_CHANGE", "false")
    words = "Begun. " * 300

    async def day(rove: Project, refs: list[ItemRef], world: World) -> Any:  # noqa: ANN401  # JSON
        for ref in refs:
            option = (await Trackers(rove.accounts).status_options(ref))[0]
            await _status(rove, ref, option.status.name, add_comment=words)
            _delete(world, ref)
        await ask(rove, "sync_push", force=True)
        return await ask(rove, "sync_conflicts")

    dead = _spend(tmp_path, day)

    texts = {each["account"]: each["value"] for each in dead if each["change_type"] == "comment"}
    assert {each["status"] for each in dead} == {"failed"}
    assert texts == dict.fromkeys(TRACKERS, words.strip())


async def _status(rove: Project, ref: ItemRef, status: str, **more: str) -> None:
    await ask(rove, "get_ticket", identifier=written(ref))
    await ask(rove, "update_ticket_status", identifier=ref.id, status=status, **more)


def _delete(world: World, ref: ItemRef) -> None:
    """Delete an item at its tracker."""
    match ref.account:
        case "jira":
            world.jira.delete_ticket(ref.id)
        case "linear":
            world.linear.remove(ref.id)
        case "asana":
            world.asana.remove(ref.id)
        case "azure":
            world.azure.remove(ref.id)
        case _:
            repository, _, number = ref.id.partition("#")
            issue = world.github.hub.item(repository, int(number))
            assert isinstance(issue, RepositoryIssue)
            world.github.put(evolve(issue, deleted=True))
