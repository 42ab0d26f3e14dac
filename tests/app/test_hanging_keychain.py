"""A keychain that never answers: nothing waits for it for long."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rove_core.auth.accounts import AccountRecord, AccountStore

#: A machine whose keychain never answers, and ``rove`` on it; how long it took is said last.
_HANGING = """
import sys, threading, time, types
from keyring.backend import KeyringBackend

class Keyring(KeyringBackend):
    priority = 5
    def get_password(self, *_): threading.Event().wait()
    set_password = delete_password = get_password

Keyring.__module__ = "keyring.backends.macOS"
module = types.ModuleType("keyring.backends.macOS")
module.Keyring = Keyring
sys.modules["keyring.backends.macOS"] = module
from rove.__main__ import main

began = time.monotonic()
sys.argv[0] = "rove"
code = main()
print(code, time.monotonic() - began < 30)
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a user with two accounts, whose logins are in that keychain."""
    folder = tmp_path / "data"
    monkeypatch.setenv("ROVE_DATA_DIR", str(folder))
    for kind in ("github", "linear"):
        AccountStore(folder).add(AccountRecord(name=kind, kind=kind))
    choice = {
        "backend": "keychain",
        "keychain": "keyring.backends.macOS.Keyring",
        "chosen_at": "2026-01-01T00:00:00+00:00",
        "why": "it worked",
    }
    path = folder / "credential-store.json"
    path.write_text(json.dumps(choice), "utf-8")
    path.chmod(0o600)
    return folder


def hanging(*arguments: str) -> tuple[str, str]:
    """Return what a command ended with, whether it was quick, and what it said."""
    done = subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-c", _HANGING, *arguments],
        env={**os.environ, "ROVE_ISOLATION": "0"},  # What it prints in the end is its own.
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    return done.stdout.splitlines()[-1], done.stderr


@pytest.mark.usefixtures("data", "empty")
def test_a_build_is_not_held_up_by_a_keychain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both accounts are asked, the keychain is waited for once, and it is named."""
    monkeypatch.setenv("ROVE_SOURCES_USE", "github,linear")

    ended, said = hanging("--ticket", "ENG-1")

    assert ended == "7 True"
    assert "keyring.backends.macOS.Keyring did not answer within 2 s" in said


@pytest.mark.usefixtures("data", "project")
def test_finding_a_document_needs_no_keychain() -> None:
    """It is an answer from the index alone."""
    ended, said = hanging("--find", "TB-123")

    assert (ended, said) == ("0 True", "")
