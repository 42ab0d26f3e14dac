"""Choose a credential store by probing, once, and keep to it."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Literal

from rove_core.auth.credentials.choice import StoreChoice, remember_choice, remembered_choice
from rove_core.auth.credentials.encrypted_file import EncryptedFileStore
from rove_core.auth.credentials.private import read_private
from rove_core.auth.credentials.store import CredentialStore
from rove_core.auth.keychain import load_keychain, probe_keychain
from rove_core.clock import SYSTEM, Clock
from rove_core.errors import DiskTrouble, KeychainUnusable, WrongCall


async def choose_store(
    backend: Literal["auto", "keychain", "encrypted_file"],
    *,
    data_dir: Path,
    location: Literal["user", "project"] = "user",
    project: Path | None = None,
    clock: Clock = SYSTEM,
) -> CredentialStore:
    """Return the store for this user's credentials.

    ``auto`` tries the keychain once and takes the encrypted file if it does not work. What
    was chosen is remembered and not tried again: what is installed or broken later must not
    change where logins are looked for.

    Args:
        backend: What the settings say.
        data_dir: The user's data directory.
        location: Where an encrypted file lies: with the user or in the project.
        project: The project's folder, for the latter.
        clock: Says when the choice was made.

    Raises:
        KeychainUnusable: The keychain that was asked for, or chosen earlier, does not work.
    """
    if location == "project" and project is None:
        raise WrongCall('the location "project" needs a project')
    file = EncryptedFileStore(data_dir, project=project if location == "project" else None)
    if backend == "encrypted_file":
        return file
    choice = await asyncio.to_thread(remembered_choice, data_dir)
    if choice is None and backend == "auto":
        choice = await _probe(file, clock)
        choice = await _remember(data_dir, choice, replace=False)
    elif choice is None or (backend == "keychain" and not choice.keychain):
        choice = await _working_keychain("the settings ask for a keychain", clock)
        choice = await _remember(data_dir, choice, replace=True)
    return await load_keychain(choice.keychain) if choice.keychain else file


async def _probe(file: EncryptedFileStore, clock: Clock) -> StoreChoice:
    if await asyncio.to_thread(read_private, file.path) is not None:
        return StoreChoice(keychain="", chosen_at=clock.now(), why=f"{file.path} is already there")
    try:
        return await _working_keychain("it stored an entry and returned it", clock)
    except KeychainUnusable as error:
        return StoreChoice(keychain="", chosen_at=clock.now(), why=error.message)


async def _working_keychain(why: str, clock: Clock) -> StoreChoice:
    store = await probe_keychain()
    return StoreChoice(keychain=store.backend, chosen_at=clock.now(), why=why)


async def _remember(data_dir: Path, choice: StoreChoice, *, replace: bool) -> StoreChoice:
    # Where nothing can be written no login is kept either, and the environment may do.
    with suppress(DiskTrouble):
        return await asyncio.to_thread(remember_choice, data_dir, choice, replace=replace)
    return choice
