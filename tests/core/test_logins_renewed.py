"""Requests of an account whose login expires: they never fail for that, and never twice."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Final

import attrs
import pytest
from attrs import define, field, frozen

from rove_core import (
    Account,
    CommonSettings,
    Credential,
    Event,
    Http,
    Identity,
    Login,
    LoginField,
    LoginRefused,
    LoginWay,
    NotLoggedIn,
    Project,
    Secret,
    SourceHooks,
    SourceKind,
    hookimpl,
    open_project,
)
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.auth.credentials import EncryptedFileStore, MemoryStore
from rove_core.auth.login_ledger import LoginLedger
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.clock import Clock
from rove_core.errors import DiskTrouble
from rove_core.items import AnyAccount
from rove_core.testing.clock import VirtualClock
from rove_sim.server import Request, Response, serve

pytestmark = pytest.mark.anyio
KEY: Final = LoginField(name="key", title="Key", secret=True)


@frozen
class Tokens:
    """What the vendor gives for a key or a refresh token."""

    access: str
    refresh: str


@frozen
class Me:
    """Who one is."""

    name: str


@define
class Vendor:
    """A vendor of tokens that work for an hour, of which each is renewed once."""

    clock: VirtualClock = field(factory=VirtualClock)
    number: int = 0
    takes: bool = True
    seen: list[str] = field(factory=list)

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        shown = request.headers.get("authorization", "")
        self.seen.append(f"{request.path} {shown}".strip())
        if request.path == "/token":
            if request.form()["refresh"] not in {"key", f"refresh-{self.number}"}:
                return Response({}, 401)
            self.number += 1
            tokens = {"access": f"access-{self.number}", "refresh": f"refresh-{self.number}"}
            return Response(tokens)
        is_known = self.takes and shown == f"access-{self.number}"
        return Response({"name": "Robin"}) if is_known else Response({}, 401)


@define(eq=False)
class Source(SourceHooks):
    """Asks the vendor, and renews at the host that it asks."""

    account: AnyAccount
    http: Http
    clock: Clock

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Exchange the key."""
        return await self._tokens(login.http, (await login.ask_secret(KEY)).reveal())

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange the refresh token."""
        assert credential.refresh is not None
        return await self._tokens(self.http, credential.refresh.reveal())

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Ask who one is."""
        return Identity(name=(await self.http.get("me")).read(Me).name)

    async def _tokens(self, http: Http, refresh: str) -> Credential:
        tokens = (await http.post("token", form={"refresh": refresh})).read(Tokens)
        return Credential(
            headers={"Authorization": Secret(tokens.access)},
            hosts=(self.account.base_url.removeprefix("http://"),),
            refresh=Secret(tokens.refresh),
            expires_at=self.clock.now() + timedelta(hours=1),
        )


def tokens_plugin(clock: Clock) -> ModuleType:
    """Return a plugin with one kind of source."""

    @hookimpl
    def rove_sources() -> list[SourceKind[CommonSettings]]:
        return [
            SourceKind(
                name="tokens",
                title="Tokens",
                settings=CommonSettings,
                connect=lambda account, http: Source(account, http, clock),
                logins=(LoginWay(name="key", title="Key", fields=(KEY,)),),
            )
        ]

    module = ModuleType("tokens")
    vars(module)["rove_sources"] = rove_sources
    return module


@frozen
class Place:
    """A vendor, and how to open projects that know it."""

    vendor: Vendor
    url: str
    folder: Path
    events: list[Event] = field(factory=list)

    @property
    def account(self) -> AnyAccount:
        """The account there."""
        return Account(
            name="tokens:work", kind="tokens", settings=CommonSettings(), base_url=self.url
        )

    @asynccontextmanager
    async def opened(
        self, store: MemoryStore | EncryptedFileStore | None = None, *, connected: bool = True
    ) -> AsyncIterator[Project]:
        """Open a project."""
        async with open_project(
            self.folder,
            plugins=[tokens_plugin(self.vendor.clock)],
            accounts=[self.account] if connected else [],
            credentials=store,
            clock=self.vendor.clock,
            on_event=self.events.append,
        ) as project:
            yield project

    @asynccontextmanager
    async def logged_in(self) -> AsyncIterator[Project]:
        """Open a project and log in."""
        async with self.opened(MemoryStore(), connected=False) as project:
            await self.log_in(project)
            yield project

    async def log_in(self, project: Project) -> None:
        """Log in, and look who one is."""
        answers = {"key": Secret("key")}
        await project.log_in(self.account, lambda http: PreparedLogin("key", answers, http))
        self.vendor.seen.clear()


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Give a vendor that answers."""
    vendor = Vendor()
    async with serve(vendor) as url:
        yield Place(vendor, url, tmp_path / "project")


async def test_an_expired_login_is_renewed_before_the_request(place: Place) -> None:
    """The vendor never sees it, and the renewal itself carries no login."""
    async with place.logged_in() as project:
        place.vendor.clock.advance(3600)
        await project.accounts.identity("tokens:work")

    assert place.vendor.seen == ["/token", "/me access-2"]


async def test_a_refused_login_is_renewed_once(place: Place) -> None:
    """The vendor's clock is ahead of this machine's: it is believed."""
    async with place.logged_in() as project:
        place.vendor.number = 1
        place.vendor.takes = False
        with pytest.raises(LoginRefused):
            await project.accounts.identity("tokens:work")
        with pytest.raises(LoginRefused):
            await project.accounts.identity("tokens:work")

    assert place.vendor.seen == ["/me access-1", "/token", "/me access-2", "/me access-2"]


async def test_a_request_does_not_fail_for_a_wrong_clock(place: Place) -> None:
    """It is sent again with the successor."""
    store = MemoryStore()
    async with place.opened(store, connected=False) as project:
        await place.log_in(project)
        known = await store.get("tokens:work")
        assert known is not None
        place.vendor.number = 2
        await store.set("tokens:work", attrs.evolve(known, refresh=Secret("refresh-2")))
    async with place.opened(store) as project:
        identity = await project.accounts.identity("tokens:work")

    assert identity.name == "Robin"
    assert place.vendor.seen == ["/me access-1", "/token", "/me access-3"]


async def test_a_login_that_is_lost_says_how_to_get_another(place: Place) -> None:
    """The command names the account."""
    async with place.logged_in() as project:
        place.vendor.number = 9
        with pytest.raises(NotLoggedIn) as caught:
            await project.accounts.identity("tokens:work")

    assert caught.value.hint == "Log in with: rove --add-source tokens --account tokens:work"
    assert caught.value.exit_code == 4


async def test_what_the_environment_holds_is_not_renewed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not Rove's, and is exchanged anew by each process."""
    monkeypatch.setenv("ROVE_TOKENS_WORK_KEY", "key")
    async with place.opened(MemoryStore()) as project:
        await project.accounts.identity("tokens:work")
        place.vendor.number = 5
        with pytest.raises(LoginRefused):
            await project.accounts.identity("tokens:work")

    assert place.vendor.seen == ["/token", "/me access-1", "/me access-1"]


async def _a_user_who_logged_in(place: Place) -> LoginLedger:
    """Log in as the user, for all projects; return what is known of that."""
    data = place.folder.with_name("data")
    AccountStore(data).add(AccountRecord(name="tokens:work", kind="tokens", base_url=place.url))
    async with place.opened(connected=False) as project:
        await place.log_in(project)
    return LoginLedger(data)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a user whose logins are in a file."""
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("ROVE_CREDENTIALS_BACKEND", "encrypted_file")


@pytest.mark.usefixtures("user")
async def test_a_login_of_another_project_does_not_lapse(place: Place) -> None:
    """Each command renews what is due, in use in its project or not."""
    ledger = await _a_user_who_logged_in(place)
    place.vendor.clock.advance(7 * 86400)
    async with place.opened(connected=False) as project:
        await project.renew_logins()

    assert place.vendor.seen == ["/token"]
    assert ledger.records()["tokens:work"].renewed_at == place.vendor.clock.now()


@pytest.mark.usefixtures("user")
async def test_nothing_is_asked_while_nothing_is_due(place: Place) -> None:
    """Neither the vendor nor the store."""
    ledger = await _a_user_who_logged_in(place)
    place.vendor.clock.advance(5 * 86400)
    ledger.data_dir.joinpath("credentials.enc").unlink()
    async with place.opened(connected=False) as project:
        await project.renew_logins()

    assert place.vendor.seen == []


@pytest.mark.usefixtures("user")
async def test_a_forgotten_login_leaves_nothing(place: Place) -> None:
    """Not even its name."""
    ledger = await _a_user_who_logged_in(place)
    async with place.opened(connected=False) as project:
        await project.forget_login("tokens:work")

    assert [*ledger.folder.iterdir()] == []


async def test_a_full_disk_is_told(place: Place) -> None:
    """The session goes on, and whoever watches is told why the next one may not."""

    class Full(MemoryStore):
        async def set(self, account: str, credential: Credential) -> None:
            if await self.get(account):
                raise DiskTrouble("credentials.enc cannot be written: No space left on device")
            await super().set(account, credential)

    async with place.opened(Full(), connected=False) as project:
        await place.log_in(project)
        place.vendor.clock.advance(3600)
        identity = await project.accounts.identity("tokens:work")

    assert identity.name == "Robin"
    assert [event.account for event in place.events] == ["tokens:work"] * 2
    assert "No space left on device" in place.events[0].note
