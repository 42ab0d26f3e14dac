"""What a search of GitHub asks, and what it finds."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import attrs
import pytest

from rove_core import (
    ContextItem,
    LoginRefused,
    Query,
    RoveError,
    ScopeMissing,
    TimedOut,
    WrongSetting,
)
from rove_core.testing import Scene
from rove_github.settings import GitHubSettings
from rove_sim.company import Company
from rove_sim.company_github import CompanyRepository, PullRequest, RepositoryCommit
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio

NOON = datetime(2024, 12, 9, 12, tzinfo=UTC)


async def _found(scene: Scene, text: str, **options: Any) -> list[str]:  # noqa: ANN401  # whatever a query has
    items, error = await _kept(scene, text, **options)
    if error:
        raise error
    return [item.ref.id for item in items]


async def _kept(
    scene: Scene,
    text: str,
    **options: Any,  # noqa: ANN401  # as above
) -> tuple[list[ContextItem], RoveError | None]:
    """Return what came before an error, and the error."""
    found: list[ContextItem] = []
    query = attrs.evolve(Query(account="github", text=text), **options)
    try:
        async for item in scene.source.rove_search(query=query):
            found.append(item)  # noqa: PERF401  # what came before an error is kept
    except RoveError as error:
        return found, error
    return found, None


def _set(
    scene: Scene,
    *,
    repositories: tuple[str, ...] = (),
    owners: tuple[str, ...] = (),
    everywhere: bool = False,
    remotes: tuple[str, ...] = (),
) -> None:
    settings = GitHubSettings(repositories=repositories, owners=owners, everywhere=everywhere)
    scene.account = attrs.evolve(scene.account, settings=settings, remotes=remotes)
    scene.source = scene.kind.connect(scene.account, scene.http)


async def test_all_that_names_a_ticket_is_found_once(scene: Scene) -> None:
    """Pull requests by their words, then issues and commits."""
    assert await _found(scene, "TB-123") == [
        "acme/api#847",
        "acme/api#12",
        f"acme/api@{'a' * 40}",
    ]


async def test_a_branch_names_a_ticket(scene: Scene) -> None:
    """A pull request of which only the branch has the id is found as well."""
    assert await _found(scene, "TB-777") == ["acme/api#850"]


async def test_all_words_must_occur_in_any_order(scene: Scene) -> None:
    """Words are no phrase, unless they are quoted."""
    assert await _found(scene, "keys rotate") == ["acme/api#847", f"acme/api@{'a' * 40}"]
    assert await _found(scene, '"keys rotate"') == []
    assert await _found(scene, "keys giraffe") == []


@pytest.mark.parametrize(
    "text", ["is:open", "a OR", "NOT", "(a", "a)", '"a', "-a", "repo:x/y", "\\", "AND", "a:b"]
)
async def test_no_word_is_taken_for_a_condition(scene: Scene, github: GitHub, text: str) -> None:
    """What GitHub's language uses is looked for like anything else."""
    await _found(scene, text)

    assert github.refused == []


@pytest.mark.parametrize(
    ("field", "text", "ids"),
    [
        ("pr_title", "rotate", ["acme/api#847"]),
        ("pr_title", "hour", []),
        ("pr_description", "hour", ["acme/api#847"]),
        ("pr_comments", "spike", ["acme/api#847"]),
        ("pr_comments", "rotate", []),
        ("commit_messages", "TB-123", [f"acme/api@{'a' * 40}"]),
        ("issue_title", "rotated", ["acme/api#12"]),
        ("issue_title", "TB-123", []),
        ("issue_body", "TB-123", ["acme/api#12"]),
    ],
)
async def test_a_field_is_kept(scene: Scene, field: str, text: str, ids: list[str]) -> None:
    """Words that stand elsewhere do not count, nor does a branch."""
    assert await _found(scene, text, fields=(field,)) == ids


async def test_several_fields_are_one_question_for_each_kind(scene: Scene, github: GitHub) -> None:
    """Title and description are asked for together."""
    before = len(github.exchanges)
    await _found(scene, "keys", fields=("pr_title", "pr_description"))

    (asked,) = github.exchanges[before:]
    assert asked.request.query["q"] == ('"keys" is:pull-request in:title,body repo:acme/api')


async def test_every_declared_field_is_honoured(scene: Scene, github: GitHub) -> None:
    """None is declared for which nothing is asked."""
    for field in scene.kind.fields:
        before = len(github.exchanges)
        await _found(scene, "keys", fields=(field.name,))

        assert len(github.exchanges) == before + 1


@pytest.mark.parametrize("hours", [0, 2, -8])
async def test_a_window_holds_both_its_ends_in_any_zone(scene: Scene, hours: int) -> None:
    """What changed in just that second is found, whatever zone the second is told in."""
    at = NOON.astimezone(timezone(timedelta(hours=hours)))
    second = timedelta(seconds=1)

    assert await _found(scene, "keys", since=at, until=at) == ["acme/api#847"]
    assert "acme/api#847" not in await _found(scene, "keys", since=at + second)
    assert "acme/api#847" not in await _found(scene, "keys", until=at - second)
    assert await _found(scene, "keys", since=at - second, until=at + second) == ["acme/api#847"]


async def test_a_part_of_a_second_does_not_widen_a_window(scene: Scene) -> None:
    """GitHub counts in whole seconds; what is a moment too old is left out here."""
    assert await _found(scene, "keys", since=NOON + timedelta(microseconds=1)) == []
    assert await _found(scene, "TB-123", since=NOON) == ["acme/api#847"]


async def test_the_limit_is_kept_and_asked_for(scene: Scene, github: GitHub) -> None:
    """No page is asked for that is not needed."""
    github.lacks = frozenset({"search"})
    before = len(github.exchanges)

    assert await _found(scene, "TB-123", limit=1) == ["acme/api#847"]
    rest = [each for each in github.exchanges[before:] if each.request.method == "GET"]
    assert {exchange.request.query["per_page"] for exchange in rest} == {"1"}


async def test_owners_are_looked_in_whole(scene: Scene) -> None:
    """All repositories of an owner, with those that are named."""
    _set(scene, owners=("acme",))

    assert "acme/api#847" in await _found(scene, "keys")


async def test_many_repositories_are_asked_in_batches(scene: Scene, github: GitHub) -> None:
    """GitHub takes few words like OR; each repository is asked about, and each thing found."""
    names = tuple(f"acme/service-{number}" for number in range(13))
    pull = github.hub.items()[-1]
    for name in names:
        github.put(attrs.evolve(pull, repository=name, number=5, title="Keys everywhere"))
    _set(scene, repositories=names)

    assert sorted(await _found(scene, "everywhere")) == sorted(f"{name}#5" for name in names)
    assert github.refused == []


async def test_an_unreadable_repository_is_named_and_the_rest_found(
    scene: Scene, github: GitHub
) -> None:
    """What can be searched is, and then the error says which cannot, and what to do."""
    _set(scene, repositories=("acme/api", "acme/secret"))
    items, error = await _kept(scene, "TB-123")

    assert len(items) == 3
    assert type(error) is WrongSetting
    assert "acme/secret cannot be searched" in error.message
    assert "repositories in [sources.github]" in error.hint
    assert {line.partition(":")[0] for line in github.refused} == {"github"}


async def test_sign_on_keeps_its_hint_in_a_search(scene: Scene) -> None:
    """A repository behind a single sign-on says where that is done."""
    _set(scene, repositories=("acme/guarded",))
    items, error = await _kept(scene, "TB-123")

    assert items == []
    assert error
    assert "https://github.com/orgs/acme/sso" in error.hint


async def test_an_unknown_owner_is_an_error(scene: Scene) -> None:
    """GitHub does not say which; the error has its words."""
    _set(scene, owners=("nobody",))
    _, error = await _kept(scene, "TB-123")

    assert isinstance(error, WrongSetting)
    assert "cannot be searched" in error.message


async def test_left_out_organizations_are_told(scene: Scene) -> None:
    """Whoever looks everywhere is told that some of it was left out."""
    _set(scene, everywhere=True)
    items, error = await _kept(scene, "TB-123")

    assert len(items) == 3
    assert isinstance(error, ScopeMissing)


def _asked(github: GitHub) -> list[str]:
    return [str(each.values["q"]) for each in github.exchanges if "/search/" in each.request.path]


async def test_all_of_github_is_searched_by_choice_alone(scene: Scene, github: GitHub) -> None:
    """Without places in the settings, those are searched whose owners the token knows."""
    _set(scene)
    github.lacks = frozenset({"search"})

    assert len(await _found(scene, "TB-123")) == 3
    assert all("user:acme" in each for each in _asked(github))


async def test_a_token_that_reads_nothing_searches_nothing(scene: Scene, github: GitHub) -> None:
    """Without a place to look in, all of GitHub is not searched instead: the user has to say so."""
    scene.account = attrs.evolve(scene.account, identity=None)
    _set(scene)
    for repository in github.hub.every():
        github.hub.allow(repository.name, "hidden")

    with pytest.raises(WrongSetting, match="the token reads no repository") as refused:
        await _found(scene, "TB-123")

    assert "everywhere = true" in refused.value.hint
    assert _asked(github) == []


async def test_the_projects_remote_is_searched(scene: Scene, github: GitHub) -> None:
    """It comes before what else the token reads; one that cannot be read is no trouble."""
    _set(scene, remotes=("github.com/strangers/public",))
    github.lacks = frozenset({"search"})

    assert len(await _found(scene, "TB-123")) == 3
    assert any("repo:strangers/public" in each for each in _asked(github))


@pytest.mark.parametrize(
    ("branch", "found"),
    [
        ("TB-777", True),
        ("feature/TB-777-next", True),
        ("fix/TB-777", True),
        ("bugfix/TB-777", True),
        ("hotfix/TB-777_next", True),
        ("feat/TB-777", True),
        ("chore/TB-777-next", True),
        ("ann/TB-777-title", True),
        ("release/2.0/ann-TB-777", True),
        ("TB-7771-next", False),
        ("ann/TB-7771", False),
        ("feature/TB-7770", False),
    ],
)
async def test_branches_are_looked_at(
    scene: Scene, github: GitHub, company: Company, branch: str, *, found: bool
) -> None:
    """The id may stand anywhere in an open branch; a longer id is another one."""
    github.put(attrs.evolve(company.pull_requests[1], branch=branch))
    before = len(github.exchanges)

    assert await _found(scene, "TB-777") == (["acme/api#850"] if found else [])
    asked = [each.request.path for each in github.exchanges[before:]]
    assert sorted(asked) == ["/graphql", "/search/commits"]


@pytest.mark.parametrize(
    ("branch", "found"),
    [
        ("TB-777-next", True),
        ("feature/TB-777", True),
        ("fix/TB-777-next", True),
        ("bugfix/TB-777", True),
        ("hotfix/TB-777", True),
        ("feat/TB-777-next", True),
        ("chore/TB-777", True),
        ("bug/TB-777", True),
        ("task/TB-777-next", True),
        ("ann/TB-777-title", False),
    ],
)
async def test_deleted_branches_are_found_by_usual_prefixes(
    scene: Scene, github: GitHub, company: Company, branch: str, *, found: bool
) -> None:
    """A merged request's branch is gone: GitHub finds only how its name began."""
    pull = company.pull_requests[1]
    github.put(attrs.evolve(pull, branch=branch, state="closed", merged=pull.updated))

    assert await _found(scene, "TB-777") == (["acme/api#850"] if found else [])


@pytest.mark.parametrize("branch", ["bugfix/TB-777", "hotfix/TB-777", "feat/TB-777-next"])
async def test_usual_prefixes_are_found_over_rest(
    scene: Scene, github: GitHub, company: Company, branch: str
) -> None:
    """One search of one repository has room for six prefixes."""
    github.lacks = frozenset({"search"})
    github.put(attrs.evolve(company.pull_requests[1], branch=branch))

    assert await _found(scene, "TB-777") == ["acme/api#850"]


async def test_a_token_without_contents_finds_the_rest(
    scene: Scene, github: GitHub, company: Company
) -> None:
    """Branches that it may not list cost nothing else."""
    github.forbidden = frozenset({"contents"})
    github.put(attrs.evolve(company.pull_requests[1], branch="hotfix/TB-777"))

    assert await _found(scene, "TB-777") == ["acme/api#850"]


async def test_a_search_that_ran_out_of_time_says_so(scene: Scene, github: GitHub) -> None:
    """All that it found is kept."""
    github.lacks = frozenset({"search"})
    github.incomplete = True
    items, error = await _kept(scene, "TB-123")

    assert len(items) == 3
    assert type(error) is TimedOut


@pytest.mark.parametrize("path", ["search/issues", "search/commits"])
async def test_one_search_that_fails_costs_its_own(scene: Scene, github: GitHub, path: str) -> None:
    """What the others find is there before the error."""
    github.lacks = frozenset({"search"})
    github.fail_next(502, times=99, path=path)
    items, error = await _kept(scene, "TB-123")

    assert items
    assert error


async def test_a_refused_token_is_told(scene: Scene) -> None:
    """It has the page where one makes another."""
    assert scene.credential
    scene.credential = attrs.evolve(scene.credential, headers={})
    _, error = await _kept(scene, "TB-123")

    assert type(error) is LoginRefused
    assert "https://github.com/settings/tokens" in error.hint


@pytest.mark.parametrize("count", [0, 1, 2, 3, 40])
async def test_every_page_is_read(scene: Scene, github: GitHub, count: int) -> None:
    """None, one, a whole page, one more than that, many."""
    pull = next(item for item in github.hub.items() if isinstance(item, PullRequest))
    for number in range(count):
        when = NOON - timedelta(minutes=number)
        github.put(attrs.evolve(pull, number=1000 + number, title="giraffe", updated=when))

    assert await _found(scene, "giraffe", limit=1000) == [
        f"acme/api#{1000 + number}" for number in range(count)
    ]


async def test_commits_of_several_repositories_are_found(scene: Scene, github: GitHub) -> None:
    """One question names them all; the newest commit comes first."""
    commit = RepositoryCommit(message="Keys in the web", author="ann", at=NOON, sha="b" * 40)
    company = github.company
    more = (*company.repositories, CompanyRepository(name="acme/web", commits=(commit,)))
    github.hub.__init__(attrs.evolve(company, repositories=more))  # type: ignore[misc]  # it starts anew
    _set(scene, repositories=("acme/api", "acme/web"))

    assert await _found(scene, "keys", fields=("commit_messages",)) == [
        f"acme/web@{'b' * 40}",
        f"acme/api@{'a' * 40}",
    ]


async def test_an_apps_user_may_search(scene: Scene, github: GitHub) -> None:
    """Such a token has to say whether it wants issues or pull requests."""
    token = "ghu_of_an_app"  # noqa: S105  # the simulator's
    github.company = attrs.evolve(github.company, token=token)
    scene.vendor = attrs.evolve(scene.vendor, answers={"token": token})
    scene.credential = await scene.awaited("rove_authenticate", login=scene.login())

    assert len(await _found(scene, "TB-123")) == 3
