"""Listing projects: what changed, newest first, what is gone, and on from a cursor."""

import json
from datetime import timedelta

import pytest
from attrs import evolve
from tests.azure.conftest import DAY, day

from rove_core import ItemNotFound, ListedChange
from rove_core.testing import Scene
from rove_sim import Conduct
from rove_sim.azure import AzureDevOps
from rove_sim.company_azure import AzureComment, AzureWorkItem

pytestmark = pytest.mark.anyio

AT = day(20)
ALL = ["1", "2", "3", "4", "5"]


def ids(changes: list[ListedChange]) -> list[str]:
    """Return the ids of what is new or changed."""
    return [each.item.ref.id for each in changes if each.item]


def gone(changes: list[ListedChange]) -> list[str]:
    """Return the ids of what is gone."""
    return sorted(each.gone.id for each in changes if each.gone)


def add(organization: AzureDevOps, number: int, project: str = "Tracker") -> None:
    """Add a work item that changed some hours after the others."""
    at = AT + timedelta(hours=number)
    organization.put(AzureWorkItem(id=number, project=project, title="A", author="ann", created=at))


async def test_work_items_are_listed_whole(azure: Scene, organization: AzureDevOps) -> None:
    """With their discussion, many in one request."""
    organization.conduct = Conduct()
    before = len(organization.exchanges)
    changes, _ = await azure.list_changes()
    asked = len(organization.exchanges) - before

    assert sorted(ids(changes)) == ALL
    # Projects, the end of the log, numbers, work items, four types, one discussion.
    assert asked == 9
    for change in changes:
        if change.item:
            detail = await azure.detail(change.item.ref)
            assert (change.item.content, change.item.thread) == (detail.content, detail.thread)


async def test_nothing_new_takes_two_requests(azure: Scene, organization: AzureDevOps) -> None:
    """One for the projects, one for the log of revisions."""
    organization.conduct = Conduct()
    _, cursor = await azure.list_changes()
    before = len(organization.exchanges)
    changes, cursor = await azure.list_changes(cursor)

    assert (ids(changes), gone(changes)) == ([], [])
    assert len(organization.exchanges) - before == 2


async def test_the_next_listing_brings_what_changed(
    azure: Scene, organization: AzureDevOps
) -> None:
    """The latest change first, and nothing when nothing did."""
    _, cursor = await azure.list_changes()
    add(organization, 8)
    add(organization, 9)
    said = AzureComment(number=90, author="ben", at=AT, text="By hand.")
    organization.put(evolve(organization.item(1), comments=(said,), updated=AT))
    changes, cursor = await azure.list_changes(cursor)
    again, _ = await azure.list_changes(cursor)

    assert ids(changes) == ["9", "8", "1"]
    assert (ids(again), gone(again)) == ([], [])


async def test_deleted_and_moved_work_items_are_told(
    azure: Scene, organization: AzureDevOps
) -> None:
    """Who was moved keeps its number: it is gone from the projects that are listed."""
    _, cursor = await azure.list_changes(containers=("Web",))
    organization.remove(4)
    organization.move(5, "Tracker", AT)
    changes, cursor = await azure.list_changes(cursor, containers=("Web",))
    organization.move(5, "Web", AT + timedelta(hours=1))
    later, _ = await azure.list_changes(cursor, containers=("Web",))

    assert (ids(changes), gone(changes)) == ([], ["4", "5"])
    assert (ids(later), gone(later)) == (["5"], [])


async def test_a_project_that_cannot_be_seen_any_more_is_gone(
    azure: Scene, organization: AzureDevOps
) -> None:
    """The error names it; when it comes back, so do its work items."""
    projects = ("Tracker", "Web")
    _, cursor = await azure.list_changes(containers=projects)
    organization.board.hidden.add("Web")
    changes, later = await azure.list_changes(cursor)
    with pytest.raises(ItemNotFound, match="project Web"):
        await azure.list_changes(cursor, containers=projects)
    organization.board.hidden.clear()
    back, _ = await azure.list_changes(later)

    assert gone(changes) == ["4", "5"]
    assert ids(back) == ["5", "4"]


async def test_a_project_in_the_settings_that_cannot_be_seen_is_no_container(
    azure: Scene, organization: AzureDevOps
) -> None:
    """Unless the login may not list projects: then all of them count as readable."""
    azure.change(projects=("Tracker", "Web"))
    organization.board.hidden.add("Web")
    seen = [each.name for each in await azure.awaited("rove_containers")]
    organization.project_scope = False
    named = [each.name for each in await azure.awaited("rove_containers")]

    assert (seen, named) == (["Tracker"], ["Tracker", "Web"])


async def test_a_listing_goes_on_where_it_stopped(azure: Scene, organization: AzureDevOps) -> None:
    """And repeats nothing, also what changed in the meantime."""
    for number in range(10, 20):
        add(organization, number)
    told, cursor = [], ""
    for turn in range(10):
        changes, cursor = await azure.list_changes(cursor, limit=2)
        told += ids(changes)
        if turn == 2:
            organization.remove(1)

    assert sorted(told, key=int) == [*ALL[1:], *map(str, range(10, 20))]


async def test_a_place_that_azure_does_not_know_lists_all_anew(
    azure: Scene, organization: AzureDevOps
) -> None:
    """What is gone is found out by what is there."""
    _, cursor = await azure.list_changes()
    organization.remove(3)
    organization.fail_next(400, path="workitemrevisions")
    changes, cursor = await azure.list_changes(cursor)
    again, _ = await azure.list_changes(cursor)

    assert (sorted(ids(changes)), gone(changes)) == (["1", "2", "4", "5"], ["3"])
    assert (ids(again), gone(again)) == ([], [])


async def test_nothing_older_than_asked_for(azure: Scene, organization: AzureDevOps) -> None:
    """Only what changed since, and what is gone of that."""
    add(organization, 9)
    changes, cursor = await azure.list_changes(since=AT)
    organization.remove(9)
    later, _ = await azure.list_changes(cursor, since=AT)

    assert (ids(changes), gone(later)) == (["9"], ["9"])


async def test_more_than_a_query_finds(
    azure: Scene, organization: AzureDevOps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Azure finds 20,000 at most; the next query goes on before the last one of them."""
    monkeypatch.setattr("rove_azure.listing._MOST_FOUND", 2)
    for number in range(10, 15):
        at = DAY if number < 13 else AT
        organization.put(
            AzureWorkItem(id=number, project="Web", title="A", author="ann", created=at)
        )
    changes, _ = await azure.list_changes()

    assert len(ids(changes)) == len({*ids(changes)}) == 10


async def test_a_cursor_has_room_for_a_bounded_number_of_revisions(
    azure: Scene, organization: AzureDevOps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work items that change while they are listed for the first time are in the log, too.

    Those that the cursor has no room for are listed once more; nothing is lost or taken for gone.
    """
    monkeypatch.setattr("rove_azure.listing._MOST_SEEN", 3)
    for number in range(10, 20):
        add(organization, number)
    first, cursor = await azure.list_changes(limit=2)
    changed = [*map(str, range(10, 16))]
    for number in map(int, changed):
        now = azure.clock.now()
        organization.put(evolve(organization.item(number), title="B", updated=now))
    rest, cursor = await azure.list_changes(cursor)
    again, later = await azure.list_changes(cursor)
    last, _ = await azure.list_changes(later)

    assert sorted(ids(first) + ids(rest), key=int) == [*ALL, *map(str, range(10, 20))]
    assert len(json.loads(json.loads(cursor)["each"]["projects"])["seen"]) == 3
    assert len(ids(again)) == 3
    assert {*ids(again)} < {*changed}
    assert (ids(last), gone(again), gone(last)) == ([], [], [])
