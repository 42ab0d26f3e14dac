"""Several processes at the encrypted file at once, and one without room on its disk."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rove_core.auth.credentials import EncryptedFileStore
from rove_core.login import Credential
from rove_core.safety.secret import Secret

#: Waits for its turn, then keeps a login of one account in each of some data directories.
_WRITER = """
import asyncio, sys
from pathlib import Path
from rove_core.auth.credentials import EncryptedFileStore
from rove_core.login import Credential
from rove_core.safety.secret import Secret
account, *folders = sys.argv[1:]
credential = Credential(headers={}, hosts=(), access=Secret(account))
stores = [EncryptedFileStore(Path(folder)) for folder in folders]
asyncio.run(stores[0].get(account))
print("ready", flush=True)
sys.stdin.readline()
for store in stores:
    asyncio.run(store.set(account, credential))
"""

#: Keeps another login on a disk that has no room for it.
_FULL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from rove_core.auth.credentials import EncryptedFileStore
from rove_core.errors import DiskTrouble
from rove_core.login import Credential
from rove_core.safety.secret import Secret
credential = Credential(headers={}, hosts=(), access=Secret("hunter2-" * 1000))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    asyncio.run(EncryptedFileStore(Path(sys.argv[1])).set("slack", credential))
except DiskTrouble as error:
    print(error.message)
"""


def _write_at_once(accounts: Sequence[str], folders: Sequence[Path]) -> list[int]:
    """Start a process per account, let all of them write together, and return how they ended."""
    with ExitStack() as running:
        writers = [
            running.enter_context(
                subprocess.Popen(  # noqa: S603  # the program is above
                    [sys.executable, "-c", _WRITER, account, *map(str, folders)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            )
            for account in accounts
        ]
        for writer in writers:
            assert writer.stdout is not None
            writer.stdout.readline()
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.close()
        return [writer.wait(timeout=60) for writer in writers]


def _accounts_in(folder: Path, accounts: Sequence[str]) -> list[str]:
    """Return the accounts whose own login is in the store."""
    store = EncryptedFileStore(folder)
    logins = {account: asyncio.run(store.get(account)) for account in accounts}
    return [name for name, login in logins.items() if login and login.access == Secret(name)]


def test_two_processes_agree_on_one_key(tmp_path: Path) -> None:
    """Both find no key, and both logins open with the one that is made."""
    accounts = ["jira", "slack"]
    folders = [tmp_path / str(number) for number in range(20)]

    ended = _write_at_once(accounts, folders)

    assert ended == [0, 0]
    assert [_accounts_in(folder, accounts) for folder in folders] == [accounts] * 20


def test_eight_processes_lose_nothing(tmp_path: Path) -> None:
    """Each keeps a login of its own at the same moment as the others, five times over."""
    accounts = [f"jira:team-{number}" for number in range(8)]
    folders = [tmp_path / str(number) for number in range(5)]

    ended = _write_at_once(accounts, folders)

    assert ended == [0] * 8
    assert [_accounts_in(folder, accounts) for folder in folders] == [accounts] * 5


def test_a_full_disk_loses_nothing(tmp_path: Path, credential: Credential) -> None:
    """The error names the file, and the file is the one before."""
    store = EncryptedFileStore(tmp_path)
    asyncio.run(store.set("jira", credential))
    before = sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir())

    done = subprocess.run(  # noqa: S603  # the program is above
        [sys.executable, "-c", _FULL_DISK, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert done.stdout.startswith(f"{store.path} (")
    assert "hunter2" not in done.stdout + done.stderr
    assert sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir()) == before
    assert asyncio.run(store.get("jira")) == credential
