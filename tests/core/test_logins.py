"""Logging in anew: what is kept is what has shown that it works."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from rove_core import (
    Account,
    CommonSettings,
    Credential,
    Http,
    Identity,
    Login,
    LoginRefused,
    LoginWay,
    Project,
    Secret,
    SourceHooks,
    SourceKind,
    hookimpl,
    open_project,
)
from rove_core.auth.credentials import MemoryStore
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.items import AnyAccount

#: When the login with the key ``short`` ends.
END = datetime(2026, 6, 1, tzinfo=UTC)
ACCOUNT = Account(name="door", kind="door", settings=CommonSettings())


class Door(SourceHooks):
    """Takes every key, and opens with one of them."""

    def __init__(self, keys: list[str]) -> None:
        self._keys = keys

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Take the key."""
        self._keys.append(login.way)
        return Credential(headers={}, hosts=(), access=Secret(login.way))

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Say who comes in."""
        if self._keys[-1] == "wrong":
            raise LoginRefused("the key does not fit")
        return Identity(
            id="7", name="Robin", login_ends_at=END if self._keys[-1] == "short" else None
        )


def doors() -> ModuleType:
    """Return a plugin with one kind of source, whose login shows late that it is wrong."""
    keys: list[str] = []

    def connect(account: AnyAccount, http: Http) -> SourceHooks:  # noqa: ARG001  # what it is given
        return Door(keys)

    @hookimpl
    def rove_sources() -> list[SourceKind[CommonSettings]]:
        return [
            SourceKind(
                name="door",
                title="Door",
                settings=CommonSettings,
                connect=connect,
                logins=(LoginWay(name="key", title="Key"),),
            )
        ]

    module = ModuleType("doors")
    vars(module)["rove_sources"] = rove_sources
    return module


@asynccontextmanager
async def opened(path: Path, store: MemoryStore) -> AsyncIterator[Project]:
    """Open a project that knows doors."""
    opening = open_project(path, plugins=[doors()], accounts=(), credentials=store)
    async with opening as project:
        yield project


async def tried(path: Path, store: MemoryStore, key: str) -> None:
    """Try a key."""
    async with opened(path, store) as project:
        await project.log_in(ACCOUNT, lambda http: PreparedLogin(key, {}, http))


def kept(store: MemoryStore) -> str:
    """Return the key that was kept."""
    credential = asyncio.run(store.get("door"))
    return credential.access.reveal() if credential and credential.access else ""


def test_a_login_that_works_is_kept(tmp_path: Path) -> None:
    """Who could say who it is may come again."""
    store = MemoryStore()

    asyncio.run(tried(tmp_path, store, "right"))

    assert kept(store) == "right"


def test_the_end_that_a_vendor_announces_is_kept(tmp_path: Path) -> None:
    """It says so once one is in, and the login is kept with its end."""
    store = MemoryStore()

    asyncio.run(tried(tmp_path, store, "short"))
    credential = asyncio.run(store.get("door"))

    assert credential
    assert credential.lasts_until == END


@pytest.mark.parametrize("before", ["", "right"])
def test_a_login_that_does_not_work_is_not_kept(tmp_path: Path, before: str) -> None:
    """The one before stays, if there is one."""
    store = MemoryStore()
    if before:
        asyncio.run(tried(tmp_path, store, before))

    with pytest.raises(LoginRefused):
        asyncio.run(tried(tmp_path, store, "wrong"))

    assert kept(store) == before
