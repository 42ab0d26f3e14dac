import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from rove_core.auth.credentials import EncryptedFileStore
from rove_core.errors import CredentialsCorrupt
from rove_core.login import Credential
from rove_core.safety.secret import Secret


@pytest.fixture
def store(tmp_path: Path) -> EncryptedFileStore:
    """Give a store with one short login."""
    store = EncryptedFileStore(tmp_path / "data")
    token = Secret("t0p-" * 10)
    login = Credential(headers={"Authorization": token}, hosts=("acme.example",), access=token)
    asyncio.run(store.set("jira", login))
    return store


def _get(store: EncryptedFileStore) -> Credential | None:
    return asyncio.run(store.get("jira"))


def _refused(store: EncryptedFileStore, path: Path, variants: Iterator[bytes]) -> int:
    """Count the variants of a file, each of which the store has to find damaged."""
    count = 0
    with asyncio.Runner() as loop:
        for variant in variants:
            path.write_bytes(variant)
            with pytest.raises(CredentialsCorrupt, match=path.name) as caught:
                loop.run(store.get("jira"))
            assert f"{store.path} and log in again" in caught.value.hint
            count += 1
    return count


def _flipped(data: bytes) -> Iterator[bytes]:
    for bit in range(8 * len(data)):
        copy = bytearray(data)
        copy[bit // 8] ^= 1 << bit % 8
        yield bytes(copy)


def _cut(data: bytes) -> Iterator[bytes]:
    return (data[:length] for length in range(len(data)))


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


def test_a_damaged_key_is_not_used(store: EncryptedFileStore) -> None:
    """Not even for the first login."""
    store.path.unlink()
    store.path.with_name("master.key").write_bytes(b"short")
    login = Credential(headers={}, hosts=())

    with pytest.raises(CredentialsCorrupt, match=r"master\.key is damaged: 5 bytes instead of 32"):
        asyncio.run(store.set("jira", login))


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
