"""Listing teams: what changed, newest first, what is gone, and on from a cursor."""

from datetime import UTC, datetime, timedelta

import attrs
import pytest

from rove_core import ItemNotFound, ItemRef, ListedChange
from rove_core.testing import Scene
from rove_sim import Conduct
from rove_sim.company_linear import LinearComment, LinearIssue
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio

AT = datetime(2024, 12, 20, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
ALL = ["OPS-3", "OPS-4", "OPS-5", "TB-1", "TB-2"]


def ids(changes: list[ListedChange]) -> list[str]:
    """Return the ids of what is new or changed."""
    return [each.item.ref.id for each in changes if each.item]


def gone(changes: list[ListedChange]) -> list[str]:
    """Return the ids of what is gone."""
    return sorted(each.gone.id for each in changes if each.gone)


def add(workspace: Linear, name: str, hours: int) -> None:
    """Add an issue that changed some hours after the others."""
    at = AT + hours * HOUR
    workspace.put(LinearIssue(identifier=name, title=name, author="ann", created=at, updated=at))


async def test_what_is_in_the_trash_is_not_read(linear: Scene, workspace: Linear) -> None:
    """Linear still answers for it, for some weeks."""
    workspace.put(attrs.evolve(workspace.issue("OPS-4"), trashed=True))

    with pytest.raises(ItemNotFound, match="OPS-4 was deleted in Linear"):
        await linear.detail(ItemRef(account="linear", kind="ticket", id="OPS-4"))


async def test_issues_are_listed_whole(linear: Scene, workspace: Linear) -> None:
    """With their comments and all that hangs on them, several in one question."""
    workspace.conduct = Conduct()
    before = len(workspace.exchanges)
    changes, _ = await linear.list_changes()
    asked = len(workspace.exchanges) - before
    found = [each.item for each in changes if each.item]

    assert sorted(ids(changes)) == ALL
    assert found == [await linear.detail(each.ref) for each in found]
    assert asked == 3


async def test_an_issue_with_longer_lists_is_read(linear: Scene) -> None:
    """A page of a listing holds only their beginnings."""
    changes, _ = await linear.list_changes(containers=("TB",))
    found = {each.item.ref.id: each.item for each in changes if each.item}

    assert sorted(found) == ["TB-1", "TB-2"]
    assert len(found["TB-2"].thread) == 4


async def test_the_next_listing_brings_what_changed(linear: Scene, workspace: Linear) -> None:
    """And nothing when nothing did."""
    _, cursor = await linear.list_changes()
    add(workspace, "TB-9", 1)
    changes, cursor = await linear.list_changes(cursor)
    again, _ = await linear.list_changes(cursor)

    assert ids(changes) == ["TB-9"]
    assert (ids(again), gone(again)) == ([], [])


async def test_what_is_there_is_asked_for_in_few_requests(linear: Scene, workspace: Linear) -> None:
    """Teams, changes, and all identifiers: one request each, though a page of issues holds 50."""
    workspace.conduct = Conduct()
    for number in range(100, 160):
        add(workspace, f"TB-{number}", hours=number)
    _, cursor = await linear.list_changes()
    before = len(workspace.exchanges)
    await linear.list_changes(cursor)

    assert len(workspace.exchanges) - before == 3


async def test_a_comment_is_listed_beside_a_later_change(linear: Scene, workspace: Linear) -> None:
    """Of another issue, longer after the comment than Linear's search is late."""
    _, cursor = await linear.list_changes()
    first = workspace.issue("TB-1")
    said = LinearComment(author="ben", at=AT + HOUR, text="By hand.")
    workspace.put(attrs.evolve(first, comments=(said,)))
    add(workspace, "TB-9", 2)
    changes, cursor = await linear.list_changes(cursor)
    again, _ = await linear.list_changes(cursor)

    assert (ids(changes), ids(again)) == (["TB-9", "TB-1"], [])


async def test_a_comment_and_the_archive_are_changes(linear: Scene, workspace: Linear) -> None:
    """Linear does not take either for a change of the issue."""
    _, cursor = await linear.list_changes()
    said = LinearComment(author="ben", at=AT, text="By hand.")
    first, second = workspace.issue("TB-1"), workspace.issue("OPS-4")
    workspace.put(attrs.evolve(first, comments=(said,)))
    workspace.put(attrs.evolve(second, archived=AT + HOUR, updated=second.created))
    changes, cursor = await linear.list_changes(cursor)

    assert ids(changes) == ["OPS-4", "TB-1"] or ids(changes) == ["TB-1", "OPS-4"]
    assert ids((await linear.list_changes(cursor))[0]) == []


async def test_deleted_and_moved_issues_are_told(linear: Scene, workspace: Linear) -> None:
    """One is in the trash, one gone for ever, one in another team."""
    _, cursor = await linear.list_changes()
    workspace.put(attrs.evolve(workspace.issue("OPS-4"), trashed=True, archived=AT))
    workspace.remove("OPS-5")
    workspace.move("TB-1", "OPS-9", AT)
    changes, cursor = await linear.list_changes(cursor)
    again, _ = await linear.list_changes(cursor)

    assert gone(changes) == ["OPS-4", "OPS-5", "TB-1"]
    assert ids(changes) == ["OPS-9"]
    assert (ids(again), gone(again)) == ([], [])


async def test_an_issue_that_left_the_teams_that_are_listed(
    linear: Scene, workspace: Linear
) -> None:
    """It is gone: its new team was not chosen."""
    _, cursor = await linear.list_changes(containers=("TB",))
    workspace.move("TB-1", "OPS-9", AT)
    changes, _ = await linear.list_changes(cursor, containers=("TB",))

    assert (ids(changes), gone(changes)) == ([], ["TB-1"])


async def test_a_team_that_cannot_be_seen_any_more_is_gone(
    linear: Scene, workspace: Linear
) -> None:
    """The error names it."""
    teams = ("TB", "OPS")
    _, cursor = await linear.list_changes(containers=teams)
    workspace.hide("OPS")
    changes, _ = await linear.list_changes(cursor)
    with pytest.raises(ItemNotFound, match="team OPS"):
        await linear.list_changes(cursor, containers=teams)

    assert gone(changes) == ["OPS-3", "OPS-4", "OPS-5"]


async def test_a_listing_goes_on_where_it_stopped(linear: Scene, workspace: Linear) -> None:
    """And repeats nothing."""
    for number in range(10, 20):
        add(workspace, f"TB-{number}", number)
    told, cursor = [], ""
    for _ in range(10):
        changes, cursor = await linear.list_changes(cursor, limit=2)
        told += ids(changes)

    assert sorted(told) == sorted([*ALL, *(f"TB-{number}" for number in range(10, 20))])


async def test_nothing_older_than_asked_for(linear: Scene, workspace: Linear) -> None:
    """Only what changed since, and what is gone of that."""
    add(workspace, "TB-9", 1)
    changes, cursor = await linear.list_changes(since=AT)
    workspace.remove("TB-9")
    later, _ = await linear.list_changes(cursor, since=AT)

    assert (ids(changes), gone(later)) == (["TB-9"], ["TB-9"])


async def test_teams_are_containers(linear: Scene) -> None:
    """With their keys and names."""
    found = await linear.awaited("rove_containers")

    assert sorted(each.name for each in found) == ["OPS", "TB"]
