import asyncio
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs
import pytest

from rove_core.credentials import EncryptedFileStore
from rove_core.errors import CredentialsCorrupt, DiskTrouble, UnsafePlace
from rove_core.login import Credential
from rove_core.secret import Secret

#: Waits for its turn, then keeps a login of one account in each of some data directories.
_WRITER = """
import asyncio, sys
from pathlib import Path
from rove_core.credentials import EncryptedFileStore
from rove_core.login import Credential
from rove_core.secret import Secret
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
from rove_core.credentials import EncryptedFileStore
from rove_core.errors import DiskTrouble
from rove_core.login import Credential
from rove_core.secret import Secret
credential = Credential(headers={}, hosts=(), access=Secret("canary-" * 1000))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    asyncio.run(EncryptedFileStore(Path(sys.argv[1])).set("slack", credential))
except DiskTrouble as error:
    print(error.message)
"""


@pytest.fixture
def store(tmp_path: Path) -> EncryptedFileStore:
    """Give a store with one short login."""
    store = EncryptedFileStore(tmp_path / "data")
    login = Credential(headers={"A": Secret("t0p")}, hosts=("acme.example",))
    asyncio.run(store.set("jira", login))
    return store


def _get(store: EncryptedFileStore) -> Credential | None:
    return asyncio.run(store.get("jira"))


def _refused(store: EncryptedFileStore, path: Path, variants: Iterator[bytes]) -> int:
    """Count the variants of a file, each of which the store has to find damaged."""

    async def count() -> int:
        number = 0
        for number, variant in enumerate(variants, start=1):  # noqa: B007  # it is the result
            path.write_bytes(variant)
            with pytest.raises(CredentialsCorrupt) as caught:
                await store.get("jira")
            assert str(path) in caught.value.message
            assert str(store.path) in caught.value.hint
        return number

    return asyncio.run(count())


def _flipped(data: bytes) -> Iterator[bytes]:
    for bit in range(8 * len(data)):
        copy = bytearray(data)
        copy[bit // 8] ^= 1 << bit % 8
        yield bytes(copy)


def _cut(data: bytes) -> Iterator[bytes]:
    return (data[:length] for length in range(len(data)))


def _write_at_once(accounts: Sequence[str], folders: Sequence[Path]) -> list[int]:
    """Start a process per account, let all of them write together, and return how they ended."""
    writers = [
        subprocess.Popen(  # noqa: S603  # the program is above
            [sys.executable, "-c", _WRITER, account, *map(str, folders)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for account in accounts
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    for writer in writers:
        writer.communicate(b"go\n", timeout=60)
    return [writer.returncode for writer in writers]


def test_nothing_is_readable_in_the_file(store: EncryptedFileStore) -> None:
    """Not even which accounts there are."""
    data = store.path.read_bytes()

    assert data.startswith(b"RoveCred\x01\x01")
    assert not any(word in data for word in (b"jira", b"acme", b"t0p"))


def test_each_write_looks_different(store: EncryptedFileStore) -> None:
    """The same login is never encrypted with the same nonce."""
    before = store.path.read_bytes()
    login = _get(store)
    assert login is not None

    asyncio.run(store.set("jira", login))

    assert store.path.read_bytes()[:22] != before[:22]


def test_what_is_written_is_nobody_elses(store: EncryptedFileStore) -> None:
    """Files are 0600 and the folder is 0700, whatever the umask."""
    folder = store.path.parent

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {
        "credentials.enc": 0o600,
        "credentials.lock": 0o600,
        "master.key": 0o600,
    }


def test_reading_writes_nothing(tmp_path: Path) -> None:
    """A sandbox without a login may look for one."""
    assert _get(EncryptedFileStore(tmp_path / "data")) is None
    asyncio.run(EncryptedFileStore(tmp_path / "data").delete("jira"))

    assert list(tmp_path.iterdir()) == []


def test_every_flipped_bit_is_found(store: EncryptedFileStore) -> None:
    """One wrong bit anywhere is damage, and never a wrong secret."""
    data = store.path.read_bytes()

    assert _refused(store, store.path, _flipped(data)) == 8 * len(data) > 2000


def test_every_cut_is_found(store: EncryptedFileStore) -> None:
    """A file that ends early is damage, and so is an empty one."""
    data = store.path.read_bytes()

    assert _refused(store, store.path, _cut(data)) == len(data)


def test_every_damage_to_the_key_is_found(store: EncryptedFileStore) -> None:
    """The key is as precious as the file."""
    path = store.path.with_name("master.key")
    key = path.read_bytes()

    assert _refused(store, path, _flipped(key)) == 256
    assert _refused(store, path, _cut(key)) == 32


def test_a_key_that_is_gone_is_told(store: EncryptedFileStore) -> None:
    """A new key would not open the file, so none is made."""
    key = store.path.with_name("master.key")
    key.unlink()
    login = Credential(headers={}, hosts=())

    with pytest.raises(CredentialsCorrupt, match=r"its key .*master\.key is gone"):
        asyncio.run(store.set("slack", login))

    assert not key.exists()


def test_a_damaged_file_is_not_overwritten(store: EncryptedFileStore) -> None:
    """Its other logins may still be in a backup."""
    store.path.write_bytes(b"damaged")
    login = Credential(headers={}, hosts=())

    with pytest.raises(CredentialsCorrupt):
        asyncio.run(store.set("slack", login))

    assert store.path.read_bytes() == b"damaged"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610])
@pytest.mark.parametrize("name", ["credentials.enc", "master.key"])
def test_a_file_open_to_others_is_refused(store: EncryptedFileStore, name: str, mode: int) -> None:
    """Somebody may have read it; the error says how to close it."""
    path = store.path.with_name(name)
    path.chmod(mode)

    with pytest.raises(UnsafePlace, match=f"{name} is open to other users") as caught:
        _get(store)

    assert caught.value.hint.endswith(f"chmod 600 {path}")


@pytest.mark.parametrize("mode", [0o750, 0o701, 0o1777])
def test_a_folder_open_to_others_is_refused(store: EncryptedFileStore, mode: int) -> None:
    """The user's data directory is the user's alone."""
    folder = store.path.parent
    folder.chmod(mode)

    with pytest.raises(UnsafePlace, match="data is open to other users") as caught:
        _get(store)

    assert caught.value.hint.endswith(f"chmod 700 {folder}")


@pytest.mark.parametrize(("mode", "is_safe"), [(0o755, True), (0o775, False), (0o757, False)])
def test_a_projects_folder_may_be_read_by_others(
    tmp_path: Path, credential: Credential, mode: int, is_safe: bool
) -> None:
    """Nobody else may put a file there."""
    store = EncryptedFileStore(tmp_path / "data", project=tmp_path)
    asyncio.run(store.set("jira", credential))
    store.path.parent.chmod(mode)
