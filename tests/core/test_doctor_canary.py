"""Logins are put wherever one may be, and none of it is found in what doctor prints."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from rove.operations.doctor import Diagnosis
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.auth.credentials import EncryptedFileStore
from rove_core.login import Credential
from rove_core.project.layout import ProjectPaths
from rove_core.project.trust import record_trust
from rove_core.safety.secret import Secret
from rove_core.wire.structure import to_json

if TYPE_CHECKING:
    from tests.core.conftest import FakeKeychain, Look

BROKEN = """
import os
raise RuntimeError("no such user: " + os.environ["ACME_PASSWORD"])
"""
LOUD = """
import os
from attrs import frozen
from rove_core import CommonSettings, LoginField, LoginWay, SourceHooks, SourceKind, hookimpl

@frozen(eq=False)
class Source(SourceHooks):
    account: object
    http: object

    @hookimpl
    async def rove_authenticate(self, login):
        raise ValueError("never asked")

    @hookimpl
    async def rove_identity(self):
        said = await self.http.get("me")
        raise ValueError(f"cannot read {said!r}")

TOKEN = LoginField(name="token", title="Token", secret=True)

@hookimpl
def rove_sources():
    return [SourceKind(name="loud", title="Loud", settings=CommonSettings, connect=Source,
                       logins=(LoginWay(name="token", title="Token", fields=(TOKEN,)),))]
"""


@pytest.fixture(autouse=True)
def _handed_over(places: ProjectPaths) -> Iterator[None]:
    """Remove what holds a login because a test put it there."""
    yield
    for path in (
        places.settings_file,
        places.user_settings_file,
        places.data_dir / "accounts.toml",
    ):
        path.unlink(missing_ok=True)


@pytest.fixture
def shown(looked: "Look", places: ProjectPaths) -> Callable[[], str]:
    """Return what looks, and returns all that is printed of it, for people and for programs."""

    def show() -> str:
        findings = tuple(each for many in looked(places).values() for each in many)
        diagnosis = Diagnosis(findings=findings)
        return diagnosis.show() + json.dumps(to_json(diagnosis))

    return show


Shown = Callable[[], str]
Leaks = Callable[[str], bool]


@pytest.mark.parametrize(
    "text",
    [
        '[ai]\napi_key = "CANARY-key"\n',
        '[ai]\napi_key = "CANARY-key\n',
        "[ai]\nCANARY-alone\n",
        '[ai]\napi_key = ["CANARY-key"]\n',
        '[ai]\nmax_hops = "CANARY-pasted"\n',
        '[ai]\napi_base = "CANARY-pasted"\n',
        '[ai]\napi_base = "http://me:CANARY-url@127.0.0.1:9/v1"\n',
        '[sources]\nuse = ["CANARY-pasted one"]\n',
        '[sources.loud]\ntoken = "CANARY-token"\n',
        '[sources.loud]\npage_size = "CANARY-token"\n',
    ],
)
@pytest.mark.parametrize("where", ["project", "trusted", "user"])
def test_in_settings(
    shown: Shown, places: ProjectPaths, leaks: Leaks, text: str, where: str
) -> None:
    """A key in a settings file is not printed, even where it is in the wrong place."""
    file = places.user_settings_file if where == "user" else places.settings_file
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    if where == "trusted":
        record_trust(places, text.encode())

    assert not leaks(shown())


def test_in_variables(
    shown: Shown,
    leaks: Leaks,
    install_plugin: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A plugin that quotes what it finds in the environment is quoted without it."""
    monkeypatch.setenv("ACME_PASSWORD", "CANARY-variable")
    monkeypatch.setenv("ROVE_AI_API_KEY", "CANARY-key")
    monkeypatch.setenv("ROVE_AI_MAX_HOPS", "CANARY-pasted")
    install_plugin("broken", text=BROKEN)
    text = shown()

    assert "no such user: [secret]" in text
    assert not leaks(text)


@pytest.mark.parametrize(
    "record",
    [
        AccountRecord(name="loud", kind="loud", base_url="http://me:CANARY-url@127.0.0.1:9"),
        AccountRecord(name="loud", kind="loud", base_url="http://127.0.0.1:9/?t=CANARY-query"),
        AccountRecord(name="loud", kind="loud", settings={"page_size": "CANARY-pasted"}),
        AccountRecord(name="loud", kind="loud", settings={"token": "CANARY-pasted"}),
    ],
)
def test_in_accounts(
    shown: Shown,
    places: ProjectPaths,
    leaks: Leaks,
    install_plugin: Callable[..., None],
    record: AccountRecord,
) -> None:
    """What an account's record or its login holds is not printed."""
    install_plugin("loud", text=LOUD)
    AccountStore(places.data_dir).add(record)
    login = Credential(headers={"Authorization": Secret("Bearer CANARY-login")}, hosts=())
    asyncio.run(EncryptedFileStore(places.data_dir).set("loud", login))
    text = shown()

    assert "account loud" in text
    assert not leaks(text)


def test_in_a_damaged_book(shown: Shown, places: ProjectPaths, leaks: Leaks) -> None:
    """A damaged file of accounts is named, and not quoted."""
    places.data_dir.mkdir(mode=0o700)
    (places.data_dir / "accounts.toml").write_text('[accounts.jira]\ntoken = "CANARY-token\n')

    assert not leaks(shown())


def test_in_a_keychain(
    shown: Shown, leaks: Leaks, keychain: "FakeKeychain", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keychain that quotes what it was given when it fails is not quoted."""

    def fail(_: object, service: str, __: str, password: str) -> None:
        raise OSError(f"cannot keep {password} for {service}")

    monkeypatch.setattr(type(keychain), "set_password", fail)

    assert not leaks(shown())
