"""Listing projects: what changed, newest first, what is gone, and on from a cursor."""

import pytest
from attrs import evolve
from tests.asana.conftest import AUDIT, KEYS, SIGN_IN, VAULT, day

from rove_core import ItemNotFound, ListedChange
from rove_core.testing import Scene
from rove_sim import Conduct
from rove_sim.asana import Asana
from rove_sim.company_asana import AsanaPlace, AsanaTask, asana_gid

pytestmark = pytest.mark.anyio

PILOT = asana_gid("project/Pilot")
VAULTS = asana_gid("project/Vault")


def ids(changes: list[ListedChange]) -> list[str]:
    """Return the ids of what is new or changed."""
    return [each.item.ref.id for each in changes if each.item]


def gone(changes: list[ListedChange]) -> list[str]:
    """Return the ids of what is gone."""
    return sorted(each.gone.id for each in changes if each.gone)


def asked(workspace: Asana, path: str = "") -> int:
    """Return how often something was asked."""
    return len([each for each in workspace.exchanges if path in each.request.path])


def add(workspace: Asana, number: int) -> str:
    """Add a task that changed some days after the others, and return its id."""
    gid, place = str(1_300_000_000_000_000 + number), AsanaPlace(project="Pilot")
    at = day(20 + number)
    task = AsanaTask(gid=gid, name=f"Task {number}", author="ann", created=at, places=(place,))
    return workspace.put(task).gid


async def test_a_task_in_two_projects_is_listed_once(asana: Scene) -> None:
    """The newest first; a part that is in no project is not listed."""
    changes, _ = await asana.list_changes()

    assert ids(changes) == [KEYS, VAULT, SIGN_IN]


async def test_an_archived_project_is_readable(asana: Scene, workspace: Asana) -> None:
    """It is not offered any more, and its tasks are still listed for who asks for it."""
    _, cursor = await asana.list_changes(containers=(VAULTS,))
    workspace.archive("Vault")
    offered = [each.name for each in await asana.awaited("rove_containers")]
    readable = [each.name for each in await asana.awaited("rove_readable", names=[VAULTS])]
    changes, _ = await asana.list_changes(cursor, containers=(VAULTS,))

    assert (VAULTS in offered, readable) == (False, [VAULTS])
    assert gone(changes) == []


async def test_the_next_listing_brings_what_changed(asana: Scene, workspace: Asana) -> None:
    """With one request for each project, and one for each task."""
    workspace.conduct = Conduct()
    _, cursor = await asana.list_changes()
    before = asked(workspace)
    again, cursor = await asana.list_changes(cursor)
    nothing = asked(workspace) - before
    gid = add(workspace, 1)
    changes, cursor = await asana.list_changes(cursor)

    assert (ids(again), ids(changes)) == ([], [gid])
    assert nothing == 3
    assert ids((await asana.list_changes(cursor))[0]) == []


async def test_many_changes_are_read_at_once(asana: Scene, workspace: Asana) -> None:
    """By the time of their change."""
    workspace.conduct = Conduct()
    _, cursor = await asana.list_changes()
    added = [add(workspace, number) for number in range(1, 31)]
    before = asked(workspace)
    changes, _ = await asana.list_changes(cursor)

    assert ids(changes) == added[::-1]
    assert asked(workspace) - before == 4


async def test_deleted_tasks_and_those_that_left_are_told(asana: Scene, workspace: Asana) -> None:
    """Each once."""
    _, cursor = await asana.list_changes()
    workspace.remove(VAULT)
    workspace.put(evolve(workspace.task(SIGN_IN), places=()))
    changes, cursor = await asana.list_changes(cursor)
    again, _ = await asana.list_changes(cursor)

    assert (ids(changes), gone(changes)) == ([], [SIGN_IN, VAULT])
    assert (ids(again), gone(again)) == ([], [])


async def test_a_token_that_is_too_old_loses_nothing(asana: Scene, workspace: Asana) -> None:
    """What changed is listed by time, and what is gone is missing among the ids."""
    add(workspace, 1)
    _, cursor = await asana.list_changes()
    workspace.remove(VAULT)
    gid = add(workspace, 2)
    workspace.put(evolve(workspace.task(KEYS), name="Turn keys", updated=day(30)))
    workspace.forget_events()
    changes, cursor = await asana.list_changes(cursor)

    assert (ids(changes), gone(changes)) == ([KEYS, gid], [VAULT])
    assert asked(workspace, "/events") > 0
    assert ids((await asana.list_changes(cursor))[0]) == []


async def test_a_task_that_moves_within_its_projects_stays(asana: Scene, workspace: Asana) -> None:
    """It is told as it is now, and not as gone."""
    _, cursor = await asana.list_changes()
    workspace.put(evolve(workspace.task(KEYS), places=(AsanaPlace(project="Vault"),)))
    changes, cursor = await asana.list_changes(cursor)

    assert (ids(changes), gone(changes)) == ([KEYS], [])


async def test_a_project_that_cannot_be_seen_any_more_is_gone(
    asana: Scene, workspace: Asana
) -> None:
    """The error names it."""
    projects = (PILOT, VAULTS)
    _, cursor = await asana.list_changes(containers=projects)
    workspace.hide("Vault")
    changes, _ = await asana.list_changes(cursor)
    with pytest.raises(ItemNotFound, match=f"project {VAULTS}"):
        await asana.list_changes(cursor, containers=projects)

    assert gone(changes) == [VAULT]


async def test_a_listing_goes_on_where_it_stopped(asana: Scene, workspace: Asana) -> None:
    """While more happens, and the tokens expire."""
    told, cursor = [], ""
    for number in range(1, 9):
        add(workspace, number)
        if number == 4:
            workspace.forget_events()
        changes, cursor = await asana.list_changes(cursor, limit=2)
        told += ids(changes)
    changes, _ = await asana.list_changes(cursor)

    assert len({*told, *ids(changes)}) == 11


async def test_a_list_whose_place_expired_is_begun_anew(asana: Scene, workspace: Asana) -> None:
    """Each task comes once."""
    added = [add(workspace, number) for number in range(1, 4)]
    workspace.expiring = 2
    changes, _ = await asana.list_changes(containers=(PILOT,))

    assert workspace.expiring == 0
    assert ids(changes) == [*added[::-1], KEYS, SIGN_IN]


async def test_parts_are_links(asana: Scene) -> None:
    """Of a task that is read."""
    changes, _ = await asana.list_changes()
    ref = next(each.item.ref for each in changes if each.item and each.item.ref.id == KEYS)

    assert ("child", AUDIT) in [
        (each.relation, each.ref.id) for each in (await asana.detail(ref)).links
    ]
