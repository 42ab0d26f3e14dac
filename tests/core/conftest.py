"""What the tests of the core share."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

import aiosqlite
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from rove_core.doctor import Finding, examine
from rove_core.doctor.subject import Subject
from rove_core.http import Http
from rove_core.local_project import LocalProject
from rove_core.login import Credential
from rove_core.project_places import Places
from rove_core.secret import Secret
from rove_core.store.connection import open_for_reading
from rove_core.store.store import open_store
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import FaultProxy

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


#: Looks at a project as ``rove doctor`` does, and gives what was found by its name.
Look = Callable[..., Mapping[str, list[Finding]]]


class Index:
    """A project's database, opened anew for each call."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(
        self,
        function: Callable[Concatenate[aiosqlite.Connection, Arguments], Awaitable[Result]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Return what a writing function returns, once it is committed."""

        async def call() -> Result:
            opened = open_store(self.path, clock=VirtualClock())
            async with opened as store, store.transaction() as db:
                return await function(db, *args, **kwargs)

        return asyncio.run(call())

    def read(
        self,
        function: Callable[Concatenate[sqlite3.Connection, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Return what a reading function returns."""
        with open_for_reading(self.path) as db:
            return function(db, *args, **kwargs)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Give a database that is not there yet."""
    return Index(tmp_path / "index.db")


@pytest.fixture
def credential() -> Credential:
    """Give a login whose texts are as hard to keep as texts get."""
    hard = "ü€😀\U000e0041 \u202e\x00\x7f\"\\'`$(x)%&;{}<>\r\n\t"
    return Credential(
        headers={"Authorization": Secret(f"Bearer {hard}"), "X-Später": Secret("")},
        hosts=("acme.atlassian.net", "api.atlassian.com"),
        access=Secret(hard * 200),
        refresh=Secret(""),
        expires_at=datetime(2026, 3, 29, 1, 30, 0, 1, tzinfo=UTC),
        scopes=("read:jira-work", "offline_access"),
        extra={"client_secret": Secret("'; DROP TABLE --")},
    )


class FakeKeychain(KeyringBackend):
    """A keychain in memory, called as the one of macOS is, which asks its owner nothing."""

    entries: ClassVar[dict[tuple[str, str], str]]

    def get_password(self, service: str, username: str) -> str | None:
        """Return an entry."""
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep an entry."""
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        """Delete an entry, or say that there is none."""
        if self.entries.pop((service, username), None) is None:
            raise PasswordDeleteError("not found")


@pytest.fixture
def keychain(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeKeychain]:
    """Give a keychain that is this machine's, of a class of its own that tests may break."""

    class Keyring(FakeKeychain):
        priority = 5
        entries: ClassVar[dict[tuple[str, str], str]] = {}

    name = Keyring.__module__ = "keyring.backends.macOS"
    Keyring.__qualname__ = "Keyring"
    module = ModuleType(name)
    monkeypatch.setattr(module, "Keyring", Keyring, raising=False)
    monkeypatch.setitem(sys.modules, name, module)
    backend = Keyring()  # type: ignore[no-untyped-call]  # keyring's own has no types
    monkeypatch.setattr("keyring.core._keyring_backend", backend)
    yield backend
    KeyringBackend._classes.discard(Keyring)  # noqa: SLF001  # keyring registers each class for good


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Give a project whose `.rove` is there, and a user's folders that are not."""
    (tmp_path / "project" / ".rove").mkdir(parents=True, mode=0o700)
    return Places(
        root=tmp_path / "project", data_dir=tmp_path / "data", config_dir=tmp_path / "config"
    )


@pytest.fixture
def looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Look:
    """Return what looks at a project, and returns the findings by their names."""
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ROVE_CONFIG_DIR", str(tmp_path / "config"))

    def look(
        places: Places, *, fix: bool = False, patience: float = 1.0
    ) -> Mapping[str, list[Finding]]:
        async def all_found() -> list[Finding]:
            subject = Subject(LocalProject(places, VirtualClock()), fix=fix, patience=patience)
            return [finding async for finding in examine(subject)]

        found: dict[str, list[Finding]] = {}
        for finding in asyncio.run(all_found()):
            found.setdefault(finding.name, []).append(finding)
        return found

    return look


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
async def proxy() -> AsyncIterator[FaultProxy]:
    """Give a server that answers ``{}``, unless a fault is played."""
    async with FaultProxy() as proxy:
        yield proxy


@pytest.fixture
async def client() -> AsyncIterator[Callable[..., Http]]:
    """Give what makes clients of an account ``acme``, and closes them."""
    async with AsyncExitStack() as closing:

        def make(base_url: str, **options: Any) -> Http:  # noqa: ANN401  # as Http takes them
            http = Http(account="acme", base_url=base_url, **options)
            closing.push_async_callback(http.aclose)
            return http

        yield make
