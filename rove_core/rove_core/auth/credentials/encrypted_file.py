"""Credentials in one encrypted file, its key in another.

The key lies in the user's data directory, in a file of its own. So a copy of a project, a
backup of ``credentials.enc`` or a commit of it gives nothing away; whoever may run programs
as this user reads both, as with every store that asks for no password.
"""

import asyncio
import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rove_core.auth.credentials.codec import decode, encode
from rove_core.auth.credentials.private import check_folder, read_private
from rove_core.auth.credentials.sealed_file import KEY_BYTES, seal, unseal
from rove_core.errors import CredentialsCorrupt
from rove_core.store.files import FileLock, private_folder, write_atomic

if TYPE_CHECKING:
    from rove_core.login import Credential

#: A project's folder may be readable, but nobody else may put another file in its place.
_PROJECT_FOLDER: Final = 0o755


class EncryptedFileStore:
    """Stores credentials in ``credentials.enc``; safe for concurrent processes.

    Args:
        data_dir: The user's data directory, where the key lies.
        project: Keep the file in the ``.rove`` of this project, and not beside the key.
    """

    def __init__(self, data_dir: Path, *, project: Path | None = None) -> None:
        self._data_dir = data_dir
        self._key_path = data_dir / "master.key"
        self._folder = data_dir if project is None else project / ".rove"
        self._folder_mode = 0o700 if project is None else _PROJECT_FOLDER
        self.path: Final = self._folder / "credentials.enc"

    @property
    def name(self) -> str:
        """The kind of store."""
        return "encrypted_file"

    async def get(self, account: str) -> "Credential | None":
        """Return the account's credential, or None if there is none.

        Raises:
            CredentialsCorrupt: The file or its key is damaged or gone.
            UnsafePlace: Others have access to the file, the key or their folders.
            DiskTrouble: A file cannot be read.
        """
        texts = await asyncio.to_thread(self._read)
        text = texts.get(account)
        return None if text is None else decode(text, account=account, place=str(self.path))

    async def set(self, account: str, credential: "Credential") -> None:
        """Keep the account's credential instead of the one before.

        Raises:
            CredentialsCorrupt: The file or its key is damaged or gone.
            UnsafePlace: Others have access to the file, the key or their folders.
            DiskTrouble: A file cannot be read or written; the old one is still there.
            Locked: Another process keeps the lock.
        """
        await asyncio.to_thread(self._replace, account, encode(credential))

    async def delete(self, account: str) -> None:
        """Forget the account's credential, if there is one.

        Raises:
            CredentialsCorrupt: The file or its key is damaged or gone.
            UnsafePlace: Others have access to the file, the key or their folders.
            DiskTrouble: A file cannot be read or written; the old one is still there.
            Locked: Another process keeps the lock.
        """
        texts = await asyncio.to_thread(self._read)
        if account in texts:
            await asyncio.to_thread(self._replace, account, None)

    def _replace(self, account: str, text: str | None) -> None:
        self._check_folders()
        private_folder(self._data_dir)
        private_folder(self._folder)
        with FileLock(self._data_dir / "credentials.lock"):
            texts = dict(self._read())
            texts.pop(account, None)
            if text is not None:
                texts[account] = text
            sealed = seal(json.dumps(texts).encode(), self._read_key() or self._make_key())
            write_atomic(self.path, sealed)

    def _read(self) -> Mapping[str, str]:
        self._check_folders()
        sealed = read_private(self.path)
        if sealed is None:
            return {}
        key = self._read_key()
        if key is None:
            raise self._corrupt(f"{self.path} cannot be opened: its key {self._key_path} is gone")
        plain = unseal(sealed, key)
        if plain is None:
            raise self._corrupt(f"{self.path} is damaged, or {self._key_path} is not its key")
        texts: Mapping[str, str] = json.loads(plain)
        return texts

    def _check_folders(self) -> None:
        check_folder(self._data_dir)
        check_folder(self._folder, allowed=self._folder_mode)

    def _read_key(self) -> bytes | None:
        key = read_private(self._key_path)
        if key is not None and len(key) != KEY_BYTES:
            raise self._corrupt(
                f"the key {self._key_path} is damaged: {len(key)} bytes instead of {KEY_BYTES}",
                remove=f"it and {self.path}",
            )
        return key

    def _make_key(self) -> bytes:
        key = secrets.token_bytes(KEY_BYTES)
        write_atomic(self._key_path, key)
        return key

    def _corrupt(self, message: str, *, remove: str = "") -> CredentialsCorrupt:
        return CredentialsCorrupt(
            message,
            hint=f"Restore both from a backup; or remove {remove or self.path}"
            " and log in again: rove --add-source KIND",
        )
