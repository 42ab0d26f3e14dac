"""Listing repositories: what changed, newest first, what is gone, and on from a cursor."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import attrs
import pytest

from rove_core import ItemNotFound, ListedChange, ListScope, ScopeMissing
from rove_core.testing import Scene
from rove_sim import Conduct
from rove_sim.company_github import Access, RepositoryIssue
from rove_sim.github import GitHub

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

pytestmark = pytest.mark.anyio

DAY = datetime(2024, 12, 10, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def ids(changes: list[ListedChange]) -> list[str]:
    """Return the ids of the issues and pull requests that are new or changed."""
    return [each.item.ref.id for each in changes if each.item and each.item.role != "commit"]


def gone(changes: list[ListedChange]) -> list[str]:
    """Return the ids of the issues and pull requests that are gone."""
    return sorted(each.gone.id for each in changes if each.gone and each.gone.kind != "commit")


def add(github: GitHub, number: int, hours: int, repository: str = "acme/api") -> RepositoryIssue:
    """Add an issue that was changed some hours after the start."""
    at = DAY + hours * HOUR
    issue = RepositoryIssue(
        repository=repository, number=number, title="New", author="ann", created=at, updated=at
    )
    github.put(issue)
    return issue


def change(github: GitHub, number: int, hours: int, **parts: Any) -> None:  # noqa: ANN401  # as an issue has it
    """Change an issue or a pull request."""
    item = github.hub.item("acme/api", number)
    assert item
    github.put(attrs.evolve(item, updated=DAY + hours * HOUR, **parts))


async def test_issues_and_pull_requests_are_listed_whole(scene: Scene, github: GitHub) -> None:
    """Newest first, in one request for some of them; the commits take another one."""
    github.conduct = Conduct()
    before = len(github.exchanges)
    changes, _ = await scene.list_changes()
    asked = len(github.exchanges) - before
    found = [each.item for each in changes if each.item]
    read = [await scene.detail(each.ref) for each in found]

    assert ids(changes) == ["acme/api#850", "acme/api#847", "acme/api#12"]
    assert found == read
    assert all(each.whole for each in changes if each.item)
    assert asked == 3


async def test_the_next_listing_brings_what_changed(scene: Scene, github: GitHub) -> None:
    """Also a new comment, which is a change of its issue."""
    _, cursor = await scene.list_changes()
    add(github, 900, 30)
    change(github, 847, 31, title="Rotate all keys")
    changes, cursor = await scene.list_changes(cursor)
    again, _ = await scene.list_changes(cursor)

    assert ids(changes) == ["acme/api#847", "acme/api#900"]
    assert (ids(again), gone(again)) == ([], [])


async def test_a_listing_goes_on_where_it_stopped(scene: Scene, github: GitHub) -> None:
    """With the page that it had reached, and later with what changed meanwhile."""
    for number in range(20, 30):
        add(github, number, number)
    told, cursor = [], ""
    for _ in range(20):
        changes, cursor = await scene.list_changes(cursor, limit=3)
        told += ids(changes)
        if len(told) == 6:
            change(github, 12, 99)

    assert sorted(told) == sorted({*told})
    assert len(told) == 13


async def test_a_place_that_github_does_not_know_any_more(scene: Scene, github: GitHub) -> None:
    """The listing begins at the first page again, and repeats nothing."""
    for number in range(20, 30):
        add(github, number, number)
    first, cursor = await scene.list_changes(limit=5)
    second, _ = await scene.list_changes(cursor.replace("Y3Vyc29y", "bm9uZQ"))

    assert sorted(ids(first) + ids(second)) == sorted({*ids(first), *ids(second)})
    assert len(ids(first) + ids(second)) == 13


async def test_deleted_and_moved_issues_are_told(scene: Scene, github: GitHub) -> None:
    """GitHub does not say so, but counts fewer issues than were listed."""
    add(github, 20, 1)
    add(github, 21, 2)
    _, cursor = await scene.list_changes()
    change(github, 20, 1, deleted=True)
    change(github, 12, 1, moved="acme/web#1")
    before = len(github.exchanges)
    changes, cursor = await scene.list_changes(cursor)
    again, _ = await scene.list_changes(cursor)

    assert gone(changes) == ["acme/api#12", "acme/api#20"]
    assert gone(again) == []
    assert len(github.exchanges) == before + 4 + 3


async def test_an_issue_that_came_without_a_change(scene: Scene, github: GitHub) -> None:
    """One that was moved here may look old."""
    add(github, 20, 99)
    _, cursor = await scene.list_changes()
    add(github, 5, -999)
    changes, cursor = await scene.list_changes(cursor)

    assert ids(changes) == ["acme/api#5"]
    assert ids((await scene.list_changes(cursor))[0]) == []


async def test_a_renamed_repository_is_listed_anew(scene: Scene, github: GitHub) -> None:
    """Its items have other ids now; those that they had are gone."""
    _, cursor = await scene.list_changes()
    github.hub.move("acme/api", "acme/platform")
    changes, cursor = await scene.list_changes(cursor)

    assert gone(changes) == ["acme/api#12", "acme/api#847", "acme/api#850"]
    assert sorted(ids(changes)) == ["acme/platform#12", "acme/platform#847", "acme/platform#850"]
    assert ids((await scene.list_changes(cursor))[0]) == []


async def test_what_may_not_be_read_any_more_is_gone(scene: Scene, github: GitHub) -> None:
    """The error names the repository, and the next listing tells nothing more."""
    _, cursor = await scene.list_changes()
    for name in ("acme/api", "acme/guarded"):
        github.hub.allow(name, "hidden")
    changes: list[ListedChange] = []
    with pytest.raises(ItemNotFound, match="acme/api"):
        await note(scene, cursor, changes)
    cursor = changes[-1].cursor
    github.hub.allow("acme/api", "read")

    assert gone(changes) == ["acme/api#12", "acme/api#847", "acme/api#850"]
    assert len(ids((await scene.list_changes(cursor))[0])) == 3


@pytest.mark.parametrize("access", ["forbidden", "sso", "lapsed"])
async def test_a_login_that_has_lapsed_loses_nothing(
    scene: Scene, github: GitHub, access: Access
) -> None:
    """Whether a permission is missing or the single sign-on of an organization has expired.

    Without it, GitHub refuses a repository or denies that there is one.
    """
    _, cursor = await scene.list_changes()
    github.hub.allow("acme/api", access)
    changes: list[ListedChange] = []
    with pytest.raises(ScopeMissing):
        await note(scene, cursor, changes)
    containers = await scene.awaited("rove_containers")
    github.hub.allow("acme/api", "read")

    assert gone(changes) == []
    assert [each.name for each in containers] == ["acme/api"]
    assert ids((await scene.list_changes(cursor))[0]) == []


async def note(scene: Scene, cursor: str, changes: list[ListedChange]) -> None:
    """Add what is listed to a list."""
    scope = ListScope(account=scene.account.name, cursor=cursor)
    given = scene.source.rove_list(scope=scope)
    async for change in cast("AsyncGenerator[ListedChange, None]", given):
        changes.append(change)  # noqa: PERF401  # what came before an error is kept


async def test_nothing_older_than_asked_for(scene: Scene, github: GitHub) -> None:
    """And what is gone is found out among the rest alone."""
    since = DAY + HOUR
    for number in (20, 21):
        add(github, number, number)
    changes, cursor = await scene.list_changes(since=since)
    change(github, 20, 20, deleted=True)
    later, _ = await scene.list_changes(cursor, since=since)

    assert ids(changes) == ["acme/api#21", "acme/api#20"]
    assert gone(later) == ["acme/api#20"]


async def test_a_github_without_graphql_is_listed_by_rest(scene: Scene, github: GitHub) -> None:
    """In more requests."""
    github.starved = True
    changes, cursor = await scene.list_changes()
    add(github, 20, 99)

    assert ids(changes) == ["acme/api#850", "acme/api#847", "acme/api#12"]
    assert ids((await scene.list_changes(cursor))[0]) == ["acme/api#20"]


async def test_a_listing_ends_without_graphql(scene: Scene, github: GitHub) -> None:
    """What is gone is not known then; all that is there is listed."""
    github.fail_next(404, times=99, path="/graphql")
    changes, _ = await scene.list_changes()

    assert ids(changes) == ["acme/api#850", "acme/api#847", "acme/api#12"]


async def test_repositories_are_containers(scene: Scene) -> None:
    """Those that the account is set to."""
    found = await scene.awaited("rove_containers")

    assert [each.name for each in found] == ["acme/api"]


async def test_an_unreadable_repository_is_no_container(scene: Scene, github: GitHub) -> None:
    """Although the account is set to it."""
    for name in ("acme/api", "acme/guarded"):
        github.hub.allow(name, "hidden")

    assert await scene.awaited("rove_containers") == []
