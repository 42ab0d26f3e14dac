"""The keychain of most Linux desktops for real: gnome-keyring, on a session bus of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_NEEDED = ("dbus-run-session", "gnome-keyring-daemon")
_MISSING = [name for name in _NEEDED if not shutil.which(name)]

pytestmark = pytest.mark.skipif(
    bool(_MISSING), reason=f"needs {' and '.join(_MISSING)}: apt-get install gnome-keyring dbus"
)

#: What runs in a session of its own; what it unlocks the keyring with is typed to the daemon.
_SESSION = """
printf hunter2 | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
exec "$0" -c "$1" "$2"
"""

_COMMAND = ("dbus-run-session", "--", "/bin/sh", "-c", _SESSION)

_HEAD = """
import asyncio, sys
from pathlib import Path
from rove_core.auth.credentials import choose_store
from rove_core.auth.keychain import load_keychain, probe_keychain
from rove_core.login import Credential
from rove_core.safety.secret import Secret

LOGIN = Credential(
    headers={"Authorization": Secret("Bearer opensesame-ü€")}, hosts=("acme.example",),
    refresh=Secret("opensesame-refresh" * 100),
    extra={"client_secret": Secret("opensesame-client")},
)
data = Path(sys.argv[1])

def store():
    return asyncio.run(choose_store("auto", data_dir=data))

def lock():
    import secretstorage
    bus = secretstorage.dbus_init()
    secretstorage.get_default_collection(bus).lock()
"""


def in_session(program: str, folder: Path) -> str:
    """Return what a program prints in a desktop session of its own."""
    for name in ("runtime", "home"):
        (folder / name).mkdir(mode=0o700)
    own = {"XDG_RUNTIME_DIR": str(folder / "runtime"), "HOME": str(folder / "home")}
    kept = {name: text for name, text in os.environ.items() if not name.startswith("DBUS_")}
    done = subprocess.run(  # noqa: S603  # the program is in this file
        [*_COMMAND, sys.executable, _HEAD + program, str(folder / "data")],
        env={**kept, **own},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_login_is_kept_by_the_desktops_own_keychain(tmp_path: Path) -> None:
    """It is chosen by trying, keeps a login as it is, and forgets it."""
    program = """
kept = store()
asyncio.run(kept.set("jira:work", LOGIN))
again = store()
print(kept.backend, asyncio.run(again.get("jira:work")) == LOGIN)
asyncio.run(again.delete("jira:work"))
print(asyncio.run(again.get("jira:work")))
"""

    assert in_session(program, tmp_path).splitlines() == [
        "keyring.backends.SecretService.Keyring True",
        "None",
    ]


def test_no_login_stands_in_the_keyrings_file(tmp_path: Path) -> None:
    """It is encrypted with the password of its owner's session."""
    program = 'asyncio.run(store().set("jira", LOGIN))'
    in_session(program, tmp_path)

    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    assert not any(b"opensesame" in text for text in written)


def test_a_locked_keyring_is_told_at_once_and_puts_up_no_window(tmp_path: Path) -> None:
    """Its owner has locked it; a command says that, and not that nobody answered."""
    program = """
from rove_core.errors import KeychainUnusable
kept = store()
asyncio.run(kept.set("jira", LOGIN))
lock()
for call in (kept.get("jira"), kept.set("jira", LOGIN), kept.delete("jira"), probe_keychain()):
    try:
        asyncio.run(call)
    except KeychainUnusable as error:
        print("is locked" in error.message)
"""

    assert in_session(program, tmp_path).split() == ["True"] * 4


def test_a_locked_keyring_lets_the_file_be_chosen(tmp_path: Path) -> None:
    """Whoever never unlocks it is not asked for it either."""
    program = "lock(); print(store().name)"

    assert in_session(program, tmp_path) == "encrypted_file"
