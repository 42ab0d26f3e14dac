"""Listing commits: new ones, those pushed late, those that are gone, and on from a cursor."""

from datetime import UTC, datetime, timedelta

import pytest

from rove_core import ListedChange, ListScope
from rove_core.testing import Scene
from rove_github.commits import CommitPlace
from rove_sim import Conduct
from rove_sim.company_github import RepositoryCommit
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio

DAY = datetime(2024, 12, 10, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
#: The commit of the merged pull request.
MERGED = "acme/api@" + "a" * 40


def made(number: int, hours: float) -> RepositoryCommit:
    """Return a commit that was made some hours after the start."""
    return RepositoryCommit(
        sha=f"{number:040x}", message=f"Commit {number}", author="ann", at=DAY + hours * HOUR
    )


def called(*numbers: int) -> list[str]:
    """Return the ids of commits."""
    return [f"acme/api@{number:040x}" for number in numbers]


def push(github: GitHub, *commits: RepositoryCommit) -> None:
    """Let these be all commits of the default branch, besides the merged one."""
    github.hub.push("acme/api", commits, DAY)


def new(changes: list[ListedChange]) -> list[str]:
    """Return the ids of the new commits."""
    return [each.item.ref.id for each in changes if each.item and each.item.role == "commit"]


def gone(changes: list[ListedChange]) -> list[str]:
    """Return the ids of the commits that are gone."""
    return sorted(each.gone.id for each in changes if each.gone and each.gone.kind == "commit")


def requests(github: GitHub) -> list[str]:
    """Return the requests for commits so far, with what they name."""
    asked = [each.request for each in github.exchanges]
    return [each.query.get("sha", "") for each in asked if each.path.endswith("/commits")]


async def test_commits_are_listed_as_they_are_read(scene: Scene, github: GitHub) -> None:
    """Newest first: those of the branch, and those that a pull request brought."""
    push(github, made(1, 1), made(2, 2))
    changes, _ = await scene.list_changes()
    found = [each.item for each in changes if each.item and each.item.role == "commit"]

    assert new(changes) == [*called(2, 1), MERGED]
    assert found == [await scene.detail(each.ref) for each in found]
    assert all(each.whole for each in changes if each.item)


async def test_one_request_shows_that_no_commit_is_new(scene: Scene, github: GitHub) -> None:
    """However many were made lately."""
    push(github, *(made(number, number) for number in range(1, 9)))
    _, cursor = await scene.list_changes()
    before = len(requests(github))
    changes, _ = await scene.list_changes(cursor)

    assert (new(changes), len(requests(github)) - before) == ([], 1)


async def test_commits_that_are_pushed_late_are_listed(scene: Scene, github: GitHub) -> None:
    """A merged branch has commits from before the last listing."""
    push(github, made(1, 1), made(3, 30))
    _, cursor = await scene.list_changes()
    push(github, made(1, 1), made(2, 20), made(3, 30), made(4, 40))
    changes, cursor = await scene.list_changes(cursor)
    again, _ = await scene.list_changes(cursor)

    assert (new(changes), gone(changes)) == (called(4, 2), [])
    assert (new(again), gone(again)) == ([], [])


async def test_a_commit_of_the_future_makes_no_other_too_old(scene: Scene, github: GitHub) -> None:
    """Anybody can make one; the next listing begins two weeks before this one."""
    push(github, made(9, 24 * 365 * 70))
    changes, _ = await scene.list_changes()
    (commit,) = [each.item for each in changes if each.item and each.item.ref.id in called(9)]
    place = CommitPlace.of("acme/api", ListScope(account="github", now=DAY))
    place.is_new(commit)
    place.end_walk()

    assert place.since == DAY - timedelta(days=14)


async def test_a_place_in_the_future_begins_anew() -> None:
    """As an older Rove may have left one."""
    cursor = '{"since":"2099-01-01T00:00:00+00:00","head":"a","known":{"a":1}}'
    scope = ListScope(account="github", since=DAY - 99 * HOUR, cursor=cursor, now=DAY)

    assert CommitPlace.of("acme/api", scope).since == scope.since


async def test_a_listing_of_commits_goes_on_where_it_stopped(scene: Scene, github: GitHub) -> None:
    """A push in between moves no page: history is listed from one commit."""
    commits = [made(number, number) for number in range(1, 12)]
    push(github, *commits)
    told: list[str] = []
    cursor = ""
    for _ in range(20):
        changes, cursor = await scene.list_changes(cursor, limit=3)
        told += new(changes)
        if len(told) in {4, 5, 6}:
            push(github, *commits, made(12, 12))

    assert sorted(told) == sorted([*called(*range(1, 13)), MERGED])


async def test_commits_that_were_replaced_are_gone(scene: Scene, github: GitHub) -> None:
    """As after a forced push."""
    push(github, made(1, 1), made(2, 2), made(3, 3))
    _, cursor = await scene.list_changes()
    push(github, made(1, 1), made(4, 4))
    changes, cursor = await scene.list_changes(cursor)
    again, _ = await scene.list_changes(cursor)

    assert (new(changes), gone(changes)) == (called(4), called(2, 3))
    assert (new(again), gone(again)) == ([], [])


async def test_no_commit_is_gone_after_a_quiet_month(scene: Scene, github: GitHub) -> None:
    """The commits before it are older than those that may still come late."""
    push(github, made(1, 1), made(2, 2))
    _, cursor = await scene.list_changes()
    push(github, made(1, 1), made(2, 2), made(3, 24 * 30))
    changes, _ = await scene.list_changes(cursor)

    assert (new(changes), gone(changes)) == (called(3), [])


async def test_a_history_that_github_no_longer_has(scene: Scene, github: GitHub) -> None:
    """The listing begins at the new head; nothing is listed twice, and what is lost is gone."""
    github.conduct = Conduct(page_size=2)
    commits = [made(number, number) for number in range(1, 8)]
    push(github, *commits)
    first, cursor = await scene.list_changes(limit=6)
    push(github, *commits[:-1], made(8, 8))
    second, cursor = await scene.list_changes(cursor)
    again, _ = await scene.list_changes(cursor)

    assert sorted(new(first) + new(second)) == sorted([*called(*range(1, 9)), MERGED])
    assert (gone(second), new(again), gone(again)) == (called(7), [], [])


async def test_the_commits_of_a_renamed_repository_are_listed_anew(
    scene: Scene, github: GitHub
) -> None:
    """Those under its old name are gone."""
    push(github, made(1, 1))
    _, cursor = await scene.list_changes()
    github.hub.move("acme/api", "acme/platform")
    changes, cursor = await scene.list_changes(cursor)
    again, _ = await scene.list_changes(cursor)

    assert gone(changes) == sorted([*called(1), MERGED])
    assert new(changes) == [each.replace("api", "platform") for each in [*called(1), MERGED]]
    assert (new(again), gone(again)) == ([], [])


async def test_no_commit_is_older_than_asked_for(scene: Scene, github: GitHub) -> None:
    """Also when one is pushed late."""
    push(github, made(1, 1), made(3, 30))
    changes, cursor = await scene.list_changes(since=DAY + 10 * HOUR)
    push(github, made(1, 1), made(2, 2), made(3, 30), made(4, 40))
    later, _ = await scene.list_changes(cursor, since=DAY + 10 * HOUR)

    assert (new(changes), new(later)) == (called(3), called(4))


@pytest.mark.parametrize("is_hidden", [False, True])
async def test_a_token_that_may_not_read_code_lists_the_rest(
    scene: Scene, github: GitHub, *, is_hidden: bool
) -> None:
    """And the commits, once it may."""
    if is_hidden:
        github.fail_next(404, path="/repos/acme/api/commits")
    else:
        github.forbidden = frozenset({"contents"})
    changes, cursor = await scene.list_changes()
    github.forbidden = frozenset()
    later, _ = await scene.list_changes(cursor)

    assert len([each for each in changes if each.item]) == 3
    assert (new(changes), new(later)) == ([], [MERGED])


async def test_a_busy_repository_has_a_small_cursor(scene: Scene, github: GitHub) -> None:
    """It knows at most a thousand commits, lists none twice, and takes none for gone."""
    github.conduct = Conduct()
    commits = [made(number, number / 60) for number in range(1, 1_203)]
    push(github, *commits)
    told: list[str] = []
    cursor = ""
    for _ in range(4):
        changes, cursor = await scene.list_changes(cursor, limit=500)
        told += new(changes)
    push(github, *commits, made(5_000, 30))
    changes, cursor = await scene.list_changes(cursor)

    assert sorted(told) == sorted([*called(*range(1, 1_203)), MERGED])
    assert (new(changes), gone(changes)) == (called(5_000), [])
    assert len(cursor) < 100_000
