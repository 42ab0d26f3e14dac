"""The format of ``credentials.enc``: a header, a nonce, and ChaCha20-Poly1305 over the rest.

::

    8 bytes   ``RoveCred``
    1 byte    version of the format, 1
    1 byte    algorithm, 1 is ChaCha20-Poly1305
    12 bytes  nonce, random at each write
    n bytes   what is kept, encrypted
    16 bytes  tag over all of it, the header included
"""

import secrets
from typing import Final

KEY_BYTES: Final = 32
_HEADER: Final = b"RoveCred\x01\x01"
_NONCE_BYTES: Final = 12


def seal(plain: bytes, key: bytes) -> bytes:
    """Return the bytes as they are written to the file."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415  # slow to import

    nonce = secrets.token_bytes(_NONCE_BYTES)
    return _HEADER + nonce + ChaCha20Poly1305(key).encrypt(nonce, plain, _HEADER)


def unseal(sealed: bytes, key: bytes) -> bytes | None:
    """Return the decrypted content, or None if the data or the key was altered."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415  # slow to import
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415  # slow to import

    if not sealed.startswith(_HEADER):
        return None
    start = len(_HEADER)
    nonce, encrypted = sealed[start : start + _NONCE_BYTES], sealed[start + _NONCE_BYTES :]
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, encrypted, _HEADER)
    except (InvalidTag, ValueError):
        return None
