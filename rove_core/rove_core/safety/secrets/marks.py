"""Marks in place of secrets; equal secrets get equal marks."""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from rove_core.store.files import read_file, write_atomic

_KEY_BYTES: Final = 32


def mark(secret: str, key: bytes = b"") -> str:
    """Return four digits that distinguish secrets without revealing them.

    Args:
        secret: The secret.
        key: What the mark is made with, at most 64 bytes; one of this process when empty.
    """
    from hashlib import blake2b  # noqa: PLC0415  # it loads OpenSSL

    data = secret.encode(errors="surrogatepass")
    return blake2b(data, key=key or _own_key(), digest_size=2).hexdigest()


def mark_key(folder: Path) -> bytes:
    """Return the key of a folder, so that a secret has the same mark today and tomorrow.

    It is made when it is not there; if it is lost, marks change once and nothing else happens.
    """
    path = folder / "marks.key"
    with suppress(OSError):
        key = read_file(path)
        if len(key) == _KEY_BYTES:
            return key
    key = os.urandom(_KEY_BYTES)
    write_atomic(path, key)
    return key


@cache
def _own_key() -> bytes:
    return os.urandom(_KEY_BYTES)
