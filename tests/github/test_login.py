"""How one logs in to GitHub, and what one gets to know of it."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import attrs
import pytest

import rove_github
from rove_core import (
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    NotLoggedIn,
    PreparedLogin,
    RoveError,
    WrongSetting,
)
from rove_core.testing import FaultProxy, Scene, Vendor
from rove_core.testing.http1 import SeenRequest, ServerReply
from rove_core.testing.scene import on_stage
from rove_github.settings import GitHubSettings
from rove_sim.company_github import CompanyRepository
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio

TOKEN = "github_pat_of_nobody"  # noqa: S105  # the simulator's


def _gh(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put a ``gh`` on the path that does what is said."""
    program = folder / "gh"
    program.write_text(f"#!{sys.executable}\nimport sys\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


async def _log_in_with_gh(scene: Scene) -> str:
    login = PreparedLogin("gh", {}, scene.http)
    credential = await scene.source.rove_authenticate(login=login)
    return credential.headers["Authorization"].reveal()


async def test_who_one_is_and_what_one_may_read(scene: Scene) -> None:
    """The identity has the login, the repositories that are set, and where pages are."""
    identity = scene.account.identity

    assert identity
    assert (identity.name, identity.hosts) == ("ann-doe", ("github.com",))
    assert identity.reads == ("acme/api",)


@pytest.mark.parametrize("ends_at", [None, datetime(2026, 12, 1, 8, 30, tzinfo=UTC)])
async def test_when_the_token_ends(
    stranger: Scene, github: GitHub, ends_at: datetime | None
) -> None:
    """GitHub says so with each reply, and nothing for a token that does not end."""
    github.token_ends_at = ends_at
    await stranger.enter()

    assert stranger.account.identity
    assert stranger.account.identity.login_ends_at == ends_at


@pytest.mark.parametrize(
    ("text", "ends_at"),
    [
        ("2026-12-01 01:30:00 -0700", datetime(2026, 12, 1, 8, 30, tzinfo=UTC)),
        ("soon", None),
    ],
)
async def test_other_ways_to_write_the_end(text: str, ends_at: datetime | None) -> None:
    """A time with its offset is read as well; what is no time is no end."""
    headers = {
        "content-type": "application/json",
        "github-authentication-token-expiration": text,
    }
    (kind,) = rove_github.rove_sources()
    async with FaultProxy(ServerReply(headers=headers, body=b'{"login": "ann"}')) as proxy:
        vendor = Vendor(base_url=proxy.url, answers={"token": TOKEN})
        async with on_stage(kind, vendor) as scene:
            scene.account = attrs.evolve(scene.account, settings=GitHubSettings(owners=("acme",)))
            scene.connect()
            await scene.enter()

    assert scene.account.identity
    assert scene.account.identity.login_ends_at == ends_at


async def test_what_cannot_be_read_is_not_called_readable(stranger: Scene) -> None:
    """Of the repositories that are set only those count that the token may read."""
    settings = GitHubSettings(repositories=("acme/api", "acme/secret"), owners=("acme",))
    stranger.account = attrs.evolve(stranger.account, settings=settings)
    stranger.connect()
    await stranger.enter()

    assert stranger.account.identity
    assert stranger.account.identity.reads == ("acme/api", "the repositories of acme")


async def test_a_login_that_may_read_nothing_is_told_at_once(stranger: Scene) -> None:
    """The repository that was set is named."""
    settings = GitHubSettings(repositories=("acme/secret",))
    stranger.account = attrs.evolve(stranger.account, settings=settings)
    stranger.connect()

    with pytest.raises(ItemNotFound, match="acme/secret: not found, or not visible"):
        await stranger.enter()


async def test_without_settings_a_few_repositories_are_named(
    stranger: Scene, github: GitHub
) -> None:
    """All there are, when they are few; else how many more."""
    github.conduct = attrs.evolve(github.conduct, page_size=None)
    stranger.account = attrs.evolve(stranger.account, settings=GitHubSettings())
    stranger.connect()
    await stranger.enter()
    assert stranger.account.identity
    assert stranger.account.identity.reads == ("acme/api",)

    more = tuple(CompanyRepository(name=f"acme/r{number}") for number in range(30))
    github.hub.__init__(attrs.evolve(github.company, repositories=more))  # type: ignore[misc]  # it starts anew
    await stranger.enter()
    reads = list(stranger.account.identity.reads)
    assert len(reads) == 11
    assert reads[-1] == "21 more repositories"


async def test_a_wrong_token_names_the_page_for_another(stranger: Scene) -> None:
    """The vendor does not take it; the next step is to make one."""
    stranger.vendor = attrs.evolve(stranger.vendor, answers={"token": "wrong"})

    with pytest.raises(LoginRefused) as caught:
        await stranger.enter()
    assert caught.value.exit_code == 4
    assert "https://github.com/settings/tokens" in caught.value.hint


async def test_the_token_of_an_app_is_a_robots() -> None:
    """Build servers give such a token; it may not ask for its user."""
    robot = b'{"data": {"viewer": {"login": "build[bot]", "html_url": "https://github.com/b"}}}'

    def answer(seen: SeenRequest) -> ServerReply:
        if seen.path == "/user":
            return ServerReply(status=403, body=b'{"message": "Resource not accessible"}')
        return ServerReply(body=robot if seen.path == "/graphql" else b"[]")

    (kind,) = rove_github.rove_sources()
    async with FaultProxy(answer) as proxy:
        vendor = Vendor(base_url=proxy.url, answers={"token": TOKEN})
        async with on_stage(kind, vendor) as scene:
            await scene.enter()

    assert scene.account.identity
    assert scene.account.identity.name == "build[bot]"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (ServerReply(status=404, body=b'{"message": "Not Found"}'), WrongSetting),
        (
            ServerReply(headers={"content-type": "text/html"}, body=b"<html>Sign in</html>"),
            MalformedReply,
        ),
        (ServerReply(body=b'{"displayName": "Ann"}'), WrongSetting),
        (ServerReply(body=b"[]"), MalformedReply),
    ],
)
async def test_another_server_is_told_from_github(
    answer: ServerReply, error: type[RoveError]
) -> None:
    """The error names the address, and how those of GitHub look."""
    (kind,) = rove_github.rove_sources()
    async with FaultProxy(answer) as proxy:
        vendor = Vendor(base_url=proxy.url, answers={"token": TOKEN})
        async with on_stage(kind, vendor) as scene:
            with pytest.raises(error, match="does not answer as GitHub's API") as caught:
                await scene.enter()

    assert "https://api.github.com" in caught.value.hint
    assert "/api/v3" in caught.value.hint


async def test_an_enterprise_server_has_its_own_addresses() -> None:
    """REST below the address, GraphQL beside it, pages on the server."""
    bodies = {
        "/api/v3/user": b'{"login": "ann", "html_url": "https://git.acme.example/ann"}',
        "/api/v3/repos/acme/api/issues/5": b'{"number": 5, "title": "Keys"}',
        "/api/graphql": b"{}",
    }

    def answer(seen: SeenRequest) -> ServerReply:
        headers = {"content-type": "application/json", "x-oauth-scopes": "repo"}
        return ServerReply(headers=headers, body=bodies.get(seen.path, b"[]"))

    (kind,) = rove_github.rove_sources()
    async with FaultProxy(answer) as proxy:
        vendor = Vendor(base_url=f"{proxy.url}/api/v3", answers={"token": TOKEN})
        async with on_stage(kind, vendor, name="github:work") as scene:
            await scene.enter()
            item = await scene.detail(
                scene.recognise("https://git.acme.example/acme/api/issues/5")[0]
            )

    assert item.ref.url == "https://git.acme.example/acme/api/issues/5"
    assert scene.account.identity
    assert scene.account.identity.reads == ("what the scopes of the token allow: repo",)
    assert "/api/graphql" in {seen.path for seen in proxy.requests}


async def test_every_request_names_the_version(scene: Scene, github: GitHub) -> None:
    """The version that is read is the version that is asked for."""
    await scene.find("TB-123")

    assert {exchange.request.headers["x-github-api-version"] for exchange in github.exchanges} == {
        "2022-11-28"
    }
    assert {exchange.request.headers["accept"] for exchange in github.exchanges} == {
        "application/vnd.github+json"
    }


async def test_the_login_of_gh_is_taken(
    stranger: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its token is asked for the host of the pages, and is a credential like any other."""
    _gh(tmp_path, monkeypatch, "print('gho_' + '-'.join(sys.argv[1:]))")

    assert await _log_in_with_gh(stranger) == "Bearer gho_auth-token---hostname-github.com"


@pytest.mark.parametrize("body", ["sys.exit(1)", "print()", "print('no oauth token'); sys.exit(4)"])
async def test_a_gh_without_a_login_says_how_to_get_one(
    stranger: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    """The next command is gh's own."""
    _gh(tmp_path, monkeypatch, body)

    with pytest.raises(NotLoggedIn, match="gh has no login") as caught:
        await _log_in_with_gh(stranger)
    assert caught.value.hint == "Log in with: gh auth login --hostname github.com"


async def test_a_machine_without_gh_is_told_so(
    stranger: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is another way to log in."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NotLoggedIn, match="gh cannot be started") as caught:
        await _log_in_with_gh(stranger)
    assert "--way token" in caught.value.hint


async def test_a_gh_that_hangs_is_ended(
    stranger: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it longer than a moment."""
    _gh(tmp_path, monkeypatch, "import signal; signal.pause()")
    monkeypatch.setattr("rove_github.gh._SECONDS", 0.05)

    with pytest.raises(NotLoggedIn, match="gh did not answer within"):
        await _log_in_with_gh(stranger)


@pytest.mark.parametrize("name", ["api", "a/b c", "a/b/c", "/b", ""])
def test_a_repository_has_its_owner(name: str) -> None:
    """It is asked for as it stands, so it has to be a name."""
    with pytest.raises(ValueError, match="is not a repository: write it as OWNER/NAME"):
        GitHubSettings(repositories=(name,))


@pytest.mark.parametrize("name", ["acme/api", "a b", ""])
def test_an_owner_has_no_repository(name: str) -> None:
    """It is asked for as it stands, too."""
    with pytest.raises(ValueError, match="is not the name of an owner"):
        GitHubSettings(owners=(name,))
