"""Logging in to a remote server in a browser: nobody registers an app or pastes a token."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.mcp.authorization import Authorization
from tests.mcp.servers import SETTINGS, Asgi, app_of, behind_token, serving, wiki

import rove_mcp
from rove_core import LoginRefused, ScopeMissing, WrongCall
from rove_core.testing import Scene, Vendor
from rove_core.testing.scene import on_stage
from rove_mcp.source.login import endpoint

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def stage(guard: Asgi, *, way: str = "oauth", **settings: str) -> AsyncIterator[Scene]:
    """Give an account of a guarded server that nobody has logged in to."""
    (kind,) = rove_mcp.rove_sources()
    async with serving(guard) as origin:
        vendor = Vendor(
            base_url=f"{origin}/mcp",
            settings={**SETTINGS, **settings},
            answers={"client_id": "mine", "client_secret": "of-the-app"},
            way=way,
        )
        async with on_stage(kind, vendor, name="mcp:wiki") as scene:
            yield scene


@pytest.fixture
def guard() -> Authorization:
    """Give the wiki behind an authorization server."""
    return Authorization(app_of(wiki()))


async def test_one_login_needs_only_consent(guard: Authorization) -> None:
    """Discovery, registration, consent and exchange end in a search that works."""
    async with stage(guard) as scene:
        await scene.enter()
        found = await scene.find("token")

    assert [item.ref.id for item in found] == ["P-1", "P-2"]
    assert list(guard.clients) == ["client-0"]
    assert {each["resource"] for each in guard.asked} == {f"{scene.account.base_url}"}


async def test_a_login_is_renewed_with_what_it_holds(guard: Authorization) -> None:
    """Twice in a row the successor comes from the same endpoint, for the same server."""
    async with stage(guard) as scene:
        await scene.enter()
        for _ in range(2):
            guard.access.clear()
            scene.credential = await scene.awaited("rove_refresh", credential=scene.credential)
        found = await scene.find("token")

    assert len(found) == 2
    assert [each["grant_type"] for each in guard.asked[2:]] == ["refresh_token"] * 2
    assert guard.asked[-1]["resource"] == scene.account.base_url


async def test_a_spent_refresh_token_is_refused(guard: Authorization) -> None:
    """A login that was revoked ends with the word for the broker."""
    async with stage(guard) as scene:
        await scene.enter()
        guard.refresh.clear()
        with pytest.raises(LoginRefused):
            await scene.awaited("rove_refresh", credential=scene.credential)


async def test_a_removed_login_is_revoked_where_it_was_made(guard: Authorization) -> None:
    """Whoever found the tokens of an account that was removed could do nothing with them."""
    async with stage(guard) as scene:
        await scene.enter()
        await scene.awaited("rove_disconnect")
        with pytest.raises(LoginRefused):
            await scene.find("token")

    assert (guard.access, guard.asked[-1]["token_type_hint"]) == (set(), "refresh_token")


async def test_a_login_that_cannot_be_revoked_is_said(guard: Authorization) -> None:
    """A server that revokes none is named, so that nobody is told that it did."""
    guard.revokes = False
    async with stage(guard) as scene:
        await scene.enter()
        with pytest.raises(WrongCall, match="cannot revoke logins; it expires by itself"):
            await scene.awaited("rove_disconnect")


async def test_a_server_that_asks_for_no_login_is_open() -> None:
    """Whoever names no way to log in gets in where nobody asks for one."""
    async with stage(app_of(wiki())) as scene:
        await scene.enter()
        assert len(await scene.find("token")) == 2


async def test_a_server_that_takes_tokens_alone_says_how() -> None:
    """A server that asks for a login and names none is told with the ways that are left."""
    async with stage(behind_token(app_of(wiki()))) as scene:
        with pytest.raises(LoginRefused, match="offers none in a browser") as refused:
            await scene.enter()

    assert f"--url {scene.account.base_url} --way token" in refused.value.hint


async def test_refused_registration_says_what_to_do(guard: Authorization) -> None:
    """Where no app registers itself, the hint says how to give a client id."""
    guard.refuses = True
    async with stage(guard) as scene:
        with pytest.raises(LoginRefused, match="refused to register Rove") as refused:
            await scene.enter()

    assert "--set client_id=ID" in refused.value.hint


async def test_a_client_id_of_ones_own_is_used(guard: Authorization) -> None:
    """Whoever registered an app by hand needs no registration."""
    guard.refuses = True
    guard.clients["mine"] = ["http://127.0.0.1:17683/callback"]
    async with stage(guard, client_id="mine") as scene:
        await scene.enter()

    assert guard.asked[0]["client_id"] == "mine"


async def test_an_app_with_a_secret_shows_it_at_each_exchange(guard: Authorization) -> None:
    """Vendors that register apps by hand give them a secret: it is sent with code and renewal."""
    guard.refuses = True
    guard.clients["mine"] = ["http://127.0.0.1:17683/callback"]
    async with stage(guard, way="app") as scene:
        await scene.enter()
        await scene.awaited("rove_refresh", credential=scene.credential)

    exchanged = [each for each in guard.asked if "grant_type" in each]
    assert [each["grant_type"] for each in exchanged] == ["authorization_code", "refresh_token"]
    assert {each.get("client_secret") for each in exchanged} == {"of-the-app"}


async def test_a_token_for_another_server_is_not_asked_for(guard: Authorization) -> None:
    """A server that wants a token for somebody else gets none."""
    guard.resource = "https://mail.example/mcp"
    async with stage(guard) as scene:
        with pytest.raises(LoginRefused, match=r"another server, https://mail\.example/mcp"):
            await scene.enter()

    assert guard.asked == []


async def test_missing_scopes_are_named(guard: Authorization) -> None:
    """A step up says which scopes to log in with."""
    async with stage(guard) as scene:
        await scene.enter()
        guard.scope = "read pages:read"
        with pytest.raises(ScopeMissing, match="it needs read pages:read") as missing:
            await scene.find("token")

    assert 'scope="read pages:read"' in missing.value.hint


@pytest.mark.parametrize("place", ["http://localhost:1/x", "http://127.0.0.1/x", "https://[::1]/x"])
def test_a_remote_server_names_no_endpoint_on_this_machine(place: str) -> None:
    """Its login page would open in the person's browser, and act there with their rights."""
    told = {"authorization_endpoint": place}

    with pytest.raises(LoginRefused, match="not a safe address"):
        endpoint(told, "authorization_endpoint", "https://mcp.acme.example/mcp")
    assert endpoint(told, "authorization_endpoint", "http://localhost:8/mcp") == place
