"""What a person learns of logins that end, in time and without asking."""

import asyncio
import json
import os
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.auth.credentials import EncryptedFileStore
from rove_core.auth.login_ledger import LoginLedger, LoginRecord
from rove_core.clock import SYSTEM
from rove_core.login import Credential

if TYPE_CHECKING:
    from tests.app.conftest import Rove, Spawn, Terminal


@pytest.fixture
def known() -> Callable[..., None]:
    """Return what writes down something of the login of an account ``jira:work``."""
    data = Path(os.environ["ROVE_DATA_DIR"])
    AccountStore(data).add(AccountRecord(name="jira:work", kind="jira"))

    def write(**facts: Any) -> None:  # noqa: ANN401  # facts of several types
        record = LoginRecord(renewed_at=SYSTEM.now(), mark="mark")
        LoginLedger(data).write("jira:work", attrs.evolve(record, **facts))

    return write


@pytest.mark.usefixtures("empty")
def test_status_tells_a_login_that_soon_ends(rove: "Rove", known: Callable[..., None]) -> None:
    """There are 14 days to log in anew."""
    ends_at = SYSTEM.now() + timedelta(days=13)
    known(ends_at=ends_at)

    outcome = rove("--status")

    assert outcome.out.splitlines()[0] == (
        f"jira:work: the login expires in 13 days, on {ends_at:%Y-%m-%d}  "
        "log in again: rove --add-source jira --account jira:work"
    )


@pytest.mark.usefixtures("empty")
def test_the_list_says_what_renews_a_login_that_soon_ends(rove: "Rove") -> None:
    """The end is that of the stored login, which the vendor has announced."""
    data = Path(os.environ["ROVE_DATA_DIR"])
    AccountStore(data).add(AccountRecord(name="github", kind="github"))
    ends_at = SYSTEM.now() + timedelta(days=3)
    login = Credential(headers={}, hosts=("api.github.com",), ends_at=ends_at)
    asyncio.run(EncryptedFileStore(data).set("github", login))

    assert (
        f"login expires in 3 days, on {ends_at:%Y-%m-%d}; log in again: rove --add-source github"
    ) in " ".join(rove("sources", "list").out.split())


@pytest.mark.usefixtures("empty")
def test_status_keeps_quiet_while_there_is_time(rove: "Rove", known: Callable[..., None]) -> None:
    """Nobody has to do anything yet."""
    known(ends_at=SYSTEM.now() + timedelta(days=15))

    assert json.loads(rove("--status", "--json").out)["expiring_logins"] == []


@pytest.mark.usefixtures("empty")
def test_status_tells_a_login_that_is_lost(rove: "Rove", known: Callable[..., None]) -> None:
    """Programs are told as well."""
    known(lost_at=SYSTEM.now())

    (login,) = json.loads(rove("--status", "--json").out)["expiring_logins"]

    assert (login["account"], login["lost"]) == ("jira:work", True)


@pytest.mark.usefixtures("empty")
def test_a_lost_login_is_told_once_at_a_terminal(
    spawn: "Spawn", terminal: "Terminal", known: Callable[..., None]
) -> None:
    """The next command says so, whatever it is for, and no later one."""
    known(lost_at=SYSTEM.now())

    for _ in range(2):
        spawn("settings", stdout=subprocess.DEVNULL, stderr=terminal.end).wait()

    said = " ".join(terminal.look().split())
    assert said.count("log in again: rove --add-source jira --account jira:work") == 1


@pytest.mark.usefixtures("empty")
def test_a_lost_login_disturbs_no_program(rove: "Rove", known: Callable[..., None]) -> None:
    """Where nobody looks, it is still to be told."""
    known(lost_at=SYSTEM.now())

    assert rove("settings").err == ""


@pytest.mark.usefixtures("empty")
def test_a_login_that_soon_ends_is_told_at_a_terminal(
    spawn: "Spawn", terminal: "Terminal", known: Callable[..., None]
) -> None:
    """Whoever only builds documents never looks at the status."""
    ends_at = SYSTEM.now() + timedelta(days=13)
    known(ends_at=ends_at)

    for _ in range(2):
        spawn("settings", stdout=subprocess.DEVNULL, stderr=terminal.end).wait()

    said = " ".join(terminal.look().split())
    assert said.count("rove: the login of jira:work expires in 13 days, on ") == 1
    assert said.count("; log in again: rove --add-source jira --account jira:work") == 1
