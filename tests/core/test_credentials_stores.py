"""What every store does, whichever it is."""

import asyncio
from pathlib import Path

import attrs
import pytest
from keyring.backend import KeyringBackend

from rove_core.auth.credentials import CredentialStore, EncryptedFileStore, MemoryStore
from rove_core.auth.keychain import KeychainStore
from rove_core.login import Credential
from rove_core.safety.secret import Secret


@pytest.fixture(params=["memory", "keychain", "encrypted_file", "in the project"])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, keychain: KeyringBackend
) -> CredentialStore:
    """Give each store in turn, empty."""
    data_dir = tmp_path / "data"
    stores: dict[str, CredentialStore] = {
        "memory": MemoryStore(),
        "keychain": KeychainStore(keychain),
        "encrypted_file": EncryptedFileStore(data_dir),
        "in the project": EncryptedFileStore(data_dir, project=tmp_path),
    }
    return stores[request.param]


def test_a_kept_credential_comes_back(store: CredentialStore, credential: Credential) -> None:
    """Every character of every field, in any script, with any punctuation."""
    asyncio.run(store.set("jira", credential))

    assert asyncio.run(store.get("jira")) == credential


def test_an_unknown_account_has_no_credential(store: CredentialStore) -> None:
    """That is no error: somebody may log in."""
    assert asyncio.run(store.get("jira")) is None


def test_accounts_of_one_kind_are_apart(store: CredentialStore, credential: Credential) -> None:
    """Each account has a credential of its own."""
    other = attrs.evolve(credential, access=Secret("other"))
    asyncio.run(store.set("jira", credential))
    asyncio.run(store.set("jira:work", other))

    assert asyncio.run(store.get("jira")) == credential
    assert asyncio.run(store.get("jira:work")) == other


def test_the_last_credential_holds(store: CredentialStore, credential: Credential) -> None:
    """A new credential takes the place of the one before."""
    asyncio.run(store.set("jira", credential))
    asyncio.run(store.set("jira", attrs.evolve(credential, access=None, expires_at=None)))

    kept = asyncio.run(store.get("jira"))

    assert kept == attrs.evolve(credential, access=None, expires_at=None)


def test_a_deleted_credential_is_gone(store: CredentialStore, credential: Credential) -> None:
    """Only the one that was named is forgotten."""
    asyncio.run(store.set("jira", credential))
    asyncio.run(store.set("slack", credential))
    asyncio.run(store.delete("jira"))

    assert asyncio.run(store.get("jira")) is None
    assert asyncio.run(store.get("slack")) == credential


def test_deleting_nothing_is_no_error(store: CredentialStore) -> None:
    """What is gone already needs no deleting."""
    asyncio.run(store.delete("jira"))

    assert asyncio.run(store.get("jira")) is None


def test_a_secret_is_not_in_what_is_printed(store: CredentialStore, credential: Credential) -> None:
    """Neither a store nor a credential shows a secret."""
    secret = "canary-hunter2"  # noqa: S105  # it is none
    asyncio.run(store.set("jira", attrs.evolve(credential, access=Secret(secret))))

    kept = asyncio.run(store.get("jira"))

    assert secret not in f"{store!r} {store} {vars(store)} {kept!r} {kept}"
