"""What a look at the accounts finds, at the clock, and at the model."""

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING

import pytest

from rove.doctor.findings import Finding
from rove.doctor.model import check_model
from rove.doctor.subject import Subject
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.auth.credentials import EncryptedFileStore
from rove_core.login import Credential
from rove_core.project.layout import ProjectPaths
from rove_core.project.local import LocalProject
from rove_core.safety.secret import Secret
from rove_core.testing.clock import VirtualClock
from rove_core.testing.faults import FaultProxy, ServerReply
from rove_core.testing.http1 import SeenRequest

if TYPE_CHECKING:
    from tests.core.conftest import Look

VENDOR = """
from datetime import datetime
from attrs import frozen
from rove_core import CommonSettings, Identity, LoginField, LoginWay, SourceHooks, SourceKind
from rove_core import authorization, hookimpl

@frozen(eq=False)
class Source(SourceHooks):
    account: object
    http: object

    @hookimpl
    async def rove_authenticate(self, login):
        return authorization(self.account, (await login.ask_secret(TOKEN)).reveal())

    @hookimpl
    async def rove_identity(self):
        said = (await self.http.get("me")).json()
        end = datetime.fromisoformat(said["end"]) if "end" in said else None
        return Identity(name=said["name"], reads=("the board", "the wiki"), login_ends_at=end)

TOKEN = LoginField(name="token", title="Token", secret=True)

@hookimpl
def rove_sources():
    return [SourceKind(name="vendor", title="Vendor", settings=CommonSettings, connect=Source,
                       logins=(LoginWay(name="token", title="Token", fields=(TOKEN,)),))]
"""


@pytest.fixture
def account(places: ProjectPaths, install_plugin: Callable[..., None]) -> Callable[..., None]:
    """Return what adds an account with a login."""
    install_plugin("vendor", text=VENDOR)

    def add(url: str, **login: object) -> None:
        AccountStore(places.data_dir).add(
            AccountRecord(name="vendor:work", kind="vendor", base_url=url)
        )
        secret = {"Authorization": Secret("Bearer t0p-s3cret-login")}
        host = url.partition("://")[2]
        credential = Credential(headers=secret, hosts=(host,), **login)  # type: ignore[arg-type]  # as the test says
        asyncio.run(EncryptedFileStore(places.data_dir).set("vendor:work", credential))

    return add


def _look_at_vendor(
    looked: "Look",
    places: ProjectPaths,
    account: Callable[..., None],
    answer: Callable[[SeenRequest], ServerReply],
    **login: object,
) -> Mapping[str, list[Finding]]:
    """Look at a project with one account, whose vendor answers so."""
    started: list[str] = []
    ready, stop = threading.Event(), threading.Event()

    async def serve() -> None:
        async with FaultProxy(answer) as vendor:
            started.append(vendor.url)
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        ready.wait()
        account(started[0], **login)
        return looked(places)
    finally:
        stop.set()
        thread.join()


def _good(_: SeenRequest) -> ServerReply:
    return ServerReply(body=json.dumps({"name": "Robin"}).encode())


def test_an_account_that_works(
    looked: "Look", places: ProjectPaths, account: Callable[..., None]
) -> None:
    """It is said who one is, what one can read, what the login allows and when it ends."""
    end = datetime(2099, 1, 2, tzinfo=UTC)
    found = _look_at_vendor(looked, places, account, _good, scopes=("read", "list"), expires_at=end)
    (told,) = found["account vendor:work"]

    assert told.state == "ok"
    assert "you are Robin; you can read the board, the wiki" in told.found
    assert "the login allows read list; the login expires on 2099-01-02" in told.found


def test_a_login_that_soon_ends(
    looked: "Look", places: ProjectPaths, account: Callable[..., None]
) -> None:
    """A login that ends within two weeks is told, with the command that makes a new one."""
    end = VirtualClock().now() + timedelta(days=13)
    (told,) = _look_at_vendor(looked, places, account, _good, expires_at=end)["account vendor:work"]

    assert told.state == "warning"
    assert "rove --add-source vendor --account vendor:work" in told.next


def test_a_login_whose_vendor_announces_its_end(
    looked: "Look", places: ProjectPaths, account: Callable[..., None]
) -> None:
    """The vendor says so with its replies, so a login from the environment is told as well."""
    end = VirtualClock().now() + timedelta(days=3)

    def announce(_: SeenRequest) -> ServerReply:
        return ServerReply(body=json.dumps({"name": "Robin", "end": end.isoformat()}).encode())

    (told,) = _look_at_vendor(looked, places, account, announce)["account vendor:work"]

    assert told.state == "warning"
    assert f"the login expires in 3 days, on {end:%Y-%m-%d}" in told.found


def test_a_login_that_is_refused(
    looked: "Look", places: ProjectPaths, account: Callable[..., None]
) -> None:
    """A refused login is told; a vendor that quotes it gets it printed nowhere."""

    def refuse(seen: SeenRequest) -> ServerReply:
        said = json.dumps({"error": f"bad token {seen.headers.get('authorization')}"})
        return ServerReply(status=401, body=said.encode())

    (told,) = _look_at_vendor(looked, places, account, refuse)["account vendor:work"]

    assert told.state == "problem"
    assert "rove --add-source vendor --account vendor:work" in told.next
    assert "t0p-s3cret-login" not in str(told)


def test_an_account_without_a_login(
    looked: "Look", places: ProjectPaths, account: Callable[..., None]
) -> None:
    """Where there is no login it is said with which command to log in to this very account."""
    account("http://127.0.0.1:9")
    asyncio.run(EncryptedFileStore(places.data_dir).delete("vendor:work"))
    (told,) = looked(places)["account vendor:work"]

    assert told.state == "problem"


def test_a_vendor_that_cannot_be_reached(
    looked: "Look", places: ProjectPaths, account: Callable[..., None]
) -> None:
    """A vendor at whose address nobody answers is a problem of this account alone."""
    account("http://127.0.0.1:9")
    found = looked(places)

    assert found["account vendor:work"][0].state == "problem"
    assert found["clock"][0].found == "not compared: no vendor sent the time"


@pytest.mark.parametrize(("minutes", "state"), [(0, "ok"), (-2, "warning"), (30, "problem")])
def test_a_clock_that_is_wrong(
    looked: "Look", places: ProjectPaths, account: Callable[..., None], minutes: int, state: str
) -> None:
    """The clock is compared with what the vendor says of the time."""

    def late(_: SeenRequest) -> ServerReply:
        date = format_datetime(VirtualClock().now() + timedelta(minutes=minutes), usegmt=True)
        headers = {"content-type": "application/json", "date": date}
        return ServerReply(headers=headers, body=b'{"name": "Robin"}')

    (told,) = _look_at_vendor(looked, places, account, late)["clock"]

    assert told.state == state
    assert "the clock of 127.0.0.1:" in told.found


@pytest.mark.anyio
async def test_the_model_is_sent_no_key(
    places: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The endpoint of a model is asked whether it is there, without its key."""
    async with FaultProxy() as model:
        monkeypatch.setenv("ROVE_AI_API_BASE", model.url)
        monkeypatch.setenv("ROVE_AI_API_KEY", "CANARY-of-a-model")
        (found,) = await check_model(Subject(LocalProject(places, VirtualClock())))

    assert (found.state, len(model.requests)) == ("ok", 1)
    assert "CANARY" not in str(model.requests)


@pytest.mark.anyio
async def test_a_model_that_is_not_there(
    places: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An endpoint at which nobody answers is a problem, with the setting to look at."""
    monkeypatch.setenv("ROVE_AI_API_BASE", "http://127.0.0.1:9")
    (found,) = await check_model(Subject(LocalProject(places, VirtualClock())))

    assert (found.state, found.next) == ("problem", "Check it: rove settings get ai.api_base")
